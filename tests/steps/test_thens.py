"""Every Then notices a change of what it is about, in the observation and in its own text."""

from __future__ import annotations

import re

import pytest

from loopspec.contract.observation import Observation
from loopspec_steps import BOOK

from .examples import EXAMPLES, Example
from .noticing import accepts, judged, noticed, open_holes, recorded, refusal, reordered
from .saying import check_of

PYTHON = re.compile(r"\b(None|True|False)\b|\b[A-Z]\w+\(\w+=|frozenset")
# A method of an adapter in Python, and the value of a mark.
MEANT = re.compile(r"read\(\) returned None|marked \w+|\| (True|False)")
MAYBE_IMPOSSIBLE = {"nothing", "something"}  # kinds of changes that may make observations that no adapter reports
SENTENCES = tuple(recorded())
VARYING = [p.sentence for p in BOOK.phrases if p.kind == "then" and (p.holds or p.takes & {"table", "docstring"})]
_IN_NO_CASE = "No observation of the reference has the key; `noticed.toml` has the change that adds it."
# The holes of a Then in which another text makes no difference, with the reason.
OPEN: dict[str, dict[str, str]] = {
    'the context of the tool "{tool}" has no "{key}"': {"key": _IN_NO_CASE},
    '{where:Where}, the context of "{handler}" has no "{key}"': {"key": _IN_NO_CASE},
    "the reads leave no {resource}": {"resource": "The reference leaves no resource of any kind."},
    'the last message of model call {call:d} is "{text}" or "{other}"': {"other": "The reference has the first text."},
    '"{one}" and "{other}" are not both loaded': {"one": "The reference loads the second file, and few others."},
    'the section of "{path}" equals the stored file': {"path": "Another path is no file of the example project."},
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.text)
def test_an_example_is_accepted_or_refused(example: Example) -> None:
    """Each by the Then that it is an example of."""
    check = check_of(example.text, example.below, example.scene)

    assert [accepts(check, seen) for seen in example.accepted] == [True] * len(example.accepted)
    assert [accepts(check, seen) for seen in example.refused] == [False] * len(example.refused)


def test_every_then_is_recorded() -> None:
    """`python -m tests.steps.noticing` writes the record."""
    assert set(SENTENCES) == set(judged())
    assert all(judged().values())


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_then_notices_what_is_recorded(sentence: str) -> None:
    """Each kind of change in each field of the record is noticed in some observation.

    No message shows a missing value or a whole record as a programming language writes it.
    """
    wanted = recorded()[sentence]
    found = noticed(judged()[sentence], wanted)

    assert wanted
    assert {field: sorted(set(kinds.split()) - found.get(field, {}).keys()) for field, kinds in wanted.items()} == {
        field: [] for field in wanted
    }
    messages = [kinds[kind] for kinds in found.values() for kind in kinds.keys() - MAYBE_IMPOSSIBLE]
    messages += [refusal(check, Observation()) or "" for check, _ in judged()[sentence]]
    assert [message for message in messages if PYTHON.search(MEANT.sub("", message))] == []


@pytest.mark.parametrize("sentence", VARYING)
def test_each_hole_of_a_then_matters(sentence: str) -> None:
    """Another text in a hole, and another cell or row of the table, is refused for some observation."""
    assert open_holes(judged()[sentence]) == set(OPEN.get(sentence, ()))


@pytest.mark.parametrize("sentence", [sentence for sentence in SENTENCES if "in any order" in sentence])
def test_what_is_said_in_any_order_is_accepted_in_another(sentence: str) -> None:
    """The rows of a table, or the names in a hole."""
    others = [accepts(other, seen) for check, seen in judged()[sentence] for other in reordered(check)]

    assert others == [True] * len(others)
    assert others
