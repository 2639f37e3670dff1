"""Adapters of the module `small_loops`, in process and over the pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from loopspec.contract.target import Target
from loopspec.targets.resolve import resolve

FOLDER = Path(__file__).parent.parent

Resolved = Callable[[str, str], Target]


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Iterator[Resolved]:
    """Resolves an adapter of `small_loops`, in process or over the pipe."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.syspath_prepend(str(FOLDER))
    made: list[Target] = []

    def resolved(name: str, where: str) -> Target:
        served = f"cmd:{sys.executable} -m loopspec serve py:small_loops:{name}"
        made.append(resolve(served if where == "over the pipe" else f"py:small_loops:{name}"))
        return made[-1]

    yield resolved
    for one in made:
        one.close()
