"""The selection of the cases of a run."""

from __future__ import annotations

import pytest

from loopspec.contract.faults import UsageError
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
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
