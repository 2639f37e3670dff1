"""The legacy middleware struct: optional functions around an agent's calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Generic

from msgspec import Struct

from ..calls.chains import in_copied_context
from ..tools.kinds import AnyTool, ToolInfo
from ..values.errors import ConfigError
from ..values.messages import AgenticMessage, AnyMessage, M, Message
from .handler import State, ToolMiddleware


class MutableState(Struct, Generic[M]):
    """The state of a run, for legacy hooks to change in place."""

    messages: list[M]
    tools: list[ToolInfo] = []
    deferred_tools: list[ToolInfo] = []


LegacyHook = Callable[[MutableState[M]], Awaitable[None]]


class LegacyMiddleware(Struct, Generic[M], frozen=True):
    """Additions to an agent and functions around its calls, all of them optional (LEGACY-10).

    `before_model` runs before the handlers' hooks, and `after_model` after them (ORDER-MODEL-01). Building an agent
    with a message type that is not among `message_types` fails (LEGACY-08).
    """

    additional_instruction: str = ""
    additional_tools: Sequence[AnyTool] = ()
    before_model: LegacyHook[M] | None = None
    after_model: LegacyHook[M] | None = None
    tools: ToolMiddleware | None = None
    message_types: tuple[type[AnyMessage], ...] = (Message, AgenticMessage)


def check(legacy: Sequence[LegacyMiddleware[M]], message_type: type[M]) -> None:
    """Raise `ConfigError` with the name of the hook if a hook does not support this message type (LEGACY-08)."""
    for middleware in legacy:
        for name in ("before_model", "after_model"):
            if getattr(middleware, name) is not None and message_type not in middleware.message_types:
                raise ConfigError(f"the legacy hook {name!r} does not work with {message_type.__name__}")


async def changed(state: State[M], hooks: Sequence[LegacyHook[M]]) -> State[M]:
    """Return the state after these hooks, in order. Context variables that they set are lost (CTX-09)."""
    for hook in hooks:
        mutable = MutableState(list(state.messages), list(state.tools), list(state.deferred_tools))
        await in_copied_context(hook(mutable))
        state = State(tuple(mutable.messages), tuple(mutable.tools), tuple(mutable.deferred_tools))
    return state
