"""The steps of a scene on a backend under test."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from ..contract.errors import Reported
from ..contract.faults import AdapterError, CannotStore
from ..contract.harness import HarnessStage
from ..contract.scene import (
    Ask,
    BackendStep,
    Break,
    CancelRead,
    Close,
    FailStore,
    Link,
    Meanwhile,
    ReadRequest,
    Repeat,
    Write,
)
from .bait import Bait
from .drivers import Together
from .resources import Count
from .store_calls import call_method, close_store, read_from

_WARM_UP = 20  # reads after which pools and caches of a library exist
_POOLED = 50  # a pool of threads or connections has fewer, and a leak of each read many more
_TURNS = 5  # turns of the event loop in which a read begins, before the read is cancelled


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
            case Break():
                await call_method(self._store, "fault", step.path, step.kind)
            case Link():
                await call_method(self._store, "link", step.path, step.target)
            case FailStore():
                await call_method(self._store, "fail", step.kind)
            case Meanwhile():
                await self._meanwhile(step)
            case Repeat():
                await self._repeat(step)
            case CancelRead():
                await self._cancel(step)
            case Close():
                await self._close()

    async def _ask(self, request: ReadRequest) -> None:
        path = request.file_path
        try:
            content = await read_from(self._store, self.bait.named_in(request))
        except AdapterError:
            raise
        except Exception as error:
            self._stage.outcomes.answer_failed(path, error)
        else:
            self._stage.outcomes.answered(path, content)

    async def _write(self, step: Write) -> None:
        outcomes = self._stage.outcomes
        try:
            await call_method(self._store, "write", step.path, step.file.content)
        except (CannotStore, Reported) as error:
            refused = isinstance(error, CannotStore) or error.error.kind == "cannot_store"
            if not (refused or step.judged):
                raise
            outcomes.store_called("write", step.path, error)
        except AdapterError:
            raise
        except Exception as error:
            if not step.judged:
                raise
            outcomes.store_called("write", step.path, error)

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
        before = await self._count(self._store)
        await self._read_unseen(request, step.times)
        after = await self._count(self._store)
        await self._ask(step.request)
        self._stage.outcomes.resources_grew(
            _grown(before.descriptors, after.descriptors),
            _grown(before.threads, after.threads),
            _grown(before.tasks, after.tasks),
        )

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
            for _ in range(_TURNS):
                await asyncio.sleep(0)
            reading.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await reading

    async def _close(self) -> None:
        error: Exception | None = None
        try:
            await close_store(self._store)
        except Exception as raised:
            error = raised
        self.closed = True
        self._stage.outcomes.store_called("close", "", error)


def _grown(before: int, after: int) -> int:
    """The growth, which is none up to the size of a pool."""
    return after - before if after - before > _POOLED else 0


@contextmanager
def _hurried_threads() -> Iterator[None]:
    """Switch threads as often as possible, so that races occur."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
