"""Sessions: the messages of a conversation, and session values, which each middleware and each tool receives."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from agent_framework import AgentSession, InMemoryHistoryProvider, Message

from loopspec.contract.doubles import NoInside
from loopspec.contract.scene import Run

_PREFIX = "value "  # of the keys in the state of a session, which also has the keys of the framework
_current: ContextVar[AgentSession | None] = ContextVar("agent_framework_session", default=None)
_conversations: ContextVar[dict[str, AgentSession]] = ContextVar("agent_framework_conversations")


def new_conversations() -> None:
    """Begin without conversations: those of a scene are its own."""
    _conversations.set({})


def session_of(run: Run, restored: AgentSession | None = None) -> AgentSession:
    """Return the session of the run's conversation. A run without a conversation has a session of its own."""
    conversations = _conversations.get() if run.conversation else {}
    if restored:
        conversations[run.conversation] = restored
    return conversations.setdefault(run.conversation, AgentSession())


def add_values(session: AgentSession, values: Mapping[str, Any]) -> AgentSession:  # Any: JSON
    """Add the session values that the caller passes, and return the session."""
    session.state.update({_PREFIX + key: value for key, value in values.items()})
    return session


def values_of(session: AgentSession) -> dict[str, Any]:  # Any: JSON
    """The session values at the end of a run."""
    state = session.state.items()
    return {key.removeprefix(_PREFIX): value for key, value in state if key.startswith(_PREFIX)}


def stored_in(session: AgentSession | None) -> list[Message]:
    """The messages of earlier runs, which the default history provider has stored in a session."""
    stored = session.state.get(InMemoryHistoryProvider.DEFAULT_SOURCE_ID, {}) if session else {}
    return list(stored.get("messages", ()))


def entered(session: AgentSession | None) -> None:
    """Use the session that a middleware or a tool has received, until the current call ends."""
    _current.set(session)


class InsideSession(NoInside):
    """The session values inside a middleware or a tool."""

    def set_session(self, key: str, value: Any) -> None:  # Any: JSON
        """Set a session value."""
        self._state()[_PREFIX + key] = value

    def get_session(self, key: str) -> tuple[Any, bool]:  # Any: JSON
        """Return a session value, and whether it is set."""
        state = self._state()
        return state.get(_PREFIX + key), _PREFIX + key in state

    def _state(self) -> dict[str, Any]:  # Any: JSON
        session = _current.get()
        if session is None:
            raise RuntimeError("there is no session outside a run")
        return session.state
