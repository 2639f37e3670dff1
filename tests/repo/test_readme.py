"""README is true."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from loopspec import ROLES
from loopspec.engine.verdict import VERDICTS
from loopspec.specification.ledger import cases_by_rule, ledger

from ..picture import HEIGHT, PICTURE, SCALE, WIDTH

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part == "node_modules" for part in path.relative_to(ROOT).parts)
)


def test_the_two_commands_stand_at_the_top() -> None:
    """Everything a fresh machine needs is in one of two commands, before anything else is explained."""
    head = README.partition("## Test your own")[0]

    assert "\npython -m pip install . && loopspec run reference\n" in head
    assert "\npython -m pip install -e '.[dev]' && pytest\n" in head


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """Relative links name files that exist."""
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))

    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^loopspec ([a-z]+(?: prune)?)", README, re.MULTILINE))))
def test_every_command_exists(command: str) -> None:
    """What README types has a help text."""
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", *command.split(), "--help"], capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stdout.startswith("usage: loopspec")) == (0, True)


def test_every_option_exists() -> None:
    """What README passes to `loopspec run` is known."""
    ran = subprocess.run(
        [sys.executable, "-m", "loopspec", "run", "--help"], capture_output=True, text=True, check=True
    )
    used = {
        option for line in README.splitlines() if "loopspec run" in line for option in re.findall(r"--[a-z-]+", line)
    }

    assert {option for option in used if option not in ran.stdout} == set()


def test_the_rules_are_counted_right() -> None:
    """As many as have scenarios, by the documents they are of."""
    of = Counter(ledger().rules[rule].document for rule in cases_by_rule())
    head = " ".join(README.partition("## Test your own")[0].split())

    assert f"{of['agent'] + of['middleware']} rules of two documents" in head
    assert f"{of['agentsmd']} rules of a third" in head
    assert f"{of['plugins']} rules of a fourth" in head
    assert f"and {of['loopspec']} rules of ours" in head


def test_every_role_and_verdict_is_named() -> None:
    """The lists are whole."""
    assert {name for name in [*ROLES, *VERDICTS] if f"`{name}`" not in README} == set()


def test_the_picture_of_the_report_page_is_there() -> None:
    """`python -m tests.picture` writes it: a PNG of the size of its window, small, and described in words."""
    ((words, place),) = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", README)
    image = (ROOT / place).read_bytes()

    assert ROOT / place == PICTURE
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", image[16:24]) == (WIDTH * SCALE, HEIGHT * SCALE)
    assert 50_000 < len(image) < 250_000
    assert {"report", "rule", "expected", "seen"} <= set(re.findall(r"\w+", words))


def test_every_folder_in_the_map_exists() -> None:
    """The map is one of this checkout."""
    folders = re.findall(r"^\| `([a-z_/]+/)` \|", README, re.MULTILINE)

    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
