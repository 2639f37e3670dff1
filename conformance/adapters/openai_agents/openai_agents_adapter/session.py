"""The context of a run: an object of the caller, which hooks and tools receive and change."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, TypedDict

from loopspec.contract.doubles import NoInside
from loopspec.contract.values import Json


class Context(TypedDict):
    """The context of a run: session values, interrupts by call id, and the caller's answers to them."""

    session: dict[str, Json]
    interrupts: dict[str, Any]  # Any: the JSON that a tool interrupts with
    answers: dict[str, Json]


_CONTEXT: ContextVar[Context | None] = ContextVar("context", default=None)


def new_context(session: Mapping[str, Json]) -> Context:
    """Return the context that a caller passes to a run."""
    return {"session": dict(session), "interrupts": {}, "answers": {}}


def entered(context: Context | None) -> None:
    """Remember the context that the SDK passes to a hook or to a tool."""
    _CONTEXT.set(context)


class SessionValues(NoInside):
    """The session values in the context of the current hook or tool."""

    def set_session(self, key: str, value: Json) -> None:
        """Set a value in the context."""
        self._session()[key] = value

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a value of the context."""
        session = self._session()
        return session.get(key), key in session

    def _session(self) -> dict[str, Json]:
        context = _CONTEXT.get()
        if context is None:
            raise RuntimeError("there is no context outside a run")
        return context["session"]
