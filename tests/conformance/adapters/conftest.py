"""Each external implementation is judged once per session; its tests share the result."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn

import pytest

from tools.recorded import command

from .judged import ADAPTERS, Judged, judged_by

EINO = ADAPTERS / "eino"
Missing = Callable[[str, str], NoReturn]


@pytest.fixture(scope="session")
def judged_framework(do_without: Missing, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Judged]:
    """Judges a framework with the command from its adapter's README, run in the adapter's folder.

    The README names each package with the version that the baseline was written for.
    """

    def judge(extra: str, *packages: str) -> Judged:
        folder = ADAPTERS / extra.replace("-", "_")
        try:
            installed = {package: version(package) for package in packages}
        except PackageNotFoundError:
            do_without(extra, f"{extra} is not installed: pip install -e '.[{extra}]'")
        readme = (folder / "README.md").read_text(encoding="utf-8")
        known = {package: _version_in(readme, package) for package in packages}
        if installed != known:  # other versions: the baseline may be wrong, loopspec is not
            pytest.skip(f"the baseline is for {known}, and {installed} is installed: update the baseline")
        report = tmp_path_factory.mktemp("judged") / "report.jsonl"
        return judged_by(command(folder), folder, "baseline.toml", report, timeout=300)

    return judge


def _version_in(readme: str, package: str) -> str:
    (found,) = set(re.findall(rf"(?<![\w-]){package} (\d[\d.]*\d)", readme))
    return str(found)


@pytest.fixture(scope="session")
def langchain(judged_framework: Callable[..., Judged]) -> Judged:
    """LangChain on LangGraph."""
    return judged_framework("langchain", "langchain", "langgraph")


@pytest.fixture(scope="session")
def pydantic_ai(judged_framework: Callable[..., Judged]) -> Judged:
    """pydantic-ai."""
    return judged_framework("pydantic-ai", "pydantic-ai-slim")


@pytest.fixture(scope="session")
def agent_framework(judged_framework: Callable[..., Judged]) -> Judged:
    """Microsoft Agent Framework."""
    return judged_framework("agent-framework", "agent-framework-core")


@pytest.fixture(scope="session")
def openai_agents(judged_framework: Callable[..., Judged]) -> Judged:
    """The OpenAI Agents SDK."""
    return judged_framework("openai-agents", "openai-agents")


@pytest.fixture(scope="session")
def google_adk(judged_framework: Callable[..., Judged]) -> Judged:
    """Google ADK."""
    return judged_framework("google-adk", "google-adk")


@pytest.fixture(scope="session")
def go(do_without: Missing) -> Callable[..., str]:
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
