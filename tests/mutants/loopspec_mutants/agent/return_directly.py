"""Mutants about tools that return directly."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, InterruptRun, MessageEvent, State, ToolCall
from loopspec_reference.loop.agents import Agent, _Start
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import mutant

AnyAgent = Agent[AnyMessage]
Names = frozenset[str]


def _takes(
    change: Callable[[Run, _Start, State[AnyMessage], int], Names],
) -> AbstractContextManager[object]:
    """Patch which tools return directly, by the run, its state and the number of the answer."""
    act = Agent._act

    async def acts(
        self: AnyAgent, run: Run, start: _Start, state: State[AnyMessage], iteration: int, *rest: Any
    ) -> tuple[State[AnyMessage], bool]:
        start = replace(start, return_directly=change(run, start, state, iteration))
        return await act(self, run, start, state, iteration, *rest)

    return patch.object(Agent, "_act", acts)


def _called(state: State[AnyMessage]) -> list[str]:
    return [call.name for call in state.messages[-1].tool_calls]


@mutant(
    "RETDIR-01",
    neighbors={
        "EXIT-02": "the model calls the exit tool after another tool",
        "RETDIR-10": "the second answer calls the tool that still returns directly",
    },
)
def returns_directly_after_the_first_answer_only() -> AbstractContextManager[object]:
    """Returns directly only for tool calls of the first answer."""
    return _takes(lambda run, start, state, iteration: start.return_directly if iteration == 1 else frozenset())


@mutant(
    "RETDIR-02",
    neighbors={
        "AGENTTOOL-19": "the sub-agent of an example ends with a return-directly tool",
        "AGENTTOOL-04": "the sub-agent of an example ends with a return-directly tool",
        "HOOK-AA-02": "the rule states the same of the after-agent hook",
        "OUTKEY-03": "the rule states the same of the stored text",
        "OUTKEY-06": "the answer whose parts are stored is a tool result",
    },
)
def returns_the_text_alongside_the_call() -> AbstractContextManager[object]:
    """Ends the run with the text that the model sent alongside the tool call, not with the tool's result."""
    end = Agent._end

    async def ends(self: AnyAgent, run: Run, state: State[AnyMessage]) -> AnyMessage:
        answers = [message for message in state.messages if message.role == "assistant"]
        if state.messages[-1].role == "tool" and answers and answers[-1].text:
            state = replace(state, messages=(*state.messages, answers[-1]))
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("RETDIR-03", neighbors={"RETDIR-12": "the example has two calls that return directly"})
def returns_the_last_match() -> AbstractContextManager[object]:
    """Returns the result of the last of several calls that return directly."""

    def last(run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> Names:
        return frozenset([name for name in _called(state) if name in start.return_directly][-1:])

    return _takes(last)


@mutant(
    "RETDIR-04",
    neighbors={
        "EXIT-01": "the exit tool stands next to another tool in an example",
        "EVENT-15": "the rule says when the results of the other calls are emitted",
        "RETDIR-11": "the rule gives the position of the results of the other calls",
        "RETDIR-03": "the example holds the second of two calls, which is never made",
        "RETDIR-12": "the example waits for the other call",
    },
)
def makes_only_the_call_that_returns_directly() -> AbstractContextManager[object]:
    """Makes none of the other tool calls of an answer when one of them returns directly."""
    act = Agent._act

    async def acts(
        self: AnyAgent, run: Run, start: _Start, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:
        answer = state.messages[-1]
        matching = [call for call in answer.tool_calls if call.name in start.return_directly]
        if matching:
            answer = self.message_type.assistant(answer.text, matching[:1])
            state = replace(state, messages=(*state.messages[:-1], answer))
        return await act(self, run, start, state, *rest)

    return patch.object(Agent, "_act", acts)


@mutant("RETDIR-05")
def ignores_the_value_of_an_entry() -> AbstractContextManager[object]:
    """Lets every tool with an entry in the configuration return directly, also if the entry is false."""
    init = Agent.__init__

    def ignores_values(self: AnyAgent, **configuration: Any) -> None:  # Any: passed on
        names = configuration.get("return_directly") or {}
        init(self, **{**configuration, "return_directly": dict.fromkeys(names, True)})

    return patch.object(Agent, "__init__", ignores_values)


@mutant("RETDIR-06")
def matches_parts_of_names() -> AbstractContextManager[object]:
    """Lets a tool return directly whose name is a part of the listed names."""

    def within(run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> Names:
        listed = ",".join(sorted(start.return_directly))
        return frozenset(name for name in _called(state) if name in listed)

    return _takes(within)


@mutant("RETDIR-07")
@contextmanager
def returns_an_error_directly() -> Iterator[None]:
    """Takes the error of a return-directly tool for its result."""
    act, call = Agent._act, ToolCalls.call
    direct: ContextVar[Names] = ContextVar("direct", default=frozenset())

    async def acts(self: AnyAgent, run: Run, start: _Start, *rest: Any) -> tuple[State[AnyMessage], bool]:
        direct.set(start.return_directly)
        return await act(self, run, start, *rest)

    async def calls(
        self: ToolCalls[AnyMessage], run: Run, box: Toolbox, requested: ToolCall, context: Any, emit: Any, exits: bool
    ) -> AnyMessage:
        try:
            return await call(self, run, box, requested, context, emit, exits)
        except Exception as error:
            if isinstance(error, InterruptRun) or requested.name not in direct.get() or exits:
                raise
            message = self._message_type.tool_result(requested, str(error))
            emit(MessageEvent(run.agent, run.path, message))
            return message

    with patch.object(Agent, "_act", acts), patch.object(ToolCalls, "call", calls):
        yield


@mutant("RETDIR-08", neighbors={"AGENTTOOL-21": "the return-directly tool of an example streams"})
def ignores_streamable_return_directly_tools() -> AbstractContextManager[object]:
    """Never returns directly for a streamable tool."""

    def invoked(run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> Names:
        kinds = start.box.kinds
        return frozenset(
            name for name in start.return_directly if name in kinds and "streaming" not in kinds[name][run.streaming]
        )

    return _takes(invoked)


def _begins(change: Callable[[AnyAgent, _Start], Names]) -> AbstractContextManager[object]:
    """Patch which tools return directly when a run begins."""
    begin: Callable[[AnyAgent, Run], Awaitable[_Start]] = Agent._begin

    async def begins(self: AnyAgent, run: Run) -> _Start:
        start = await begin(self, run)
        return replace(start, return_directly=change(self, start))

    return patch.object(Agent, "_begin", begins)


def _configured(agent: AnyAgent) -> Names:
    exits = agent._exit_tool
    return agent._return_directly | (frozenset() if exits is None else {exits.info.name})


@mutant("RETDIR-09")
def ignores_return_directly_names_of_hooks() -> AbstractContextManager[object]:
    """Ignores the return-directly names that a before-agent hook adds."""
    return _begins(lambda agent, start: start.return_directly & _configured(agent))


@mutant("RETDIR-10")
def restores_return_directly_names_when_a_hook_removes_all() -> AbstractContextManager[object]:
    """Uses the configured return-directly names when a before-agent hook has removed all names."""
    return _begins(lambda agent, start: start.return_directly or _configured(agent))


@mutant("RETDIR-11")
def appends_the_direct_result_last() -> AbstractContextManager[object]:
    """Appends the result of the return-directly tool after the results of the other calls."""
    act = Agent._act

    async def acts(
        self: AnyAgent, run: Run, start: _Start, state: State[AnyMessage], *rest: Any
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, *rest)
        if run.answer_at < -1:
            messages = list(state.messages)
            messages.append(messages.pop(run.answer_at))
            run.answer_at = -1
            state = replace(state, messages=tuple(messages))
        return state, ended

    return patch.object(Agent, "_act", acts)
