"""Mutants about the hook before the agent."""

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
Ask = Callable[[AnyAgent, AnyHandler, AgentContext], Awaitable[AgentContext]]
Begin = Callable[[AnyAgent, Run], Awaitable[_Start]]


@dataclass
class _Between:
    """Stands between an agent and a handler."""

    ask: Callable[[AgentContext], Awaitable[AgentContext]]

    async def before_agent(self, context: AgentContext) -> AgentContext:
        return await self.ask(context)


def asking(ask: Ask) -> AbstractContextManager[object]:
    """Ask each handler in another way what the run shall start with."""
    return _building(
        lambda agent: [cast("AnyHandler", _Between(partial(ask, agent, handler))) for handler in agent._before]
    )


def _building(before: Callable[[AnyAgent], Sequence[AnyHandler]]) -> AbstractContextManager[object]:
    """Build agents that have other handlers before the agent."""
    init = Agent.__init__

    def built(self: AnyAgent, **configuration: Any) -> None:  # Any: handed on
        init(self, **configuration)
        self._before = before(self)

    return patch.object(Agent, "__init__", built)


def _beginning(lie: Callable[[Begin, AnyAgent, Run], Awaitable[_Start]]) -> AbstractContextManager[object]:
    """Begin runs in another way, given the right one."""
    begin = Agent._begin

    async def begins(self: AnyAgent, run: Run) -> _Start:
        return await lie(begin, self, run)

    return patch.object(Agent, "_begin", begins)


def _configured(agent: AnyAgent) -> str:
    return str(agent._context.args[0])


@mutant(
    "HOOK-BA-01",
    neighbors={
        "HOOK-BA-05": "its second handler adds to what the first one has written",
    },
)
def shows_every_handler_the_configuration() -> AbstractContextManager[object]:
    """Shows each handler the configured instruction, so that the last one wins."""

    async def asks(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        return await handler.before_agent(replace(context, instruction=_configured(agent)))

    return asking(asks)


@mutant("HOOK-BA-19", neighbors={"HANDLER-06": "its scenario observes the order of three handlers"})
def calls_the_last_of_three_handlers_first() -> AbstractContextManager[object]:
    """Calls the handler that was registered last before the others, where there are at least three."""

    def reordered(agent: AnyAgent) -> Sequence[AnyHandler]:
        before = agent._before
        return before if len(before) < 3 else (*before[-1:], *before[:-1])

    return _building(reordered)


@mutant("HOOK-BA-02", neighbors={"LOOP-20": "its runs make three model calls with a handler in every hook"})
def begins_again_before_a_third_call() -> AbstractContextManager[object]:
    """Calls the hook again once the tools have been called twice, to refresh what the run has started with."""
    act = Agent._act

    # Any: handed on, in and out
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
        "CFG-10": "an input generation that fails keeps the handlers from being asked",
        "CFG-16": "the instruction is handed over before handlers could change it",
        "CTX-01": "what the hook sets in the context comes too late for the input generation",
    },
)
def makes_the_input_first() -> AbstractContextManager[object]:
    """Makes a run's input before the handlers have been asked, of the configured instruction."""
    fresh = Agent._fresh

    async def makes(self: AnyAgent, run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        if self._make_input is None:
            return await fresh(self, run, messages)
        given = tuple(await self._make_input(_configured(self), messages))
        start = await self._begin(run)
        return await self._loop(run, start, State(given, start.box.infos), 0)

    return patch.object(Agent, "_fresh", makes)


@mutant("HOOK-BA-04")
def keeps_what_handlers_have_changed() -> AbstractContextManager[object]:
    """Begins a run with the instruction that the one before it has ended up with."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        agent._context = partial(AgentContext, start.instruction, agent._tools)
        return start

    return _beginning(begins)


@mutant("HOOK-BA-05")
def has_no_place_for_an_instruction() -> AbstractContextManager[object]:
    """Makes no system message for an agent that was configured without an instruction."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        return start if _configured(agent) else replace(start, instruction="")

    return _beginning(begins)


@mutant("HOOK-BA-06")
def has_decided_against_a_loop() -> AbstractContextManager[object]:
    """Builds no loop for an agent that was configured without tools: the tools it is given are never called."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        return start if agent._tools else replace(start, box=Toolbox(()))

    return _beginning(begins)


@mutant("HOOK-BA-07")
def only_stops_offering() -> AbstractContextManager[object]:
    """Does not offer a tool that was removed, and calls it all the same."""

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
def takes_none_for_unchanged() -> AbstractContextManager[object]:
    """Takes an empty list of tools for one that nobody has changed."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        assert agent._box is not None, "it was made before the handlers were asked"
        return start if start.box.tools else replace(start, box=agent._box)

    return _beginning(begins)


@mutant("HOOK-BA-09")
def renders_only_what_was_configured() -> AbstractContextManager[object]:
    """Takes an instruction that a handler has changed as it is."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        if start.instruction == _configured(agent):
            return start
        return replace(start, instruction=start.instruction.replace("{", "{{").replace("}", "}}"))

    return _beginning(begins)


@mutant("HOOK-BA-11")
def ends_a_run_that_has_not_begun() -> AbstractContextManager[object]:
    """Calls the hook after agent when one before it has failed."""

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        try:
            return await begin(agent, run)
        except Exception:
            for handler in agent._after:
                await handler.after_agent(State(()))
            raise

    return _beginning(begins)


@mutant("HOOK-BA-12")
def does_without_a_handler_that_breaks() -> AbstractContextManager[object]:
    """Goes on without a handler whose hook before agent has failed in a way that nobody foresaw."""

    async def asks(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        try:
            return await handler.before_agent(context)
        except ScriptedCrash:
            return context

    return asking(asks)


@mutant("HOOK-BA-01")
def adds_the_configuration_again() -> AbstractContextManager[object]:
    """Shows a handler the configured names of tools that return directly, beside those that were left."""

    async def asks(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        names = context.return_directly | agent._return_directly
        return await handler.before_agent(replace(context, return_directly=names))

    return asking(asks)


@mutant("HOOK-BA-15")
def renders_an_old_session() -> AbstractContextManager[object]:
    """Renders the instruction with the session as it was before the handlers were asked."""
    old: ContextVar[Mapping[str, Json]] = ContextVar("old")

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        old.set(dict(run.session))
        return await begin(agent, run)

    return _both(patch.object(agents, "render", lambda text, _: render(text, old.get())), _beginning(begins))


@mutant("HOOK-BA-16")
def adds_legacy_instructions_last() -> AbstractContextManager[object]:
    """Adds the legacy middlewares' instructions when the handlers have been asked."""
    init = Agent.__init__

    def built(self: AnyAgent, **configuration: Any) -> None:  # Any: handed on
        init(self, **configuration)
        self._context = partial(AgentContext, configuration.get("instruction", ""), self._tools)
        self._added = [one.additional_instruction for one in configuration.get("legacy", ())]  # type: ignore[attr-defined]  # its own

    async def begins(begin: Begin, agent: AnyAgent, run: Run) -> _Start:
        start = await begin(agent, run)
        texts = [start.instruction, *agent._added]  # type: ignore[attr-defined]  # see above
        return replace(start, instruction="\n".join(filter(None, texts)))

    return _both(patch.object(Agent, "__init__", built), _beginning(begins))


@contextmanager
def _both(*bugs: AbstractContextManager[object]) -> Iterator[None]:
    with bugs[0], bugs[1]:
        yield


@mutant("HOOK-BA-18", neighbors={"RETDIR-10": "a handler that leaves no name is not told from one that saw none"})
def hides_what_returns_directly() -> AbstractContextManager[object]:
    """Shows handlers no tool that returns directly, and has them return directly unless a handler says otherwise."""

    async def asks(agent: AnyAgent, handler: AnyHandler, context: AgentContext) -> AgentContext:
        hidden = agent._return_directly if context.return_directly == agent._return_directly else frozenset()
        left = await handler.before_agent(replace(context, return_directly=context.return_directly - hidden))
        return left if left.return_directly else replace(left, return_directly=hidden)

    return asking(asks)
