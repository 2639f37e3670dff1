"""Each axis of instruction files has values that tools have, and each dialect has a value with a basis on each axis."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urldefrag

import pytest

from loopspec.contract.axes import axes
from loopspec.contract.dialects import DEFAULT_DIALECT, Dialect, dialect, dialect_names, instruction_axes, value_of_rule
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger

EACH_DIALECT = pytest.mark.parametrize("known", [*map(dialect, dialect_names())], ids=dialect_names())
BASES = ("documented", "measured", "unknown")


def values() -> Iterator[tuple[str, str, str]]:
    """Each axis and value, with the rule of the value."""
    for axis, of in instruction_axes().items():
        for value, one in of.values.items():
            yield axis, value, one.rule


def test_there_are_enough_axes_and_dialects_to_compare() -> None:
    """At least 20 axes, 50 values and 9 dialects, most of which are judged; the default dialect is one of them."""
    assert len(instruction_axes()) >= 20
    assert sum(1 for _ in values()) >= 50
    assert len(dialect_names()) >= 9
    assert sum(dialect(name).judged for name in dialect_names()) >= 6
    assert DEFAULT_DIALECT in dialect_names()
    assert instruction_axes().keys().isdisjoint(axes())


@pytest.mark.parametrize("axis", instruction_axes())
def test_dialects_have_each_value_of_an_axis(axis: str) -> None:
    """Judged, or as observed. What all tools answer alike is no axis."""
    choices = [choice for name in dialect_names() if (choice := dialect(name).axes.get(axis))]
    had = {value for choice in choices for value in (choice.judged, choice.actual)}

    assert instruction_axes()[axis].values.keys() <= had
    assert len(instruction_axes()[axis].values) >= 2


def test_each_value_has_a_rule_of_its_own_in_the_ledger() -> None:
    """And no other rule begins with INS."""
    rules = [rule for _, _, rule in values()]
    assert [rule for rule, count in Counter(rules).items() if count > 1] == []
    assert {rule for rule in ledger().rules if rule.startswith("INS-")} == set(rules)
    assert value_of_rule() == {rule: (axis, value) for axis, value, rule in values()}


def test_a_rule_names_its_value_and_repeats_the_sentence_of_the_value() -> None:
    """So the rules of two values of an axis do not contradict each other, also where no file is in sight."""
    stated = {rule: case.rule.sentence for case in compiled() for rule in case.rule.ids if rule in value_of_rule()}
    texts = {rule: instruction_axes()[axis].values[value].sentence.removesuffix(".") for axis, value, rule in values()}
    texts = {rule: text if text.startswith("HTML") else text[0].lower() + text[1:] for rule, text in texts.items()}
    assert stated == {rule: f"In a dialect with {axis}={value}, {texts[rule]}" for axis, value, rule in values()}


def test_questions_and_sentences_are_whole_and_unique() -> None:
    """A question ends with its mark, and a sentence with a full stop."""
    sentences = [one.sentence for of in instruction_axes().values() for one in of.values.values()]
    questions = [of.question for of in instruction_axes().values()]
    assert [one for one in sentences if not re.fullmatch(r"[A-Z].*[^.]\.", one)] == []
    assert [one for one in questions if not re.fullmatch(r"[A-Z].*[^?]\?", one)] == []
    assert len(set(sentences)) == len(sentences)
    assert len(set(questions)) == len(questions)


def test_unless_names_axes_and_values() -> None:
    """An axis does not depend on itself, and no dependency is a cycle: the axis comes later."""
    names = list(instruction_axes())
    for name, of in instruction_axes().items():
        for axis, values_ in of.unless.items():
            named = {values_} if isinstance(values_, str) else {*values_}
            assert named <= instruction_axes()[axis].values.keys(), name
            assert names.index(axis) < names.index(name)


def test_a_rule_of_a_feature_is_tagged_with_its_value() -> None:
    """The tag of the value is at the rule or at the scenario; no other value of the axis is."""
    wrong = []
    for case in compiled():
        for rule in case.rule.ids:
            if rule in value_of_rule():
                axis, value = value_of_rule()[rule]
                wrong += [case.id] if case.postures.get(axis) != value else []
    assert wrong == []


def test_the_rules_of_features_about_workspaces_are_those_of_the_values() -> None:
    """No other rule has the role."""
    judged = {rule for case in compiled() if "workspace" in case.roles for rule in case.rule.ids}
    assert judged
    assert judged <= value_of_rule().keys()


@pytest.mark.parametrize("axis", ["names", "global-file"])
def test_the_data_of_names_is_complete(axis: str) -> None:
    """Each group has a name, no name is twice in a value, and the usual name is one of them."""
    for name, value in instruction_axes()[axis].values.items():
        flat = [one for group in value.groups for one in group]
        assert len(set(flat)) == len(flat), name
        assert all(value.groups), name
        assert all(one and not one.startswith("/") for one in flat), name
        assert value.usual in flat or not value.usual, name
        assert bool(flat) is (name != "none"), name


@pytest.mark.parametrize("axis", ["budget", "import-depth"])
def test_a_value_with_a_count_states_the_count(axis: str) -> None:
    """In the sentence, with a comma in thousands, or as a word."""
    words = {4: "four", 5: "five", 8: "eight"}
    for name, value in instruction_axes()[axis].values.items():
        if value.number:
            stated = {f"{value.number:,}", str(value.number), words.get(value.number, "")} - {""}
            assert any(one in value.sentence for one in stated), (name, value.sentence)


@EACH_DIALECT
def test_a_dialect_has_a_value_with_one_basis_on_each_axis_that_concerns_it(known: Dialect) -> None:
    """And none on the others. A tool that is judged has a version; another one has no measured value."""
    assert known.schema == 1
    assert known.title
    assert known.documents
    assert bool(known.tool and known.version) or not known.judged
    assert known.axes.keys() == {name for name, of in instruction_axes().items() if of.concerns(known.value)}
    for name, choice in known.axes.items():
        values_ = {choice.documented, choice.observed, choice.measured} - {""}
        assert values_ <= instruction_axes()[name].values.keys(), name
        assert sum(bool(getattr(choice, basis)) for basis in BASES) == 1, name
        assert known.judged or not (choice.measured or choice.observed), name


@EACH_DIALECT
def test_a_change_of_the_history_is_a_sentence_with_a_version(known: Dialect) -> None:
    """The newest version comes first. A change without a link was measured."""
    versions = [[int(part) for part in change.version.split(".")] for change in known.history]
    assert versions == sorted(versions, reverse=True)
    assert [change for change in known.history if not re.fullmatch(r"[A-Z].*[^.]\.", change.says)] == []
    assert all(change.link.startswith("https://") or known.judged for change in known.history)


@EACH_DIALECT
def test_a_documented_value_has_its_address_and_an_unknown_one_a_reason(known: Dialect) -> None:
    """With what stands there, as a sentence. What is observed differs from it."""
    for name, choice in known.axes.items():
        assert choice.unknown.endswith(".") or not choice.unknown, name
        if not choice.documented:
            assert (choice.link, choice.says, choice.observed) == ("", "", ""), name
            continue
        assert urldefrag(choice.link).url in known.documents, name
        assert choice.says.endswith("."), name
        assert choice.observed != choice.documented, name
