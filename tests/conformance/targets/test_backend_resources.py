"""The counts of what reads of a backend under test leave."""

from __future__ import annotations

import asyncio
import gc
import os
import resource
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from loopspec import ReadRequest
from loopspec.contract.scene import BackendStep, File, Repeat, Scene
from loopspec_reference_adapter.stores import MemoryStore

from ..staging import performed

A = ReadRequest(file_path="a.md")


def scene(*steps: BackendStep) -> Scene:
    """The steps on a backend with one file."""
    return Scene(act="read", files={"a.md": File(text="A.")}, backend=steps)


class Leaking:
    """Leaves something after each read of the backend, and releases it when it is closed."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.end = threading.Event()
        self.descriptors: list[int] = []
        self.threads: list[threading.Thread] = []

    async def read(self, request: ReadRequest) -> bytes:
        """Read; the file says what leaks."""
        match request.file_path:
            case "descriptor":
                self.descriptors.append(os.open(os.devnull, os.O_RDONLY))
            case "thread":
                self.threads.append(threading.Thread(target=self.end.wait, daemon=True))
                self.threads[-1].start()
            case "task":
                asyncio.get_running_loop().call_soon(asyncio.ensure_future, asyncio.sleep(60))
        return b"A."

    def close(self) -> None:
        """Release everything, before another test counts."""
        self.end.set()
        for thread in self.threads:
            thread.join()
        for descriptor in self.descriptors:
            os.close(descriptor)


class Rarely(Leaking):
    """Leaks after each hundredth read."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.count = 0

    async def read(self, request: ReadRequest) -> bytes:
        """Read; the file says what leaks."""
        self.count += 1
        return b"A." if self.count % 100 else await super().read(request)


@pytest.mark.parametrize("what", ["descriptor", "thread", "task"])
def test_a_leak_of_one_read_of_a_hundred_is_counted(what: str) -> None:
    """A leak grows in each thousand reads, a little or much."""
    step = Repeat(request=ReadRequest(file_path=what), times=1000)
    [grown] = performed(scene(step), "backend", open=Rarely).resources
    found = {"descriptor": grown.descriptors, "thread": grown.threads, "task": grown.tasks}

    assert found.pop(what) == 10
    assert max(found.values()) == 0


class Pooled(Leaking):
    """Opens a descriptor in each read until there are 200, as a pool of connections does."""

    async def read(self, request: ReadRequest) -> bytes:
        """Read."""
        return await super().read(request) if len(self.descriptors) < 200 else b"A."


class SlowlyPooled(Rarely):
    """Opens a descriptor after each hundredth read until there are 20, which is in the second thousand."""

    async def read(self, request: ReadRequest) -> bytes:
        """Read."""
        return await super().read(request) if len(self.descriptors) < 20 else b"A."


class Threaded:
    """Reads in a pool of 100 threads of its own."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files
        self.pool = ThreadPoolExecutor(100)

    async def read(self, request: ReadRequest) -> bytes:
        """Read."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, self.files.__getitem__, request.file_path)

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown()


@pytest.mark.parametrize("pool", [Pooled, SlowlyPooled, Threaded])
def test_a_pool_is_not_counted(pool: type[Leaking | Threaded]) -> None:
    """A pool stops growing, so that the outcome is the same in each run."""
    path = "a.md" if pool is Threaded else "descriptor"
    step = Repeat(request=ReadRequest(file_path=path), times=1000)
    [grown] = performed(scene(step), "backend", open=pool).resources

    assert (grown.descriptors, grown.threads, grown.tasks) == (0, 0, 0)


class Cyclic(Leaking):
    """Opens a descriptor in each read, which the garbage collector closes."""

    async def read(self, request: ReadRequest) -> bytes:
        """Read."""

        class Handle:
            def __init__(self) -> None:
                self.descriptor = os.open(os.devnull, os.O_RDONLY)
                self.itself = self

            def __del__(self) -> None:
                os.close(self.descriptor)

        Handle()
        return b"A."


def test_what_the_garbage_collector_closes_is_not_counted() -> None:
    """Garbage of the reads is collected before each count."""
    [grown] = performed(scene(Repeat(request=A, times=60)), "backend", open=Cyclic).resources

    assert (grown.descriptors, grown.threads, grown.tasks) == (0, 0, 0)


def test_a_count_collects_new_garbage_only() -> None:
    """A collection of all objects would take seconds in a large process, which count toward the deadline of a case."""
    frozen: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            frozen.append(gc.get_freeze_count())

    gc.disable()  # what remains are the collections of the counts
    gc.callbacks.append(note)
    try:
        performed(scene(Repeat(request=A, times=5)), "backend", open=MemoryStore)
    finally:
        gc.callbacks.remove(note)
        gc.enable()

    assert frozen
    assert all(frozen)


def test_what_another_thread_opens_meanwhile_is_not_counted() -> None:
    """The growth of one round is not repeated."""

    class Disturbed(Leaking):
        reads = 0

        async def read(self, request: ReadRequest) -> bytes:
            self.reads += 1
            if self.reads == 500:
                await asyncio.to_thread(lambda: self.descriptors.append(os.open(os.devnull, os.O_RDONLY)))
            return b"A."

    [grown] = performed(scene(Repeat(request=A, times=1000)), "backend", open=Disturbed).resources

    assert (grown.descriptors, grown.threads, grown.tasks) == (0, 0, 0)


def test_a_leak_up_to_the_limit_of_the_process_is_counted() -> None:
    """The leak ends the reads, and the process cannot list its descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))
    try:
        step = Repeat(request=ReadRequest(file_path="descriptor"), times=1000)
        seen = performed(scene(step), "backend", open=Leaking)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert seen.resources[0].descriptors > 500
    assert [answer.error and answer.error.kind for answer in seen.answers] == [None, "io"]


def test_a_repeated_read_has_two_answers() -> None:
    """The first read and the last one; failed reads between them are not recorded."""
    missing = Repeat(request=ReadRequest(file_path="missing.md"), times=5)
    seen = performed(scene(Repeat(request=A, times=5), missing), "backend", open=MemoryStore)

    assert [answer.path for answer in seen.answers] == ["a.md", "a.md", "missing.md", "missing.md"]
    assert [answer.error and answer.error.kind for answer in seen.answers[2:]] == ["not_exist"] * 2
