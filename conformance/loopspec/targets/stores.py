"""A backend under test: calls of its methods, what its process has open, and the steps of a scene."""

from __future__ import annotations

import asyncio
import errno
import gc
import inspect
import resource
import shutil
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec.structs import astuple, replace

from ..contract.errors import refuses_name
from ..contract.faults import AdapterError
from ..contract.harness import HarnessStage
from ..contract.names import nearest, short_name
from ..contract.observation import Resources, StoreCall
from ..contract.scene import (
    BAIT,
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
from ..contract.shapes import Content
from ..protocol.adapter import ProcessResources
from .declared import BACKEND_METHODS
from .drivers import Together
from .loaders import called_with, failures

_CALLS = {
    "close": "close()",
    "delete": "delete(path)",
    "fail": "fail(kind)",
    "fault": "fault(path, kind)",
    "link": "link(path, target)",
    "write": "write(path, content)",
}


async def close_store(store: object) -> None:
    """Close the backend if it has `close`."""
    if hasattr(store, "close"):
        await call_method(store, "close")


async def call_method(store: object, method: str, *args: object) -> object:
    """Call a required method of the backend."""
    if not callable(getattr(store, method, None)):
        why = f", which the capability {needing} requires" if (needing := _needing(method, args)) else ""
        raise AdapterError(f"the opened backend has no {method}(){why}: {store!r:.200}{instead(store, method)}")
    called = getattr(store, method)
    with called_with(called, _CALLS[method], *args):
        result = called(*args)
        return await result if inspect.isawaitable(result) else result


def _needing(method: str, args: tuple[object, ...]) -> str:
    """The capability that requires the method in this call; nothing for a method that every backend has."""
    if method in ("fault", "fail"):
        return f"fault-{args[-1]}"
    return next((one for one, required in BACKEND_METHODS.items() if required == method), "")


def instead(store: object, method: str) -> str:
    """The end of a sentence about a missing method: a method with a similar name."""
    close = nearest(method, [name for name in dir(store) if not name.startswith("_")], 0.75)
    return f"; it has {close}(): did you mean {method}()?" if close else ""


async def read_from(store: Any, request: ReadRequest) -> Content:  # Any: whatever open() returned
    """One read; a synchronous `read` runs in a thread, so that reads are concurrent."""
    with called_with(store.read, "read(request)", request):
        if inspect.iscoroutinefunction(store.read):
            content = await store.read(request)
        else:
            content = await asyncio.to_thread(store.read, request)
            if inspect.isawaitable(content):
                content = await content
    if content is not None and not isinstance(content, str | bytes):
        better = "raise the error" if isinstance(content, BaseException) else "return str or bytes, or raise an OSError"
        raise AdapterError(f"read() of {short_name(request.file_path)} returned {content!r:.200}: {better}")
    return content


_TURNS = 5  # of the event loop

Count = Callable[[Any], Awaitable[ProcessResources]]  # Any: whatever open() returned


async def let_others_run() -> None:
    """Let what is scheduled in the event loop begin or end."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


async def count_resources(_store: object) -> ProcessResources:
    """Count the resources of this process. Objects that only the garbage collector still has do not count."""
    await let_others_run()
    gc.collect()
    threads = threading.active_count()
    with suppress(OSError):
        threads = _entries("/proc/self/task")  # also those of libraries that are no Python
    return ProcessResources(descriptors=_descriptors(), threads=threads, tasks=len(asyncio.all_tasks()))


@contextmanager
def little_garbage() -> Iterator[None]:
    """Let the collections of the counts look at new objects only: a full one takes seconds in a large process.

    What is garbage before stays until the end, so it is in every count.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _descriptors() -> int:
    """The open descriptors; all that the process can have if it cannot open the folder that lists them."""
    try:
        return _entries("/dev/fd")
    except OSError as error:
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0] if error.errno == errno.EMFILE else 0


def _entries(folder: str) -> int:
    return sum(1 for _ in Path(folder).iterdir())


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

    async def take(self, step: BackendStep) -> None:  # noqa: C901  # one case for each step
        """Perform a step."""
        match step:
            case Ask():
                with _hurried_threads():
                    await self._together(self._ask(request) for request in step.requests)
            case Write():
                await self._write(step)
            case Delete():
                await call_method(self._store, "delete", step.path)
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
        path, named = request.file_path, self.bait.named_in(request)
        asked = "" if named is request else named.file_path
        outcomes = self._stage.outcomes
        with failures(lambda error: outcomes.answer_failed(path, error, asked)):
            outcomes.answered(path, await read_from(self._store, named), asked)

    async def _write(self, step: Write) -> None:
        try:
            await call_method(self._store, "write", step.path, step.file.content)
        except AdapterError:
            raise
        except Exception as error:
            if not (step.judged or refuses_name(error)):
                raise
            self._stage.outcomes.enter(StoreCall, error, method="write", path=step.path)

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
        self._stage.outcomes.enter(Resources, descriptors=descriptors, threads=threads, tasks=tasks)

    async def _growth(self, request: ReadRequest, times: int) -> list[int]:
        """The growth that occurs in every round of reads, or the first one that is too large for a pool.

        Also another thread of the process can open a descriptor in a round.
        """
        least: list[int] = []
        for _ in range(_ROUNDS):
            before = astuple(await self._count(self._store))
            await self._read_unseen(request, times)
            after = astuple(await self._count(self._store))
            grown = [max(now - earlier, 0) for earlier, now in zip(before, after, strict=True)]
            if max(grown) > _NO_POOL:
                return grown
            least = [min(pair) for pair in zip(least or grown, grown, strict=True)]
            if not any(least):
                break
        return least

    async def _read_unseen(self, request: ReadRequest, times: int) -> None:
        """Read without recording; the reads before and after are the answers."""
        for _ in range(times):
            with failures(lambda error: None):
                await read_from(self._store, request)

    async def _cancel(self, step: CancelRead) -> None:
        for _ in range(step.times):
            reading = asyncio.ensure_future(read_from(self._store, self.bait.named_in(step.request)))
            await let_others_run()
            reading.cancel()
            with suppress(Exception, asyncio.CancelledError):
                await reading

    async def _close(self) -> None:
        errors: list[Exception] = []
        with failures(errors.append):
            await call_method(self._store, "close")
        self.closed = True
        self._stage.outcomes.enter(StoreCall, *errors, method="close")


@contextmanager
def _hurried_threads() -> Iterator[None]:
    """Switch threads as often as possible, so that races occur."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


_ABOVE = "../" * 40  # more folders than any root lies deep


class Bait:
    """The file, which is made when a path first names it, and removed by `close`."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def close(self) -> None:
        """Remove the file."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def named_in(self, request: ReadRequest) -> ReadRequest:
        """The request with the paths that the placeholders stand for.

        `{outside}` is the absolute path of the file. `{up}` leads from any root to the root of the disk, and
        `{up escaped}`, `{up backslashes}` and `{up doubled}` are spellings of it that a backend may decode.
        """
        path = request.file_path
        if "{outside}" not in path:
            return request
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="loopspec-outside-")).resolve()
            (self._folder / "outside.md").write_text(BAIT)
        for placeholder, text in {
            "{up}": _ABOVE.rstrip("/"),
            "{up escaped}": _ABOVE.rstrip("/").replace("..", "%2e%2e"),
            "{up backslashes}": _ABOVE.replace("/", "\\").rstrip("\\"),
            "{up doubled}": _ABOVE.replace("../", "....//").rstrip("/"),
            "{outside}": (self._folder / "outside.md").as_posix(),
        }.items():
            path = path.replace(placeholder, text)
        return replace(request, file_path=path)
