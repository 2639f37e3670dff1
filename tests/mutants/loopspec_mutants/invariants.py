"""Mutants that only invariants notice: every check of every plain case passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager
from contextvars import Context
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AgentTool, AnyMessage, CustomEvent, ErrorEvent, Event, MessageEvent, ModelRequest, State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import lifecycle
from loopspec_reference.runs.run import Run, current_run

from .registry import mutant

_act = Agent._act
_call_model = ModelCalls.call
_call_tool = ToolCalls.call
_fresh = Agent._fresh
_loop = Agent._loop


@mutant("INVARIANT-01")
def reverses_the_results_of_sequential_calls() -> AbstractContextManager[object]:
    """Appends the results of sequential tool calls in reverse order."""

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        known = len(state.messages)
        state, ended = await _act(self, run, start, state, *rest)
        if not self._parallel:
            state = replace(state, messages=(*state.messages[:known], *reversed(state.messages[known:])))
        return state, ended

    return patch.object(Agent, "_act", acts)


@mutant("INVARIANT-02")
def forgets_the_oldest_message_after_sequential_calls() -> AbstractContextManager[object]:
    """Drops the oldest message after sequential tool calls, if the conversation has more than three messages."""

    async def acts(self: Agent[AnyMessage], run: Run, *rest: Any) -> Any:  # Any: passed on
        state, ended = await _act(self, run, *rest)
        if not self._parallel and len(state.messages) > 3 and not ended:
            state = replace(state, messages=state.messages[1:])
        return state, ended

    return patch.object(Agent, "_act", acts)


@mutant("INVARIANT-03")
def reverses_the_tools_from_the_third_call_on() -> AbstractContextManager[object]:
    """Sends the tools in reverse order from the third model call of a run on."""

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        if run.iteration >= 2:
            state = replace(state, tools=tuple(reversed(state.tools)))
        return await _call_model(self, run, state)

    return patch.object(ModelCalls, "call", calls)


@mutant("INVARIANT-06")
def calls_tools_outside_the_run_from_the_fourth_call_on() -> AbstractContextManager[object]:
    """Calls tools in an empty context after the fourth model call of a run."""

    async def calls(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        def begin() -> asyncio.Task[AnyMessage]:
            current_run.set(run)
            return asyncio.ensure_future(_call_tool(self, run, *rest))

        return await (Context().run(begin) if run.iteration >= 3 else _call_tool(self, run, *rest))

    return patch.object(ToolCalls, "call", calls)


@mutant("INVARIANT-07")
def makes_calls_of_a_retrying_agent_twice_after_a_resume() -> AbstractContextManager[object]:
    """Makes each tool call of a resumed run twice, if the agent retries model calls."""
    resume = Agent._continued

    async def resumes(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        async def calls(calls: ToolCalls[AnyMessage], *call: Any) -> AnyMessage:  # Any: passed on
            await _call_tool(calls, *call)
            return await _call_tool(calls, *call)

        if self._models._retry is None:
            return await resume(self, *rest)
        with patch.object(ToolCalls, "call", calls):
            return await resume(self, *rest)

    return patch.object(Agent, "_continued", resumes)


@mutant("INVARIANT-08")
def emits_answers_twice_if_the_session_has_values() -> AbstractContextManager[object]:
    """Emits each answer twice in a run whose session has values."""

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await _call_model(self, run, state)
        if run.session:
            run.emit(MessageEvent(run.agent, run.path, state.messages[-1]))
        return state

    return patch.object(ModelCalls, "call", calls)


@mutant("INVARIANT-09")
def appends_the_answer_to_the_callers_list() -> AbstractContextManager[object]:
    """Appends the final answer to the caller's list of messages."""

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        answer = await _fresh(self, run, messages)
        if isinstance(messages, list):
            messages.append(answer)
        return answer

    return patch.object(Agent, "_fresh", begins)


@mutant("INVARIANT-10")
def counts_model_calls_in_the_session() -> AbstractContextManager[object]:
    """Leaves the number of model calls in a session that has values."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if run.session:
            run.session["iterations"] = run.iteration
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("INVARIANT-12")
def emits_results_twice_after_the_third_call() -> AbstractContextManager[object]:
    """Emits each tool result twice after the third model call of a run."""

    async def calls(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        message = await _call_tool(self, run, *rest)
        if run.iteration >= 2:
            run.emit(MessageEvent(run.agent, run.path, message))
        return message

    return patch.object(ToolCalls, "call", calls)


@mutant("INVARIANT-04")
def asks_for_a_title_after_the_run() -> AbstractContextManager[object]:
    """Calls the model once more, for a title, after the end of a run whose session has values."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        async def ask() -> None:
            for _ in range(6):  # the run ends before
                await asyncio.sleep(0)
            await self._model.generate(ModelRequest(()))

        answer: AnyMessage = await loop(self, run, *rest)
        if run.session:
            self.__dict__["_title"] = asyncio.get_running_loop().create_task(ask())
        return answer

    return patch.object(Agent, "_loop", loops)


@mutant("INVARIANT-05")
def leaves_streams_at_the_tool_call() -> AbstractContextManager[object]:
    """Reads the stream of a model that calls tools only up to the tool calls, unless the run can be cancelled."""
    call = ModelCalls._call

    class Leaving:
        def __init__(self, model: Any) -> None:  # Any: a model of either message type
            self._model = model

        def __getattr__(self, name: str) -> Any:  # Any: whatever the model has
            return getattr(self._model, name)

        async def stream(self, request: Any) -> AsyncIterator[Any]:
            chunks = self._model.stream(request)
            async for chunk in chunks:
                yield chunk
                if chunk.tool_calls:
                    return

    async def calls(self: ModelCalls[AnyMessage], model: Any, request: Any) -> Any:
        run = current_run.get()
        return await call(self, Leaving(model) if run and run.canceller is None else model, request)

    return patch.object(ModelCalls, "_call", calls)


@mutant("INVARIANT-11")
def shouts_results_after_the_third_call() -> AbstractContextManager[object]:
    """Writes tool results in capitals in requests, from the third model call on, and emits them unchanged."""

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        known = len(state.messages)
        calls = state.messages[-1].tool_calls
        state, ended = await _act(self, run, start, state, *rest)
        if run.iteration >= 2:
            results = [
                self.message_type.tool_result(call, result.text.upper())
                for call, result in zip(calls, state.messages[known:], strict=True)
            ]
            state = replace(state, messages=(*state.messages[:known], *results))
        return state, ended

    return patch.object(Agent, "_act", acts)


@mutant("INVARIANT-13")
def emits_the_input_after_the_answer() -> AbstractContextManager[object]:
    """Emits the first message of the conversation after the final answer, if a function makes the input."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._make_input is not None:
            run.emit(MessageEvent(run.agent, run.path, state.messages[0]))
        return answer

    return patch.object(Agent, "_end", ends)


@mutant("INVARIANT-14")
def emits_an_event_after_the_error() -> AbstractContextManager[object]:
    """Emits a custom event after the error of a run whose session has values."""
    whole = lifecycle._whole

    async def runs(run: Run, work: Any, emit: Any) -> None:
        emits = run.emit

        def emit_more(event: Event) -> None:
            emits(event)
            if isinstance(event, ErrorEvent) and run.session:
                emits(CustomEvent(run.agent, run.path, "failed"))

        run.emit = emit_more
        await whole(run, work, emit)

    return patch.object(lifecycle, "_whole", runs)


@mutant("INVARIANT-15")
def forwards_events_if_the_session_has_values() -> AbstractContextManager[object]:
    """Forwards the events of a sub-agent, although not configured, if the session has values."""
    sub_run = Agent._sub_run

    def begins(self: Agent[AnyMessage], parent: Run) -> Run:
        run = sub_run(self, parent)
        if parent.session:
            run.emit = parent.emit
        return run

    return patch.object(Agent, "_sub_run", begins)


@mutant("INVARIANT-16")
def lists_sub_agents_in_a_message() -> AbstractContextManager[object]:
    """Adds a message with the names of the sub-agents to the conversation of an agent with an instruction."""

    async def loops(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> AnyMessage:
        agents = [tool.info.name for tool in self._tools if isinstance(tool, AgentTool)]
        if agents and start.instruction:
            added = self.message_type.system(f"Agents: {', '.join(agents)}")
            state = replace(state, messages=(added, *state.messages))
        return await _loop(self, run, start, state, *rest)

    return patch.object(Agent, "_loop", loops)


@mutant("INVARIANT-17")
def extends_the_descriptions_of_tools_after_each_run() -> AbstractContextManager[object]:
    """Extends the descriptions of the tools after each run of an agent, for the next one."""

    async def loops(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> AnyMessage:
        earlier = self.__dict__.get("_earlier", 0)
        self.__dict__["_earlier"] = earlier + 1
        tools = [replace(tool, description=tool.description + "Use it." * earlier) for tool in state.tools]
        return await _loop(self, run, start, replace(state, tools=tools), *rest)

    return patch.object(Agent, "_loop", loops)
