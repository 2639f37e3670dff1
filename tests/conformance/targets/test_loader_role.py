"""The loader role of a Python object, and methods with other parameters, which are faults of the adapter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopspec import AdapterError, Message, Observation, ReadRequest
from loopspec.contract.agents import Config
from loopspec.contract.observation import Load, Section
from loopspec.contract.roles import Role
from loopspec.contract.scene import Ask, Fault, File, Scene, Write
from loopspec.contract.values import Error

from ..staging import HELLO, performed

SCENE = Scene(
    act="load",
    files={"/p/a.md": File(text="A."), "/p/b.md": File(text="B.", fault=Fault(kind="permission", message="no"))},
    instructions=Config(files=("/p/a.md",), max_bytes=7),
)


def plain(backend: Any, files: list[str], max_bytes: int) -> object:
    """A synchronous loader."""
    assert (files, max_bytes) == (["/p/a.md"], 7)
    return [(path, backend.read(ReadRequest(file_path=path))) for path in files], ["/p/c.md"]


async def awaiting(backend: Any, files: list[str], max_bytes: int) -> object:
    """An asynchronous loader."""
    assert (files, max_bytes) == (["/p/a.md"], 7)
    return [(path, await backend.read(ReadRequest(file_path=path))) for path in files], ["/p/c.md"]


def late(backend: Any, files: list[str], max_bytes: int) -> object:
    """A synchronous loader that returns an awaitable and reads synchronously."""

    async def later() -> object:
        return [(path, backend.read(ReadRequest(file_path=path))) for path in files], ["/p/c.md"]

    return later()


@pytest.mark.parametrize("load", [plain, awaiting, late])
def test_a_loader_may_await_or_not(load: object) -> None:
    """The backend is synchronous or asynchronous like the loader; sections and warnings are observed."""
    seen = performed(SCENE, "loader", load=load)

    assert seen.loads == (Load(n=2, sections=(Section(path="/p/a.md", text="A."),)),)
    assert [warning.path for warning in seen.warnings] == ["/p/c.md"]
    assert [read.path for read in seen.reads] == ["/p/a.md"]


def test_missing_files_and_limit_become_an_empty_list_and_zero() -> None:
    """Missing values become an empty list and zero."""
    given: list[object] = []

    def load(backend: object, files: list[str], max_bytes: int) -> object:
        given.append((files, max_bytes))
        return [], []

    performed(Scene(act="load", instructions=Config(files=None)), "loader", load=load)

    assert given == [([], 0)]


def test_an_error_of_a_loader_is_its_outcome() -> None:
    """The error has a kind of the contract or of the target."""

    class Refused(Exception):
        pass

    def load(backend: Any, files: list[str], max_bytes: int) -> object:
        try:
            return backend.read(ReadRequest(file_path="/p/b.md"))
        except PermissionError as error:
            raise Refused("not b") from error

    by_cause = performed(SCENE, "loader", load=load)
    by_kind = performed(SCENE, "loader", load=load, error_kinds={Refused: "invalid_config"})

    assert [load.error for load in by_cause.loads] == [Error(kind="permission", message="not b")]
    assert [load.error for load in by_kind.loads] == [Error(kind="invalid_config", message="not b")]


@pytest.mark.parametrize("result", [None, [("/p/a.md", "A.")], ([("/p/a.md",)], []), ([], [1]), "no"])
def test_a_wrong_result_is_the_adapters_fault(result: object) -> None:
    """A wrong result is no outcome of the load."""
    with pytest.raises(AdapterError, match=r"load\(\) returned .*: return a pair of lists"):
        performed(SCENE, "loader", load=lambda *_: result)


MANY = "too many positional arguments"
READ = Scene(act="read", backend=(Ask(requests=(ReadRequest(file_path="a.md"),)),))
WRITE = Scene(act="read", backend=(Write(path="a.md", file=File(text="text")),))
CONFIG = Config(files=("/p/a.md",))
LOAD, HOOK = Scene(act="load", instructions=CONFIG), Scene(act="hook", instructions=CONFIG, messages=(HELLO,))


class Store:
    def read(self) -> bytes:
        return b""

    def write(self, path: str) -> None: ...


class Reads(Store):
    async def read(self, path: str, request: ReadRequest) -> bytes:  # type: ignore[override]  # another store
        return b""


class Hook:
    def before_model(self, messages: Sequence[Message]) -> Sequence[Message]:
        return messages


@pytest.mark.parametrize(
    ("role", "scene", "method", "call", "why"),
    [
        ("backend", READ, {"open": lambda files: Store()}, "read(request)", MANY),
        ("backend", READ, {"open": lambda files: Reads()}, "read(request)", "missing a required argument: 'request'"),
        ("backend", WRITE, {"open": lambda files: Store()}, "write(path, content)", MANY),
        ("loader", LOAD, {"load": lambda files: ([], [])}, "load(backend, files, max_bytes)", MANY),
        ("middleware", HOOK, {"middleware": Hook}, "middleware(config)", MANY),
        ("middleware", HOOK, {"middleware": lambda config: Hook()}, "before_model(messages, run)", MANY),
    ],
)
def test_other_parameters_are_the_adapters_fault(
    role: Role, scene: Scene, method: dict[str, object], call: str, why: str
) -> None:
    """The sentence has the call."""
    with pytest.raises(AdapterError) as error:
        performed(scene, role, **method)

    assert str(error.value) == f"the call is {call}, and the method has other parameters: {why}"


def test_a_type_error_of_the_implementation_is_an_outcome() -> None:
    """The method takes what it is called with, and fails for another reason."""

    class Fails(Store):
        def read(self, request: ReadRequest) -> bytes:  # type: ignore[override]  # another store
            raise TypeError("no text")

    seen = performed(READ, "backend", open=lambda files: Fails())

    assert isinstance(seen, Observation)
    assert [answer.error and answer.error.message for answer in seen.answers] == ["TypeError: no text"]
