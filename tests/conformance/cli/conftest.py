"""A temporary current folder, and a fixture that calls `loopspec` in it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from ..process import ADAPTERS
from .in_process import Loopspec, called


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary current folder that contains the broken adapters; modules imported from it are removed again."""
    shutil.copy(ADAPTERS, tmp_path)
    before = set(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def loopspec(here: Path, capsys: pytest.CaptureFixture[str]) -> Loopspec:
    """Calls a command in the temporary folder."""
    return partial(called, capsys)
