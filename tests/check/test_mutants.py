"""Wrong judges: each is noticed by a planted fault or by a sound recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from loopspec_check.checking import check_file
from loopspec_check.rules import known
from loopspec_mutants.rewriting import Change, Rewriting

from .planting import faults, planted, recordings

JUDGING = "loopspec_check/judging.py"

# What a wrong judge does, and the change of its code.
MUTANTS = {
    "CHECK-01: forgets that a message follows a call": ("call.closed_by = entry", "call.closed_by = None"),
    "CHECK-01: closes a call at the next call of its answer": (
        " and entry.message != self._latest[0].entry.message",
        "",
    ),
    "CHECK-02: passes over the end": ('elif call.entry.status != "waits":', "elif False:"),
    "CHECK-02: reports a call that waits for a person": ('elif call.entry.status != "waits":', "else:"),
    "CHECK-03: drops results without a call": ("in chain(*self._orphans.values()):", "in ():"),
    "CHECK-04: takes a second result for one without a call": ("if entry.id in self._calls:", "if False:"),
    "CHECK-05: takes each repeated id for a repeated call": ("earlier.results and same", "earlier.results"),
    "CHECK-10: takes a repeated call for a repeated id": ("if earlier.results and same else", "if False else"),
    "CHECK-10: takes a doubled call for one that was completed": ("if earlier.results and same else", "if same else"),
    "CHECK-06: lets a result come late": (
        '        if call.closed_by is not None:\n            self._find("CHECK-06"',
        '        if False:\n            self._find("CHECK-06"',
    ),
    "CHECK-07: forgets results before their call": ("self._orphans.pop(entry.id, ())", "()"),
    "CHECK-08: takes a text for arguments": (
        "isinstance(entry.content, dict)",
        "isinstance(entry.content, dict | str)",
    ),
    "CHECK-09: accepts empty messages": ('in ("user", "answer") and _is_empty', "in () and _is_empty"),
    "CHECK-11: accepts that a run continues after another": ("if self._runs.get(entry.run) is False:", "if False:"),
    "CHECK-11: reports each run that continues": ("if entry.run and entry.run != self._run:", "if entry.run:"),
    "CHECK-12: forgets the end of a run": ("            self._ended = entry\n", "            self._ended = None\n"),
    "CHECK-13: believes made-up results": ('entry.status == "done" and', "False and"),
    "CHECK-13: reports made-up results that are marked": ('entry.status == "done" and isinstance', "isinstance"),
    "CHECK-14: forgets thoughts": ('= entry if entry.kind == "thought" else None', "= None"),
    "CHECK-14: wants a text after each thought": ('("thought", "answer", "call")', '("thought", "answer")'),
    "CHECK-15: accepts any beginning": ('if self._began and entry.kind not in ("user", "summary"):', "if False:"),
    **{
        f"{rule}: accepts what a reader has found": ("if entry.fault:", f'if entry.fault not in ("", "{rule}"):')
        for rule in ("CHECK-16", "CHECK-17", "CHECK-18", "CHECK-19")
    },
    "all: reports what only other providers refuse": ("        if not refused_by and", "        if False and"),
}


def judged(path: Path) -> list[str]:
    """What is found, each as `RULE line`."""
    return [f"{one.rule} {one.line}" for checked in check_file(path, None, ()) for one in checked.findings]


@pytest.fixture(scope="module")
def judgments(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, list[str]]]:
    """All recordings, sound and with planted faults, with what is to be found."""
    return list(_judgments(tmp_path_factory.mktemp("planted")))


def _judgments(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    for path in recordings().values():
        yield path, []
    for number, (base, fault) in enumerate(faults().values()):
        path = folder / f"{number}{Path(fault.recording).suffix}"
        path.write_bytes(planted(base, fault))
        yield path, list(fault.findings)


def test_the_right_judge_finds_what_is_to_be_found(judgments: list[tuple[Path, list[str]]]) -> None:
    assert [path for path, expected in judgments if judged(path) != expected] == []


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_wrong_judge_is_noticed(mutant: str, judgments: list[tuple[Path, list[str]]]) -> None:
    old, new = MUTANTS[mutant]

    with Rewriting("wrong-judge", mutant, [Change(JUDGING, old, new)])():
        noticed = any(judged(path) != expected for path, expected in judgments)

    assert noticed


def test_each_rule_of_the_judge_has_a_mutant_and_a_planted_fault() -> None:
    """The rules from CHECK-20 on are those of files: see `test_hostile`."""
    of_judge = {rule for rule in known().rules if rule < "CHECK-20"}

    assert {name.split(":")[0] for name in MUTANTS} >= of_judge
    assert {finding.split()[0] for _, fault in faults().values() for finding in fault.findings} >= of_judge
