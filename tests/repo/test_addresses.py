"""Each rule has the address of its sentence, or a decision that the document has no sentence."""

from __future__ import annotations

import os
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from loopspec.specification.cases import area_of
from loopspec.specification.ledger import NORMATIVE, ledger
from tools.addresses.checking import NO_SENTENCE, copies, places, sections_of
from tools.addresses.covering import changes, load_covered
from tools.addresses.forms import check_sections, load_forms
from tools.addresses.units import digest_of, read_units, sentences

_DOCUMENTS = os.environ.get("LOOPSPEC_DOCUMENTS", "")
_UNITS = tuple(load_covered().lines())


@cache
def _rows() -> frozenset[str]:
    return frozenset(place.where for place in places(ledger()))


def test_an_address_is_that_of_a_unit_with_its_digest() -> None:
    """The unit is in one of the documents of the row, and in one of its sections."""
    book = ledger()
    digests = {(unit.document, unit.where): unit.digest for unit in _UNITS}
    sections = {unit.where: unit.section for unit in _UNITS}

    assert [
        (place.name, place.where, [digests.get((name, place.where)) for name in place.documents])
        for place in places(book)
        if place.digest not in [digests.get((name, place.where)) for name in place.documents]
    ] == []
    assert [r for r, row in book.rules.items() if row.where and sections[row.where] not in sections_of(row)] == []
    assert [one for one in book.not_covered if sections[one.where] != one.section] == []


def test_a_row_has_all_of_address_statement_and_digest_or_none() -> None:
    """A rule without a document has no address."""
    for rule, row in ledger().rules.items():
        assert len({bool(row.where), bool(row.says), bool(row.digest)}) == 1, rule
        assert row.document in ledger().sections or not row.where, rule


def test_every_normative_rule_has_an_address() -> None:
    """Documented and derived rules have an address, also without a scenario; a merged rule has that of the other."""
    assert [
        rule
        for rule, row in ledger().rules.items()
        if row.basis in NORMATIVE and row.status != "merged" and not row.where
    ] == []


def test_every_clarified_rule_has_an_address_or_a_decision() -> None:
    """The address is the sentence after which the document is silent; without a scenario, the decision says so."""
    without = {
        rule: row.status != "scenario" and row.decision.startswith(f"{NO_SENTENCE} ")
        for rule, row in ledger().rules.items()
        if row.basis == "clarified" and row.status != "merged" and row.document in ledger().sections and not row.where
    }

    assert [rule for rule, has_decision in without.items() if not has_decision] == []
    assert [rule for rule, row in ledger().rules.items() if NO_SENTENCE in row.decision and rule not in without] == []


def test_equal_statements_of_an_area_have_one_address() -> None:
    """A statement that fits two addresses is too vague."""
    addresses = defaultdict(set)
    for rule, row in ledger().rules.items():
        if row.says:
            addresses[area_of(rule), row.says].add(row.where)

    assert {key: own for key, own in addresses.items() if len(own) > 1} == {}


def test_a_statement_is_one_sentence() -> None:
    """The statement is in our words: its digest differs from that of the document's text."""
    said = [(place.name, place.says, place.digest) for place in places(ledger())]
    said += [(one.where, one.why, "") for one in ledger().not_covered]

    for name, text, digest in said:
        assert text.endswith("."), (name, text)
        assert digest not in (digest_of(text), digest_of(text.rstrip("."))), (name, text)
    assert [place for place in places(ledger()) if len(sentences(place.says)) > 1] == []


def test_the_forms_have_the_documents_and_sections_of_the_ledger() -> None:
    """Forms and ledger have the same sections."""
    check_sections(load_forms(), ledger().sections)


def test_every_unit_of_the_documents_has_a_rule_or_a_reason() -> None:
    """The list has the rules or the class of each unit that is not the address of a row."""
    assert [unit.where for unit in _UNITS if not unit.by and unit.where not in _rows()] == []


def test_a_unit_has_rules_that_exist_or_one_class_that_fits() -> None:
    """A class is for some places and some texts, and for no unit with a row of the ledger."""
    rules = {rule for rule, row in ledger().rules.items() if row.status != "merged"}
    classes = load_covered().classes

    assert [(unit.where, set(unit.by) - rules) for unit in _UNITS if set(unit.by) - rules - {*classes}] == []
    assert [
        unit.where
        for unit in _UNITS
        if set(unit.by) & {*classes}
        and (len(unit.by) > 1 or unit.where in _rows() or not classes[unit.by[0]].has(unit))
    ] == []


def test_each_section_of_a_rule_has_a_unit_that_states_it() -> None:
    """A section has no digest, but each unit has one. The sections of a rule that no document states are a topic."""
    stated = {(rule, unit.document, unit.section) for unit in _UNITS for rule in unit.by}

    assert [
        (rule, section)
        for rule, row in ledger().rules.items()
        if row.status != "merged"
        for name, sections in {
            **row.also,
            **({row.document: row.sections} if row.basis == "documented" else {}),
        }.items()
        for section in sections
        if (rule, name, section) not in stated and not row.where.startswith(f"{section}, ")
    ] == []


@pytest.mark.skipif(not _DOCUMENTS, reason="LOOPSPEC_DOCUMENTS names no folder with the texts of the four documents")
def test_the_documents_agree_with_the_ledger() -> None:
    """The list has their units, and no statement copies the document's words."""
    units = read_units(Path(_DOCUMENTS), ledger().sections)

    assert list(changes(load_covered(), units)) == []
    assert list(copies(units, ledger())) == []
