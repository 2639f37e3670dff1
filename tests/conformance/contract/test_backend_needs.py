"""The capabilities that the steps on a backend under test need."""

from __future__ import annotations

import pytest

from loopspec.contract.capabilities import Capability
from loopspec.contract.needs import needed_capabilities
from loopspec.contract.scene import (
    Ask,
    Break,
    CancelRead,
    Close,
    Delete,
    FailStore,
    File,
    Link,
    Meanwhile,
    ReadRequest,
    Repeat,
    Scene,
)

FILES = {"/p/a.md": File(text="A.")}


def reading(path: str) -> Scene:
    """A read of a path from a backend that stores "/p/a.md"."""
    return Scene(act="read", files=FILES, backend=(Ask(requests=(ReadRequest(file_path=path),)),))


@pytest.mark.parametrize(
    ("scene", "needed"),
    [
        (reading("notes.md"), set()),
        (reading("docs//notes.md"), {"directories"}),
        (reading("./notes.md"), {"directories"}),
        (reading("docs/../notes.md"), {"directories"}),
        (reading("."), {"directories"}),
        (reading(""), {"directories"}),
        (reading("/p/a.md/b.md"), {"directories"}),
        (reading("{outside}"), {"confined"}),
        (reading("docs/{up}{outside}"), {"confined"}),
        (Scene(act="read", backend=(Link(path="a.md", target="b.md"),)), {"links"}),
        (Scene(act="read", backend=(Delete(path="a.md"),)), {"deletes"}),
        (Scene(act="read", backend=(FailStore(kind="gone"),)), {"fault-gone"}),
        (Scene(act="read", backend=(FailStore(kind="timeout"),)), {"fault-timeout"}),
        (Scene(act="read", backend=(FailStore(kind="refused"),)), {"fault-refused"}),
        (Scene(act="read", backend=(FailStore(kind="container"),)), {"fault-container"}),
        (Scene(act="read", backend=(Repeat(request=ReadRequest(file_path="a.md"), times=2),)), {"resources"}),
        (Scene(act="read", backend=(CancelRead(request=ReadRequest(file_path="a.md"), times=2),)), {"cancel-read"}),
        (Scene(act="read", backend=(Close(),)), {"closes"}),
        (
            Scene(act="read", backend=(Meanwhile(requests=(), steps=(Break(path="a.md", kind="outside"),)),)),
            {"fault-outside"},
        ),
    ],
)
def test_what_a_step_needs(scene: Scene, needed: set[Capability]) -> None:
    """A path in another spelling, and a path through or below a file, needs a store with folders."""
    assert needed_capabilities(scene) == needed
