"""The session's state: session values, and run-local values as keys with the prefix for one invocation."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar

from google.adk.agents.readonly_context import ReadonlyContext
from google.adk.sessions.state import State

from loopspec.contract.doubles import NoInside
from loopspec.contract.values import Json

_context: ContextVar[ReadonlyContext] = ContextVar("google_adk_context")


def entered(context: ReadonlyContext) -> None:
    """Remember the context that ADK passes to a callback or to a tool."""
    _context.set(context)


def session_values(state: Mapping[str, Json]) -> dict[str, Json]:
    """The values that outlive an invocation."""
    return {key: value for key, value in state.items() if not key.startswith(State.TEMP_PREFIX)}


class Inside(NoInside):
    """The state, as a callback or a tool reads and sets it."""

    why = "ADK passes a state to callbacks and tools only, and a state deletes no key"

    def set_local(self, key: str, value: object) -> None:
        """Set a value of the invocation."""
        self._state[State.TEMP_PREFIX + key] = value

    def get_local(self, key: str) -> tuple[object, bool]:
        """Return a value of the invocation, and whether it is set."""
        return self._state.get(State.TEMP_PREFIX + key), State.TEMP_PREFIX + key in self._state

    def set_session(self, key: str, value: Json) -> None:
        """Set a session value."""
        self._state[key] = value

    def get_session(self, key: str) -> tuple[Json, bool]:
        """Return a session value, and whether it is set."""
        return self._state.get(key), key in self._state

    @property
    def _state(self) -> State:
        context = _context.get(None)
        if context is None:
            raise RuntimeError(self.why)
        state = context.state
        assert isinstance(state, State)
        return state
