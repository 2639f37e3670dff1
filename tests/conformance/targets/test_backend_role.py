"""The backend role of a Python object: its methods, and the steps that fail, close, cancel and refuse."""

from __future__ import annotations

import asyncio
import errno
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from loopspec import AdapterError, CannotStore, ReadRequest
from loopspec.contract.scene import BAIT, Ask, BackendStep, Break, CancelRead, Close, File, Meanwhile, Scene, Write
from loopspec.contract.values import Error, FileData

from ..staging import performed

A = ReadRequest(file_path="a.md")
FILES = {"a.md": File(text="A."), "b/c.md": File(base64=b"\xff")}


class Plain:
    """A synchronous backend."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.broken: dict[str, str] = {}
        self.closed = 0

    def read(self, request: ReadRequest) -> object:
        """Read."""
        if request.file_path in self.broken:
            raise OSError(errno.EIO, self.broken[request.file_path])
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        return self.files[request.file_path]

    def write(self, path: str, content: bytes) -> None:
        """Write."""
        self.files[path] = content

    def fault(self, path: str, kind: str) -> None:
        """Make reads of a file fail."""
        self.broken[path] = kind

    def close(self) -> None:
        """Count the call."""
        self.closed += 1


class Awaiting:
    """An asynchronous backend."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._plain = Plain(files)

    async def read(self, request: ReadRequest) -> object:
        """Read."""
        await asyncio.sleep(0)
        return self._plain.read(request)

    async def write(self, path: str, content: bytes) -> None:
        """Write."""
        self._plain.write(path, content)

    async def fault(self, path: str, kind: str) -> None:
        """Make reads of a file fail."""
        self._plain.fault(path, kind)


class Late(Plain):
    """A backend whose synchronous `read` returns an awaitable."""

    def read(self, request: ReadRequest) -> object:
        """Return an awaitable."""

        async def later() -> object:
            return Plain.read(self, request)

        return later()


async def opened_later(files: Mapping[str, bytes]) -> Awaiting:
    """An asynchronous `open`."""
    return Awaiting(files)


@pytest.mark.parametrize("open_backend", [Plain, Awaiting, Late, opened_later])
def test_a_backend_may_await_or_not(open_backend: object) -> None:
    """The backend is opened with the files and performs the steps; every answer is reported."""
    scene = Scene(
        act="read",
        files=FILES,
        backend=(
            Ask(requests=(ReadRequest(file_path="a.md"), ReadRequest(file_path="b/c.md"))),
            Write(path="a.md", file=File(text="New.")),
            Break(path="b/c.md", kind="io"),
            Ask(requests=(ReadRequest(file_path="a.md"), ReadRequest(file_path="b/c.md"))),
            Ask(requests=(ReadRequest(file_path="no.md"),)),
        ),
    )

    seen = performed(scene, "backend", open=open_backend)

    assert {(answer.path, answer.content) for answer in seen.answers[:2]} == {
        ("a.md", FileData(text="A.")),
        ("b/c.md", FileData(base64=b"\xff")),
    }
    by_path = {answer.path: answer for answer in seen.answers[2:]}
    assert by_path["a.md"].content == FileData(text="New.")
    assert by_path["b/c.md"].error == Error(kind="io", message="[Errno 5] io")
    assert by_path["no.md"].error == Error(kind="not_exist", message="no.md")


def test_a_backend_is_closed_after_an_error() -> None:
    """`close` is optional, and is called after an error as well."""
    stores: list[Plain] = []

    class Failing(Plain):
        def write(self, path: str, content: bytes) -> None:
            raise LookupError("full")

    def open_backend(files: Mapping[str, bytes]) -> Plain:
        stores.append(Failing(files))
        return stores[-1]

    performed(Scene(act="read"), "backend", open=open_backend)
    with pytest.raises(AdapterError, match="LookupError: full"):
        performed(Scene(act="read", backend=(Write(path="a", file=File(text="")),)), "backend", open=open_backend)

    assert [store.closed for store in stores] == [1, 1]


def test_synchronous_reads_are_concurrent() -> None:
    """Each read has its own thread, so reads may wait for each other."""
    barrier = threading.Barrier(2, timeout=10)
    interval = sys.getswitchinterval()

    class Meeting(Plain):
        def read(self, request: ReadRequest) -> object:
            barrier.wait()
            return super().read(request)

    requests = (ReadRequest(file_path="a.md"), ReadRequest(file_path="b/c.md"))
    seen = performed(Scene(act="read", files=FILES, backend=(Ask(requests=requests),)), "backend", open=Meeting)

    assert sorted(answer.path for answer in seen.answers if not answer.error) == ["a.md", "b/c.md"]
    assert sys.getswitchinterval() == interval


# -- steps -----------------------------------------------------------------------------------------------------------


def scene(*steps: BackendStep) -> Scene:
    """The steps on a backend with one file."""
    return Scene(act="read", files={"a.md": File(text="A.")}, backend=steps)


class Refusing(Plain):
    """A backend that stores no file below a file, is full, and closes once."""

    def write(self, path: str, content: bytes) -> None:
        """Fail."""
        if "/" in path:
            raise CannotStore(path)
        raise OSError("full")

    def close(self) -> None:
        """Close; the second call fails."""
        super().close()
        if self.closed > 1:
            raise ValueError("closed already")


def test_an_error_of_close_is_an_outcome() -> None:
    """A step that closes replaces the call of close at the end."""
    seen = performed(scene(Close(), Close()), "backend", open=Refusing)

    assert [(call.method, call.error and call.error.message) for call in seen.store_calls] == [
        ("close", None),
        ("close", "ValueError: closed already"),
    ]


def test_a_declared_close_that_is_missing_is_named() -> None:
    """Without `close`, a store passes no rule about the end by chance."""
    with pytest.raises(AdapterError, match=r"has no close\(\), which the capability closes requires"):
        performed(scene(Close()), "backend", open=Awaiting)


def test_a_refused_name_is_an_outcome() -> None:
    """Another error of a write is one only if the step says so."""
    below = Write(path="a.md/b", file=File(text="B."))
    full = Write(path="full.md", file=File(text="B."), judged=True)
    seen = performed(scene(below, full), "backend", open=Refusing)

    assert [(call.path, call.error and call.error.kind) for call in seen.store_calls] == [
        ("a.md/b", "cannot_store"),
        ("full.md", "io"),
    ]
    with pytest.raises(AdapterError, match="full"):
        performed(scene(Write(path="full.md", file=File(text="B."))), "backend", open=Refusing)


def test_a_backend_that_cannot_store_a_name_is_not_read() -> None:
    """The steps are not performed, and the refusal is the outcome. Another error of open names the right one."""

    def refuses(files: Mapping[str, bytes]) -> object:
        raise CannotStore("a.md")

    def fails(files: Mapping[str, bytes]) -> object:
        raise OSError("File name too long")

    seen = performed(scene(Ask(requests=(A,))), "backend", open=refuses)

    assert [(call.method, call.path, call.error and call.error.kind) for call in seen.store_calls] == [
        ("open", "", "cannot_store")
    ]
    assert seen.answers == ()
    place = r"\(tests/conformance/targets/test_backend_role.py:\d+ in .*fails\)"
    with pytest.raises(
        AdapterError, match=rf"^open\(\) failed: OSError: File name too long {place}: raise loopspec.CannotStore"
    ):
        performed(scene(), "backend", open=fails)


def test_the_bait_is_a_file_outside_the_root() -> None:
    """A backend without a root reads the bait by each of its paths, and the bait does not outlive the scene."""
    paths: list[str] = []

    class Unconfined(Plain):
        def read(self, request: ReadRequest) -> bytes:
            paths.append(request.file_path)
            return Path("/tmp/below/here", request.file_path).resolve().read_bytes()  # any folder

    named = ["{outside}", "{up}{outside}", "/..{outside}"]
    asked = tuple(Ask(requests=(ReadRequest(file_path=path),)) for path in named)
    seen = performed(scene(*asked), "backend", open=Unconfined)

    assert [(answer.path, answer.content) for answer in seen.answers] == [(path, FileData(text=BAIT)) for path in named]
    assert [answer.asked for answer in seen.answers] == paths
    assert not Path(paths[0]).exists()


def test_reads_and_steps_alternate() -> None:
    """A read is started before, between and after the steps."""
    noted: list[str] = []

    class InTurn(Awaiting):  # which needs no thread
        async def read(self, request: ReadRequest) -> object:
            noted.append("read")
            return b""

        async def fault(self, path: str, kind: str) -> None:
            noted.append("fault")

    fault = Break(path="a.md", kind="io")
    performed(scene(Meanwhile(requests=(A, A), steps=(fault, fault))), "backend", open=InTurn)

    assert noted == ["read", "read", "fault"] * 2 + ["read", "read"]


def test_a_read_is_cancelled_while_it_waits() -> None:
    """The read receives the cancellation as often as the step says."""
    cancelled: list[str] = []

    class Waiting(Awaiting):
        async def read(self, request: ReadRequest) -> object:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.append(request.file_path)
                raise
            return b""

    seen = performed(scene(CancelRead(request=A, times=3)), "backend", open=Waiting)

    assert cancelled == ["a.md"] * 3
    assert seen.answers == ()


def test_a_returned_error_is_named() -> None:
    """The message says that the error has to be raised."""

    class Returning(Plain):
        def read(self, request: ReadRequest) -> object:
            return FileNotFoundError("missing.md")

    with pytest.raises(
        AdapterError, match=r"^read\(\) of 'a.md' returned FileNotFoundError\('missing.md'\): raise the error$"
    ):
        performed(scene(Ask(requests=(A,))), "backend", open=Returning)
