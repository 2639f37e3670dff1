"""A method with other parameters is a fault of the adapter: its cases are errored and not failed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from loopspec import AdapterError, Message, Observation, ReadRequest, Scene
from loopspec.contract.agents import Config
from loopspec.contract.roles import Role
from loopspec.contract.scene import Ask, File, Write

from ..staging import HELLO, performed

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
