"""Mutants about the before-agent hook."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from msgspec.structs import replace

from loopspec.contract.doubles import ScriptedCrash
from loopspec_reference import Agent, AgentContext, AnyMessage, Handler, Json, State
from loopspec_reference.loop import agents
from loopspec_reference.loop.agents import _Start
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.instructions import render

from ..registry import mutant

AnyHandler = Handler[AnyMessage]
AnyAgent = Agent[AnyMessage]
AnyState = State[AnyMessage]
Call = Callable[[AnyAgent, AnyHandler, AgentContext], Awaitable[AgentContext]]
Begin = Callable[[AnyAgent, Run], Awaitable[_Start]]


@dataclass
class _Between:
    """Calls a function in place of the before-agent hook of a handler."""

    call: Callable[[AgentContext], Awaitable[AgentContext]]

    async def before_agent(self, context: AgentContext) -> AgentContext:
        return await self.call(context)


def calling(call: Call) -> AbstractContextManager[object]:
    """Patch how each before-agent hook is called."""
    return _building(
        lambda agent: [cast("AnyHandler", _Between(partial(call, agent, handler))) for handler in agent._before]
    )


def _building(before: Callable[[AnyAgent], Sequence[AnyHandler]]) -> AbstractContextManager[object]:
    """Patch which handlers an agent calls before a run."""
    init = Agent.__init__

    def built(self: AnyAgent, **configuration: Any) -> None:  # Any: passed on
        init(self, **configuration)
        self._before = before(self)

    return patch.object(Agent, "__init__", built)


def _beginning(change: Callable[[Begin, AnyAgent, Run], Awaitable[_Start]]) -> AbstractContextManager[object]:
    """Patch how runs begin: `change` receives the original `_begin` and its arguments."""
    begin = Agent._begin

    async def begins(self: AnyAgent, run: Run) -> _Start:
        return await change(begin, self, run)

    return patch.object(Agent, "_begin", begins)


def _configured(agent: AnyAgent) -> str:
    return str(agent._context.args[0])


@mutant(
    "HOOK-BA-01",
    neighbors={
        "HOOK-BA-05": "the second handler appends to the instruction of the first",
        "HOOK-BA-04": "a second handler waits in one example",
    },
)
def passes_the_configured_instruction_to_each_hook() -> AbstractContextManager[object]:
    """Passes the configured instruction to each before-agent hook, so that the last change wins."""

    async def calls(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        return await handler.before_agent(replace(context, instruction=_configured(agent)))

    return calling(calls)


@mutant("HOOK-BA-19", neighbors={"HANDLER-06": "the scenario compares the order of three handlers"})
def calls_the_last_of_three_handlers_first() -> AbstractContextManager[object]:
    """Calls the before-agent hook of the last handler before the others if there are at least three handlers."""

    def reordered(agent: AnyAgent) -> Sequence[AnyHandler]:
        before = agent._before
        return before if len(before) < 3 else (*before[-1:], *before[:-1])

    return _building(reordered)


@mutant("HOOK-BA-02", neighbors={"LOOP-20": "the runs make three model calls with a handler in every hook"})
def calls_the_before_agent_hook_during_the_run() -> AbstractContextManager[object]:
    """Calls the before-agent hook again after the second round of tool calls."""
    act = Agent._act

    # Any: passed on, in and out
    async def acts(self: AnyAgent, run: Run, start: _Start, state: AnyState, iteration: int, *rest: Any) -> Any:
        outcome = await act(self, run, start, state, iteration, *rest)
        if iteration == 2:
            for handler in self._before:
                await handler.before_agent(self._context(start.return_directly))
        return outcome

    return patch.object(Agent, "_act", acts)


@mutant(
    "HOOK-BA-03",
    neighbors={
        "CFG-10": "a failing custom input function prevents the calls of the hooks",
        "CFG-16": "the input function receives the instruction before the handlers have changed it",
        "CTX-01": "the context value that the hook sets comes too late for the input function",
    },
)
def calls_the_input_function_before_the_hooks() -> AbstractContextManager[object]:
    """Calls the custom input function before the before-agent hooks, with the configured instruction."""
    fresh = Agent._fresh

    async def makes(self: AnyAgent, run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        if self._make_input is None:
            return await fresh(self, run, messages)
        given = tuple(await self._make_input(_configured(self), messages))
        start = await self._begin(run)
        return await self._loop(run, start, State(given, start.box.infos), 0)

    return patch.object(Agent, "_fresh", makes)


@mutant("HOOK-BA-04")
def keeps_the_instruction_of_the_previous_run() -> AbstractContextManager[object]:
    """Begins a run with the instruction that the handlers left in the previous run."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        agent._context = partial(AgentContext, start.instruction, agent._tools)
        return start

    return _beginning(begins)


@mutant("HOOK-BA-05")
def drops_an_instruction_that_a_hook_has_added() -> AbstractContextManager[object]:
    """Inserts no system message for an agent that was configured without an instruction."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        return start if _configured(agent) else replace(start, instruction="")

    return _beginning(begins)


@mutant("HOOK-BA-06")
def calls_no_tools_that_a_hook_has_added() -> AbstractContextManager[object]:
    """Builds no loop for an agent that was configured without tools: tools that a hook adds are never called."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        return start if agent._tools else replace(start, box=Toolbox(()))

    return _beginning(begins)


@mutant("HOOK-BA-07")
def calls_a_tool_that_a_hook_has_removed() -> AbstractContextManager[object]:
    """Calls a tool that a before-agent hook has removed; the tool is only hidden from the model."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        assert agent._box is not None, "it was made before the handlers were asked"
        if start.box.tools:
            box = Toolbox(tuple(start.box.tools.values()))
            box.tools = {**agent._box.tools, **box.tools}
            box.kinds = {**agent._box.kinds, **box.kinds}
            start = replace(start, box=box)
        return start

    return _beginning(begins)


@mutant("HOOK-BA-08")
def restores_the_tools_when_a_hook_removes_all() -> AbstractContextManager[object]:
    """Takes an empty list of tools for an unchanged one."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        assert agent._box is not None, "it was made before the handlers were asked"
        return start if start.box.tools else replace(start, box=agent._box)

    return _beginning(begins)


@mutant("HOOK-BA-09")
def renders_the_configured_instruction_only() -> AbstractContextManager[object]:
    """Renders no placeholders in an instruction that a before-agent hook has changed."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        if start.instruction == _configured(agent):
            return start
        return replace(start, instruction=start.instruction.replace("{", "{{").replace("}", "}}"))

    return _beginning(begins)


@mutant("HOOK-BA-11")
def calls_the_after_agent_hook_when_a_before_agent_hook_fails() -> AbstractContextManager[object]:
    """Calls the after-agent hook when a before-agent hook has failed."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        try:
            return await begin(agent, run)
        except Exception:
            for handler in agent._after:
                await handler.after_agent(State(()))
            raise

    return _beginning(begins)


@mutant("HOOK-BA-12")
def ignores_a_crash_in_a_before_agent_hook() -> AbstractContextManager[object]:
    """Continues without a handler whose before-agent hook has crashed."""

    async def calls(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        try:
            return await handler.before_agent(context)
        except ScriptedCrash:
            return context

    return calling(calls)


@mutant("HOOK-BA-01")
def restores_return_directly_names_for_each_hook() -> AbstractContextManager[object]:
    """Passes the configured names of return-directly tools to each before-agent hook, also those that were removed."""

    async def calls(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        names = context.return_directly | agent._return_directly
        return await handler.before_agent(replace(context, return_directly=names))

    return calling(calls)


@mutant("HOOK-BA-15")
def renders_with_the_session_from_before_the_hooks() -> AbstractContextManager[object]:
    """Renders the instruction with the session values from before the before-agent hooks."""
    old: ContextVar[Mapping[str, Json]] = ContextVar("old")

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        old.set(dict(run.session))
        return await begin(agent, run)

    return _both(patch.object(agents, "render", lambda text, _: render(text, old.get())), _beginning(begins))


@mutant("HOOK-BA-16")
def appends_legacy_instructions_after_the_hooks() -> AbstractContextManager[object]:
    """Appends the instructions of legacy middlewares after the before-agent hooks."""
    init = Agent.__init__

    def built(self: AnyAgent, **configuration: Any) -> None:  # Any: passed on
        init(self, **configuration)
        self._context = partial(AgentContext, configuration.get("instruction", ""), self._tools)
        self._added = [one.additional_instruction for one in configuration.get("legacy", ())]  # type: ignore[attr-defined]  # set by this mutant

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        texts = [start.instruction, *agent._added]  # type: ignore[attr-defined]  # set in `built`
        return replace(start, instruction="\n".join(filter(None, texts)))

    return _both(patch.object(Agent, "__init__", built), _beginning(begins))


@contextmanager
def _both(*bugs: AbstractContextManager[object]) -> Iterator[None]:
    with bugs[0], bugs[1]:
        yield


@mutant(
    "HOOK-BA-18", neighbors={"RETDIR-10": "a handler that removes all names looks the same as one that received none"}
)
def hides_return_directly_names_from_hooks() -> AbstractContextManager[object]:
    """Hides the configured return-directly tools from before-agent hooks, and uses them unless a hook sets others."""

    async def calls(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        hidden = agent._return_directly if context.return_directly == agent._return_directly else frozenset()
        left = await handler.before_agent(replace(context, return_directly=context.return_directly - hidden))
        return left if left.return_directly else replace(left, return_directly=hidden)

    return calling(calls)
