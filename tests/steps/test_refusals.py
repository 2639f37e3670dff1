"""What no phrase reads is refused when a feature is compiled or checked, in a sentence that names what there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Observation
from loopspec_steps import BOOK, Check, Phrase, PhraseError, ScenarioBuilder
from loopspec_steps.cells import NUMBER, TIMES
from loopspec_steps.declarations import Holds
from loopspec_steps.phrasebook import Kind

from .noticing import judged
from .saying import Below, built, check_of
from .scenarios import Rows, Step, scenarios

WRONG = ("dances", "{", "null", "1", "before model call 2", "before lunch", "[1]")
ONE = 'a plugin module "m" with the providers p1'


def _unread(holds: Holds[object]) -> list[str]:
    """Texts that a type refuses."""
    found = []
    for text in WRONG:
        try:
            holds.read(text)
        except PhraseError:
            found.append(text)
    return found


def _wrong_holes(phrase: Phrase) -> Iterator[tuple[str, str]]:
    """The holes of a phrase, each with texts that it refuses, and with which the sentence is still of the phrase."""
    for name, holds in phrase.holds.items():
        if holds is not None and holds not in (NUMBER, TIMES):
            fits = re.compile(holds.pattern or ".*").fullmatch
            yield from ((name, text) for text in _unread(holds) if fits(text))


def _wrong_cells(phrase: Phrase) -> Iterator[tuple[str, str]]:
    """The columns of a phrase, each with the cells that it refuses."""
    for column in phrase.columns or ():
        yield from ((column.name, text) for text in _unread(column.holds))


def _with_cell(table: Rows, column: str, text: str) -> Rows:
    """A table with another text in the first row of a column, which it may not have so far."""
    head = table[0] if column in table[0] else (*table[0], column)
    rows = [dict(zip(head, (*row, ""), strict=False)) for row in table[1:]]
    rows[0][column] = text
    return head, *(tuple(row.values()) for row in rows)


def _wrong_steps(step: Step) -> Iterator[Step]:
    for hole, text in _wrong_holes(step.phrase):
        yield replace(step, text=step.text.replace(str(step.holes[hole]), text, 1))
    for column, text in _wrong_cells(step.phrase):
        yield replace(step, table=_with_cell(step.table or (), column, text))


REFUSING = [phrase for phrase in BOOK.phrases if any(_wrong_holes(phrase)) or any(_wrong_cells(phrase))]
GIVEN = [phrase for phrase in REFUSING if phrase.kind != "then"]
THEN = [phrase for phrase in REFUSING if phrase.kind == "then"]


@pytest.mark.parametrize("phrase", GIVEN, ids=lambda phrase: phrase.sentence)
def test_a_wrong_text_is_refused_when_a_step_is_compiled(phrase: Phrase) -> None:
    """In each hole and each column of a Given or When, after the steps that precede it in a feature."""
    scenario = next(one for one in scenarios() if any(step.phrase is phrase for step in one))
    at = next(at for at, step in enumerate(scenario) if step.phrase is phrase)
    wrong_steps = list(_wrong_steps(scenario[at]))

    assert wrong_steps
    for wrong in wrong_steps:
        assert wrong.phrase is phrase
        assert wrong != scenario[at]
        builder = ScenarioBuilder()
        for step in scenario[:at]:
            builder.take(step.kind, step.text, step.table, step.docstring)
        with pytest.raises(PhraseError):
            builder.take(wrong.kind, wrong.text, wrong.table, wrong.docstring)


def _wrong_arguments(check: Check) -> Iterator[tuple[tuple[str, str], Mapping[str, Any]]]:  # Any: holes, and a table
    for hole, text in _wrong_holes(check.phrase):
        yield (hole, text), {**check.arguments, hole: text}
    table: Any = check.arguments.get("table")
    for column, text in _wrong_cells(check.phrase) if table else ():
        yield (column, text), {**check.arguments, "table": [{**table[0], column: text}, *table[1:]]}


def _is_refused(check: Check, seen: Observation, arguments: Mapping[str, Any]) -> bool:  # Any: holes, and a table
    table = arguments.get("table")
    try:
        check.phrase.check(arguments, table[0] if table else (), table)
        replace(check, arguments=arguments)(seen)
    except PhraseError:
        return True
    except Mismatch:
        return False
    return False


@pytest.mark.parametrize("phrase", THEN, ids=lambda phrase: phrase.sentence)
def test_a_wrong_text_is_refused_when_a_then_looks(phrase: Phrase) -> None:
    """At some observation; the feature is wrong, and not what was seen: that is no mismatch."""
    accepted: set[tuple[str, str]] = set()
    refused: set[tuple[str, str]] = set()
    for check, seen in judged()[phrase.sentence]:
        for what, arguments in _wrong_arguments(check):
            (refused if what in refused or _is_refused(check, seen, arguments) else accepted).add(what)

    assert refused
    assert accepted - refused == set()


REFUSED: list[tuple[Kind, str, Below]] = [
    ("given", 'a handler "H" that observes sometimes', None),
    ("given", 'a handler "H" that, before tool, observes', None),
    ("given", 'a handler "H" that, before model, sets the run-local value "c" to "a" "b"', None),
    ("given", 'a middleware "A" that, around tool, returns nothing', None),
    ("given", 'a middleware "A" that, before model, sets the state "k" to x', None),
    ("given", "run 2 has the runtime context null", None),
    ("given", 'a second summarization "b" with the same configuration', None),
    ("given", 'the metadata of "p1" has no name', None),
    ("given", "the connections a to b, c", None),
    ("given", "files of these sizes", [["path", "bytes", "imports"], ["/p/a.md", "3", "/p/b.md"]]),
    ("then", 'before lunch, "H" is called', None),
    ("then", '"H" is called once before model call 2', None),
    ("then", 'around tool "t" of run 1, "A" sees the state {}', None),
    ("then", "model call 1 receives", [["calls"], ["t1(1)"]]),
    ("then", "the trace has, in this order", "\n"),
]


def test_a_refusal_says_what_is_wrong(snapshot: SnapshotAssertion) -> None:
    """In the words of the feature."""
    seen = judged()["model call {call:d} receives"][0][1]

    def refusal(kind: Kind, text: str, below: Below) -> str:
        with pytest.raises(PhraseError) as error:
            check_of(text, below)(seen) if kind == "then" else built((text, below))
        return str(error.value)

    assert [refusal(*one) for one in REFUSED] == snapshot


NOT_TOGETHER = [
    [ONE, 'the metadata of "p2" has no name'],
    [ONE, 'the factory of "p2" takes time'],
    ['a handler "H" that observes', 'a middleware "H" that observes'],
    [ONE, 'a handler "H" that observes', 'the strategy "p1" creates the middleware "H"'],
]


def test_what_does_not_go_together_is_refused(snapshot: SnapshotAssertion) -> None:
    """With what was given before."""

    def refusal(steps: list[str]) -> str:
        with pytest.raises(PhraseError) as error:
            built(*steps)
        return str(error.value)

    assert [refusal(steps) for steps in NOT_TOGETHER] == snapshot
