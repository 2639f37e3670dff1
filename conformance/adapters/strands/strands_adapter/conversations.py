"""Conversations: the sessions of Strands, in which an agent stores what the agent of the next run begins with."""

from __future__ import annotations

from contextvars import ContextVar

from strands.session import SnapshotSessionManager
from strands.storage import InMemoryStorage

from loopspec.contract.scene import Run

_stored: ContextVar[InMemoryStorage] = ContextVar("strands_conversations")


def new_conversations() -> None:
    """Begin without conversations: those of a scene are its own."""
    _stored.set(InMemoryStorage())


def session_of(run: Run) -> SnapshotSessionManager | None:
    """Return the manager of the session of a run's conversation, if the run belongs to one."""
    return SnapshotSessionManager(run.conversation, storage=_stored.get()) if run.conversation else None
