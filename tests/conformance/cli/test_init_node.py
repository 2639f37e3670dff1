"""`loopspec init node` writes an adapter that can be judged unchanged."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from ..begun import LOADERS, PASSED_BY_THE_PLACEHOLDER, begun, examined, longest, passed, tried

SOURCES = ["adapter.mjs", "loader.mjs"]


@pytest.fixture
def node(do_without: Callable[[str, str], NoReturn]) -> Callable[..., str]:
    """Runs Node with an input, requires success, and returns its standard output."""
    if shutil.which("node") is None:
        do_without("node", "node is not installed")

    def run(folder: Path, *arguments: str, given: str = "") -> str:
        done = subprocess.run(
            ["node", *arguments], cwd=folder, input=given, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def test_the_template_is_short(tmp_path: Path) -> None:
    """Every file is short and narrow, and one line prints the next command."""
    wrote, now = begun("node", tmp_path)

    assert wrote == [*SOURCES, "loopspec-baseline.toml", "loopspec-ci.yml"]
    assert now == 'loopspec run cmd:"node adapter.mjs" --baseline loopspec-baseline.toml'
    lines, width = longest(tmp_path, SOURCES)
    assert lines <= 100
    assert width <= 120
    assert 'loopspec run cmd:"node adapter.mjs" --baseline' in (tmp_path / "loopspec-ci.yml").read_text()


def test_node_parses_the_template(tmp_path: Path, node: Callable[..., str]) -> None:
    """Node parses both files."""
    begun("node", tmp_path)

    assert [node(tmp_path, "--check", name) for name in SOURCES] == ["", ""]


@pytest.mark.long
def test_the_template_is_judged_unchanged(tmp_path: Path, node: Callable[..., str]) -> None:
    """The placeholder loader passes some rules and fails others, without errors."""
    _, now = begun("node", tmp_path)

    ended, report = tried(now, tmp_path, "--area=AMD-*")

    assert (ended.code, report.run.identity.name, report.run.roles) == (1, "my loader", ("loader",))
    assert passed(report.verdicts) >= PASSED_BY_THE_PLACEHOLDER


@pytest.mark.long
def test_the_doctor_accepts_the_template(tmp_path: Path, node: Callable[..., str]) -> None:
    """The doctor accepts the template unchanged, from the handshake to the smoke cases."""
    _, now = begun("node", tmp_path)

    ended = examined(now, tmp_path)

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "The smoke cases pass; `loopspec run` judges the others.")


@pytest.mark.long
def test_a_loader_that_passes_the_rules_is_conformant(tmp_path: Path, node: Callable[..., str]) -> None:
    """A correct loader replaces the placeholder, also one that prints; no byte is lost on the way."""
    _, now = begun("node", tmp_path)
    shutil.copy(LOADERS / "loader.mjs", tmp_path)

    ended, report = tried(now, tmp_path, "--strict", "--area=AMD-*")

    assert ended.said.splitlines()[-1] == "cmd:node adapter.mjs is conformant."
    assert ended.code == 0
    assert 'AMD-IMPORT-13 :: The text "\\xff\\xfe@b.md\\xff", special bytes next to an import' in passed(
        report.verdicts
    )  # sent as base64


def test_a_line_ends_at_a_line_feed_only(tmp_path: Path, node: Callable[..., str]) -> None:
    """A line separator does not end a line, although Node's own line reader would split there."""
    begun("node", tmp_path)
    asked = {"jsonrpc": "2.0", "id": "h1", "method": "loader/load", "params": {"case": 1, "files": ["/p/\u2028.md"]}}
    read = {"jsonrpc": "2.0", "id": "a1", "result": {"text": "One\u2028two."}}
    lines = "".join(json.dumps(message, ensure_ascii=False) + "\n" for message in (asked, read))

    said = [json.loads(line) for line in node(tmp_path, "adapter.mjs", given=lines).split("\n")[:-1]]

    sections = [{"path": "/p/\u2028.md", "text": "One\u2028two."}]
    assert said == [
        {
            "jsonrpc": "2.0",
            "id": "a1",
            "method": "files/read",
            "params": {"case": 1, "request": {"filePath": "/p/\u2028.md"}},
        },
        {"jsonrpc": "2.0", "id": "h1", "result": {"value": {"sections": sections}}},
    ]
