"""The example in CONTRIBUTING.md: its rule is removed from a copy of the repository and added again, step by step."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGES = ("conformance", "reference", "steps", "tests/mutants")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, the rest of its first line, and its text."""

    language: str
    of: str
    text: str


BLOCKS = [
    Block(*found) for found in re.findall(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) if found
]
EDITS = [block for block in BLOCKS if block.of and block.language != "sh"]


def _before_and_after(block: Block) -> tuple[str, str]:
    """The text that a block replaces, and its replacement. A block that is no diff is added."""
    if block.language != "diff":
        return "", block.text
    lines = block.text.splitlines(keepends=True)
    return "".join(line[1:] for line in lines if line[0] in " -"), "".join(
        line[1:] for line in lines if line[0] in " +"
    )


@dataclass
class Copy:
    """A copy of the repository. `places` are the positions of the added blocks."""

    folder: Path
    places: dict[Block, tuple[str, str]]

    def take_out(self, block: Block) -> None:
        """Undo a block. Fails unless the repository has its text exactly once."""
        path = self.folder / block.of
        before, after = _before_and_after(block)
        start, found, end = path.read_text(encoding="utf-8").partition(after)
        assert found, f"{block.of} does not have this text:\n{after}"
        assert after not in end, f"{block.of} has this text twice:\n{after}"
        self.places[block] = (start, end)
        path.write_text(start + before + end, encoding="utf-8")

    def apply(self, block: Block) -> None:
        """Apply a block at its position."""
        start, end = self.places[block]
        path = self.folder / block.of
        before, after = _before_and_after(block)
        assert path.read_text(encoding="utf-8") == start + before + end, block.of
        path.write_text(start + after + end, encoding="utf-8")

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a `loopspec` command with the packages of the copy."""
        program, *words = shlex.split(command)
        assert program == "loopspec"
        paths = os.pathsep.join(str(self.folder / name) for name in PACKAGES)
        environment = os.environ | {"PYTHONPATH": paths, "XDG_CACHE_HOME": str(self.folder / "cache"), "COLUMNS": "200"}
        return subprocess.run(
            [sys.executable, "-m", "loopspec", *words],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """The repository without the rule."""
    for name in ("features", *PACKAGES):
        ignored = shutil.ignore_patterns("__pycache__", "node_modules", "build", "adapters")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    without = Copy(tmp_path, {})
    for block in reversed(EDITS):
        without.take_out(block)
    return without


def test_a_rule_is_added_in_four_steps(copy: Copy) -> None:
    """Each command has the exit code and the output of the page. Nothing else knows the rule."""
    assert copy.run("loopspec explain MAXITER-05").returncode == 2
    assert len(re.findall(r"^## [1-4]\. ", PAGE, re.MULTILINE)) == 4
    printed = ""
    for block in BLOCKS:
        if block in EDITS:
            copy.apply(block)
        elif block.of.startswith("exits "):
            ran = copy.run(block.text.strip())
            printed = ran.stdout
            assert ran.returncode == int(block.of.removeprefix("exits ")), ran.stdout + ran.stderr
        elif block.language == "text":
            assert [line for line in block.text.splitlines() if line not in printed] == [], printed

    assert [
        path
        for path in {block.of for block in EDITS}
        if (copy.folder / path).read_bytes() != (ROOT / path).read_bytes()
    ] == []
