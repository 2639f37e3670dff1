"""Fixtures for a real browser, for processes that end with their test, and for what the doctor says of an adapter."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from loopspec.cli import main

from .process import Start, started

if TYPE_CHECKING:
    from playwright.sync_api import Browser

QUIETLY = ["no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking"]
QUIETLY += ["disable-component-update", "disable-sync"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `loopspec`. A process that still runs after its test is killed, and its pipes are closed."""
    with ExitStack() as left:

        def starting(folder: Path, *args: str, **how: Any) -> subprocess.Popen[str]:
            process = left.enter_context(started(folder, *args, **how))
            left.callback(process.kill)
            return process

        yield starting


@pytest.fixture
def examined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Callable[[str], tuple[int, str]]]:
    """Examines a module with a class `Adapter`; returns the doctor's exit code, and its words with single spaces."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def examine(text: str) -> tuple[int, str]:
        (tmp_path / "examined.py").write_text(text, encoding="utf-8")
        sys.modules.pop("examined", None)
        code = main(["doctor", "py:examined:Adapter"])
        out, err = capsys.readouterr()
        return code, " ".join((out + err).split())

    yield examine
    sys.modules.pop("examined", None)


@pytest.fixture(scope="module")
def browser(do_without: Callable[[str, str], NoReturn]) -> Iterator[Browser]:
    """The system's Chromium, headless."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        do_without("chromium", "playwright is not installed")
    path = shutil.which("chromium")
    if path is None:
        do_without("chromium", "there is no chromium on this machine")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=[f"--{flag}" for flag in QUIETLY])
        yield opened
        opened.close()
