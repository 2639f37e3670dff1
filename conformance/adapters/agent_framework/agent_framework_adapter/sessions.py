"""Session values: a part of the state of the session, which each middleware and each tool receives."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from agent_framework import AgentSession

from loopspec.contract.doubles import NoInside

_KEY = "values"  # in the state of a session, which also has the keys of the framework
_current: ContextVar[AgentSession | None] = ContextVar("agent_framework_session", default=None)


def new_session(values: Mapping[str, Any]) -> AgentSession:  # Any: JSON
    """Return a session with the values that the caller passes."""
    session = AgentSession()
    session.state[_KEY] = dict(values)
    return session


def values_of(session: AgentSession) -> dict[str, Any]:  # Any: JSON
    """The session values at the end of a run."""
    return dict(session.state[_KEY])


def entered(session: AgentSession | None) -> None:
    """Use the session that a middleware or a tool has received, until the current call ends."""
    _current.set(session)


class InsideSession(NoInside):
    """The session values inside a middleware or a tool."""

    def set_session(self, key: str, value: Any) -> None:  # Any: JSON
        """Set a session value."""
        self._values()[key] = value

    def get_session(self, key: str) -> tuple[Any, bool]:  # Any: JSON
        """Return a session value, and whether it is set."""
        values = self._values()
        return values.get(key), key in values

    def _values(self) -> dict[str, Any]:  # Any: JSON
        session = _current.get()
        if session is None:
            raise RuntimeError("there is no session outside a run")
        found: dict[str, Any] = session.state[_KEY]
        return found
