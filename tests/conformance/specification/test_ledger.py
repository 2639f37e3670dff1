"""The entries of the ledger that the command line lists."""

from __future__ import annotations

from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, NORMATIVE, cases_by_rule, entries, is_normative, ledger


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
