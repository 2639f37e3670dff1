"""The context of a run: an object of the caller, which hooks and tools receive and change."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, TypedDict

from loopspec.contract.doubles import NoInside
from loopspec.contract.values import Json


class Context(TypedDict):
    """The context of a run: session values, run-local values, interrupts by call id, and the caller's answers."""

    session: dict[str, Json]
    local: dict[str, Any]
    interrupts: dict[str, Any]  # Any: the JSON that a tool interrupts with
    answers: dict[str, Json]


_CONTEXT: ContextVar[Context | None] = ContextVar("context", default=None)


def new_context(session: Mapping[str, Json]) -> Context:
    """Return the context that a caller passes to a run."""
    return {"session": dict(session), "local": {}, "interrupts": {}, "answers": {}}


def entered(context: Context | None) -> None:
    """Remember the context that the SDK passes to a hook or to a tool."""
    _CONTEXT.set(context)


class ContextValues(NoInside):
    """The session values and the run-local values in the context of the current hook or tool."""

    def set_local(self, key: str, value: object) -> None:
        """Set a value in the context."""
        self._context()["local"][key] = value

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a value of the context."""
        values = self._context()["local"]
        return values.get(key), key in values

    def delete_local(self, key: str) -> None:
        """Delete a value of the context."""
        self._context()["local"].pop(key, None)

    def set_session(self, key: str, value: Json) -> None:
        """Set a value in the context."""
        self._context()["session"][key] = value

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a value of the context."""
        session = self._context()["session"]
        return session.get(key), key in session

    def _context(self) -> Context:
        context = _CONTEXT.get()
        if context is None:
            raise RuntimeError("there is no context outside a run")
        return context
