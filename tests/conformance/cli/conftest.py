"""A folder to be in, and `loopspec` called there."""

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
    """The current folder: a temporary one that holds the broken adapters. What is imported from it is forgotten."""
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
    """Calls a command in that folder."""
    return partial(called, capsys)
