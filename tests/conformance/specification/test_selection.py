"""The selection of the cases of a run, the entries of the ledger, and which capabilities the cases need."""

from __future__ import annotations

import pytest

from loopspec.contract.capabilities import Capability
from loopspec.contract.faults import UsageError
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, NORMATIVE, cases_by_rule, entries, is_normative, ledger
from loopspec.specification.selection import Selection, plan

CASES = compiled()


def planned(selection: Selection) -> list[str]:
    """The ids of the planned cases, apart from those in variants."""
    return [case.id for case in plan(CASES, selection, ledger().rules) if case.base is case]


def test_without_options_every_case_is_selected() -> None:
    """The cases are in the order of the features."""
    assert planned(Selection()) == [case.id for case in CASES]


@pytest.mark.parametrize(
    ("selection", "rules"),
    [
        (Selection(rules=["AMD-CFG-01"]), {"AMD-CFG-01"}),
        (Selection(rules=["AMD-CFG-0[12]", "AMD-DEPTH-01"]), {"AMD-CFG-01", "AMD-CFG-02", "AMD-DEPTH-01"}),
        (Selection(areas=["AMD-CYCLE"], deselect=["AMD-CYCLE-0[2-9]"]), {"AMD-CYCLE-01"}),
        (Selection(rules=["AMD-CFG-01"], cases=["AMD-CFG-02 :: *"]), {"AMD-CFG-01", "AMD-CFG-02"}),
        (Selection(rules=["AMD-CFG-0[12]"], deselect=["AMD-CFG-01 :: *configuration*"]), {"AMD-CFG-02"}),
    ],
)
def test_globs_add_cases_and_deselect_removes_them(selection: Selection, rules: set[str]) -> None:
    """A case is selected if any of the options selects it."""
    assert {name.partition(" ::")[0] for name in planned(selection)} == rules


def test_every_case_is_its_own_glob() -> None:
    """Brackets in a title are literal; other cases that match a star in the title are planned too."""
    odd = [case.id for case in CASES if set("[]*?") & set(case.id)]

    assert odd
    assert [name for name in odd if name not in planned(Selection(cases=[name]))] == []


def test_a_role_keeps_the_cases_it_can_perform() -> None:
    """The role need not be the preferred one for a case."""
    roles = [case.roles for case in plan(CASES, Selection(role="middleware"), ledger().rules)]

    assert roles
    assert [each for each in roles if "middleware" not in each] == []


def test_the_seed_determines_the_order() -> None:
    """The same seed gives the same order."""
    once, again, other = (planned(Selection(seed=seed)) for seed in (7, 7, 8))

    assert once == again != other
    assert sorted(once) == sorted(other) == sorted(case.id for case in CASES)


def test_a_rule_without_a_scenario_is_known() -> None:
    """The id is known, so the error says that no case is left."""
    rule = next(rule for rule, row in ledger().rules.items() if row.status == "withdrawn")

    with pytest.raises(UsageError, match="no case is left to run"):
        planned(Selection(rules=[rule]))


@pytest.mark.parametrize(
    ("selection", "sentence"),
    [
        (Selection(rules=["AMD-CFG-1"]), "there is no rule 'AMD-CFG-1': did you mean 'AMD-CFG-10'?"),
        (Selection(areas=["zzz"]), "there is no area 'zzz': see `loopspec list`"),
        (Selection(cases=["AMD-CFG-01 :: No conf"]), "did you mean 'AMD-CFG-01 :: No configuration'"),
        (Selection(deselect=["AMD-CGF-01"]), "there is no case or rule 'AMD-CGF-01': did you mean 'AMD-CFG-01'?"),
    ],
)
def test_an_unknown_name_is_an_error(selection: Selection, sentence: str) -> None:
    """The error suggests a similar name."""
    with pytest.raises(UsageError) as error:
        planned(selection)

    assert sentence in str(error.value)


def test_the_case_of_an_invariant_cannot_be_deselected() -> None:
    """It would be judged all the same."""
    with pytest.raises(UsageError, match=r"calls-have-results' cannot be deselected, .*flaky = true"):
        planned(Selection(deselect=["LOOP-03 :: An empty result + calls-have-results"]))


def test_every_rule_is_listed_once_in_the_ledgers_order() -> None:
    """Rules without a scenario are listed too."""
    assert [entry.id for entry in entries()] == list(ledger().rules)


def test_an_entry_puts_ledger_and_feature_together() -> None:
    """Sentence and scenarios are from the feature, all other values from the ledger."""
    (entry,) = (entry for entry in entries() if entry.id == "AMD-CFG-03")

    assert (entry.basis, entry.area, entry.document, entry.excluded) == ("documented", "AMD-CFG", "AgentsMD", None)
    assert entry.sentence == "Creating the AgentsMD middleware fails without at least one file path"
    assert entry.section == ledger().rules["AMD-CFG-03"].sections[0]
    assert entry.scenarios == (
        "AMD-CFG-03 :: No list of files",
        "AMD-CFG-03 :: An empty list of files",
        "AMD-CFG-03 :: A list of one file",
    )


def test_a_rule_without_a_scenario_has_a_reason() -> None:
    """The sentence and the reason are from the ledger."""
    for entry in entries():
        row = ledger().rules[entry.id]
        if row.status not in JUDGED:
            assert (entry.scenarios, entry.sentence) == ((), row.sentence)
            why = f"merged into {row.into}" if row.into else f"{row.status}: {ledger().reasons[row.reason]}"
            assert entry.excluded == why
        elif row.status != "scenario":
            assert (entry.scenarios, entry.sentence, entry.excluded) == ((), row.sentence, None)


def test_a_case_counts_for_every_rule_it_is_tagged_with() -> None:
    """The cases by rule are all cases and no others."""
    by_rule = cases_by_rule()

    assert {case.id for cases in by_rule.values() for case in cases} == {case.id for case in compiled()}
    assert all(rule in case.rule.ids for rule, cases in by_rule.items() for case in cases)


def test_clarified_rules_are_not_normative() -> None:
    """Clarified rules count only with `--strict`, apart from those of postures, which a target declares itself.

    A posture of backends has a rule of the area BACKEND.
    """
    assert frozenset({"documented", "derived", "declared"}) == NORMATIVE
    assert {rule for rule, row in ledger().rules.items() if is_normative(rule) and row.basis == "clarified"} == {
        rule for rule in ledger().rules if rule.startswith("POSTURE-") or rule == "BACKEND-22"
    }


# a capability, and another that a case needs in addition or not
APART: list[tuple[Capability, Capability]] = [
    ("before-agent-hooks", "before-agent-edits"),
    ("before-model-hooks", "before-model-edits"),
    ("after-model-hooks", "after-model-edits"),
    ("after-agent-hooks", "after-agent-edits"),
    ("before-model-hooks", "tools-from-hooks"),
    ("tools-from-hooks", "before-model-edits"),
    ("before-model-edits", "tools-from-hooks"),
    ("model-wrappers", "repeated-inner-calls"),
    ("tool-wrappers", "repeated-inner-calls"),
    ("tool-wrappers", "tool-options"),
    ("streaming", "streaming-tools"),
    ("streaming-tools", "streaming"),
    ("missing-results", "before-model-hooks"),
    ("incomplete-tools", "before-model-hooks"),
    ("raw-arguments", "tool-wrappers"),
    *((hook, "several-handlers") for hook in (
        "before-agent-hooks", "before-model-hooks", "after-model-hooks", "after-agent-hooks",
        "model-wrappers", "tool-wrappers",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("capability", "other"), APART)
def test_a_capability_is_judged_without_the_other(capability: Capability, other: Capability) -> None:
    """A target that has only the first is still judged on it; some case needs both or the other alone."""
    needs = [case.needs for case in compiled()]

    assert any(capability in needed and other not in needed for needed in needs)
    assert any(other in needed for needed in needs)


# The capabilities of a loop whose handlers only observe, one for each hook.
OBSERVING: tuple[Capability, ...] = (
    "before-agent-hooks", "before-model-hooks", "after-model-hooks", "after-agent-hooks", "model-wrappers",
    "tool-wrappers",
)  # fmt: skip


@pytest.mark.parametrize(
    ("capabilities", "least"),
    [
        ((), 25),
        (OBSERVING, 50),
        ((*OBSERVING, "several-handlers"), 60),
        ((*OBSERVING, "several-handlers", "before-model-edits", "after-model-edits"), 70),
    ],
)
def test_a_small_loop_is_judged_by_many_normative_rules(capabilities: tuple[Capability, ...], least: int) -> None:
    """The finer capabilities leave enough to judge for an agent that has little else."""
    judged = {
        rule
        for case in compiled()
        if "agent" in case.roles and case.rule.basis != "clarified" and case.needs <= set(capabilities)
        for rule in case.rule.ids
    }

    assert len(judged) >= least
