"""README is correct."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from loopspec import ROLES
from loopspec.engine.verdict import VERDICTS
from loopspec.specification.ledger import cases_by_rule, ledger

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part == "node_modules" for part in path.relative_to(ROOT).parts)
)


def test_the_two_commands_are_at_the_top() -> None:
    """Two commands are enough on a fresh machine, and precede all explanations."""
    head = README.partition("## Test your own")[0]

    assert "\npython -m pip install . && loopspec run reference\n" in head
    assert "\npython -m pip install -e '.[dev]' && pytest\n" in head


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_relative_link_exists(page: Path) -> None:
    """Relative links name existing files."""
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^loopspec ([a-z]+(?: prune)?)", README, re.MULTILINE))))
def test_every_command_exists(command: str) -> None:
    """Each command in README has a help text."""
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", *command.split(), "--help"], capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stdout.startswith("usage: loopspec")) == (0, True)


def test_every_option_exists() -> None:
    """Each option of `loopspec run` in README exists."""
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", "run", "--help"], capture_output=True, text=True, check=True
    )
    used = {
        option for line in README.splitlines() if "loopspec run" in line for option in re.findall(r"--[a-z-]+", line)
    }

    assert {option for option in used if option not in ran.stdout} == set()


def test_the_rules_are_counted_right() -> None:
    """README counts the rules with scenarios by document."""
    of = Counter(ledger().rules[rule].document for rule in cases_by_rule())
    head = " ".join(README.partition("## Test your own")[0].split())

    assert f"{of['agent'] + of['middleware']} rules of two documents" in head
    assert f"{of['agentsmd']} rules of a third" in head
    assert f"{of['plugins']} rules of a fourth" in head
    assert f"and {of['loopspec']} rules of ours" in head


def test_every_role_and_verdict_is_named() -> None:
    """The lists of roles and verdicts are complete."""
    assert {name for name in [*ROLES, *VERDICTS] if f"`{name}`" not in README} == set()


def test_every_folder_in_the_map_exists() -> None:
    """The map names existing folders."""
    folders = re.findall(r"^\| `([a-z_/]+/)` \|", README, re.MULTILINE)

    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
