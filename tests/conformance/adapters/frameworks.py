"""Agent frameworks, each judged once per session with the command from its adapter's README."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NoReturn

import pytest

from tools.recorded import command

from ..process import PATIENCE
from .installing import install_packages
from .judged import ADAPTERS, Judged, judged_by

EINO = ADAPTERS / "eino"
# The packages of a framework in Python, by the folder of the adapter. The README has their versions.
PYTHON = {
    "agent_framework": ("agent-framework-core",),
    "google_adk": ("google-adk",),
    "haystack": ("haystack-ai",),
    "llama_index": ("llama-index-core", "llama-index-workflows", "pydantic"),
    "langchain": ("langchain", "langgraph"),
    "openai_agents": ("openai-agents",),
    "pydantic_ai": ("pydantic-ai-slim",),
    "strands": ("strands-agents",),
}
Missing = Callable[[str, str], NoReturn]


class Frameworks:
    """Judges frameworks that are installed, or that can be; a test of another one is skipped."""

    def __init__(self, do_without: Missing, folder: Path) -> None:
        self._do_without = do_without
        self._folder = folder
        self.judged = cache(self._judged)
        self.installed = cache(self._installed)

    def go(self, *words: str) -> str:
        """The output of a Go tool in the folder of eino's adapter; the test fails if the tool fails."""
        done = subprocess.run(words, cwd=EINO, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def _installed(self, name: str) -> Path:
        """The folder with the sources of eino, or with the packages of an adapter in Node."""
        if name != "eino":
            folder = self._folder / name
            folder.mkdir()
            return install_packages(ADAPTERS / name, folder, self._do_without)
        if shutil.which("go") is None:
            self._do_without("go", "go is not installed")
        words = ["go", "mod", "download", "github.com/cloudwego/eino"]
        done = subprocess.run(words, cwd=EINO, capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode:
            self._do_without("go", f"eino cannot be downloaded: {done.stderr.strip()}")
        return Path(self.go("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cloudwego/eino").strip())

    def _judged(self, name: str) -> Judged:
        folder, words = ADAPTERS / name, command(ADAPTERS / name)
        with pytest.MonkeyPatch.context() as patch:
            if name in PYTHON:
                self.check_versions(name)
            elif name == "eino":
                self.installed(name)
                self.go("go", "build", "-o", str(self._folder / "eino-adapter"), ".")
                words[1] = f"cmd:'{self._folder}/eino-adapter'"
            else:
                patch.setenv(f"{name.upper()}_FOLDER", str(self.installed(name)))
            return judged_by(words, folder, "baseline.toml", self._folder / f"{name}.jsonl")

    def check_versions(self, name: str) -> None:
        """The versions must be those that the baseline was written for: at others, loopspec is not wrong."""
        extra = name.replace("_", "-")
        try:
            installed = {package: version(package) for package in PYTHON[name]}
        except PackageNotFoundError:
            self._do_without(extra, f"{extra} is not installed: pip install -e '.[{extra}]'")
        readme = (ADAPTERS / name / "README.md").read_text(encoding="utf-8")
        known = {
            package: ", ".join(set(re.findall(rf"(?<![\w-]){package} (\d[\d.]*\d)", readme))) for package in installed
        }
        if installed != known:
            pytest.skip(f"the baseline is for {known}, and {installed} is installed: update the baseline")

    def lines(self, name: str, link: re.Match[str]) -> list[str] | None:
        """The lines of the file to which a link leads, where the framework is installed with its sources."""
        if name in PYTHON:
            return None
        if name == "eino":
            return (self.installed(name) / link["file"]).read_text("utf-8").splitlines()
        folder = self.installed(name) / "node_modules" / link["package"]
        if (shipped := folder / "src" / link["file"]).exists():
            return shipped.read_text("utf-8").splitlines()
        source_map = (folder / "dist" / link["file"]).with_suffix(".js.map")
        (text,) = json.loads(source_map.read_text("utf-8"))["sourcesContent"]
        lines: list[str] = text.splitlines()
        return lines
