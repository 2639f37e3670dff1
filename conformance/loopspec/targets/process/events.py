"""The events of a run: the adapter pushes them, and the stage receives them in order, with complete streams."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator

from ...contract.errors import Reported
from ...contract.faults import AdapterError
from ...contract.harness import HarnessStage
from ...contract.values import Message
from ...protocol import messages as m
from .coroutines import Place, Task, Tasks


class _Queue:
    """The chunks of a stream that have arrived and were not taken."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._items: deque[m.RunChunk] = deque()
        self._place: Place[None] | None = None
        self.closed = False

    def put(self, item: m.RunChunk) -> None:
        self._items.append(item)
        self.closed |= item.end or item.error is not None
        if self._place is not None:
            self._place.set_result(None)

    async def get(self) -> m.RunChunk:
        while not self._items:
            self._place = Place(self._tasks)
            await self._place
        return self._items.popleft()


class Feed:
    """The events of one run, each reported after the one before it. `closed`: the run is over."""

    def __init__(self, tasks: Tasks, stage: HarnessStage, run: str) -> None:
        self.closed = False
        self._tasks = tasks
        self._stage = stage
        self._run = run
        self._streams: dict[int, _Queue] = {}
        self._last: Task[None] | None = None

    def take(self, item: m.RunEvent | m.RunChunk) -> None:
        """Take an event, or a chunk of an event. Raises `AdapterError` for a chunk without its event."""
        if isinstance(item, m.RunEvent):
            if item.stream is not None:
                if item.stream in self._streams:
                    raise AdapterError(f"the adapter began the stream {item.stream} of run {self._run} twice")
                self._streams[item.stream] = _Queue(self._tasks)
            self._last = self._tasks.start(self._report(item, self._last))
        elif item.stream not in self._streams or self._streams[item.stream].closed:
            raise AdapterError(
                f"the adapter sent a chunk of stream {item.stream} of run {self._run}, which is not open"
            )
        else:
            self._streams[item.stream].put(item)

    async def finish(self) -> None:
        """Wait until every event is taken, after the end of the run."""
        for number, stream in self._streams.items():
            if not stream.closed:
                raise AdapterError(f"the adapter ended run {self._run} before its stream {number}")
        self.closed = True
        if self._last is not None:
            await self._last

    async def _report(self, item: m.RunEvent, before: Task[None] | None) -> None:
        if before is not None:
            await before
        runs = self._stage.runs
        runs.enter(self._run, {})
        if item.stream is not None:
            await runs.stream(item.agent, self._chunks(item.stream), item.path, item.exits)
        else:
            error = Reported(item.error) if item.error else None
            runs.event(item.agent, item.message, item.custom, item.path, item.exits, error)

    async def _chunks(self, number: int) -> AsyncIterator[Message]:
        queue = self._streams[number]
        while True:
            item = await queue.get()
            if item.message is not None:
                yield item.message
            if item.error is not None:
                raise Reported(item.error)
            if item.end:
                return
