"""The state hooks of middlewares: how they are called, and how their updates are applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

from ..handlers.handler import State
from ..runs.run import Run, Target, jump_to
from ..tools.kinds import ToolInfo
from ..values.messages import Json, M
from .errors import HookError, JumpError
from .layers import Layer, awaited
from .middleware import TARGETS, Hook, HookState, StateHook, Update

Kind = Literal["before_agent", "before_model", "after_model", "after_agent"]
T = TypeVar("T")


async def through_hooks(
    layers: Sequence[Layer], kind: Kind, run: Run, state: State[M], message_types: tuple[type[M], ...]
) -> tuple[State[M], Target | None]:
    """Return the state after these hooks, in order, and their jump. No hook is called after a jump (XP-JUMP-07).

    Each hook sees the changes of the hooks before it (XP-HOOK-11). `message_types` are the types that a message can
    have.
    """
    for layer in layers:
        state, target = await _through_hook(layer, kind, run, state, message_types)
        if target is not None:
            jump_to(target)
            return state, target
    return state, None


async def _through_hook(
    layer: Layer, kind: Kind, run: Run, state: State[M], message_types: tuple[type[M], ...]
) -> tuple[State[M], Target | None]:
    """Check the whole update before any part of it is applied (XP-HOOK-10)."""
    hook: StateHook | Hook = getattr(layer.middleware, kind)
    function = hook.function if isinstance(hook, Hook) else hook
    seen = HookState(tuple(state.messages), tuple(state.tools), layer.state.read(run))
    update = await awaited(function(seen, layer.runtime(run)))
    if update is None:
        return state, None
    source = layer.name_of(kind)
    if not isinstance(update, Mapping):
        raise HookError(f"{source} has returned {update!r:.80}: return nothing, or a mapping of the changes")
    target = _target(update, kind, hook, source)
    messages, tools = state.messages, state.tools
    if kind == "after_agent":
        _refuse_final(update, source)
    else:
        if "messages" in update:
            messages = _all(update["messages"], message_types, "messages", source)
        if "tools" in update:
            tools = _all(update["tools"], (ToolInfo,), "tools", source)
    layer.state.write(run, layer.state.checked(update, source), source)
    return State(messages, tools, state.deferred_tools), target


def _target(update: Update, kind: Kind, hook: StateHook | Hook, source: str) -> Target | None:
    target: Target | None = update.get("jump_to")
    if target is None:
        return None
    if kind == "after_agent":
        raise JumpError(
            f"{source} jumps to {target!r}, but the run is over: jump from a hook before or after the model"
        )
    if target not in TARGETS:
        raise JumpError(f"{source} jumps to {target!r}: choose from {', '.join(TARGETS)}")
    allowed = hook.can_jump_to if isinstance(hook, Hook) else None
    if allowed is not None and target not in allowed:
        declared = ", ".join(sorted(allowed)) or "none"
        raise JumpError(f"{source} jumps to {target!r}, but declares {declared}: add it to can_jump_to")
    return target


def _refuse_final(update: Update, source: str) -> None:
    for key in ("messages", "tools"):
        if key in update:
            raise HookError(f"{source} has returned {key!r}, but the answer is final: change the hook after the model")


def _all(items: Json, wanted: tuple[type[T], ...], key: str, source: str) -> tuple[T, ...]:
    """Return the items if each is of one of the types."""
    if isinstance(items, Sequence) and not isinstance(items, str | bytes) and all(isinstance(i, wanted) for i in items):
        return tuple(items)
    names = " or ".join(one.__name__ for one in wanted)
    raise HookError(f"{source} has returned {items!r:.80} as {key!r}: give a list in which each is a {names}")
