"""A folder of adapters with one adapter, whose package is installed from a folder."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path

import pytest

from loopspec.cli import main
from loopspec_known import declarations
from loopspec_known import table as known_table

from ..conformance.cli.in_process import called
from ..conformance.process import Ended, wait_until
from .packages import write_adapter, write_index


@pytest.fixture
def adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of adapters, which has the adapter `fake` only. The cache is empty."""
    root = tmp_path / "adapters"
    write_adapter(root)
    monkeypatch.setattr(declarations, "adapters_root", lambda: root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return root


def judge_here(target: str, report: Path, *options: str) -> None:
    """Judge a target in this process, and print to standard error."""
    with redirect_stdout(sys.stderr):
        assert main(["run", target, "--quiet", *options, "--report", str(report)]) in (0, 1)


@contextmanager
def interrupted_once(met: Callable[[], object]) -> Iterator[None]:
    """Sends Ctrl-C to this process as soon as a condition is met, and expects the interrupt."""

    def interrupt() -> None:
        wait_until(met)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job of a shell ignores SIGINT
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            yield
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def loopspec(
    adapters: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Ended]:
    """Calls a command in an empty folder. Packages are installed from a folder only."""
    index, empty = tmp_path / "index", tmp_path / "empty"
    write_index(index)
    empty.mkdir()
    monkeypatch.chdir(empty)
    for name in ("PIP", "UV"):
        monkeypatch.setenv(f"{name}_NO_INDEX", "1")
        monkeypatch.setenv(f"{name}_FIND_LINKS", str(index))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setattr(known_table, "judge", judge_here)  # another process would have the adapters that ship
    return partial(called, capsys)
