"""The ledger and the features agree about every rule."""

from __future__ import annotations

import re
from collections import Counter

from loopspec.contract.dialects import value_of_rule
from loopspec.specification.features import compiled
from loopspec.specification.ledger import JUDGED, NORMATIVE, cases_by_rule, ledger
from loopspec_mutants import MUTANTS

NOT_STATED = re.compile(r"\bsilent\b|leaves? (?:\w+ )?open|names? no(?:ne)?\b|gives? no\b|\btherefore\b|of use only")


def test_every_rule_of_the_features_is_in_the_ledger() -> None:
    """Each id in the features is in the ledger."""
    assert set(cases_by_rule()) - set(ledger().rules) == set()


def test_every_rule_of_the_ledger_has_a_scenario_or_a_reason() -> None:
    """A rule without a scenario has a status and a sentence.

    Unless it is judged in the cases of other rules, it has a reason or the rule that it is merged into.
    """
    covered = cases_by_rule()

    for rule, row in ledger().rules.items():
        if rule in covered:
            assert (rule, row.status, row.reason, row.sentence, row.into) == (rule, "scenario", "", "", "")
        elif row.status in JUDGED:
            assert (row.status != "scenario", row.reason, row.into) == (True, "", ""), rule
            assert row.sentence, rule
            assert row.decision, rule
        else:
            assert (row.status == "merged") is bool(row.into), rule
            assert row.into in covered if row.into else row.reason in ledger().reasons, rule
            assert row.sentence, rule
            assert row.decision, rule
            assert not (row.into and row.mutant), rule


def test_the_tag_of_a_rule_is_its_basis_in_the_ledger() -> None:
    """Rules that share a `Rule:` share their basis."""
    tags = {(rule, case.rule.basis) for case in compiled() for rule in case.rule.ids}

    assert tags == {(rule, ledger().rules[rule].basis) for rule in cases_by_rule()}


def test_a_rule_that_no_document_states_has_a_decision() -> None:
    """A derived rule has the step from the statement, a clarified one the reason of our choice.

    For a value of a dialect, the tools decide.
    """
    without = [rule for rule, row in ledger().rules.items() if row.basis != "documented" and not row.decision]
    assert [rule for rule in without if rule not in value_of_rule()] == []


def test_the_document_states_a_documented_rule() -> None:
    """A decision that the document is silent, or a conclusion, belongs to a clarified or derived rule."""
    assert [
        rule
        for rule, row in ledger().rules.items()
        if row.basis == "documented" and row.status != "merged" and NOT_STATED.search(row.decision)
    ] == []


def test_no_decision_stands_twice() -> None:
    """Each rule has a reason of its own."""
    decisions = Counter(row.decision for row in ledger().rules.values() if row.decision)

    assert [decision for decision, count in decisions.items() if count > 1] == []


def test_every_section_of_the_document_is_covered_or_explained() -> None:
    """A section has rules, or a sentence that gives the reason; and every section of a rule exists."""
    for document, sections in ledger().sections.items():
        rows = ledger().rules.values()
        named = {section for row in rows if row.document == document for section in row.sections}
        named |= {section for row in rows for section in row.also.get(document, ())}
        assert named - set(sections) == set()
        assert {section for section, why in sections.items() if section not in named and not why} == set()


def test_a_sentence_has_no_full_stop() -> None:
    """A rule without a scenario reads like a `Rule:` of a feature: one sentence, without a mark at its end."""
    sentences = {rule: row.sentence for rule, row in ledger().rules.items()}
    sentences |= {rule: case.rule.sentence for case in compiled() for rule in case.rule.ids}

    assert {rule: text for rule, text in sentences.items() if re.search(r"\w[.!?](?: |$)", text)} == {}


def test_ids_keep_their_form() -> None:
    """An id has words in capitals and a number of two digits."""
    assert [rule for rule in ledger().rules if not re.fullmatch(r"[A-Z0-9]+(-[A-Z0-9]+)*-\d\d", rule)] == []


def test_every_normative_rule_has_its_mutant() -> None:
    """The mutant named in the ledger exists and breaks this rule."""
    normative = {rule for rule in cases_by_rule() if ledger().rules[rule].basis in NORMATIVE}

    assert {rule for rule in normative if not ledger().rules[rule].mutant} == set()
    assert {
        rule: row.mutant
        for rule, row in ledger().rules.items()
        if row.mutant and (row.mutant not in MUTANTS or MUTANTS[row.mutant].rule != rule)
    } == {}


def test_the_basis_of_a_variant_or_an_invariant_is_the_lowest_of_what_it_repeats() -> None:
    """It repeats rules with scenarios. One that repeats no rule, or a clarified one, is clarified."""
    rows = ledger().rules
    for rule in [rule for rule, row in rows.items() if row.repeats or row.status in ("variant", "invariant")]:
        repeated = [(rows[one].status, rows[one].basis) for one in rows[rule].repeats]
        lowest = "derived" if repeated and all(basis in NORMATIVE for _, basis in repeated) else "clarified"
        assert (rule, rows[rule].basis, {status for status, _ in repeated} - {"scenario"}) == (rule, lowest, set())
