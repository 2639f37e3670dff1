"""Implementations that are judged once for all that is asked about them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest

from ...recorded import command
from .judged import ADAPTERS, Judged, judged_by

LANGCHAIN, EINO = ADAPTERS / "langchain", ADAPTERS / "eino"


@pytest.fixture(scope="session")
def langchain(do_without: Callable[[str, str], NoReturn], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """LangChain, by the command that its README names, run in the adapter's folder."""
    if find_spec("langchain") is None:
        do_without("langchain", "langchain is not installed: pip install -e '.[langchain]'")
    known = dict(re.findall(r"(langchain|langgraph) (\d[\d.]*\d)", (LANGCHAIN / "README.md").read_text()))
    there = {name: version(name) for name in known}
    if (
        there != known
    ):  # it may differ in other things: that is news for whoever keeps the baseline, and no fault of ours
        pytest.skip(f"the baseline is that of {known}, and {there} is installed: judge that one, and mend the baseline")
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(command(LANGCHAIN), LANGCHAIN, "baseline.toml", report, timeout=300)


@pytest.fixture(scope="session")
def go(do_without: Callable[[str, str], NoReturn]) -> Callable[..., str]:
    """Runs one of Go's tools in the folder of eino's adapter; it has to succeed."""
    if shutil.which("go") is None:
        do_without("go", "go is not installed")

    def ran(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=EINO, capture_output=True, text=True, timeout=600, check=False)

    def run(*words: str) -> str:
        done = ran(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    there = ran("go", "mod", "download", "github.com/cloudwego/eino")
    if there.returncode:
        do_without("go", f"eino cannot be downloaded: {there.stderr.strip()}")
    return run


@pytest.fixture(scope="session")
def eino(go: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Eino, by the command that its README names, but for where the adapter is built."""
    folder = tmp_path_factory.mktemp("judged")
    go("go", "build", "-o", str(folder / "eino-adapter"), ".")
    words = [_elsewhere(word, folder) for word in command(EINO)]
    return judged_by(words, EINO, "baseline.toml", folder / "report.jsonl", timeout=600)


def _elsewhere(word: str, folder: Path) -> str:
    return f"cmd:'{folder}/eino-adapter'" if word == "cmd:build/eino-adapter" else word
