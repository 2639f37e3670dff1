"""Conversations: the sessions of the SDK, in which a run stores its items for the next run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from agents import SQLiteSession

from loopspec.contract.scene import Run

_SESSIONS: ContextVar[dict[str, SQLiteSession]] = ContextVar("sessions")


@contextmanager
def stored_conversations() -> Iterator[None]:
    """Open a store of conversations for the runs of one scene."""
    sessions: dict[str, SQLiteSession] = {}
    _SESSIONS.set(sessions)
    try:
        yield
    finally:
        for session in sessions.values():
            session.close()


def conversation_of(run: Run) -> SQLiteSession | None:
    """Return the session of the run's conversation, if the run belongs to one."""
    sessions = _SESSIONS.get()
    if run.conversation and run.conversation not in sessions:
        sessions[run.conversation] = SQLiteSession(run.conversation)
    return sessions.get(run.conversation)
