"""Realistic bugs that lose messages, or that make a wrong result of a sub-agent."""

from __future__ import annotations

import asyncio
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AgentTool, AnyMessage, InterruptRun, Message, State, ToolContext, ToolRequest
from loopspec_reference.calls.models import ModelRequest
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.plugins.middleware import HookState, Runtime
from loopspec_reference.plugins.summarization import _Summarizer
from loopspec_reference.runs.run import Run

from ..registry import bug


@bug("LOOP-03")
def loses_the_last_of_several_results() -> AbstractContextManager[object]:
    """Loses the last result when an answer has several tool calls."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        after, ended = await act(self, run, start, state, *rest)  # Any: passed on
        several = len(after.messages) - len(state.messages) > 1
        return (replace(after, messages=after.messages[:-1]) if several and not ended else after), ended

    return patch.object(Agent, "_act", acts)


@bug("LOOP-03")
def omits_answers_without_a_text() -> AbstractContextManager[object]:
    """Omits an answer without a text from the next request, although the answer calls tools."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Any:
        kept = tuple(one for one in request.messages if one.role != "assistant" or one.text)  # Any: passed on
        return await answered(self, run, replace(request, messages=kept))

    return patch.object(ModelCalls, "_answered", answers)


@bug("HOOK-BM-03")
def keeps_only_the_texts_of_a_changed_conversation() -> AbstractContextManager[object]:
    """Drops the tool calls and tool results from a conversation that a before-model hook has changed."""
    prepared = ModelCalls._prepared

    async def prepares(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        after = await prepared(self, state)
        plain = [one for one in after.messages if isinstance(one, Message)]
        if after.messages is state.messages or len(plain) < len(after.messages):
            return after
        return replace(after, messages=tuple(replace(one, tool_calls=()) for one in plain if one.role != "tool"))

    return patch.object(ModelCalls, "_prepared", prepares)


@bug("AGENTTOOL-17")
def ends_the_run_after_a_sub_agent() -> AbstractContextManager[object]:
    """Ends the outer run after the tool calls of an answer if one of them has called a sub-agent."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        called = [start.box.tools.get(call.name) for call in state.messages[-1].tool_calls]  # Any: passed on
        after, ended = await act(self, run, start, state, *rest)
        return after, ended or any(isinstance(tool, AgentTool) for tool in called)

    return patch.object(Agent, "_act", acts)


@bug("AGENTTOOL-08")
def makes_an_empty_result_of_a_failed_sub_agent() -> AbstractContextManager[object]:
    """Makes an empty tool result of a sub-agent whose model call has failed."""
    invoke = AgentTool.invoke

    async def invokes(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        try:
            return await invoke(self, context, request)
        except InterruptRun:
            raise
        except Exception:
            return ""

    return patch.object(AgentTool, "invoke", invokes)


@bug("CANCEL-07")
def leaves_a_sub_agent_running() -> AbstractContextManager[object]:
    """Stops the outer run at an immediate cancellation, but not the sub-agent that the run waits for."""
    invoke = AgentTool.invoke

    async def invokes(self: AgentTool[AnyMessage], context: ToolContext, request: ToolRequest[str]) -> str:
        return await asyncio.shield(asyncio.ensure_future(invoke(self, context, request)))

    return patch.object(AgentTool, "invoke", invokes)


@bug("LOOP-03")
def ends_at_an_empty_result() -> AbstractContextManager[object]:
    """Ends the run after the tool calls of an answer if one of the results is empty."""
    act = Agent._act

    async def acts(self: Agent[AnyMessage], run: Run, start: Any, state: State[AnyMessage], *rest: Any) -> Any:
        after, ended = await act(self, run, start, state, *rest)  # Any: passed on
        results = after.messages[len(state.messages) :]
        return after, ended or not all(one.outcome for one in results)

    return patch.object(Agent, "_act", acts)


@bug("XP-SUM-12")
def strips_tool_calls_from_kept_messages() -> AbstractContextManager[object]:
    """Strips the tool calls from the messages that a summarization keeps, so that their results have no call."""
    before_model = _Summarizer.before_model

    async def summarizes(self: _Summarizer, state: HookState, runtime: Runtime) -> dict[str, Any] | None:
        update = await before_model(self, state, runtime)  # Any: JSON and messages
        if update is not None:
            kept = [replace(one, tool_calls=()) if isinstance(one, Message) else one for one in update["messages"]]
            update["messages"] = kept
        return update

    return patch.object(_Summarizer, "before_model", summarizes)
