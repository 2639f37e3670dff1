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
    """Take other tools for those that return directly after one answer, whose number is told."""
    act = Agent._act

    async def acts(
        self: AnyAgent, run: Run, start: _Start, state: State[AnyMessage], iteration: int, *rest: Any
    ) -> tuple[State[AnyMessage], bool]:
        start = replace(start, return_directly=change(run, start, state, iteration))
        return await act(self, run, start, state, iteration, *rest)

    return patch.object(Agent, "_act", acts)


def _asked(state: State[AnyMessage]) -> list[str]:
    return [call.name for call in state.messages[-1].tool_calls]


@mutant(
    "RETDIR-01",
    neighbors={
        "EXIT-02": "its exit tool is asked for after another tool",
        "RETDIR-10": "the tool that is left on the list is asked for second",
    },
)
def returns_directly_after_the_first_answer_only() -> AbstractContextManager[object]:
    """Looks for tools that return directly among the calls of the first answer, and not of later ones."""
    return _takes(lambda run, start, state, iteration: start.return_directly if iteration == 1 else frozenset())


@mutant(
    "RETDIR-02",
    neighbors={
        "HOOK-AA-02": "it says the same of the hook after the agent",
        "OUTKEY-03": "it says the same of what is stored",
        "OUTKEY-06": "the answer whose parts are stored is a tool's result",
    },
)
def returns_what_the_model_has_said_with_the_call() -> AbstractContextManager[object]:
    """Ends the run with the model's words beside the call, where there are some, not with the tool's result."""
    end = Agent._end

    async def ends(self: AnyAgent, run: Run, state: State[AnyMessage]) -> AnyMessage:
        said = [message for message in state.messages if message.role == "assistant"]
        if state.messages[-1].role == "tool" and said and said[-1].text:
            state = replace(state, messages=(*state.messages, said[-1]))
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("RETDIR-03", neighbors={"RETDIR-04": "one of its examples has two calls that match"})
def returns_the_last_match() -> AbstractContextManager[object]:
    """Of several calls that return directly, returns the last one."""

    def last(run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> Names:
        return frozenset([name for name in _asked(state) if name in start.return_directly][-1:])

    return _takes(last)


@mutant(
    "RETDIR-04",
    neighbors={
        "EVENT-15": "it says when the other calls' results are told",
        "RETDIR-11": "it says where the other calls' results stand",
    },
)
def makes_only_the_call_that_returns_directly() -> AbstractContextManager[object]:
    """Leaves the other calls of an answer unmade when one of them returns directly."""
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
def looks_for_the_name_and_not_for_the_yes() -> AbstractContextManager[object]:
    """Lets every tool that has an entry return directly, whatever the entry says."""
    init = Agent.__init__

    def believes(self: AnyAgent, **configuration: Any) -> None:  # Any: handed on
        names = configuration.get("return_directly") or {}
        init(self, **{**configuration, "return_directly": dict.fromkeys(names, True)})

    return patch.object(Agent, "__init__", believes)


@mutant("RETDIR-06")
def finds_a_name_in_another() -> AbstractContextManager[object]:
    """Looks for a tool's name in a text of all names that return directly, where it may be a part of one."""

    def within(run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> Names:
        listed = ",".join(sorted(start.return_directly))
        return frozenset(name for name in _asked(state) if name in listed)

    return _takes(within)


@mutant("RETDIR-07")
@contextmanager
def returns_an_error_directly() -> Iterator[None]:
    """Takes the error of a tool that returns directly for its result."""
    act, call = Agent._act, ToolCalls.call
    direct: ContextVar[Names] = ContextVar("direct", default=frozenset())

    async def acts(self: AnyAgent, run: Run, start: _Start, *rest: Any) -> tuple[State[AnyMessage], bool]:
        direct.set(start.return_directly)
        return await act(self, run, start, *rest)

    async def calls(
        self: ToolCalls[AnyMessage], run: Run, box: Toolbox, asked: ToolCall, context: Any, emit: Any, exits: bool
    ) -> AnyMessage:
        try:
            return await call(self, run, box, asked, context, emit, exits)
        except Exception as error:
            if isinstance(error, InterruptRun) or asked.name not in direct.get() or exits:
                raise
            message = self._message_type.tool_result(asked, str(error))
            emit(MessageEvent(run.agent, run.path, message))
            return message

    with patch.object(Agent, "_act", acts), patch.object(ToolCalls, "call", calls):
        yield


@mutant("RETDIR-08")
def lets_only_invoked_tools_return_directly() -> AbstractContextManager[object]:
    """Overlooks a tool that streams when it looks for those that return directly."""

    def invoked(run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> Names:
        kinds = start.box.kinds
        return frozenset(
            name for name in start.return_directly if name in kinds and "streaming" not in kinds[name][run.streaming]
        )

    return _takes(invoked)


def _begins(change: Callable[[AnyAgent, _Start], Names]) -> AbstractContextManager[object]:
    """Begin a run with other tools that return directly."""
    begin: Callable[[AnyAgent, Run], Awaitable[_Start]] = Agent._begin

    async def begins(self: AnyAgent, run: Run) -> _Start:
        start = await begin(self, run)
        return replace(start, return_directly=change(self, start))

    return patch.object(Agent, "_begin", begins)


def _configured(agent: AnyAgent) -> Names:
    exits = agent._exit_tool
    return agent._return_directly | (frozenset() if exits is None else {exits.info.name})


@mutant("RETDIR-09")
def allows_names_to_be_taken_off_only() -> AbstractContextManager[object]:
    """Ignores the names that a handler before the agent adds to those that return directly."""
    return _begins(lambda agent, start: start.return_directly & _configured(agent))


@mutant("RETDIR-10")
def takes_an_empty_list_for_none() -> AbstractContextManager[object]:
    """Uses the configured names when a handler before the agent leaves none that return directly."""
    return _begins(lambda agent, start: start.return_directly or _configured(agent))


@mutant("RETDIR-11")
def puts_the_final_answer_last() -> AbstractContextManager[object]:
    """Moves the result of the call that returns directly after the results of the other calls."""
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
