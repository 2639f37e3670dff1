"""The older way to watch over an agent: a few functions, most of which may be missing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic

from ..calls.chains import in_copied_context
from ..tools.kinds import AnyTool, ToolInfo
from ..values.errors import ConfigError
from ..values.messages import AgenticMessage, AnyMessage, M, Message
from .handler import State, ToolMiddleware


@dataclass
class MutableState(Generic[M]):
    """The state of a run, to be changed in place."""

    messages: list[M]
    tools: list[ToolInfo] = field(default_factory=list)
    deferred_tools: list[ToolInfo] = field(default_factory=list)


LegacyHook = Callable[[MutableState[M]], Awaitable[None]]


@dataclass(frozen=True)
class LegacyMiddleware(Generic[M]):
    """Additions to an agent and functions around its calls; everything is optional (LEGACY-10).

    `before_model` runs before the handlers' hooks and `after_model` after them (ORDER-MODEL-01). They serve agents of
    the `message_types`; an agent of another type is refused (LEGACY-08).
    """

    additional_instruction: str = ""
    additional_tools: Sequence[AnyTool] = ()
    before_model: LegacyHook[M] | None = None
    after_model: LegacyHook[M] | None = None
    tools: ToolMiddleware | None = None
    message_types: tuple[type[AnyMessage], ...] = (Message, AgenticMessage)


def check(legacy: Sequence[LegacyMiddleware[M]], message_type: type[M]) -> None:
    """Raise `ConfigError`, naming the hook, when one cannot serve this type of message (LEGACY-08)."""
    for middleware in legacy:
        for name in ("before_model", "after_model"):
            if getattr(middleware, name) is not None and message_type not in middleware.message_types:
                raise ConfigError(f"the legacy hook {name!r} does not work with {message_type.__name__}")


async def changed(state: State[M], hooks: Sequence[LegacyHook[M]]) -> State[M]:
    """The state after these hooks, in order. What they set in their context is lost (CTX-09)."""
    for hook in hooks:
        mutable = MutableState(list(state.messages), list(state.tools), list(state.deferred_tools))
        await in_copied_context(hook(mutable))
        state = State(tuple(mutable.messages), tuple(mutable.tools), tuple(mutable.deferred_tools))
    return state
