"""LangGraph's checkpointer in memory, which can be carried into another process."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

from langgraph.checkpoint.memory import InMemorySaver


class Saver(InMemorySaver):
    """What a checkpointer over a database is to two processes: here, what it holds travels as bytes."""

    def checkpoint(self, thread: str, interrupts: Sequence[str]) -> bytes:
        """All that a resume needs of a thread that has stopped at these interrupts."""
        storage = {name: dict(spaces) for name, spaces in self.storage.items()}
        return pickle.dumps((thread, list(interrupts), storage, dict(self.writes), dict(self.blobs)))

    def restore(self, checkpoint: bytes) -> tuple[str, list[str]]:
        """Take it over; return the thread and the interrupts."""
        thread, interrupts, storage, writes, blobs = pickle.loads(checkpoint)
        for name, spaces in storage.items():
            self.storage[name].update(spaces)
        self.writes.update(writes)
        self.blobs.update(blobs)
        return thread, interrupts
