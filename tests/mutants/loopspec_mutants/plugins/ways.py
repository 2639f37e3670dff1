"""Mutants about the runs of agents with middlewares: jumps, interrupts, defaults and other middlewares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import Agent, AnyMessage, Message, ModelContext, Output, State
from loopspec_reference.loop import model_calls
from loopspec_reference.plugins import (
    Middleware,
    MiddlewareContext,
    ModelCallRequest,
    OptionsError,
    Stack,
    SummarizationStrategy,
    conversations,
    hooks,
    summarization,
    tool_wrapping,
)
from loopspec_reference.plugins.layers import active_run
from loopspec_reference.plugins.model_wrapping import _Exchange
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.run import _JUMP, Run, Target, jump_over_model, jump_to

from ..registry import mutant
from .built_ins import making
from .jumps import drops, pending

Agents = Agent[AnyMessage]


# -- jumps --------------------------------------------------------------------------------------------------------


@mutant("PLUGIN-21", neighbors={"PLUGIN-22": "the hook jumps to the tools without tool calls, without end"})
def ends_at_a_jump_to_the_tools_without_calls() -> AbstractContextManager[object]:
    """Ends a run that jumps to the tools without tool calls."""
    return drops(lambda kind, run, state, target: target == "tools" and not pending(state), "end")


@mutant("PLUGIN-22")
def ignores_jumps_after_the_second() -> AbstractContextManager[object]:
    """Ignores the jumps of a run after the second one."""
    jumps: dict[Run, int] = {}

    def jump(target: Target) -> None:
        run = active_run()
        jumps[run] = jumps.get(run, 0) + 1
        if jumps[run] <= 2:
            jump_to(target)

    return patch.object(hooks, "jump_to", jump)


@mutant("PLUGIN-23")
def ends_with_an_empty_answer() -> AbstractContextManager[object]:
    """Ends a run with an empty answer if the conversation is empty."""
    end = Agents._end

    async def ends(self: Agents, run: Run, state: State[AnyMessage]) -> AnyMessage:
        return await end(self, run, state if state.messages else replace(state, messages=(Message.assistant(""),)))

    return patch.object(Agent, "_end", ends)


@mutant("PLUGIN-24")
def follows_the_last_command() -> AbstractContextManager[object]:
    """Follows the last of several commands of an answer."""

    def jump(target: Target) -> None:
        active_run().local[_JUMP] = target

    return patch.object(tool_wrapping, "jump_to", jump)


@mutant("PLUGIN-42")
def calls_the_model_twice_at_a_jump() -> AbstractContextManager[object]:
    """Calls the model twice when a before-model hook jumps to the model."""

    def over(run: Run) -> Target | None:
        return None if run.local.get(_JUMP) == "model" else jump_over_model(run)

    return patch.object(model_calls, "jump_over_model", over)


@mutant("PLUGIN-43")
def emits_no_answer_of_a_hook() -> AbstractContextManager[object]:
    """Emits no event for an answer that a hook returned before it jumped to the end."""

    def over(run: Run) -> Target | None:
        return "tools" if jump_over_model(run) else None  # the target is stored, and read again

    return patch.object(model_calls, "jump_over_model", over)


# -- interrupts and cancellations ---------------------------------------------------------------------------------


@contextmanager
def _storing(change: Callable[[Run], None]) -> Iterator[None]:
    """Change a run before it is stored in a checkpoint."""
    original = Checkpoint.of

    def of(run: Run, *rest: Any) -> bytes:  # Any: passed on
        local, session = run.local, run.session
        run.local, run.session = dict(local), dict(session)
        change(run)
        stored = original(run, *rest)
        run.local, run.session = local, session
        return stored

    with patch.object(Checkpoint, "of", of):
        yield


@mutant("PLUGIN-36")
def omits_jumps_from_checkpoints() -> AbstractContextManager[object]:
    """Omits the jump of a command from checkpoints."""
    return _storing(lambda run: run.local.pop(_JUMP, None))


@mutant("PLUGIN-35")
def calls_before_agent_hooks_on_resumption() -> AbstractContextManager[object]:
    """Calls the before-agent hooks again before the first model call of a resumed run."""
    before_model = Stack.before_model
    seen: set[tuple[Run, int]] = set()

    async def calls(self: Any, state: Any, context: ModelContext[AnyMessage]) -> Any:  # Any: passed on
        run = active_run()
        iteration, first = run.iteration, (run, id(self)) not in seen
        seen.add((run, id(self)))
        run.iteration = 0 if first else iteration
        try:
            return await before_model(self, state, context)
        finally:
            run.iteration = iteration

    return patch.object(Stack, "before_model", calls)


@mutant("PLUGIN-37")
def ends_a_resumed_run_with_a_rejected_answer() -> AbstractContextManager[object]:
    """Ends a resumed run with an answer after which a hook had jumped to the model."""
    continued = Agents._continued

    async def continues(self: Agents, run: Run, checkpoint: bytes, data: Any) -> AnyMessage:  # Any: passed on
        saved = Checkpoint.read(checkpoint, self.message_type)
        last = saved.state.messages[-1]
        if saved.checkpoint.phase == "model" and last.role == "assistant" and not last.tool_calls:
            return await self._end(run, saved.state)
        return await continued(self, run, checkpoint, data)

    return patch.object(Agent, "_continued", continues)


# -- missing values -----------------------------------------------------------------------------------------------


@mutant("PLUGIN-38")
def underestimates_tokens() -> AbstractContextManager[object]:
    """Estimates a million characters as one token."""
    return patch.object(conversations, "_CHARACTERS_PER_TOKEN", 10**6)


@mutant("PLUGIN-39")
def accepts_a_fraction_without_a_context_size() -> AbstractContextManager[object]:
    """Accepts a fraction limit for a model without a known context size, and never summarizes."""
    limit = summarization._limit

    def limits(trigger: Any, model: Any) -> int:  # Any: passed on
        try:
            return limit(trigger, model)
        except OptionsError:
            return sys.maxsize

    return patch.object(summarization, "_limit", limits)


@mutant("PLUGIN-48")
def omits_a_summarization_without_a_model() -> AbstractContextManager[object]:
    """Attaches a middleware without hooks in place of a summarization without a model."""

    def make(create: Callable[[], Middleware], options: Mapping[str, Any], context: MiddlewareContext) -> Middleware:
        has_model = context.model is not None or options.get("model")
        return create() if has_model else Middleware(context.node or "summarization")

    return making(SummarizationStrategy, make)


# -- several middlewares ------------------------------------------------------------------------------------------


@mutant("PLUGIN-44")
def hides_messages_with_extra_data() -> AbstractContextManager[object]:
    """Omits messages with extra data from the requests that model wrappers receive."""
    opening = _Exchange.opening

    def opens(self: Any) -> ModelCallRequest:  # Any: of either message type
        request = opening(self)
        return replace(request, messages=tuple(one for one in request.messages if not one.extra))

    return patch.object(_Exchange, "opening", opens)


@mutant("PLUGIN-45", neighbors={"XP-WRAP-09": "a cache returns a copy of an answer with tool calls"})
def drops_calls_of_changed_answers() -> AbstractContextManager[object]:
    """Keeps only the text of an answer that a model wrapper has changed, and drops its tool calls."""
    output = _Exchange.output

    def only_text(self: Any, message: AnyMessage) -> Output[AnyMessage]:  # Any: of either message type
        if any(answer is message for answer, _ in self._answers):
            return output(self, message)
        return Output.of(type(message).assistant(message.text))

    return patch.object(_Exchange, "output", only_text)


@mutant("PLUGIN-46")
def omits_definitions_from_schemas() -> AbstractContextManager[object]:
    """Omits the definitions from configuration schemas that refer to them."""
    meta = SummarizationStrategy.meta
    schema = {key: part for key, part in (meta.config_schema or {}).items() if key != "$defs"}
    return patch.object(SummarizationStrategy, "meta", replace(meta, config_schema=schema))


@mutant("PLUGIN-47")
def hides_the_context_from_sub_agents() -> AbstractContextManager[object]:
    """Begins the runs of sub-agents without the runtime context."""
    part_of = Agents._sub_run

    def without(self: Agents, parent: Run) -> Run:
        run = part_of(self, parent)
        run.context = {}
        return run

    return patch.object(Agent, "_sub_run", without)
