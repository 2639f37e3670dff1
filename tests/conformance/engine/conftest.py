"""Runs of the command line in this process, for tests that need no separate process."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from loopspec.cli import main

from ..process import ADAPTERS, Ended
from ..staging import close_what_is_resolved


class _Left(BaseException):
    """Raised instead of leaving the process."""


@pytest.fixture
def run_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., Ended]]:
    """Runs `loopspec` in a folder that contains the broken adapters."""

    def leave(code: int) -> NoReturn:
        raise _Left(code)

    shutil.copy(ADAPTERS, tmp_path)
    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    close = close_what_is_resolved(monkeypatch)

    def run(*args: str) -> Ended:
        try:
            code = main(args)
        except _Left as left:
            code = left.args[0]
        return Ended(code, *capsys.readouterr())

    yield run
    close()
    for name in set(sys.modules) - before:
        if Path(getattr(sys.modules[name], "__file__", None) or "/").is_relative_to(tmp_path):
            del sys.modules[name]
