"""Interrupts: tools that interrupt, and LangGraph's checkpointer in memory, whose content is a checkpoint."""

from __future__ import annotations

import pickle
from collections.abc import Iterable

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt
from msgspec.structs import replace

from loopspec import Interruption, Resumed, ToolAnswer, ToolRequest
from loopspec_adapting import ToolDouble, args_text


async def answer_of(double: ToolDouble, args: object, call_id: str) -> ToolAnswer | None:
    """Call a tool. After a resume, LangGraph calls it from its start, and `interrupt` returns the caller's answer."""
    request = ToolRequest(tool=double.name, call_id=call_id, args=args_text(args))
    try:
        return await double.doubles.invoke(request, double.inside())
    except Interruption as interruption:
        resumed = Resumed(state=interruption.state, data=interrupt(interruption.info))
        return await double.doubles.invoke(replace(request, resumed=resumed), double.inside())


class Saver(InMemorySaver):
    """A checkpointer in memory, which a process can pass to another one."""

    def checkpoint(self, thread: str, interrupts: Iterable[str]) -> bytes:
        """Return the content, with the thread that has stopped and its interrupts."""
        storage = {name: dict(spaces) for name, spaces in self.storage.items()}
        return pickle.dumps((thread, list(interrupts), storage, dict(self.writes), dict(self.blobs)))

    def restore(self, checkpoint: bytes) -> tuple[str, list[str]]:
        """Add the content of a checkpoint; return the thread and its interrupts."""
        thread, interrupts, storage, writes, blobs = pickle.loads(checkpoint)
        for name, spaces in storage.items():
            self.storage[name].update(spaces)
        self.writes.update(writes)
        self.blobs.update(blobs)
        return thread, interrupts
