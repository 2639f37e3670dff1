"""The questions about skills and about touch, and the answers of the tools: their form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urldefrag

import pytest

from loopspec.contract.dialects import Axis, Dialect, dialect_names
from loopspec_instructions.answers import questions, skill_dialects, touch_dialects, touch_questions

TOPICS = {"skills": (questions, skill_dialects), "touch": (touch_questions, touch_dialects)}
Topic = tuple[Mapping[str, Axis], Mapping[str, Dialect]]


@pytest.fixture(params=TOPICS)
def topic(request: pytest.FixtureRequest) -> Topic:
    """The questions of a topic and its tools."""
    read_questions, read_tools = TOPICS[request.param]
    return read_questions(), read_tools()


def test_questions_and_sentences_are_whole_and_unique(topic: Topic) -> None:
    sentences = [value.sentence for of in topic[0].values() for value in of.values.values()]

    assert all(re.fullmatch(r"[A-Z].*[^?]\?", of.question) for of in topic[0].values())
    assert all(re.fullmatch(r"[A-Z].*[^.]\.", sentence) for sentence in sentences)
    assert len(set(sentences)) == len(sentences)


def test_each_value_is_that_of_a_tool(topic: Topic) -> None:
    """As its document has it or as it does; so a question has two values at least."""
    for axis, of in topic[0].items():
        choices = [choice for known in topic[1].values() if (choice := known.axes.get(axis))]
        had = {value for choice in choices for value in (choice.documented, choice.observed, choice.measured)}

        assert len(of.values) >= 2, axis
        assert of.values.keys() <= had, axis


@pytest.mark.parametrize(
    ("topic_name", "name"), [(topic, name) for topic, (_, read_tools) in TOPICS.items() for name in read_tools()]
)
def test_a_tool_has_one_answer_with_one_basis_to_each_question_that_concerns_it(topic_name: str, name: str) -> None:
    asked, known = TOPICS[topic_name][0](), TOPICS[topic_name][1]()[name]
    actual = {axis: choice.actual for axis, choice in known.axes.items()}
    concerned = {axis for axis, of in asked.items() if of.concerns(lambda other: actual.get(other, ""))}

    assert name in dialect_names()
    assert known.axes.keys() == concerned
    assert bool(known.version) is known.judged
    for axis, choice in known.axes.items():
        assert {choice.documented, choice.observed, choice.measured} - {""} <= asked[axis].values.keys(), axis
        assert sum(map(bool, (choice.documented, choice.measured, choice.unknown))) == 1, axis
        assert known.judged or not (choice.measured or choice.observed), axis
        assert bool(choice.documented) is bool(choice.link) is choice.says.endswith("."), axis
        assert not choice.documented or urldefrag(choice.link).url in known.documents, axis
        assert choice.observed != choice.documented or not choice.observed, axis
