"""`loopspec panels`: the output and the errors of the command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from loopspec.cli import main
from loopspec.cli.commands import panels as command
from loopspec.contract.faults import AdapterError, TargetTimedOut
from loopspec.contract.observation import Observation, Registered
from loopspec.pages.panels import render

from ..parsed_page import Page
from ..staging import Acting
from ..strategies import CACHE


class Registry(Acting):
    """A target with a registry."""

    def __init__(self, **how: Any) -> None:
        super().__init__(roles=["plugins"], capabilities=["registry"], **how)


def said(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    target: Any,
    seen: Any,
    *arguments: str,
) -> tuple[int, str]:
    """The exit code and the output of the command, for a target of which this is seen."""

    def perform(*_: object) -> Observation:
        if isinstance(seen, Exception):
            raise seen
        return Observation(strategies=seen)

    monkeypatch.setattr(command, "resolve", lambda name: target)
    monkeypatch.setattr(command, "perform", perform)
    code = main(["panels", *arguments])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return code, captured.out + captured.err


def test_the_command_writes_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """And closes the target."""
    file, target = tmp_path / "p.html", Registry()

    code, text = said(monkeypatch, capsys, target, (Registered(provider="cache", meta=CACHE),), "py:mine:M", str(file))

    assert (code, text) == (0, f"wrote {file}: 1 panel\n")
    assert file.read_text(encoding="utf-8") == render("py:mine:M", [("cache", CACHE)])
    assert target.closed == 1


def test_the_reference_has_panels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is the default target."""
    file = tmp_path / "p.html"

    assert main(["panels", str(file)]) == 0
    assert capsys.readouterr().out.startswith(f"wrote {file}: ")
    page = Page(file.read_text(encoding="utf-8"))
    assert page.all("form")
    assert not [p for p in page.all("p") if "broken" in (p.attributes.get("class") or "")]


def test_a_target_without_strategies_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one sentence, and nothing is written."""
    file = tmp_path / "p.html"

    code, text = said(monkeypatch, capsys, Acting(), (), "py:mine:M", str(file))

    why = "it does not declare the role `plugins` with the capability `registry`"
    assert (code, text) == (4, f"loopspec: py:mine:M has no strategies to show: {why}\n")
    assert not file.exists()


def test_a_target_that_breaks_is_unusable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its error in one sentence."""
    code, text = said(monkeypatch, capsys, Registry(), AdapterError("it broke"), "py:mine:M", str(tmp_path / "p.html"))

    assert (code, text) == (4, "loopspec: py:mine:M is unusable: it broke\n")


def test_a_target_that_hangs_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Otherwise the end would wait for its thread."""

    class Left(Exception):
        pass

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(os, "_exit", leave)

    with pytest.raises(Left, match="4"):
        said(monkeypatch, capsys, Registry(), TargetTimedOut("it hangs"), "py:mine:M", str(tmp_path / "p.html"))

    assert capsys.readouterr().err == "loopspec: py:mine:M is unusable: it hangs\n"


def test_a_file_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is not there."""
    file = tmp_path / "no/p.html"

    code, text = said(monkeypatch, capsys, Registry(), (), "py:mine:M", str(file))

    assert (code, text) == (2, f"loopspec: {file} cannot be written: No such file or directory\n")


def test_only_this_command_loads_jinja(tmp_path: Path) -> None:
    """Other commands need no HTML."""
    commands = ("run", "listing", "explain", "report")
    modules = ", ".join(f"loopspec.cli.commands.{command}" for command in commands)
    code = f"import sys, loopspec.cli, {modules}; print('jinja2' in sys.modules)"

    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert ran.stdout == "False\n"


def test_what_is_required_cannot_be_done_without(
    do_without: Callable[[str, str], NoReturn], monkeypatch: pytest.MonkeyPatch
) -> None:
    """LOOPSPEC_REQUIRE turns a skip into a failure, for what it names."""
    monkeypatch.setenv("LOOPSPEC_REQUIRE", "node, chromium")
    with pytest.raises(pytest.fail.Exception, match="no browser, and LOOPSPEC_REQUIRE asks for chromium"):
        do_without("chromium", "no browser")
    monkeypatch.setenv("LOOPSPEC_REQUIRE", "node")
    with pytest.raises(pytest.skip.Exception, match="no browser"):
        do_without("chromium", "no browser")
