"""A target that declares a posture, from its declaration to every form of the report."""

from __future__ import annotations

import os
import shlex
import sys
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec import Posture
from loopspec.contract.axes import axes
from loopspec.contract.specification import VERSION
from loopspec.reports.jsonl import RunLine, read_report

from ..process import run_loopspec
from .in_process import Loopspec, called

LINK = "https://example.org/hooks"
MODULE = f'''\
from loopspec import Posture
from loopspec.contract.axes import axes
from loopspec.contract.specification import VERSION, mutants
from loopspec_reference_adapter import Reference

POSTURES = mutants().POSTURES


class Declaring(Reference):
    name = "mine"
    postures = {{"after-order": Posture("reversed", link="{LINK}")}}


class Keeping(Declaring):
    """The reference with the posture; the process has no other target."""

    def __init__(self):
        super().__init__()
        self._patch = POSTURES["after-order", "reversed"].patch()
        self._patch.__enter__()


class Undeclared(Keeping):
    postures = {{}}


class Unknown(Reference):
    name = "mine"
    postures = {{"after-order": Posture("backward", measured=True)}}
'''
RULES = ("--rule", "POSTURE-01", "--rule", "HOOK-AM-*")
SENTENCE = "is conformant in its own posture (after-order: reversed) in 38 selected cases."
AXES = "after-order (reversed), chain (first-answer)"
HINT = f"f your implementation documents another choice, declare a posture on one of the axes {AXES}"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module, and the report of a run on a target that keeps its posture, in a process of its own."""
    path = tmp_path_factory.mktemp("postures")
    (path / "mine.py").write_text(MODULE, encoding="utf-8")
    ended = run_loopspec(path, "run", "py:mine:Keeping", *RULES, "-v", "--report", "mine.jsonl", "--junit", "mine.xml")
    assert (ended.code, ended.said.splitlines()[-1]) == (0, f"py:mine:Keeping {SENTENCE}")
    assert "another posture: after-order is reversed" in ended.out
    return path


@pytest.fixture
def loopspec(folder: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> Loopspec:
    """Calls a command in this process, in the folder."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    return partial(called, capsys)


def test_every_form_of_the_report_shows_the_posture(folder: Path, loopspec: Loopspec) -> None:
    """The first line of the report has it, every suite of JUnit, since tools show them apart, and every other form."""
    first = read_report(folder / "mine.jsonl")[0]
    suites = ElementTree.parse(folder / "mine.xml").getroot().findall("testsuite")
    table = loopspec("report", "mine.jsonl", "--markdown", "--html", "html", "--summary", "summary").out

    assert isinstance(first, RunLine)
    assert first.postures == {"after-order": Posture("reversed", link=LINK)}
    assert suites
    for suite in suites:
        (posture,) = suite.findall("properties/property")
        assert posture.attrib == {"name": "posture after-order", "value": "reversed"}
    assert f'after-order: reversed (<a href="{LINK}">documented</a>)' in Path("html").read_text("utf-8")
    summary = Path("summary").read_text("utf-8").replace("\\", "")
    assert f"- posture: after-order: reversed, documented at {LINK}" in summary
    assert table.splitlines()[-1] == f"mine {VERSION} is judged in its own posture (after-order: reversed)."


def test_a_target_that_only_declares_a_posture_fails(loopspec: Loopspec) -> None:
    """The rule of a declared posture counts without `--strict`, although our documents do not state it."""
    ended = loopspec("run", "py:mine:Declaring", *RULES)

    assert ended.code == 1
    assert "failed POSTURE-01" in ended.out
    assert "advisory" not in ended.out.partition("failed POSTURE-01")[2].partition("\n")[0]
    assert ended.out.splitlines()[-1] == "py:mine:Declaring is not conformant: 3 normative cases failed."


def test_a_served_target_has_the_same_postures(folder: Path) -> None:
    """Several processes judge as one, with the postures in the answer to `initialize`; an unknown value ends a run."""
    served = f"cmd:{shlex.quote(sys.executable)} -m loopspec serve py:mine:"

    ended = run_loopspec(folder, "run", f"{served}Keeping", *RULES, "-n", "2")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, f"{served}Keeping {SENTENCE}")

    ended = run_loopspec(folder, "run", f"{served}Unknown", *RULES)
    assert ended.code == 4
    assert "'backward' on the axis after-order, which is no value: the values are registered, reversed" in ended.said


def test_capabilities_marks_the_values_of_a_target(loopspec: Loopspec) -> None:
    """Each axis has one marked value."""
    said = loopspec("capabilities", "py:mine:Declaring").said
    marked = [line.split()[1] for line in said.partition("Postures, by axis:")[2].splitlines() if "  yes " in line]

    assert marked[:2] == ["reversed", "run"]
    assert len(marked) == len(axes())


def test_explain_names_the_axis_of_a_posture(loopspec: Loopspec) -> None:
    """The default value is named as well."""
    said = " ".join(loopspec("explain", "POSTURE-01").said.split())

    assert "clarified (normative for a target that declares the posture)" in said
    assert "after-order=reversed: In which order are the hooks of several handlers called" in said
    assert "By default: " in said


def test_a_failure_may_be_about_an_axis(folder: Path, loopspec: Loopspec) -> None:
    """`explain`, the terminal and the summary say about which one, to a target that does not declare it."""
    said = run_loopspec(folder, "explain", "HOOK-AM-01", "py:mine:Undeclared", "py:mine:Keeping").said
    ended = run_loopspec(folder, "run", "py:mine:Undeclared", "--rule", "HOOK-AM-01", "--report", "undeclared.jsonl")
    loopspec("report", "undeclared.jsonl", "--summary", "undeclared.md")

    assert "after-order: In which order are the hooks" in said
    assert "presuppose registered. Other values: " in said
    assert [line.strip() for line in said.splitlines()[-3:]] == [
        "failed       py:mine:Undeclared",
        f"i{HINT}",
        "inapplicable py:mine:Keeping",
    ]
    assert f"  or:    i{HINT}" in ended.out.splitlines()
    assert f"I{HINT}." in (folder / "undeclared.md").read_text(encoding="utf-8").splitlines()
