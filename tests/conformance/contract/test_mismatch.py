"""A mismatch shows every value in full, and a hint where one is known."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from loopspec.contract.mismatch import Mismatch, excerpt, expect, shown
from loopspec.contract.values import Error, Message, Part


class Row(NamedTuple):
    """A row of compared values."""

    text: str
    call: tuple[str, ...]
    id: str | None
    parts: tuple[Part, ...]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a text", "a text"),
        ("", '""'),
        (None, "nothing"),
        ([], "nothing"),
        ((), "nothing"),
        (True, "yes"),
        (False, "no"),
        (7, "7"),
        ({"n": None, "規": [True]}, '{"n": null, "規": [true]}'),
        ({"n": {1}}, '{"n": "{1}"}'),
        ({(1, 2): 3}, "{(1, 2): 3}"),
        (["one"], "one"),
        (["one", "two"], "\n    one\n    two"),
        ([("a", 1), ("b", None)], "\n    a, 1\n    b, nothing"),
        ({"b", "a"}, "\n    a\n    b"),
        (["model", "  tool t"], "\n    model\n      tool t"),
        (["user: a:\n  b\nc", "tool: ok"], "\n    - user: a:\n        b\n      c\n    - tool: ok"),
        ("a:\n  b", "a:\n  b"),
        (
            Message(role="tool", content="found", tool_call_id="c1"),
            '{"role": "tool", "content": "found", "toolCallId": "c1"}',
        ),
        ([Part(url="sun")], '{"url": "sun"}'),
        ([Row("", ("c1", "t"), None, ())], '{"text": "", "call": ["c1", "t"]}'),
        ([Row("a", (), "x", (Part(text="b"),))] * 2, '\n    {"text": "a", "id": "x", "parts": [{"text": "b"}]}' * 2),
    ],
)
def test_a_value_is_shown_as_it_is(value: object, text: str) -> None:
    """A value is shown on one line, or with one line for each element; inner indentation is kept."""
    assert shown(value) == text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Error(kind="other", message="KeyError: 'x'"), "KeyError: 'x' (an error of no known kind)"),
        (Error(kind="other"), "the error other"),
        (Error(kind="scripted", code="boom", message="scripted error boom"), "the error boom"),
        (Error(kind="crash", code="bang"), "the error bang"),
        (Error(kind="not_exist", message="/p/a.md"), "the error not_exist (/p/a.md)"),
        (Error(kind="max_iterations"), "the error max_iterations"),
    ],
    ids=str,
)
def test_an_error_is_shown_by_what_it_is_known_by(error: Error, text: str) -> None:
    """An error of no known kind is shown by the name in its message."""
    assert shown(error) == text


def test_a_long_text_is_cut_in_the_middle_and_says_so() -> None:
    """The beginning and the end stay, and the length is shown; values that are not text are cut in the same way."""
    text = "a" * 1500 + "b" * 1500

    assert shown(text) == f"{'a' * 1000} … {'b' * 1000} (3000 characters)"
    assert shown({"n": text}).endswith('b"} (3009 characters)')
    assert shown("a" * 2000) == "a" * 2000


def test_an_excerpt_ends_with_an_ellipsis_where_something_is_left_out() -> None:
    """A short text has no ellipsis."""
    assert (excerpt("abc", 2), excerpt("abc", 3)) == ("ab…", "abc")


def test_a_mismatch_says_what_was_compared_and_how_to_mend_it() -> None:
    """The message contains the hint, the expected value and the seen value."""
    with pytest.raises(Mismatch) as error:
        expect("the answer", "yes", ["no", "no"], "say yes")

    no = error.value
    assert (no.what, no.expected, no.seen) == ("the answer: say yes", "yes", "\n    no\n    no")
    assert str(no) == "the answer: say yes\n  expected: yes\n  seen:     \n    no\n    no"
    assert Mismatch("the answer", 1, 2).what == "the answer"
    expect("the answer", [1], [1], "never said")
