"""Each rule has the address of its sentence, or a decision that the document has no sentence."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path

import pytest

from loopspec.specification.cases import area_of
from loopspec.specification.ledger import NORMATIVE, ledger
from tools.addresses.checking import NO_SENTENCE, places, problems, section_of, sections_of
from tools.addresses.forms import check_sections, load_forms
from tools.addresses.units import digest_of, read_units, sentences

_DOCUMENTS = os.environ.get("LOOPSPEC_DOCUMENTS", "")


def test_an_address_follows_the_grammar() -> None:
    """The grammar is closed, and the section is one of the rule's sections."""
    book = ledger()
    wrong = [r for r, row in book.rules.items() if row.where and section_of(row.where, sections_of(row)) is None]
    wrong += [one.where for one in book.not_covered if section_of(one.where, [one.section]) is None]

    assert wrong == []
    assert [one for one in book.not_covered if one.section not in book.sections[one.document]] == []


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


def test_a_digest_is_12_hex_digits_and_one_for_each_address() -> None:
    """The digest of a unit does not depend on the row."""
    digests = defaultdict(set)
    for place in places(ledger()):
        digests[place.where].add(place.digest)

    assert [d for own in digests.values() for d in own if not re.fullmatch(r"[0-9a-f]{12}", d)] == []
    assert [where for where, own in digests.items() if len(own) > 1] == []


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


@pytest.mark.skipif(not _DOCUMENTS, reason="LOOPSPEC_DOCUMENTS names no folder with the texts of the four documents")
def test_the_documents_agree_with_the_ledger() -> None:
    """Every address exists, every digest is that of its unit, and no statement copies the document's words."""
    assert list(problems(read_units(Path(_DOCUMENTS), ledger().sections), ledger())) == []
