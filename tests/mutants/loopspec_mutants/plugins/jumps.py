"""Mutants about jumps of hooks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeAlias
from unittest.mock import patch

from loopspec_reference import AnyMessage, State
from loopspec_reference.loop import model_calls
from loopspec_reference.plugins import Hook, JumpError, StateHook, hooks, middleware, stack
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.plugins.middleware import Update
from loopspec_reference.runs.run import Run, Target, jump_over_model, jump_to, taken_jump

from ..registry import mutant

Layers = Sequence[Layer]
Followed: TypeAlias = Awaitable[tuple[State[AnyMessage], Target | None]]
Hooks = Callable[[Layers, State[AnyMessage]], Followed]


def _follows(
    change: Callable[[Layers, str, Run, State[AnyMessage], Hooks], Followed],
) -> AbstractContextManager[object]:
    """Patch how the hooks of one kind are called and how their jumps are followed."""
    through_hooks = hooks.through_hooks

    def follows(layers: Layers, kind: Any, run: Run, state: Any, message_types: Any) -> Any:  # Any: passed on
        def original(layers: Layers, state: State[AnyMessage]) -> Followed:
            return through_hooks(layers, kind, run, state, message_types)

        return change(layers, kind, run, state, original)

    return patch.object(stack, "through_hooks", follows)


def drops(
    wanted: Callable[[str, Run, State[AnyMessage], Target | None], bool], instead: Target | None = None
) -> AbstractContextManager[object]:
    """Ignore the jumps for which `wanted` is true, or follow them to another target."""

    async def drops(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Hooks
    ) -> tuple[State[AnyMessage], Target | None]:
        state, target = await original(layers, state)
        if not wanted(kind, run, state, target):
            return state, target
        taken_jump(run)
        if instead:
            jump_to(instead)
        return state, instead

    return _follows(drops)


def pending(state: State[AnyMessage]) -> bool:
    return bool(state.messages[-1].tool_calls)


@mutant(
    "XP-JUMP-01",
    neighbors={
        "XP-JUMP-08": "one of the jumps is from an after-model hook",
        "PLUGIN-21": "the run jumps to the tools without tool calls",
    },
)
def rejects_a_jump_to_the_next_step() -> AbstractContextManager[object]:
    """Rejects a jump to the tools after an answer with tool calls."""
    find = hooks._target

    def finds(update: Update, kind: hooks.Kind, hook: StateHook | Hook, who: str) -> Target | None:
        target = find(update, kind, hook, who)
        if kind == "after_model" and target == "tools":
            raise JumpError(f"{who} jumps to the next step")
        return target

    return patch.object(hooks, "_target", finds)


@mutant(
    "XP-JUMP-02",
    neighbors={
        "XP-HOOK-09": "one of the hooks jumps to the end before the first model call",
        "PLUGIN-19": "the run follows a jump that was declared",
        "PLUGIN-23": "a run jumps to the end before its first answer",
    },
)
def ignores_jumps_to_the_end_before_an_answer() -> AbstractContextManager[object]:
    """Ignores a jump to the end before the first answer."""
    return drops(
        lambda kind, run, state, target: (
            kind == "before_model" and target == "end" and all(message.role == "user" for message in state.messages)
        )
    )


@mutant("XP-JUMP-01")
def ignores_jumps_to_the_end_after_a_text_with_calls() -> AbstractContextManager[object]:
    """Ignores a jump to the end after an answer with both a text and tool calls."""

    def with_text(kind: str, run: Run, state: State[AnyMessage], target: Target | None) -> bool:
        return kind == "after_model" and target == "end" and pending(state) and bool(state.messages[-1].text)

    return drops(with_text)


@mutant("XP-JUMP-02", neighbors={"PLUGIN-33": "the second middleware jumps to the tools"})
def follows_jumps_of_the_first_middleware_only() -> AbstractContextManager[object]:
    """Ignores the jumps of before-model hooks, except those of the first middleware."""

    async def follows(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Hooks
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind != "before_model":
            return await original(layers, state)
        state, target = await original(layers[:1], state)
        if target is None:
            state, _ = await original(layers[1:], state)
            taken_jump(run)
        return state, target

    return _follows(follows)


@mutant("XP-JUMP-02", neighbors={"XP-JUMP-01": "the end is one of the targets"})
def skips_only_the_tools_at_a_jump_to_the_end() -> AbstractContextManager[object]:
    """Skips only the tool calls at a jump to the end from an after-model hook, and calls the model again."""
    return drops(lambda kind, run, state, target: kind == "after_model" and target == "end" and pending(state), "model")


@mutant(
    "XP-JUMP-06",
    neighbors={
        "XP-JUMP-01": "the model is one of the targets",
        "XP-HOOK-02": "one of the model calls follows a jump to the model",
        "PLUGIN-22": "a hook jumps to the model after each answer",
        "PLUGIN-37": "a hook jumps to the model after an answer",
    },
)
def ignores_jumps_to_the_model_after_a_final_answer() -> AbstractContextManager[object]:
    """Ignores a jump to the model after an answer without tool calls."""
    return drops(lambda kind, run, state, target: kind == "after_model" and target == "model" and not pending(state))


@mutant(
    "XP-JUMP-08",
    neighbors={
        "XP-JUMP-01": "the tools are one of the targets",
        "PLUGIN-22": "before-model hooks jump to the tools",
        "PLUGIN-33": "the jump to the tools makes a call that has no result yet",
    },
)
def ignores_jumps_to_the_tools_before_a_model_call() -> AbstractContextManager[object]:
    """Ignores a jump to the tools from a before-model hook, and calls the model."""

    def over(run: Run) -> Target | None:
        target = jump_over_model(run)
        return None if target == "tools" and taken_jump(run) else target

    return patch.object(model_calls, "jump_over_model", over)


@mutant("XP-JUMP-07")
def calls_the_other_hooks_after_a_jump() -> AbstractContextManager[object]:
    """Follows a jump only after all after-model hooks."""

    async def follows(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], original: Hooks
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind != "after_model":
            return await original(layers, state)
        jump = None
        for layer in layers:
            state, target = await original([layer], state)
            jump = jump or target
        return state, jump

    return _follows(follows)


@mutant("XP-JUMP-11")
@contextmanager
def makes_the_calls_before_a_jump_to_the_end() -> Iterator[None]:
    """Makes the tool calls of an answer before it follows a jump to the end from an after-model hook."""
    ending: set[Run] = set()

    def late(kind: str, run: Run, state: State[AnyMessage], target: Target | None) -> bool:
        if kind != "after_model" or target != "end" or not pending(state):
            return False
        ending.add(run)
        run.local["ending"] = True  # the loop looks for jumps only if the run has values
        return True

    def over(run: Run) -> Target | None:
        if run in ending:
            ending.remove(run)
            jump_to("end")
        return jump_over_model(run)

    with drops(late), patch.object(model_calls, "jump_over_model", over):
        yield


@mutant("PLUGIN-49")
def accepts_an_unknown_declared_target() -> AbstractContextManager[object]:
    """Accepts a hook that declares an unknown jump target."""
    # The check is compiled into the class, so the list that the check reads is longer instead.
    return patch.object(middleware, "TARGETS", (*middleware.TARGETS, "nowhere"))
