"""Interrupts: tools that interrupt, and LangGraph's checkpointer in memory, whose content is a checkpoint."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from langchain.tools import ToolRuntime
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt

from loopspec import Interruption, Resumed


class Saver(InMemorySaver):
    """A checkpointer in memory, which a process can pass to another one, with the interrupts of the calls that wait."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[tuple[str, str], Interruption] = {}

    @contextmanager
    def interrupting(self, runtime: ToolRuntime[Any, Any]) -> Iterator[Resumed | None]:
        """The body of a tool that may interrupt its run.

        After a resume, LangGraph calls the tool from its start: the tool calls `interrupt` first, which returns the
        answer of the caller.
        """
        key, resumed = (runtime.config["configurable"]["thread_id"], runtime.tool_call_id or ""), None
        if key in self._waiting:
            data = interrupt(self._waiting[key].info)
            resumed = Resumed(state=self._waiting.pop(key).state, data=data)
        try:
            yield resumed
        except Interruption as interruption:
            self._waiting[key] = interruption
            interrupt(interruption.info)

    def checkpoint(self, thread: str, interrupts: Iterable[str]) -> bytes:
        """Return the content, with the thread that has stopped and its interrupts."""
        storage = {name: dict(spaces) for name, spaces in self.storage.items()}
        waiting = {key: (one.info, one.state) for key, one in self._waiting.items()}
        return pickle.dumps((thread, list(interrupts), waiting, storage, dict(self.writes), dict(self.blobs)))

    def restore(self, checkpoint: bytes) -> tuple[str, list[str]]:
        """Add the content of a checkpoint; return the thread and its interrupts."""
        thread, interrupts, waiting, storage, writes, blobs = pickle.loads(checkpoint)
        self._waiting.update({key: Interruption(*one) for key, one in waiting.items()})
        for name, spaces in storage.items():
            self.storage[name].update(spaces)
        self.writes.update(writes)
        self.blobs.update(blobs)
        return thread, interrupts
