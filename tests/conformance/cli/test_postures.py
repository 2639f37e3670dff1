"""A target that declares a posture, from its declaration to every form of the report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec import Posture
from loopspec.contract.axes import axes
from loopspec.contract.specification import VERSION
from loopspec.reports.jsonl import RunLine, read_report

from ..process import run_loopspec

LINK = "https://example.org/hooks"
MODULE = f'''\
from loopspec import Posture
from loopspec.contract.axes import axes
from loopspec.contract.specification import VERSION
from loopspec_reference_adapter import Reference
from loopspec_mutants import POSTURES


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
SENTENCE = "py:mine:Keeping is conformant in its own posture (after-order: reversed)."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the module, and the report of a run on a target that keeps its posture."""
    path = tmp_path_factory.mktemp("postures")
    (path / "mine.py").write_text(MODULE, encoding="utf-8")
    ended = run_loopspec(path, "run", "py:mine:Keeping", *RULES, "-v", "--report", "mine.jsonl", "--junit", "mine.xml")
    assert (ended.code, ended.said.splitlines()[-1]) == (0, SENTENCE)
    assert "another posture: after-order is reversed" in ended.out
    return path


def test_a_target_that_keeps_its_posture_is_conformant_in_its_own_posture(folder: Path) -> None:
    """The first line of the report has the postures."""
    first = read_report(folder / "mine.jsonl")[0]

    assert isinstance(first, RunLine)
    assert first.postures == {"after-order": Posture("reversed", link=LINK)}


def test_junit_has_the_postures_as_properties(folder: Path) -> None:
    """Every suite has them, since tools show the suites apart from each other."""
    suites = ElementTree.parse(folder / "mine.xml").getroot().findall("testsuite")

    assert suites
    for suite in suites:
        assert [(one.get("name"), one.get("value")) for one in suite.findall("properties/property")] == [
            ("posture after-order", "reversed")
        ]


def test_every_form_of_the_report_shows_the_posture(folder: Path) -> None:
    """The page, the summary and the table say that the posture is the target's own."""
    wanted = {
        "html": f'after-order: reversed (<a href="{LINK}">documented</a>)',
        "summary": f"- posture: after-order: reversed, documented at {LINK}",
    }
    table = run_loopspec(folder, "report", "mine.jsonl", "--markdown").said
    shown = {}
    for form in wanted:
        run_loopspec(folder, "report", "mine.jsonl", f"--{form}", form)
        shown[form] = (folder / form).read_text(encoding="utf-8")

    assert [form for form, text in wanted.items() if text not in shown[form].replace("\\", "")] == []
    assert table.splitlines()[-1] == f"mine {VERSION} is judged in its own posture (after-order: reversed)."


def test_a_target_that_only_declares_a_posture_fails(folder: Path) -> None:
    """The rule of a declared posture counts without `--strict`, although our documents do not state it."""
    ended = run_loopspec(folder, "run", "py:mine:Declaring", *RULES)

    assert ended.code == 1
    assert "failed POSTURE-01" in ended.out
    assert "advisory" not in ended.out.partition("failed POSTURE-01")[2].partition("\n")[0]
    assert ended.out.splitlines()[-1] == "py:mine:Declaring is not conformant: 3 normative cases failed."


def test_an_unknown_value_ends_the_command(folder: Path) -> None:
    """The sentence is the same for a Python object and for a process that serves it."""
    for target in ("py:mine:Unknown", f"cmd:{shlex.quote(sys.executable)} -m loopspec serve py:mine:Unknown"):
        ended = run_loopspec(folder, "run", target, *RULES)

        assert ended.code == 4
        assert (
            "'backward' on the axis after-order, which is no value: the values are registered, reversed" in ended.said
        )


def test_a_served_target_has_the_same_postures(folder: Path) -> None:
    """The answer to `initialize` has the postures, and several processes judge as one."""
    served = f"cmd:{shlex.quote(sys.executable)} -m loopspec serve py:mine:Keeping"

    for workers in ("1", "2"):
        ended = run_loopspec(folder, "run", served, *RULES, "-n", workers)

        assert ended.code == 0
        assert ended.out.splitlines()[-1] == f"{served} is conformant in its own posture (after-order: reversed)."


def test_capabilities_marks_the_values_of_a_target(folder: Path) -> None:
    """Each axis has one marked value."""
    said = run_loopspec(folder, "capabilities", "py:mine:Declaring").said
    marked = [line.split()[1] for line in said.partition("Postures, by axis:")[2].splitlines() if "  yes " in line]

    assert marked[:2] == ["reversed", "run"]
    assert len(marked) == len(axes())


def test_explain_names_the_axis_of_a_posture(folder: Path) -> None:
    """The default value is named as well."""
    said = " ".join(run_loopspec(folder, "explain", "POSTURE-01").said.split())

    assert "clarified (normative for a target that declares the posture)" in said
    assert "after-order: reversed In which order are the hooks of several handlers called" in said
    assert "The default is registered:" in said


def test_explain_says_which_axis_a_failure_may_be_about(folder: Path) -> None:
    """A target that declares the axis has no hint; the default is named in any case."""
    hint = "if your implementation documents another choice, declare a posture on one of the axes after-order, chain"

    said = run_loopspec(folder, "explain", "HOOK-AM-01", "py:mine:Undeclared").said
    assert "the axis after-order: In which order are the hooks" in said
    assert "presuppose the default, registered:" in said or "presupposes the default, registered:" in said
    assert said.splitlines()[-1].strip() == hint
    assert hint not in run_loopspec(folder, "explain", "HOOK-AM-01", "py:mine:Keeping").said


def test_each_form_of_a_report_says_which_axis_a_failure_may_be_about(folder: Path) -> None:
    """On the terminal and in the Markdown summary."""
    run = ("run", "py:mine:Undeclared", "--rule", "HOOK-AM-01", "--report", "undeclared.jsonl")
    ended = run_loopspec(folder, *run)
    run_loopspec(folder, "report", "undeclared.jsonl", "--summary", "undeclared.md")

    hint = "f your implementation documents another choice, declare a posture on one of the axes after-order, chain"
    assert f"  or:    i{hint}" in ended.out.splitlines()
    assert f"I{hint}." in (folder / "undeclared.md").read_text(encoding="utf-8").splitlines()
