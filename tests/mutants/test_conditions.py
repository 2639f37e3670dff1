"""Mutants that are wrong only while a condition holds, and the matrix of both."""

from __future__ import annotations

from types import FunctionType
from typing import get_args

import pytest

from loopspec.specification.cases import CaseBasis
from loopspec.specification.features import cases_of_rule, compiled
from loopspec.specification.ledger import NORMATIVE, ledger
from loopspec.specification.sources import case_named, cases_by_default, fits
from loopspec_mutants import MUTANTS
from loopspec_mutants.conditions import CONDITIONS, IN_A_RUN, Watch
from loopspec_mutants.matrix import Reach, Tried, conditional_mutants, first_red, irrelevant, report, tried
from loopspec_mutants.rewriting import Change, LostError, Rewriting, watched
from loopspec_reference.agentsmd import paths

PATHS = "loopspec_reference/agentsmd/paths.py"
RETURN = Change(PATHS, "    cleaned = posixpath.normpath(path)", "    return path + '!'")
LATE = ("late-at-once", "late-synchronous-at-once")
OF_THE_LOOP = [name for name, condition in CONDITIONS.items() if "a" in condition.parts]
RESUMING = MUTANTS["drops-events-after-the-answer"]


def test_a_changed_function_chooses_at_each_call() -> None:
    """The function keeps its identity, and is as before afterwards."""
    wrong: list[bool] = []
    function = paths.clean_path

    with Rewriting("is-wrong", "Is wrong.", [RETURN]).sometimes(lambda each: each is function and bool(wrong)):
        assert paths.clean_path is function
        assert function("a//b") == "a/b"
        wrong.append(True)
        assert function("a//b") == "a//b!"
    assert function("a//b") == "a/b"


def test_a_change_of_a_value_cannot_depend_on_the_moment() -> None:
    """The mutant of a constant is no conditional mutant, so it has no pairs."""
    with pytest.raises(LostError, match="follows-four-levels changes _DEEPEST_LEVEL"):
        _rewriting("follows-four-levels").functions()

    mutant = MUTANTS["follows-four-levels"]

    assert list(tried([mutant], cases_of_rule(mutant.rule))) == []


def test_a_watched_function_does_what_it_did() -> None:
    seen: list[str] = []

    function = paths.clean_path
    assert isinstance(function, FunctionType)
    with watched([function], lambda each: seen.append(each.__name__)):
        assert paths.clean_path("a//b") == "a/b"
    assert paths.clean_path("b") == "b"
    assert seen == ["clean_path"]


def test_a_mutant_is_wrong_only_while_its_condition_holds() -> None:
    """The same example catches the mutant under a condition that it has, and not under one that it lacks."""
    synchronous = [case for case in cases_of_rule(RESUMING.rule) if not any(run.streaming for run in case.scene.runs)]

    assert first_red(RESUMING, "not-streaming", synchronous) is synchronous[0]
    assert first_red(RESUMING, "streaming", synchronous) is None


def test_a_function_is_reached_under_the_conditions_of_the_record() -> None:
    """A rule about resumption reaches the loop in a resumed run, and a rule about one run does not."""
    mutant = MUTANTS["loses-earlier-results-on-resumption"]
    resuming, plain = cases_of_rule("INTERRUPT-15"), cases_of_rule("LOOP-04")

    reach = Reach([mutant], [*resuming, *plain])

    assert set(reach.of(mutant, "resumed")) <= set(resuming)
    assert reach.of(mutant, "resumed")
    assert set(reach.of(mutant, "not-streaming")) & set(plain)


def test_the_forms_of_a_case_that_runs_late_reach_every_condition_of_the_loop() -> None:
    """So a form is enough for most conditions. What agentic messages hide, or streaming, the other form shows."""
    mutant = MUTANTS["hides-tool-results-from-the-after-agent-hook"]
    late, synchronous = (case_named(f"HOOK-AA-09 :: A tool call + {form}") for form in LATE)
    assert late
    assert synchronous
    reach = Reach([mutant], [late, synchronous])

    missed = {
        case.form: [name for name in OF_THE_LOOP if case not in reach.of(mutant, name)] for case in (late, synchronous)
    }

    assert missed == {"late-at-once": ["agentic"], "late-synchronous-at-once": ["streaming"]}


def test_a_form_is_judged_after_its_plain_case() -> None:
    """The load of a sub-agent is part of a run; the plain load is none in its own role, in which it is judged first."""
    mutant = MUTANTS["skips-deep-files-without-a-warning"]
    plain = cases_of_rule("AMD-DEPTH-02")[0]
    form = case_named(f"{plain.id} + loaded-in-a-sub-agent")
    assert form
    reach = Reach([mutant], [plain, form])

    assert reach.of(mutant, "in-a-run") == [form]
    assert first_red(mutant, "in-a-run", [form]) is None
    assert first_red(mutant, "in-a-run", reach.judged([form])) is form


def test_what_builds_an_agent_does_not_depend_on_its_run() -> None:
    """A condition that holds only in a run is irrelevant for a constructor, and one of the scene is not."""
    cases = cases_of_rule("CFG-05")
    found = {one.condition: one.outcome for one in tried([MUTANTS["checks-the-backup-selector-late"]], cases)}

    assert {found[name] for name in IN_A_RUN & set(found)} == {"irrelevant"}
    assert found["not-streaming"] == "caught"


@pytest.mark.long
def test_each_condition_holds_somewhere_and_not_everywhere() -> None:
    """A condition that always held would be none, and one that no plain run brings about would prove nothing there."""
    mutants = conditional_mutants(compiled())
    pairs = [form for case in compiled() for form in cases_by_default(case)]
    reach = Reach(mutants, [*compiled()[::27], *pairs[::9]])
    held = {name: {case.id for one in mutants for case in reach.of(one, name)} for name in CONDITIONS}
    everywhere = set().union(*held.values())

    assert not any(map(Watch().holds, CONDITIONS)), "before any scene"
    assert [name for name, cases in held.items() if not cases] == []
    assert [name for name, cases in held.items() if cases == everywhere] == []


def test_the_matrix_has_a_line_for_each_mutant_and_the_numbers() -> None:
    """What is irrelevant does not count."""
    one, other = MUTANTS["counts-tool-calls"], MUTANTS["rejects-a-model-without-tool-support"]
    found = [
        Tried(one, "resumed", "caught", "a case"),
        Tried(one, "streaming", "caught elsewhere", "another case"),
        Tried(other, "resumed", "survives"),
        Tried(other, "streaming", "not reached"),
        Tried(other, "agentic", "irrelevant", "a reason"),
    ]

    lines = list(report(found))

    assert lines[0] == f"{one.rule} counts-tool-calls: caught"
    assert lines[1].endswith(": survives: resumed; not reached: streaming")
    assert [line.split() for line in lines[3:6]] == [
        ["resumed", "1", "0", "1", "0", "0"],
        ["streaming", "0", "1", "0", "1", "0"],
        ["agentic", "0", "0", "0", "0", "1"],
    ]
    assert lines[-1] == "conditional mutants caught: 2/4 = 0.500"


def test_what_is_irrelevant_fits_rules_and_conditions_and_has_a_reason() -> None:
    """An entry that fits nothing would hide a pair of tomorrow."""
    rules = {mutant.rule for mutant in conditional_mutants(compiled(), frozenset(get_args(CaseBasis)))}
    wrong = [
        entry
        for entry in irrelevant()
        if not set(entry.conditions) <= set(CONDITIONS)
        or not entry.reason.endswith(".")
        or not all(any(fits(rule, glob) for rule in rules) for glob in entry.rules)
    ]

    assert wrong == []


def test_conditional_mutants_are_those_of_normative_rules() -> None:
    assert {ledger().rules[one.rule].basis for one in conditional_mutants(compiled())} <= NORMATIVE
    assert len(conditional_mutants(compiled())) > 400


def _rewriting(name: str) -> Rewriting:
    bug = MUTANTS[name].bug
    assert isinstance(bug, Rewriting)
    return bug
