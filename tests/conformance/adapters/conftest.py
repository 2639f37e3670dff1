"""Each external implementation is judged once per session; its tests share the result."""

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

LANGCHAIN, EINO, PYDANTIC_AI = ADAPTERS / "langchain", ADAPTERS / "eino", ADAPTERS / "pydantic_ai"
AGENT_FRAMEWORK = ADAPTERS / "agent_framework"


@pytest.fixture(scope="session")
def langchain(do_without: Callable[[str, str], NoReturn], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Judges LangChain with the command from its README, run in the adapter's folder."""
    if find_spec("langchain") is None:
        do_without("langchain", "langchain is not installed: pip install -e '.[langchain]'")
    known = dict(re.findall(r"(langchain|langgraph) (\d[\d.]*\d)", (LANGCHAIN / "README.md").read_text()))
    installed = {name: version(name) for name in known}
    if installed != known:  # other versions: the baseline may be wrong, loopspec is not
        pytest.skip(f"the baseline is for {known}, and {installed} is installed: update the baseline")
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(command(LANGCHAIN), LANGCHAIN, "baseline.toml", report, timeout=300)


@pytest.fixture(scope="session")
def pydantic_ai(do_without: Callable[[str, str], NoReturn], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Judges pydantic-ai with the command from its README, run in the adapter's folder."""
    if find_spec("pydantic_ai") is None:
        do_without("pydantic-ai", "pydantic-ai is not installed: pip install -e '.[pydantic-ai]'")
    (known,) = re.findall(r"pydantic-ai-slim (\d[\d.]*\d)", (PYDANTIC_AI / "README.md").read_text())
    if (installed := version("pydantic-ai-slim")) != known:  # the baseline may be wrong, loopspec is not
        pytest.skip(f"the baseline is for {known}, and {installed} is installed: update the baseline")
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(command(PYDANTIC_AI), PYDANTIC_AI, "baseline.toml", report, timeout=300)


@pytest.fixture(scope="session")
def agent_framework(do_without: Callable[[str, str], NoReturn], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Judges Microsoft Agent Framework with the command from its README, run in the adapter's folder."""
    if find_spec("agent_framework") is None:
        do_without("agent-framework", "agent-framework is not installed: pip install -e '.[agent-framework]'")
    (known,) = re.findall(r"agent-framework-core (\d[\d.]*\d)", (AGENT_FRAMEWORK / "README.md").read_text())
    if (installed := version("agent-framework-core")) != known:  # the baseline may be wrong, loopspec is not
        pytest.skip(f"the baseline is for {known}, and {installed} is installed: update the baseline")
    report = tmp_path_factory.mktemp("judged") / "report.jsonl"
    return judged_by(command(AGENT_FRAMEWORK), AGENT_FRAMEWORK, "baseline.toml", report, timeout=300)


@pytest.fixture(scope="session")
def go(do_without: Callable[[str, str], NoReturn]) -> Callable[..., str]:
    """Runs a Go tool in the folder of eino's adapter and fails the test if the tool fails."""
    if shutil.which("go") is None:
        do_without("go", "go is not installed")

    def ran(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(words, cwd=EINO, capture_output=True, text=True, timeout=600, check=False)

    def run(*words: str) -> str:
        done = ran(*words)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    installed = ran("go", "mod", "download", "github.com/cloudwego/eino")
    if installed.returncode:
        do_without("go", f"eino cannot be downloaded: {installed.stderr.strip()}")
    return run


@pytest.fixture(scope="session")
def eino(go: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """Judges eino with the command from its README; the adapter is built in a temporary folder."""
    folder = tmp_path_factory.mktemp("judged")
    go("go", "build", "-o", str(folder / "eino-adapter"), ".")
    words = [_elsewhere(word, folder) for word in command(EINO)]
    return judged_by(words, EINO, "baseline.toml", folder / "report.jsonl", timeout=600)


def _elsewhere(word: str, folder: Path) -> str:
    return f"cmd:'{folder}/eino-adapter'" if word == "cmd:build/eino-adapter" else word
