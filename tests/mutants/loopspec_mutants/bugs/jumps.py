"""Realistic bugs about jumps, and about the hooks after the model that jump."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeAlias
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.plugins import HookError, JumpError, hooks, stack
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.runs.run import Run, Target, current_run, jump_to
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug

Layers = Sequence[Layer]
Followed: TypeAlias = Awaitable[tuple[State[AnyMessage], Target | None]]
Through = Callable[[Layers, State[AnyMessage]], Followed]


def _hooks(
    change: Callable[[Layers, str, Run, State[AnyMessage], Through], Followed],
) -> AbstractContextManager[object]:
    """Patch the call of all hooks of one kind."""
    through_hooks = hooks.through_hooks

    def through(layers: Layers, kind: Any, run: Run, state: Any, message_types: Any) -> Any:  # Any: passed on
        def original(layers: Layers, state: State[AnyMessage]) -> Followed:
            return through_hooks(layers, kind, run, state, message_types)

        return change(layers, kind, run, state, original)

    return patch.object(stack, "through_hooks", through)


@bug("XP-HOOK-02")
def skips_the_before_model_hooks_after_a_jump_to_the_model() -> AbstractContextManager[object]:
    """Calls no before-model hooks after a jump from an after-model hook to the model."""
    jumped: list[Run] = []

    async def skips(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Through
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind == "before_model" and run in jumped:
            jumped.remove(run)
            return state, None
        state, target = await original(layers, state)
        if kind == "after_model" and target == "model":
            jumped.append(run)
        return state, target

    return _hooks(skips)


@bug("XP-HOOK-04")
def skips_the_after_agent_hooks_after_an_early_end() -> AbstractContextManager[object]:
    """Calls no after-agent hooks in a run that a before-model hook has ended by a jump."""
    ended: list[Run] = []

    async def skips(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Through
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind == "after_agent" and run in ended:
            return state, None
        state, target = await original(layers, state)
        if kind == "before_model" and target == "end":
            ended.append(run)
        return state, target

    return _hooks(skips)


@bug("PLUGIN-42")
def rejects_a_jump_to_the_model_from_the_first_middleware() -> AbstractContextManager[object]:
    """Fails a run whose first middleware jumps to the model from its before-model hook."""

    async def rejects(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Through
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind != "before_model":
            return await original(layers, state)
        state, target = await original(layers[:1], state)
        if target == "model":
            raise JumpError(f"the next step of {run.agent!r} has no target 'model'")
        return (state, target) if target else await original(layers[1:], state)

    return _hooks(rejects)


@bug("XP-HOOK-06")
def fails_with_two_after_model_hooks() -> AbstractContextManager[object]:
    """Fails a run if two middlewares have an after-model hook, because both write the jump of the run."""

    async def fails(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Through
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind == "after_model" and len(layers) > 1:
            raise HookError("two hooks have written the jump of one step")
        return await original(layers, state)

    return _hooks(fails)


@bug("PLUGIN-21")
def repeats_answered_calls_at_a_jump_to_the_tools() -> AbstractContextManager[object]:
    """Makes the tool calls of the last answer at a jump to the tools, although a hook has appended their results."""

    async def repeats(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Through
    ) -> tuple[State[AnyMessage], Target | None]:
        state, target = await original(layers, state)
        messages = tuple(state.messages)
        while target == "tools" and messages and messages[-1].role == "tool":
            messages = messages[:-1]
        return replace(state, messages=messages), target

    return _hooks(repeats)


@bug("HOOK-AM-03")
def skips_all_calls_when_a_hook_has_removed_one() -> AbstractContextManager[object]:
    """Makes none of the tool calls of an answer if an after-model hook has removed one of them."""
    finished = ModelCalls._finished

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        answered = await finished(self, state)
        run, before, after = current_run.get(), state.messages[-1].tool_calls, answered.messages[-1].tool_calls
        if run is not None and 0 < len(after) < len(before):
            jump_to("model")
        return answered

    return patch.object(ModelCalls, "_finished", finishes)
