"""A temporary current folder, a fixture that calls `loopspec` in it, and fixtures that run Go and Node."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest

from ..process import ADAPTERS, PATIENCE
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


@pytest.fixture
def go(do_without: Callable[[str, str], NoReturn]) -> Callable[..., str]:
    """Runs a Go tool, requires success, and returns its output."""
    if shutil.which("go") is None:
        do_without("go", "go is not installed")

    def run(folder: Path, *command: str) -> str:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture
def node(do_without: Callable[[str, str], NoReturn]) -> Callable[..., list[dict[str, object]]]:
    """Runs the adapter in a folder, waits for the answer to each request, and returns the messages that it sends.

    Requests in a list are sent together.
    """
    if shutil.which("node") is None:
        do_without("node", "node is not installed")

    def run(folder: Path, *messages: Mapping[str, object] | Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
        sent: list[dict[str, object]] = []
        with subprocess.Popen(
            ["node", "adapter.mjs"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as adapter:
            assert adapter.stdin is not None
            assert adapter.stdout is not None
            for one in messages:
                together = [one] if isinstance(one, Mapping) else one
                adapter.stdin.writelines(
                    json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False) + "\n" for message in together
                )
                adapter.stdin.flush()
                unanswered = {message["id"] for message in together if "id" in message}
                while unanswered:
                    sent.append(json.loads(adapter.stdout.readline()))
                    unanswered.discard(sent[-1].get("id"))
            adapter.stdin.close()
        return sent

    return run
