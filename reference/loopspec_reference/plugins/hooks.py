"""How a state hook of a middleware is called, and what becomes of what it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from ..handlers.handler import State
from ..runs.run import Run, Target, jump_to
from ..tools.kinds import ToolInfo
from ..values.messages import Json, M
from .errors import HookError, JumpError
from .layers import Layer, settled
from .middleware import TARGETS, Hook, HookState, StateHook, Update

Kind = Literal["before_agent", "before_model", "after_model", "after_agent"]
T = TypeVar("T")


async def through_hooks(
    layers: Sequence[Layer], kind: Kind, run: Run, state: State[M], spoken: tuple[type[M], ...]
) -> tuple[State[M], Target | None]:
    """The state after these hooks, in order, and where they jump; after a jump the rest is not called (XP-JUMP-07).

    Each hook sees what those before it have changed (XP-HOOK-11). `spoken` are the types a message can have.
    """
    for layer in layers:
        state, target = await _through_hook(layer, kind, run, state, spoken)
        if target is not None:
            jump_to(target)
            return state, target
    return state, None


async def _through_hook(
    layer: Layer, kind: Kind, run: Run, state: State[M], spoken: tuple[type[M], ...]
) -> tuple[State[M], Target | None]:
    """Nothing of an update is carried out before all of it is known to make sense (XP-HOOK-10)."""
    hook: StateHook | Hook = getattr(layer.middleware, kind)
    function = hook.function if isinstance(hook, Hook) else hook
    seen = HookState(tuple(state.messages), tuple(state.tools), layer.state.read(run))
    update = await settled(function(seen, layer.runtime(run)))
    if update is None:
        return state, None
    who = layer.who(kind)
    if not isinstance(update, Mapping):
        raise HookError(f"{who} has returned {update!r:.80}: return nothing, or a mapping of what changes")
    target = _target(update, kind, hook, who)
    messages, tools = state.messages, state.tools
    if kind == "after_agent":
        _refuse(update, who)
    else:
        if "messages" in update:
            messages = _all(update["messages"], spoken, "messages", who)
        if "tools" in update:
            tools = _all(update["tools"], (ToolInfo,), "tools", who)
    layer.state.write(run, layer.state.checked(update, who), who)
    return State(messages, tools, state.deferred_tools), target


def _target(update: Update, kind: Kind, hook: StateHook | Hook, who: str) -> Target | None:
    target: Target | None = update.get("jump_to")
    if target is None:
        return None
    if kind == "after_agent":
        raise JumpError(f"{who} jumps to {target!r}, but the run is over: jump from a hook before or after the model")
    if target not in TARGETS:
        raise JumpError(f"{who} jumps to {target!r}: choose from {', '.join(TARGETS)}")
    allowed = hook.can_jump_to if isinstance(hook, Hook) else None
    if allowed is not None and target not in allowed:
        declared = ", ".join(sorted(allowed)) or "none"
        raise JumpError(f"{who} jumps to {target!r}, but declares {declared}: add it to can_jump_to")
    return target


def _refuse(update: Update, who: str) -> None:
    for key in ("messages", "tools"):
        if key in update:
            raise HookError(f"{who} has returned {key!r}, but the answer is final: change the hook after the model")


def _all(items: Json, wanted: tuple[type[T], ...], key: str, who: str) -> tuple[T, ...]:
    """The items, if each is of one of the types."""
    if isinstance(items, Sequence) and not isinstance(items, str | bytes) and all(isinstance(i, wanted) for i in items):
        return tuple(items)
    names = " or ".join(one.__name__ for one in wanted)
    raise HookError(f"{who} has returned {items!r:.80} as {key!r}: give a list in which each is a {names}")
