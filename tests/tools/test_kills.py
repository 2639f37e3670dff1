"""Agents that are killed and resumed: the harness notices planted faults, and the data and the page are true."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from tools.kills import Program, at_point, in_writes, measured, programs, spoiled, together
from tools.kills_page import LISTS, POINTS, TABLE, Outcome, lists, read, table

DoWithout = Callable[[str, str], NoReturn]
PYTHON = {name: path for name, path in programs().items() if path.suffix == ".py"}
LONGEST = 150  # lines of a program in Python
# A program without a framework, which keeps the names of the tools that it has called.
OWN = """
import json
import kill_points
path = kill_points.STORE / "done.json"
def run():
    done = json.loads(path.read_text()) if path.exists() else []
    messages = [{"role": "user", "content": "Hello."}] if done else []
    kill_points.history("before", "openai-chat", messages)
    FAULT
    for name in kill_points.DONE:
        if name not in done:
            CALL
    return "done"
def keep(done, name):
    done.append(name)
    path.write_text(json.dumps(done))
kill_points.main({"begin": run, "resume": run}, ["pytest"], store="a file", resume="", know="")
"""
KEEPS = "kill_points.tool(name); keep(done, name)"
FORGETS = "keep(done, name); kill_points.tool(name)"


@pytest.fixture
def own(tmp_path: Path, do_without: DoWithout) -> Iterator[Callable[..., Program]]:
    """Makes programs without a framework."""
    _check_machine(do_without)
    made: list[Program] = []

    def program(call: str, fault: str = "pass") -> Program:
        path = tmp_path / f"program_{len(made)}.py"
        path.write_text(OWN.replace("CALL", call).replace("FAULT", fault), encoding="utf-8")
        made.append(Program((sys.executable, str(path)), forks=True))
        return made[-1]

    yield program
    for one in made:
        one.close()


def test_a_sound_program_continues(own: Callable[..., Program]) -> None:
    """An effect without a stored result is repeated, and no other one."""
    program = own(KEEPS)

    assert at_point(program, "between-tools").outcome == "continues"
    assert at_point(program, "in-tool-before-effect").outcome == "begins again"
    assert at_point(program, "in-tool-after-effect").outcome == "twice: reserve"
    assert at_point(program, "after-the-end") == Outcome(
        "continues", ("user",), {"reserve": 1, "charge": 1}, again="changes nothing"
    )


def test_planted_faults_are_noticed(own: Callable[..., Program]) -> None:
    """An effect that is lost, one that is repeated, a session that cannot be used, a run that does not get there."""
    lost = at_point(own(FORGETS), "in-tool-before-effect")
    assert (lost.outcome, lost.effects) == ("lost: reserve", {"charge": 1})
    repeated = at_point(own(KEEPS, "done = []"), "between-tools")
    assert (repeated.outcome, repeated.effects) == ("twice: reserve", {"reserve": 2, "charge": 1})
    broken = at_point(own(KEEPS, "assert not done, 'broken'"), "between-tools")
    assert (broken.outcome, broken.again) == ("unusable", "fails")
    assert "AssertionError: broken" in broken.sentences[0]
    again = at_point(own(KEEPS, "done = []"), "after-the-end")
    assert again.outcome == "twice: reserve, charge"
    assert again.again == "repeats reserve, charge"
    assert at_point(own(KEEPS), "before-model").outcome == "not reached"


def test_two_processes_and_spoiled_stores(own: Callable[..., Program]) -> None:
    """Two resumptions at once run both tools twice; a torn file is refused by its name only if the error names it."""
    program = own(KEEPS)
    whole = Outcome("continues", ("user",))

    assert together(own(KEEPS, "done = []")).outcome == "twice: reserve, charge (both run)"
    assert spoiled(program, "another-version", whole).outcome == "no version is stored"
    assert spoiled(program, "torn", whole).outcome == "refused"
    assert in_writes(program, 2).changes == 2
    assert in_writes(program, 2).outcome == "unusable (2)"  # half a file is no JSON


def test_a_program_uses_its_framework_alone() -> None:
    """Programs about others are short, and do not know loopspec."""
    texts = {name: path.read_text(encoding="utf-8") for name, path in programs().items()}

    assert [name for name in PYTHON if len(texts[name].splitlines()) > LONGEST] == []
    assert [name for name, text in texts.items() if "loopspec" in text] == ["reference"]
    assert texts.keys() == read().keys()


def test_the_data_are_whole_and_the_page_has_them() -> None:
    """Each point of each program has a result; what is done twice, is lost or cannot be used has a sentence."""
    results = read()
    found = [outcome for one in results.values() for outcome in one.points.values()]

    assert {tuple(one.points) for one in results.values()} == {tuple(POINTS)}
    assert [one for one in found if one.outcome.startswith(("twice", "lost", "unusable")) and not one.sentences] == []
    assert TABLE.has(table(results))
    assert LISTS.has(lists(results))


@pytest.mark.long
def test_the_reference_does_what_the_data_say(do_without: DoWithout) -> None:
    """At all points."""
    _check_machine(do_without)
    with closing(Program.of(PYTHON["reference"])) as program:
        assert measured(program).points == read()["reference"].points


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(PYTHON.keys() - {"reference"}))
def test_a_framework_does_what_the_data_say(name: str, do_without: DoWithout) -> None:
    """At three points, with the versions of the data."""
    _check_machine(do_without)
    with closing(Program.of(PYTHON[name])) as program:
        if (about := program.about()) is None:
            do_without(name, f"the packages of {name} are not installed: see its extra, and the extra `kills`")
        known = read()[name]
        if about[0] != known.versions:
            pytest.skip(f"the data are of {known.versions}, and {about[0]} is installed: repeat `tools.kills`")
        for point in ("in-tool-after-effect", "between-tools", "in-second-model"):
            assert at_point(program, point) == known.points[point]


def _check_machine(do_without: DoWithout) -> None:
    if not sys.platform.startswith("linux") or shutil.which("cc") is None:
        do_without("cc", "processes are killed in a write by a library that a C compiler makes, on Linux")
