"""The steps of a scene on a backend under test."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ..contract.errors import refuses_name
from ..contract.faults import AdapterError
from ..contract.harness import HarnessStage
from ..contract.scene import (
    Ask,
    BackendStep,
    Break,
    CancelRead,
    Close,
    Delete,
    FailStore,
    Link,
    Meanwhile,
    ReadRequest,
    Repeat,
    Write,
)
from ..protocol.adapter import ProcessResources
from .bait import Bait
from .drivers import Together
from .resources import Count, let_others_run, little_garbage
from .store_calls import call_method, read_from

_WARM_UP = 20  # reads after which caches of a library exist
_POOL = 100  # concurrent reads after which a pool of threads or connections has its size
_ROUNDS = 3  # a pool that grows in one round stops, and a leak repeats
_NO_POOL = 150  # a growth in one round that is no pool's; more rounds could reach a limit of the process


class StoreSteps:
    """Performs steps on one store. `closed`: a step has closed the store."""

    def __init__(self, store: object, stage: HarnessStage, together: Together, count: Count) -> None:
        self.bait = Bait()
        self.closed = False
        self._store = store
        self._stage = stage
        self._together = together
        self._count = count

    async def take(self, step: BackendStep) -> None:
        """Perform a step."""
        match step:
            case Ask():
                with _hurried_threads():
                    await self._together(self._ask(request) for request in step.requests)
            case Write():
                await self._write(step)
            case Delete() | Break() | Link() | FailStore():
                await self._change(step)
            case Meanwhile():
                await self._meanwhile(step)
            case Repeat():
                await self._repeat(step)
            case CancelRead():
                await self._cancel(step)
            case Close():
                await self._close()

    async def _ask(self, request: ReadRequest) -> None:
        path, named = request.file_path, self.bait.named_in(request)
        asked = "" if named is request else named.file_path
        try:
            content = await read_from(self._store, named)
        except AdapterError:
            raise
        except Exception as error:
            self._stage.outcomes.answer_failed(path, error, asked)
        else:
            self._stage.outcomes.answered(path, content, asked)

    async def _write(self, step: Write) -> None:
        try:
            await call_method(self._store, "write", step.path, step.file.content)
        except AdapterError:
            raise
        except Exception as error:
            if not (step.judged or refuses_name(error)):
                raise
            self._stage.outcomes.store_called("write", step.path, error)

    async def _change(self, step: Delete | Break | Link | FailStore) -> None:
        match step:
            case Delete():
                await call_method(self._store, "delete", step.path)
            case Break():
                await call_method(self._store, "fault", step.path, step.kind)
            case Link():
                await call_method(self._store, "link", step.path, step.target)
            case FailStore():
                await call_method(self._store, "fail", step.kind)

    async def _meanwhile(self, step: Meanwhile) -> None:
        reads = [self._ask(request) for request in step.requests]
        calls = [*reads]
        for one in step.steps:
            calls.append(self.take(one))
            calls += [self._ask(request) for request in step.requests]
        with _hurried_threads():
            await self._together(calls)

    async def _repeat(self, step: Repeat) -> None:
        request = self.bait.named_in(step.request)
        await self._ask(step.request)
        await self._read_unseen(request, _WARM_UP)
        await self._together(self._read_unseen(request, 1) for _ in range(_POOL))
        with little_garbage():
            descriptors, threads, tasks = await self._growth(request, step.times)
        await self._ask(step.request)
        self._stage.outcomes.resources_grew(descriptors, threads, tasks)

    async def _growth(self, request: ReadRequest, times: int) -> list[int]:
        """The growth that occurs in every round of reads, or the first one that is too large for a pool.

        Also another thread of the process can open a descriptor in a round.
        """
        least: list[int] = []
        for _ in range(_ROUNDS):
            before = await self._count(self._store)
            await self._read_unseen(request, times)
            grown = _grown(before, await self._count(self._store))
            if max(grown) > _NO_POOL:
                return grown
            least = [min(pair) for pair in zip(least or grown, grown, strict=True)]
            if not any(least):
                break
        return least

    async def _read_unseen(self, request: ReadRequest, times: int) -> None:
        """Read without recording; the reads before and after are the answers."""
        for _ in range(times):
            try:
                await read_from(self._store, request)
            except AdapterError:
                raise
            except Exception:
                continue

    async def _cancel(self, step: CancelRead) -> None:
        for _ in range(step.times):
            reading = asyncio.ensure_future(read_from(self._store, self.bait.named_in(step.request)))
            await let_others_run()
            reading.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await reading

    async def _close(self) -> None:
        error: Exception | None = None
        try:
            await call_method(self._store, "close")
        except AdapterError:
            raise
        except Exception as raised:
            error = raised
        self.closed = True
        self._stage.outcomes.store_called("close", "", error)


def _grown(before: ProcessResources, after: ProcessResources) -> list[int]:
    """The growth of descriptors, threads and tasks; a decrease is none."""
    pairs = zip(
        (before.descriptors, before.threads, before.tasks), (after.descriptors, after.threads, after.tasks), strict=True
    )
    return [max(now - earlier, 0) for earlier, now in pairs]


@contextmanager
def _hurried_threads() -> Iterator[None]:
    """Switch threads as often as possible, so that races occur."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
