"""Mutants about how an agent is configured."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, cast
from unittest.mock import patch

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec_reference import AnyMessage, AnyTool, ConfigError, FailoverConfig, Model, ModelRequest, State
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.loop import agents as loops
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools import toolboxes
from loopspec_reference.values.messages import M

from ..registry import mutant

Build = Callable[..., None]


def built(change: Callable[[Build, Agent[AnyMessage], dict[str, Any]], None]) -> AbstractContextManager[object]:
    """Build an agent otherwise: told how it would be built, and with what."""
    build = Agent.__init__

    def builds(self: Agent[AnyMessage], **given: Any) -> None:  # Any: whatever an agent is configured with
        change(build, self, given)

    return patch.object(Agent, "__init__", builds)


class _Echo:
    """A model that answers with what was said last."""

    async def generate(self, request: ModelRequest[M]) -> M:
        return type(request.messages[-1]).assistant(request.messages[-1].text)

    async def stream(self, request: ModelRequest[M]) -> AsyncIterator[M]:
        yield await self.generate(request)


@mutant("CFG-01")
def has_a_model_of_its_own() -> AbstractContextManager[object]:
    """Takes a default model where none is given."""

    def with_model(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **{**given, "model": given["model"] or _Echo()})

    return built(with_model)


@mutant("CFG-02")
def wants_a_name() -> AbstractContextManager[object]:
    """Refuses an agent that has no name, though nobody else is to call it."""

    def named(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        if not given.get("name"):
            raise ConfigError("an agent needs a name")
        build(self, **given)

    return built(named)


@mutant("CFG-03")
def stops_offering_tools() -> AbstractContextManager[object]:
    """Offers no tools any more once three answers of a run have called some."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        if sum(bool(message.tool_calls) for message in request.messages) > 2:
            request = replace(request, tools=())
        return await answered(self, run, request)

    return patch.object(ModelCalls, "_answered", answers)


@mutant("CFG-04", neighbors={"INSTR-06": "it has an instruction beside an input generation, too"})
def puts_the_instruction_before_any_input() -> AbstractContextManager[object]:
    """Puts the instruction before what a custom input generation makes."""

    def instructed(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        make: Any = given.get("make_input")  # Any: an input generation, or nothing

        async def makes(instruction: str, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
            made = await make(instruction, messages)
            return [self.message_type.system(instruction), *made] if instruction else made

        build(self, **{**given, "make_input": makes if make else None})

    return built(instructed)


@mutant("CFG-16")
def gives_the_instruction_as_configured() -> AbstractContextManager[object]:
    """Gives a custom input generation the configured instruction, whatever handlers have made of it."""

    def configured(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        make: Any = given.get("make_input")  # Any: an input generation, or nothing

        async def makes(instruction: str, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
            return cast("Sequence[AnyMessage]", await make(given.get("instruction", ""), messages))

        build(self, **{**given, "make_input": makes if make else None})

    return built(configured)


@mutant("CFG-10")
def does_without_a_failing_input_generation() -> AbstractContextManager[object]:
    """Begins with the caller's messages when a custom input generation fails."""

    def careless(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        make: Any = given.get("make_input")  # Any: an input generation, or nothing

        async def makes(instruction: str, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
            with suppress(Exception):
                return cast("Sequence[AnyMessage]", await make(instruction, messages))
            return messages

        build(self, **{**given, "make_input": makes if make else None})

    return built(careless)


def _failover_without(part: str) -> AbstractContextManager[object]:
    class Hopeful(FailoverConfig[AnyMessage], frozen=True):
        def __post_init__(self) -> None:
            if getattr(self, part) is not None:
                super().__post_init__()

    return patch.object(ref, "FailoverConfig", Hopeful)


@mutant("CFG-05")
def hopes_to_need_no_other_model() -> AbstractContextManager[object]:
    """Misses the way to choose a model only when it has to fail over."""
    return _failover_without("get_model")


@mutant("CFG-06")
def hopes_to_need_no_decision() -> AbstractContextManager[object]:
    """Misses the way to decide only when a model call has failed."""
    return _failover_without("should_failover")


@mutant("CFG-07")
def leaves_out_nameless_tools() -> AbstractContextManager[object]:
    """Runs without the tools that do not tell what they are."""
    fill = toolboxes.Toolbox.__init__

    def fills(self: toolboxes.Toolbox, tools: Sequence[AnyTool]) -> None:
        known = []
        for tool in tools:
            with suppress(Exception):
                known.append((tool.info, tool)[1])
        fill(self, known)

    return patch.object(toolboxes.Toolbox, "__init__", fills)


@mutant("CFG-08")
def finds_out_at_the_call() -> AbstractContextManager[object]:
    """Notices that a tool can be called in no way only when it is called."""
    find = toolboxes.kinds

    def finds(tool: AnyTool) -> tuple[toolboxes.Kind, toolboxes.Kind]:
        with suppress(ConfigError):
            return find(tool)
        return "tool", "tool"

    return patch.object(toolboxes, "kinds", finds)


@mutant("CFG-09")
@contextmanager
def lets_the_later_tool_win() -> Iterator[None]:
    """Takes the later one of two tools of one name."""
    with (
        patch.object(loops, "check_names", lambda tools: None),
        patch.object(toolboxes, "check_names", lambda tools: None),
    ):
        yield


@mutant(
    "STATE-10",
    neighbors={
        "AGENTTOOL-02": "one of its examples has two runs of a sub-agent",
    },
)
@contextmanager
def goes_on_where_it_ended() -> Iterator[None]:
    """Begins a run with the conversation of the run before, where there is no handler who might mind."""
    end, fresh = Agent._end, Agent._fresh
    ended: dict[Agent[AnyMessage], Sequence[AnyMessage]] = {}

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        ended[self] = state.messages
        return await end(self, run, state)

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        before = () if self._before or self._models._before else ended.get(self, ())
        return await fresh(self, run, [*before, *messages] if messages else messages)

    with patch.object(Agent, "_end", ends), patch.object(Agent, "_fresh", begins):
        yield


@mutant("CFG-13")
def takes_its_description_for_an_instruction() -> AbstractContextManager[object]:
    """Puts in its description as a system message where it has no instruction."""
    fresh = Agent._fresh

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        if self.description and not (run.nested or self._context(frozenset()).instruction):
            messages = [self.message_type.system(self.description), *messages]
        return await fresh(self, run, messages)

    return patch.object(Agent, "_fresh", begins)


@mutant("CFG-14")
def wants_a_model_that_takes_tools() -> AbstractContextManager[object]:
    """Refuses a model that cannot take tools, even where there are none."""

    def able(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        if not getattr(given["model"], "takes_tools", True):
            raise ConfigError("the model cannot take tools")
        build(self, **given)

    return built(able)


@mutant("CFG-17")
def calls_a_model_that_cannot_take_its_tools() -> AbstractContextManager[object]:
    """Builds an agent with tools around a model that cannot take tools, and calls the model without them."""
    return patch.object(loops, "check_model", lambda model, tools: None)


@mutant(
    "CFG-15",
    neighbors={
        "HOOK-AA-03": "it looks at the whole trace of a run whose model fails",
        "RETRY-10": "it is the same default",
    },
)
def tries_once_more_unasked() -> AbstractContextManager[object]:
    """Makes a failed first model call again where no retry is configured."""
    attempt = ModelCalls._attempt

    async def attempts(
        self: ModelCalls[AnyMessage], run: Run, model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Attempt[AnyMessage]:
        made = await attempt(self, run, model, request)
        first = not any(message.role in ("assistant", "tool") for message in request.messages)
        if made.error is None or self._retry or self._failover or run.streaming or run.nested or not first:
            return made
        return await attempt(self, run, model, request)

    return patch.object(ModelCalls, "_attempt", attempts)
