"""README is correct."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from loopspec.cli import main
from tools.pages import ROOT
from tools.picture import HEIGHT, PICTURE, SCALE, WIDTH

from .repository import texts

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = "\n".join(re.findall(r"^```sh\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))


def test_the_two_commands_are_at_the_top() -> None:
    """Two commands are enough on a fresh machine, and precede all explanations."""
    head = README.partition("## Test my store")[0]

    assert "\npython -m pip install . && loopspec run reference\n" in head
    assert "\npython -m pip install -e '.[dev]' && pytest\n" in head


def test_every_relative_link_exists() -> None:
    """Relative links on all pages name existing files."""
    pages = {ROOT / name: text for name, text in texts().items() if name.endswith(".md")}
    links = [(page, link) for page, text in pages.items() for link in re.findall(r"\]\((?!https?://|#)([^)#]+)", text)]

    assert len(pages) > 50
    assert [f"{page}: {link}" for page, link in links if not (page.parent / link).exists()] == []


def test_the_page_about_tests_and_the_checks_name_existing_files() -> None:
    """A test that moved is named at its new place."""
    page = (ROOT / "tests/README.md").read_text(encoding="utf-8")
    files = re.findall(r"`([\w/]+/(?:\w+\.py)?)`", page)
    called = [
        path
        for name in ("run", "coverage", "long")
        for path in re.findall(r"[= \"](tests/[\w/]+(?:\.py)?)", _check(name))
    ]

    assert len(files) > 20
    assert len(called) > 8
    assert [name for name in files if not any((ROOT / root / name).exists() for root in (".", "tests"))] == []
    assert [name for name in called if not (ROOT / name).exists()] == []


def _check(name: str) -> str:
    return (ROOT / ".ci" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(set(re.findall(r"^loopspec ([a-z]+)", SHELL, re.MULTILINE))))
def test_every_command_and_option_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command in README has a help text, which has the options that README uses."""
    used = {
        option
        for line in README.splitlines()
        if f"loopspec {command}" in line
        for option in re.findall(r"--[a-z-]+", line)
    }

    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert {option for option in used if option not in capsys.readouterr().out} == set()


def test_readme_is_short() -> None:
    """Four doors in at most 105 lines apart from the table: the rest is in the guide."""
    assert len([line for line in README.splitlines() if not line.startswith("| ")]) <= 105
    assert re.findall(r"^## ((?:Test|Read) .*)$", README, re.MULTILINE) == [
        "Test my store",
        "Test my agent",
        "Read a stored session",
        "Read the rules",
    ]


def test_the_adapter_of_readme_runs_when_copied(tmp_path: Path) -> None:
    """The snippet and its command, in an empty folder: at most 15 lines, and conformant."""
    (python,) = re.findall(r"^```python\n# my_adapter\.py\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    (tmp_path / "my_adapter.py").write_text(python, encoding="utf-8")
    command = [sys.executable, "-m", "loopspec", "run", "py:my_adapter:Mine"]

    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert "```sh\nloopspec run py:my_adapter:Mine\n```" in README
    assert len(python.splitlines()) <= 15
    assert (ran.returncode, ran.stdout.splitlines()[-1]) == (0, "py:my_adapter:Mine is conformant.")


def test_the_agent_that_readme_begins_with_is_the_one_that_its_commands_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The template has the module and the class that `doctor` and `run` receive."""
    first, *others = re.findall(r"^loopspec (?:init|doctor|run) (py.*?)(?: +#|$)", SHELL, re.MULTILINE)[1:]
    monkeypatch.chdir(tmp_path)

    assert main(["init", *first.split()]) == 0
    assert {*others} == {"py:loopspec_agent:Adapter"}
    assert "class Adapter(" in (tmp_path / "loopspec_agent.py").read_text(encoding="utf-8")


def test_the_picture_of_the_report_page_is_there() -> None:
    """`python -m tools.picture` writes it: a PNG of the size of its window, small, and described in words."""
    ((words, place),) = re.findall(r"!\[([^\]]*)\]\(([^)]+)\)", README)
    image = (ROOT / place).read_bytes()

    assert ROOT / place == PICTURE
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", image[16:24]) == (WIDTH * SCALE, HEIGHT * SCALE)
    assert 50_000 < len(image) < 250_000
    assert {"report", "rule", "expected", "seen"} <= set(re.findall(r"\w+", words))


def test_every_folder_in_the_map_exists() -> None:
    """The map in CONTRIBUTING names existing folders."""
    folders = re.findall(r"^\| `([a-z_/]+/)` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert folders
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []
