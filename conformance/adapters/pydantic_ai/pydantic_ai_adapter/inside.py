"""Inside a run: the dependencies of the run hold the values, and a run context emits custom events."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypedDict

from pydantic_ai import RunContext
from pydantic_ai.messages import CapabilityEvent, CustomEvent

from loopspec.contract.doubles import NoInside, at_once
from loopspec.contract.values import Json


class Deps(TypedDict):
    """The dependencies of a run: its session values and its run-local values."""

    session: dict[str, Json]
    local: dict[str, Any]


@dataclass(kw_only=True)
class FromTool(CustomEvent):
    """A custom event of a scripted tool."""

    payload: Json


@dataclass(kw_only=True)
class FromHook(CapabilityEvent, namespace="loopspec"):  # type: ignore[call-arg, unused-ignore]  # without pydantic-ai
    """A custom event of a scripted handler: capabilities emit events of a class of their own."""

    payload: Json


_CURRENT: ContextVar[tuple[RunContext[Deps], bool] | None] = ContextVar("pydantic_ai_context", default=None)


def deps_of(session: Mapping[str, Json]) -> Deps:
    """Return the dependencies that a caller passes to a run."""
    return {"session": dict(session), "local": {}}


def entered(ctx: RunContext[Deps], hook: bool = True) -> None:
    """Remember the context that pydantic-ai passes to a hook or to a tool."""
    _CURRENT.set((ctx, hook))


class Inside(NoInside):
    """What the current hook or tool can do in its run."""

    def set_local(self, key: str, value: object) -> None:
        """Set a value in the dependencies."""
        self._deps()["local"][key] = value

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a value of the dependencies."""
        values = self._deps()["local"]
        return values.get(key), key in values

    def delete_local(self, key: str) -> None:
        """Delete a value of the dependencies."""
        self._deps()["local"].pop(key, None)

    def set_session(self, key: str, value: Json) -> None:
        """Set a value in the dependencies."""
        self._deps()["session"][key] = value

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a value of the dependencies."""
        values = self._deps()["session"]
        return values.get(key), key in values

    def send_event(self, payload: Json) -> None:
        """Emit an event into the stream of the run. The method does not wait: no listener handles the event."""
        ctx, hook = self._current()
        at_once(ctx.emit(FromHook(payload=payload)) if hook else ctx.emit(FromTool(payload=payload)))

    def send_message(self, text: str) -> None:
        """Add a user message to the queue of the run."""
        self._current()[0].enqueue(text)

    def _deps(self) -> Deps:
        return self._current()[0].deps

    def _current(self) -> tuple[RunContext[Deps], bool]:
        current = _CURRENT.get()
        if current is None:
            raise RuntimeError("there is no run context outside a run")
        return current
