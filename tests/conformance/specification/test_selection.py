"""Which cases a run is about."""

from __future__ import annotations

import pytest

from loopspec.contract.faults import UsageError
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec.specification.selection import Selection, plan

CASES = compiled()


def planned(selection: Selection) -> list[str]:
    """The ids that are planned."""
    return [case.id for case in plan(CASES, selection, ledger().rules)]


def test_without_a_word_everything_is_meant() -> None:
    """In the order of the features."""
    assert planned(Selection()) == [case.id for case in CASES]


@pytest.mark.parametrize(
    ("selection", "rules"),
    [
        (Selection(rules=["AMD-CFG-01"]), {"AMD-CFG-01"}),
        (Selection(rules=["AMD-CFG-0[12]", "AMD-DEPTH-01"]), {"AMD-CFG-01", "AMD-CFG-02", "AMD-DEPTH-01"}),
        (Selection(areas=["AMD-CYCLE"], deselect=["AMD-CYCLE-0[2-9]"]), {"AMD-CYCLE-01"}),
        (Selection(rules=["AMD-CFG-01"], cases=["AMD-CFG-02 :: *"]), {"AMD-CFG-01", "AMD-CFG-02"}),
        (Selection(rules=["AMD-CFG-0[12]"], deselect=["AMD-CFG-01 :: No configuration"]), {"AMD-CFG-02"}),
    ],
)
def test_globs_add_up_and_what_is_left_out_is_left_out(selection: Selection, rules: set[str]) -> None:
    """A case is meant when any of the words means it."""
    assert {case.rule.ids[0] for case in plan(CASES, selection, ledger().rules)} == rules


def test_every_case_is_its_own_glob() -> None:
    """Whatever brackets its title holds; what else a star in it means is planned, too."""
    odd = [case.id for case in CASES if set("[]*?") & set(case.id)]

    assert odd
    assert [name for name in odd if name not in planned(Selection(cases=[name]))] == []


def test_a_role_keeps_the_cases_it_can_perform() -> None:
    """Whether another would be the better one for them or not."""
    roles = [case.roles for case in plan(CASES, Selection(role="middleware"), ledger().rules)]

    assert roles
    assert [each for each in roles if "middleware" not in each] == []


def test_a_seed_decides_the_order() -> None:
    """The same again for the same seed."""
    once, again, other = (planned(Selection(seed=seed)) for seed in (7, 7, 8))

    assert once == again != other
    assert sorted(once) == sorted(other) == sorted(case.id for case in CASES)


def test_a_rule_without_a_scenario_is_known() -> None:
    """It is not misspelt, only there is nothing to run."""
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
def test_a_word_that_means_nothing_is_an_error(selection: Selection, sentence: str) -> None:
    """With what may have been meant."""
    with pytest.raises(UsageError) as error:
        planned(selection)

    assert sentence in str(error.value)


def test_the_area_of_a_rule_is_its_id_without_the_number() -> None:
    """As the table of the ledger has it."""
    assert [area_of(rule) for rule in ("AMD-CFG-01", "BACKEND-12")] == ["AMD-CFG", "BACKEND"]
