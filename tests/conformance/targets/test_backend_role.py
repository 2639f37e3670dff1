"""The backend role of a Python object."""

from __future__ import annotations

import asyncio
import errno
import sys
import threading
from collections.abc import Mapping

import pytest

from loopspec import AdapterError, ReadRequest
from loopspec.contract.agents import Config
from loopspec.contract.observation import Content
from loopspec.contract.scene import Ask, Break, File, Scene, Write
from loopspec.contract.values import Error

from ..staging import performed

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
        ("a.md", Content(text="A.")),
        ("b/c.md", Content(base64=b"\xff")),
    }
    by_path = {answer.path: answer for answer in seen.answers[2:]}
    assert by_path["a.md"].content == Content(text="New.")
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
        performed(
            Scene(act="read", backend=(Write(path="a", file=File(text="")),)),
            "backend",
            open=open_backend,
        )

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


def test_a_loader_loads_through_the_backend() -> None:
    """The reference's loader reads the backend's answers, and the result is a load."""
    files = {"a.md": File(text="@b.md @c.md @d.md"), "b.md": File(text="B."), "d.md": File(text="D.")}
    config = Config(files=("a.md",))
    plain = Scene(act="load through", files=files, instructions=config)
    broken = Scene(act="load through", files=files, instructions=config, backend=(Break(path="b.md", kind="io"),))

    seen, failed = performed(plain, "backend", open=Plain), performed(broken, "backend", open=Awaiting)

    assert [(answer.path, answer.error and answer.error.kind) for answer in seen.answers] == [
        ("a.md", None),
        ("b.md", None),
        ("c.md", "not_exist"),
        ("d.md", None),
    ]
    assert [[section.path for section in load.sections] for load in seen.loads] == [["a.md", "b.md", "d.md"]]
    assert [warning.path for warning in seen.warnings] == ["c.md"]
    assert [load.error and load.error.kind for load in failed.loads] == ["io"]
    assert failed.answers[-1].error == Error(kind="io", message="[Errno 5] io")
