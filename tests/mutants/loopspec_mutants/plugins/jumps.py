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
    """Call state hooks, and follow their jumps, in another way."""
    through_hooks = hooks.through_hooks

    def follows(layers: Layers, kind: Any, run: Run, state: Any, spoken: Any) -> Any:  # Any: handed on
        def as_before(layers: Layers, state: State[AnyMessage]) -> Followed:
            return through_hooks(layers, kind, run, state, spoken)

        return change(layers, kind, run, state, as_before)

    return patch.object(stack, "through_hooks", follows)


def drops(
    wanted: Callable[[str, Run, State[AnyMessage], Target | None], bool], instead: Target | None = None
) -> AbstractContextManager[object]:
    """Do not follow the jumps that `wanted` is true of, or follow them to another target."""

    async def drops(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], as_before: Hooks
    ) -> tuple[State[AnyMessage], Target | None]:
        state, target = await as_before(layers, state)
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
        "XP-JUMP-08": "one of its jumps is from after the model",
        "PLUGIN-21": "it goes there with nothing to call",
    },
)
def refuses_to_go_where_it_goes_anyway() -> AbstractContextManager[object]:
    """Takes a jump to the tools for an error where the tools come next anyway."""
    find = hooks._target

    def finds(update: Update, kind: hooks.Kind, hook: StateHook | Hook, who: str) -> Target | None:
        target = find(update, kind, hook, who)
        if kind == "after_model" and target == "tools":
            raise JumpError(f"{who} jumps to where the run goes")
        return target

    return patch.object(hooks, "_target", finds)


@mutant(
    "XP-JUMP-02",
    neighbors={
        "XP-HOOK-09": "one of its hooks jumps to the end before the first model call",
        "PLUGIN-19": "a jump that was declared is taken there",
        "PLUGIN-23": "a run jumps to the end before it has begun",
    },
)
def answers_once_before_it_ends() -> AbstractContextManager[object]:
    """Follows no jump to the end as long as nobody has answered the caller."""
    return drops(
        lambda kind, run, state, target: (
            kind == "before_model" and target == "end" and all(message.role == "user" for message in state.messages)
        )
    )


@mutant("XP-JUMP-01")
def ends_only_after_silent_answers() -> AbstractContextManager[object]:
    """Does not follow a jump to the end after an answer that says something and calls tools."""

    def spoken(kind: str, run: Run, state: State[AnyMessage], target: Target | None) -> bool:
        return kind == "after_model" and target == "end" and pending(state) and bool(state.messages[-1].text)

    return drops(spoken)


@mutant("XP-JUMP-02", neighbors={"PLUGIN-33": "it is the second middleware that jumps to the tools"})
def follows_the_first_middleware_only() -> AbstractContextManager[object]:
    """Overlooks jumps from before the model of all middlewares but the first."""

    async def follows(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], as_before: Hooks
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind != "before_model":
            return await as_before(layers, state)
        state, target = await as_before(layers[:1], state)
        if target is None:
            state, _ = await as_before(layers[1:], state)
            taken_jump(run)
        return state, target

    return _follows(follows)


@mutant("XP-JUMP-02", neighbors={"XP-JUMP-01": "the end is one of its targets"})
def jumps_over_the_tools_only() -> AbstractContextManager[object]:
    """Takes a jump to the end from after the model for one over the tools, and calls the model again."""
    return drops(lambda kind, run, state, target: kind == "after_model" and target == "end" and pending(state), "model")


@mutant(
    "XP-JUMP-06",
    neighbors={
        "XP-JUMP-01": "the model is one of its targets",
        "PLUGIN-22": "each answer is sent back there",
        "PLUGIN-37": "an answer is sent back there, too",
    },
)
def ends_with_the_first_answer() -> AbstractContextManager[object]:
    """Follows no jump to the model behind an answer that asks for no tool."""
    return drops(lambda kind, run, state, target: kind == "after_model" and target == "model" and not pending(state))


@mutant(
    "XP-JUMP-08",
    neighbors={
        "XP-JUMP-01": "the tools are one of its targets",
        "PLUGIN-22": "model calls are jumped over there",
        "PLUGIN-33": "a call that has no result yet is made that way",
    },
)
def knows_no_way_to_the_tools_but_by_the_model() -> AbstractContextManager[object]:
    """Calls the model when the tools are jumped to from before it."""

    def over(run: Run) -> Target | None:
        target = jump_over_model(run)
        return None if target == "tools" and taken_jump(run) else target

    return patch.object(model_calls, "jump_over_model", over)


@mutant("XP-JUMP-07")
def calls_the_other_hooks_after_a_jump() -> AbstractContextManager[object]:
    """Jumps only when all hooks after the model were called."""

    async def follows(
        layers: Layers, kind: str, run: Run, state: State[AnyMessage], as_before: Hooks
    ) -> tuple[State[AnyMessage], Target | None]:
        if kind != "after_model":
            return await as_before(layers, state)
        jump = None
        for layer in layers:
            state, target = await as_before([layer], state)
            jump = jump or target
        return state, jump

    return _follows(follows)


@mutant("XP-JUMP-11")
@contextmanager
def makes_the_calls_before_it_ends() -> Iterator[None]:
    """Makes the tool calls that were asked for before it follows a jump to the end from after the model."""
    ending: set[Run] = set()

    def late(kind: str, run: Run, state: State[AnyMessage], target: Target | None) -> bool:
        if kind != "after_model" or target != "end" or not pending(state):
            return False
        ending.add(run)
        run.local["ending"] = True  # the loop asks for jumps only where something is kept
        return True

    def over(run: Run) -> Target | None:
        if run in ending:
            ending.remove(run)
            jump_to("end")
        return jump_over_model(run)

    with drops(late), patch.object(model_calls, "jump_over_model", over):
        yield


@mutant("PLUGIN-49")
def accepts_every_declared_target() -> AbstractContextManager[object]:
    """Accepts a hook that declares an unknown jump target."""
    # The check is compiled into the class, so the list that the check reads is longer instead.
    return patch.object(middleware, "TARGETS", (*middleware.TARGETS, "nowhere"))
