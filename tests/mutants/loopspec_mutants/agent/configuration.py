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
    """Patch how an agent is built: `change` receives the original `__init__` and the configuration."""
    build = Agent.__init__

    def builds(self: Agent[AnyMessage], **given: Any) -> None:  # Any: whatever an agent is configured with
        change(build, self, given)

    return patch.object(Agent, "__init__", builds)


class _Echo:
    """A model that answers with the last message."""

    async def generate(self, request: ModelRequest[M]) -> M:
        return type(request.messages[-1]).assistant(request.messages[-1].text)

    async def stream(self, request: ModelRequest[M]) -> AsyncIterator[M]:
        yield await self.generate(request)


@mutant("CFG-01")
def uses_a_default_model() -> AbstractContextManager[object]:
    """Uses a default model if the configuration has none."""

    def with_model(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **{**given, "model": given["model"] or _Echo()})

    return built(with_model)


@mutant("CFG-02")
def requires_a_name() -> AbstractContextManager[object]:
    """Rejects an agent without a name although no other agent calls it."""

    def named(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        if not given.get("name"):
            raise ConfigError("an agent needs a name")
        build(self, **given)

    return built(named)


@mutant("CFG-03")
def hides_the_tools_after_three_rounds() -> AbstractContextManager[object]:
    """Passes no tools to the model after three answers of a run have called tools."""
    answered = ModelCalls._answered

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        if sum(bool(message.tool_calls) for message in request.messages) > 2:
            request = replace(request, tools=())
        return await answered(self, run, request)

    return patch.object(ModelCalls, "_answered", answers)


@mutant("CFG-04", neighbors={"INSTR-06": "the example has an instruction and a custom input function"})
def inserts_the_instruction_into_custom_input() -> AbstractContextManager[object]:
    """Inserts the instruction before the messages of a custom input function."""

    def instructed(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        make: Any = given.get("make_input")  # Any: an input function, or None

        async def makes(instruction: str, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
            made = await make(instruction, messages)
            return [self.message_type.system(instruction), *made] if instruction else made

        build(self, **{**given, "make_input": makes if make else None})

    return built(instructed)


@mutant("CFG-16")
def passes_the_configured_instruction_to_the_input_function() -> AbstractContextManager[object]:
    """Passes the configured instruction to a custom input function, without the changes of handlers."""

    def configured(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        make: Any = given.get("make_input")  # Any: an input function, or None

        async def makes(instruction: str, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
            return cast("Sequence[AnyMessage]", await make(given.get("instruction", ""), messages))

        build(self, **{**given, "make_input": makes if make else None})

    return built(configured)


@mutant("CFG-10")
def ignores_a_failed_input_function() -> AbstractContextManager[object]:
    """Begins with the caller's messages when a custom input function fails."""

    def careless(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        make: Any = given.get("make_input")  # Any: an input function, or None

        async def makes(instruction: str, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
            with suppress(Exception):
                return cast("Sequence[AnyMessage]", await make(instruction, messages))
            return messages

        build(self, **{**given, "make_input": makes if make else None})

    return built(careless)


def _failover_without(part: str) -> AbstractContextManager[object]:
    class Unchecked(FailoverConfig[AnyMessage], frozen=True):
        def __post_init__(self) -> None:
            if getattr(self, part) is not None:
                super().__post_init__()

    return patch.object(ref, "FailoverConfig", Unchecked)


@mutant("CFG-05")
def checks_the_backup_selector_late() -> AbstractContextManager[object]:
    """Detects a missing backup selector only when a model call has to fail over."""
    return _failover_without("get_model")


@mutant("CFG-06")
def checks_the_failover_predicate_late() -> AbstractContextManager[object]:
    """Detects a missing failover predicate only when a model call has failed."""
    return _failover_without("should_failover")


@mutant("CFG-07")
def ignores_tools_that_cannot_be_described() -> AbstractContextManager[object]:
    """Runs without the tools that fail to return their name and description."""
    fill = toolboxes.Toolbox.__init__

    def fills(self: toolboxes.Toolbox, tools: Sequence[AnyTool]) -> None:
        known = []
        for tool in tools:
            with suppress(Exception):
                known.append((tool.info, tool)[1])
        fill(self, known)

    return patch.object(toolboxes.Toolbox, "__init__", fills)


@mutant("CFG-08")
def checks_the_kind_of_a_tool_at_its_call() -> AbstractContextManager[object]:
    """Detects a tool of no known kind only when the tool is called."""
    find = toolboxes.kinds

    def finds(tool: AnyTool) -> tuple[toolboxes.Kind, toolboxes.Kind]:
        with suppress(ConfigError):
            return find(tool)
        return "tool", "tool"

    return patch.object(toolboxes, "kinds", finds)


@mutant("CFG-09")
@contextmanager
def accepts_two_tools_with_one_name() -> Iterator[None]:
    """Takes the later one of two tools with the same name."""
    with (
        patch.object(loops, "check_names", lambda tools: None),
        patch.object(toolboxes, "check_names", lambda tools: None),
    ):
        yield


@mutant(
    "STATE-10",
    neighbors={
        "AGENTTOOL-02": "one of the examples has two runs of a sub-agent",
    },
)
@contextmanager
def continues_the_previous_conversation() -> Iterator[None]:
    """Begins a run with the conversation of the previous run if no handler could notice."""
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
def inserts_the_description_as_an_instruction() -> AbstractContextManager[object]:
    """Inserts the description of an agent as a system message if the agent has no instruction."""
    fresh = Agent._fresh

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        if self.description and not (run.nested or self._context(frozenset()).instruction):
            messages = [self.message_type.system(self.description), *messages]
        return await fresh(self, run, messages)

    return patch.object(Agent, "_fresh", begins)


@mutant("CFG-14")
def rejects_a_model_without_tool_support() -> AbstractContextManager[object]:
    """Rejects a model that does not support tools even if the agent has no tools."""

    def able(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        if not getattr(given["model"], "takes_tools", True):
            raise ConfigError("the model does not support tools")
        build(self, **given)

    return built(able)


@mutant("CFG-17")
def accepts_tools_with_a_model_that_cannot_call_them() -> AbstractContextManager[object]:
    """Builds an agent with tools and a model that does not support tools, and calls the model without the tools."""
    return patch.object(loops, "check_model", lambda model, tools: None)


@mutant(
    "CFG-15",
    neighbors={
        "HOOK-AA-03": "the example compares the whole trace of a run whose model fails",
        "RETRY-10": "the rule states the same default",
    },
)
def retries_the_first_call_by_default() -> AbstractContextManager[object]:
    """Retries a failed first model call once if no retry is configured."""
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
