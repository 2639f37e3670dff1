"""Mutants about the ways runs with middlewares take, about what nobody has told them, and about their neighbors."""

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


# -- jumps -------------------------------------------------------------------------------------------------------


@mutant("PLUGIN-21", neighbors={"PLUGIN-22": "it jumps to tools that nobody asks for, for ever"})
def ends_with_nothing_to_call() -> AbstractContextManager[object]:
    """Ends a run that jumps to the tools when there is no call to make."""
    return drops(lambda kind, run, state, target: target == "tools" and not pending(state), "end")


@mutant("PLUGIN-22")
def loses_patience_with_jumps() -> AbstractContextManager[object]:
    """Takes no notice of the jumps of a run any more after the second one."""
    jumps: dict[Run, int] = {}

    def jump(target: Target) -> None:
        run = active_run()
        jumps[run] = jumps.get(run, 0) + 1
        if jumps[run] <= 2:
            jump_to(target)

    return patch.object(hooks, "jump_to", jump)


@mutant("PLUGIN-23")
def ends_with_an_empty_answer() -> AbstractContextManager[object]:
    """Gives an empty answer where a run ends before anything was said."""
    end = Agents._end

    async def ends(self: Agents, run: Run, state: State[AnyMessage]) -> AnyMessage:
        return await end(self, run, state if state.messages else replace(state, messages=(Message.assistant(""),)))

    return patch.object(Agent, "_end", ends)


@mutant("PLUGIN-24")
def follows_the_last_command() -> AbstractContextManager[object]:
    """Follows the command that came last of those of an answer."""

    def jump(target: Target) -> None:
        active_run().local[_JUMP] = target

    return patch.object(tool_wrapping, "jump_to", jump)


@mutant("PLUGIN-42")
def comes_to_the_model_twice() -> AbstractContextManager[object]:
    """Calls the model for a jump to it from before it, and once more behind that."""

    def over(run: Run) -> Target | None:
        return None if run.local.get(_JUMP) == "model" else jump_over_model(run)

    return patch.object(model_calls, "jump_over_model", over)


@mutant("PLUGIN-43")
def says_nothing_of_what_hooks_have_answered() -> AbstractContextManager[object]:
    """Tells nobody of an answer that a hook has given before it jumped to the end."""

    def over(run: Run) -> Target | None:
        return "tools" if jump_over_model(run) else None  # where the run goes is kept, and looked at again

    return patch.object(model_calls, "jump_over_model", over)


# -- interrupts and cancellations --------------------------------------------------------------------------------


@contextmanager
def _keeps(change: Callable[[Run], None]) -> Iterator[None]:
    """Change what there is of a run before it is kept in a checkpoint."""
    right = Checkpoint.of

    def of(run: Run, *rest: Any) -> bytes:  # Any: handed on
        local, session = run.local, run.session
        run.local, run.session = dict(local), dict(session)
        change(run)
        kept = right(run, *rest)
        run.local, run.session = local, session
        return kept

    with patch.object(Checkpoint, "of", of):
        yield


@mutant("PLUGIN-36")
def keeps_no_jumps_in_checkpoints() -> AbstractContextManager[object]:
    """Leaves a jump that a command has asked for out of checkpoints."""
    return _keeps(lambda run: run.local.pop(_JUMP, None))


@mutant("PLUGIN-35")
def starts_anew_when_it_is_resumed() -> AbstractContextManager[object]:
    """Calls the hooks before the agent before the first model call after a resumption, too."""
    before_model = Stack.before_model
    seen: set[tuple[Run, int]] = set()

    async def calls(self: Any, state: Any, context: ModelContext[AnyMessage]) -> Any:  # Any: handed on
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
def takes_what_is_sent_back_for_the_last_word() -> AbstractContextManager[object]:
    """Ends a resumed run that was cancelled after an answer without calls, though a hook had sent it back."""
    continued = Agents._continued

    async def goes_on(self: Agents, run: Run, checkpoint: bytes, data: Any) -> AnyMessage:  # Any: handed on
        saved = Checkpoint.read(checkpoint, self.message_type)
        last = saved.state.messages[-1]
        if saved.checkpoint.phase == "model" and last.role == "assistant" and not last.tool_calls:
            return await self._end(run, saved.state)
        return await continued(self, run, checkpoint, data)

    return patch.object(Agent, "_continued", goes_on)


# -- what nobody has told ----------------------------------------------------------------------------------------


@mutant("PLUGIN-38")
def takes_all_conversations_for_short() -> AbstractContextManager[object]:
    """Estimates that a million characters are one token."""
    return patch.object(conversations, "_CHARACTERS_PER_TOKEN", 10**6)


@mutant("PLUGIN-39")
def waits_for_what_never_comes() -> AbstractContextManager[object]:
    """Never summarises where it cannot know when."""
    limit = summarization._limit

    def limits(trigger: Any, model: Any) -> int:  # Any: handed on
        try:
            return limit(trigger, model)
        except OptionsError:
            return sys.maxsize

    return patch.object(summarization, "_limit", limits)


@mutant("PLUGIN-48")
def omits_a_summarization_without_a_model() -> AbstractContextManager[object]:
    """Attaches a middleware without hooks instead of a summarization that has no model."""

    def make(create: Callable[[], Middleware], options: Mapping[str, Any], context: MiddlewareContext) -> Middleware:
        has_model = context.model is not None or options.get("model")
        return create() if has_model else Middleware(context.node or "summarization")

    return making(SummarizationStrategy, make)


# -- one middleware beside others ---------------------------------------------------------------------------------


@mutant("PLUGIN-44")
def passes_on_what_was_really_said() -> AbstractContextManager[object]:
    """Leaves messages that carry extra data out of the requests that wrappers around the model see."""
    opening = _Exchange.opening

    def opens(self: Any) -> ModelCallRequest:  # Any: of either message type
        request = opening(self)
        return replace(request, messages=tuple(one for one in request.messages if not one.extra))

    return patch.object(_Exchange, "opening", opens)


@mutant("PLUGIN-45", neighbors={"XP-WRAP-09": "an answer with calls goes through a cache, which hands on a copy"})
def makes_changed_answers_of_their_texts() -> AbstractContextManager[object]:
    """Takes of an answer that a wrapper has changed the text only, and lets go of the calls in it."""
    output = _Exchange.output

    def only_text(self: Any, message: AnyMessage) -> Output[AnyMessage]:  # Any: of either message type
        if any(answer is message for answer, _ in self._answers):
            return output(self, message)
        return Output.of(type(message).assistant(message.text))

    return patch.object(_Exchange, "output", only_text)


@mutant("PLUGIN-46")
def leaves_the_definitions_out() -> AbstractContextManager[object]:
    """Gives config schemas without the definitions that they refer to."""
    meta = SummarizationStrategy.meta
    schema = {key: part for key, part in (meta.config_schema or {}).items() if key != "$defs"}
    return patch.object(SummarizationStrategy, "meta", replace(meta, config_schema=schema))


@mutant("PLUGIN-47")
def keeps_the_context_from_sub_agents() -> AbstractContextManager[object]:
    """Begins the runs of sub-agents without the runtime context."""
    part_of = Agents._sub_run

    def without(self: Agents, parent: Run) -> Run:
        run = part_of(self, parent)
        run.context = {}
        return run

    return patch.object(Agent, "_sub_run", without)
