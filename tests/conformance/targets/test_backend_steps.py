"""The steps on a backend under test that fail, close, cancel, count and refuse."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from loopspec import AdapterError, CannotStore, ReadRequest
from loopspec.contract.observation import Content
from loopspec.contract.scene import (
    BAIT,
    Ask,
    BackendStep,
    Break,
    CancelRead,
    Close,
    File,
    Meanwhile,
    Scene,
    Write,
)

from ..staging import performed

A = ReadRequest(file_path="a.md")


class Calls:
    """A backend that notes the calls of its methods."""

    noted: list[tuple[object, ...]] = []

    def __init__(self, files: Mapping[str, bytes]) -> None:
        type(self).noted = []
        self.files = dict(files)

    def read(self, request: ReadRequest) -> bytes:
        """Read."""
        self.noted.append(("read", request.file_path))
        return self.files[request.file_path]

    def write(self, path: str, content: bytes) -> None:
        """Write, but not below a file."""
        if "/" in path:
            raise CannotStore(path)
        if path == "full.md":
            raise OSError("full")
        self.files[path] = content

    def fault(self, path: str, kind: str) -> None:
        """Note the call."""
        self.noted.append(("fault", path, kind))

    def close(self) -> None:
        """Note the call; the second fails."""
        self.noted.append(("close",))
        if self.noted.count(("close",)) > 1:
            raise ValueError("closed already")


def scene(*steps: BackendStep) -> Scene:
    """The steps on a backend with one file."""
    return Scene(act="read", files={"a.md": File(text="A.")}, backend=steps)


def test_an_error_of_close_is_an_outcome() -> None:
    """A step that closes replaces the call of close at the end."""
    seen = performed(scene(Close(), Close()), "backend", open=Calls)

    assert [(call.method, call.error and call.error.message) for call in seen.store_calls] == [
        ("close", None),
        ("close", "ValueError: closed already"),
    ]
    assert Calls.noted == [("close",)] * 2


def test_a_declared_close_that_is_missing_is_named() -> None:
    """Without `close`, a store passes no rule about the end by chance."""

    class Endless:
        def __init__(self, files: Mapping[str, bytes]) -> None:
            pass

        def read(self, request: ReadRequest) -> str:
            return "A."

    with pytest.raises(AdapterError, match=r"has no close\(\), which the capability closes requires"):
        performed(scene(Close()), "backend", open=Endless)


def test_a_refused_name_is_an_outcome() -> None:
    """Another error of a write is one only if the step says so."""
    below = Write(path="a.md/b", file=File(text="B."))
    full = Write(path="full.md", file=File(text="B."), judged=True)
    seen = performed(scene(below, full), "backend", open=Calls)

    assert [(call.path, call.error and call.error.kind) for call in seen.store_calls] == [
        ("a.md/b", "cannot_store"),
        ("full.md", "io"),
    ]
    with pytest.raises(AdapterError, match="full"):
        performed(scene(Write(path="full.md", file=File(text="B."))), "backend", open=Calls)


def test_a_backend_that_cannot_store_a_name_is_not_read() -> None:
    """The steps are not performed, and the refusal is the outcome."""

    def refuses(files: Mapping[str, bytes]) -> object:
        raise CannotStore("a.md")

    seen = performed(scene(Ask(requests=(A,))), "backend", open=refuses)

    assert [(call.method, call.path, call.error and call.error.kind) for call in seen.store_calls] == [
        ("open", "", "cannot_store")
    ]
    assert seen.answers == ()


def test_an_error_of_open_names_the_error_for_a_refused_name() -> None:
    """A long name is the usual reason."""

    def fails(files: Mapping[str, bytes]) -> object:
        raise OSError("File name too long")

    place = r"\(tests/conformance/targets/test_backend_steps.py:\d+ in .*fails\)"
    with pytest.raises(
        AdapterError, match=rf"^open\(\) failed: OSError: File name too long {place}: raise loopspec.CannotStore"
    ):
        performed(scene(), "backend", open=fails)


def test_the_bait_is_a_file_outside_the_root() -> None:
    """A backend without a root reads the bait by each of its paths, and the bait does not outlive the scene."""
    paths: list[str] = []

    class Unconfined(Calls):
        def read(self, request: ReadRequest) -> bytes:
            paths.append(request.file_path)
            return Path("/tmp/below/here", request.file_path).resolve().read_bytes()  # any folder

    named = ["{outside}", "{up}{outside}", "/..{outside}"]
    asked = tuple(Ask(requests=(ReadRequest(file_path=path),)) for path in named)
    seen = performed(scene(*asked), "backend", open=Unconfined)

    assert [(answer.path, answer.content) for answer in seen.answers] == [(path, Content(text=BAIT)) for path in named]
    assert [answer.asked for answer in seen.answers] == paths
    assert not Path(paths[0]).exists()


def test_reads_and_steps_alternate() -> None:
    """A read is started before, between and after the steps."""
    fault = Break(path="a.md", kind="io")
    performed(scene(Meanwhile(requests=(A, A), steps=(fault, fault))), "backend", open=InTurn)

    assert InTurn.noted == [
        *([("read", "a.md")] * 2 + [("fault", "a.md", "io")]) * 2,
        *[("read", "a.md")] * 2,
        ("close",),
    ]


class InTurn(Calls):
    """The same with an asynchronous read, which needs no thread."""

    async def read(self, request: ReadRequest) -> bytes:  # type: ignore[override]  # another store
        """Read."""
        return super().read(request)


def test_a_read_is_cancelled_while_it_waits() -> None:
    """The read receives the cancellation as often as the step says."""
    cancelled: list[str] = []

    class Waiting(Calls):
        async def read(self, request: ReadRequest) -> bytes:  # type: ignore[override]  # another store
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

    class Returning(Calls):
        def read(self, request: ReadRequest) -> bytes:
            with suppress(KeyError):
                return self.files["missing.md"]
            return FileNotFoundError("missing.md")  # type: ignore[return-value]  # the mistake

    with pytest.raises(
        AdapterError, match=r"^read\(\) of 'a.md' returned FileNotFoundError\('missing.md'\): raise the error$"
    ):
        performed(scene(Ask(requests=(A,))), "backend", open=Returning)
