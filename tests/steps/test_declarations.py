"""What a phrase declares is what a feature can say: an unknown column, word, action, gate or moment is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from loopspec_steps import PhraseBook, PhraseError, ScenarioBuilder
from loopspec_steps.actions import ACTIONS, actions_of
from loopspec_steps.cells import NAME, OBJECT, QUOTED, TEXT, YES_NO
from loopspec_steps.declarations import ClosedList, Column, Columns, Holds, SeenColumn, Word
from loopspec_steps.holes import HOOKS

from .saying import built

COLOR = Column("color", "The color of the thing.", NAME, required=True)
SIZE = Column("big", "Whether the thing is big.", YES_NO)
THINGS: Columns[Column[object]] = Columns("things", "Some things, one per row.", COLOR, SIZE)
COLORS: ClosedList[int] = ClosedList(
    "colors",
    "Two colors, each with a number.",
    Word("red", "The first color.", 1),
    Word("blue", "The second color.", 2),
)


def _things(scene_builder: object, table: object) -> None:
    """Some things, one per row."""


def _thing(scene_builder: object, color: str) -> None:
    """One thing of a color."""


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([["colr"], ["red"]], "'the things' has no column 'colr' (did you mean 'color'?): it has color, big"),
        ([["color", "age"], ["red", "3"]], "'the things' has no column 'age': it has color, big"),
        ([["big"], ["yes"]], "'the things' needs the column 'color': it has color, big"),
        ([["color", "color"], ["red", "red"]], "the table of 'the things' has a column twice: color, color"),
        ([["color", "big"], ["red", "very"]], "'very' is none of 'yes', 'no': the column 'big' of 'the things'"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(table: list[list[str]], sentence: str) -> None:
    """In a sentence that names the phrase, the column and the columns there are."""
    book = PhraseBook()
    book.add("given", "the things", _things, THINGS)
    head, *rows = table

    with pytest.raises(PhraseError) as error:
        book.phrases[0].check({}, head, [dict(zip(head, row, strict=True)) for row in rows])

    assert str(error.value) == sentence


def test_an_empty_cell_is_the_default() -> None:
    """Of an optional column, which may also be missing."""
    for row in ({"color": "red"}, {"color": "red", "big": ""}):
        THINGS.check("the things", tuple(row), [row])
        assert (COLOR.read(row), SIZE.of(row, None)) == ("red", None)
    assert SIZE.of({"color": "red", "big": "no"}, None) is False


def test_a_word_outside_the_closed_list_of_a_hole_is_refused() -> None:
    """Before the function of the phrase sees it."""
    book = PhraseBook()
    book.add("given", "a {color} thing", _thing, None, {"color": COLORS})
    phrase = book.phrases[0]

    phrase.check({"color": "red"})
    with pytest.raises(PhraseError) as error:
        phrase.check({"color": "green"})
    assert str(error.value) == "'green' is none of 'red', 'blue'"


@pytest.mark.parametrize(
    ("sentence", "function", "columns", "holds", "reason"),
    [
        ("the things", _things, None, {}, "declares no columns, and has a table"),
        ("a {color} thing", _thing, THINGS, {}, "declares columns, and has no table"),
        ("a {color} thing", _thing, None, {"size": COLORS}, "has no hole 'size'"),
    ],
)
def test_a_phrase_declares_what_it_takes(
    sentence: str,
    function: Any,  # Any: any function
    columns: Columns[Column[object]] | None,
    holds: dict[str, Holds[object]],
    reason: str,
) -> None:
    """Neither more nor less; found out when it is defined."""
    with pytest.raises(PhraseError) as error:
        PhraseBook().add("given", sentence, function, columns, holds)

    assert str(error.value) == f"the phrase {sentence!r} {reason}"


@pytest.mark.parametrize(
    ("where", "action", "sentence"),
    [
        (
            "before model",
            'setz the instruction to "a"',
            (
                "'setz the instruction to \"a\"' is no action: the nearest action is "
                "'sets the instruction to \"{text}\"'; `loopspec phrases` lists every action"
            ),
        ),
        (
            "before model",
            'sets the instruction to "a"',
            (
                "the action 'sets the instruction to \"{text}\"' does nothing in "
                "'before model': it is allowed in 'before agent'"
            ),
        ),
        (
            "around tool",
            "removes the tool calls",
            (
                "the action 'removes the tool calls' does nothing in 'around tool': it is "
                "allowed in 'before agent', 'before model', 'after model', 'after agent'"
            ),
        ),
        (
            "before model",
            "waits until the model was called",
            (
                "'the model was called' is no gate: the nearest gate is "
                "'the model is called'; `loopspec phrases` lists every gate"
            ),
        ),
    ],
)
def test_an_action_that_cannot_be_done_is_refused(where: str, action: str, sentence: str) -> None:
    """With the nearest one, or with the hooks in which it can stand."""
    with pytest.raises(PhraseError) as error:
        built(f'a handler "H" that, {where}, {action}')

    assert str(error.value) == sentence


def test_a_tool_cannot_do_what_only_a_hook_can() -> None:
    """Its body has neither a conversation nor an inner endpoint."""
    with pytest.raises(PhraseError) as error:
        ScenarioBuilder().take("given", "the tools", [["name", "actions"], ["t1", "calls the next handler"]])

    assert str(error.value) == (
        "the action 'calls the next handler' does nothing in the body of a tool: it is allowed in 'around model', "
        "'around tool'"
    )


@pytest.mark.parametrize("moment", ["run two", "tool call 1", "model call"])
def test_an_unknown_moment_is_refused(moment: str) -> None:
    """With the nearest one."""
    with pytest.raises(PhraseError, match=f"'{moment}' is no moment: the nearest moment is '(run|model call) {{n}}'; "):
        built(f'the language is "zh" from {moment} on')


def test_each_action_can_be_done_in_each_of_its_places() -> None:
    """And in all places, where none is named."""
    for clause in ACTIONS:
        text = re.sub(r'"\{\w+\}"', '"x"', clause.sentence)
        for hole, value in (("{n:d}", "2"), ("{gate}", "the run starts"), ("{args}", "1")):
            text = text.replace(hole, value)
        text = re.sub(r"\{\w+\}", "t1", text)
        for place in clause.places or (*(word.value for word in HOOKS.words), "tool"):
            assert len(actions_of(text, place)) == 1, (text, place)


def test_texts_in_quotes_and_escapes_are_distinct() -> None:
    """A hole in quotes is shown as it is written; a text of a cell has escapes."""
    assert (QUOTED.read(r"a\nb"), TEXT.read(r"a\nb")) == (r"a\nb", "a\nb")


def test_the_keys_of_a_json_object_have_no_order() -> None:
    """A cell with an object is compared by its keys and values."""
    column: SeenColumn[dict[str, int]] = SeenColumn("data", "Some data.", OBJECT, lambda data: data)

    assert column.wanted_text('{"b": 2, "a": 1}') == column.seen_text({"a": 1, "b": 2})
    assert column.wanted_text('{"b": 2, "a": 1}') != column.seen_text({"a": 2, "b": 1})
