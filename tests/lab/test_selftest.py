"""`loopspec selftest`: the reference passes, and every mutant is caught."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from msgspec import structs

import loopspec_mutants
from loopspec.cli import main
from loopspec.specification.cases import Act
from loopspec.targets.resolve import resolve
from loopspec_lab import selftest
from loopspec_mutants import MUTANTS, Mutant, Trial, nulls

from ..conformance import broken
from ..conformance.cli.in_process import said
from ..conformance.staging import case_of

Captured = pytest.CaptureFixture[str]
MUTANT = next(mutant for mutant in MUTANTS.values() if mutant.rule == "AMD-DEPTH-02")


@pytest.mark.long
def test_selftest_finds_nothing_wrong(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """If the canary fails, the reference passes, and every mutant is caught: `tests/mutants` judges them, by area."""

    def caught(mutant: Mutant, cases: object, full: bool) -> Trial:
        return Trial(mutant, frozenset({mutant.rule, *mutant.neighbors}), frozenset(), frozenset())

    monkeypatch.setattr(loopspec_mutants, "cases_for", lambda mutant, cases, full: ())
    monkeypatch.setattr(loopspec_mutants, "try_mutant", caught)

    lines = said(capsys, "selftest")

    assert lines[0].split(": ")[0] == "reference"
    assert lines[1:] == [
        f"mutants, each on its own area: {len(MUTANTS)}/{len(MUTANTS)} caught",
        lines[2].partition(" = ")[0] + " = 1.000",
    ]


def test_selftest_names_what_is_wrong(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Whichever part of the suite it is."""
    neighbors = dict.fromkeys([f"OTHER-{n:02}" for n in range(6)], "because")
    missed = replace(MUTANT, neighbors=neighbors)
    trial = Trial(missed, frozenset(), frozenset({MUTANT.rule}), frozenset())
    monkeypatch.setattr(selftest, "canary_fails", lambda: False)
    monkeypatch.setattr(selftest, "_reference", lambda: ["the reference fails AMD-CFG-01"])
    monkeypatch.setattr(loopspec_mutants, "MUTANTS", {"missed": missed})
    monkeypatch.setattr(loopspec_mutants, "try_mutant", lambda mutant, cases, full: trial)
    empty = nulls.NULLS["loader empty"]
    monkeypatch.setattr(nulls, "NULLS", {empty.name: empty})
    monkeypatch.setattr(nulls, "listed", lambda: ())

    lines = said(capsys, "selftest", "--full", code=1)

    assert lines[0] == "mutants, each on every case: 0/1 caught"
    assert lines[2] == "null targets: 1, 3 cases passed"
    assert lines[3:7] == [
        "wrong: the case that must fail does not fail",
        "wrong: the reference fails AMD-CFG-01",
        f"wrong: {MUTANT.name} (AMD-DEPTH-02): not caught by AMD-DEPTH-02",
        f"wrong: {MUTANT.name} has more than 5 neighbors",
    ]
    assert "wrong: AMD-DEPTH-01 has no mutant that it catches" in lines
    assert sum(line.startswith("wrong: the null target 'loader empty' passes AMD-BUDGET-15") for line in lines) == 2


def test_selftest_judges_some_mutants(capsys: Captured) -> None:
    """Those of a rule or of a name, each on a line; a name that fits none is an error."""
    lines = said(capsys, "selftest", "AMD-DEPTH-0[12]", "has-another-default")

    assert "has-another-default: caught by MAXITER-04" in lines
    assert {line.rpartition(" ")[2] for line in lines} == {"AMD-DEPTH-01", "AMD-DEPTH-02", "MAXITER-04"}
    assert main(["selftest", "no-such-mutant"]) == 2
    assert "no mutant has the name or the rule 'no-such-mutant'" in capsys.readouterr().err


def test_selftest_names_a_mutant_that_is_not_caught(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """The line says so, the trial says what was expected, and the command fails."""
    trial = Trial(MUTANT, frozenset(), frozenset({MUTANT.rule}), frozenset())
    monkeypatch.setattr(loopspec_mutants, "try_mutant", lambda mutant, cases, full: trial)

    lines = said(capsys, "selftest", MUTANT.name, code=1)

    assert lines == [f"{MUTANT.name}: not caught", f"wrong: {MUTANT.name} (AMD-DEPTH-02): not caught by AMD-DEPTH-02"]


def test_selftest_notices_a_reference_that_fails(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """By the rules it fails."""
    target = resolve(f"py:{broken.__name__}:Loader")
    monkeypatch.setattr(selftest, "resolve", lambda name: target)

    wrong = selftest._reference()

    assert "the reference fails AMD-DEPTH-01" in wrong
    assert "the reference fails AMD-CFG-01" not in wrong
    assert capsys.readouterr().out.startswith("reference: ")


def test_selftest_names_a_case_with_a_part_that_never_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A planned run that the reference never begins is a fault of the suite."""
    case = case_of("LOOP-01")
    first = case.scene.runs[0]
    scene = structs.replace(case.scene, runs=(first, structs.replace(first, id="2", resume=first.id)))
    monkeypatch.setattr(selftest, "compiled", lambda: [replace(case, load=partial(Act, scene, ()))])

    wrong = selftest._reference()

    assert wrong == [
        f"the suite is wrong: in {case.id}, run 2 was to resume run 1, which had not stopped",
        "the reference fails LOOP-01",
    ]
