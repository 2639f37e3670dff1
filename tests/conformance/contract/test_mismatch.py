"""What messages show: values, names, and the place where an exception was raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from loopspec.contract import places
from loopspec.contract.axes import must_be_dialect
from loopspec.contract.mismatch import Mismatch, excerpt, expect, shown
from loopspec.contract.names import alike, did_you_mean, near_misses, nearest, short_name
from loopspec.contract.places import file_name, located, place_of
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


RULES = ["AMD-DEPTH-01", "AMD-DEPTH-02", "AMD-IDEMP-01", "LOOP-03"]


@pytest.mark.parametrize(
    ("name", "known", "close"),
    [
        ("refrence", ["reference"], "reference"),
        ("rnu", ["run", "list"], "run"),
        ("amd-idemp-01", RULES, "AMD-IDEMP-01"),
        ("ADM-DEPTH-02", RULES, "AMD-DEPTH-02"),
        ("ADM-DEPTH*", RULES, "AMD-DEPTH*"),
        ("amd-depth-0?", RULES, "AMD-DEPTH-0*"),
        ("NOPE-*", RULES, None),
        ("zzz", RULES, None),
        ("x", [], None),
    ],
)
def test_the_nearest_name(name: str, known: list[str], close: str | None) -> None:
    """Case does not count, and a glob is compared like a name."""
    assert nearest(name, known) == close


def test_how_near_a_name_must_be() -> None:
    """A cut-off decides how similar a name must be."""
    assert alike("load", "load") == 1.0
    assert nearest("reload", ["load"], 0.8) == "load"
    assert nearest("reload", ["load"], 0.85) is None


def test_the_end_of_a_sentence() -> None:
    """The end is a question, an instruction, or empty."""
    assert did_you_mean("rnu", ["run"], "see there") == ": did you mean 'run'?"
    assert did_you_mean("zzz", ["run"], "see there") == ": see there"
    assert did_you_mean("zzz", ["run"]) == ""


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a.md", "'a.md'"),
        ("it's", '"it\'s"'),
        ("a" * 80, f"'{'a' * 80}'"),
        ("a" * 3000 + "b" * 2000, f"'{'a' * 40} … {'b' * 40}' (5000 characters)"),
    ],
)
def test_a_long_name_is_shortened(name: str, shown: str) -> None:
    """The beginning and the end stay, and the length is shown."""
    assert short_name(name) == shown


def test_a_near_miss_resembles_a_name_that_is_missing() -> None:
    """A name next to the one that it resembles, a private name and another name are the author's own."""
    own = ["capability", "known", "knwon", "_postures_", "folder"]

    assert list(near_misses(own, ["capabilities", "known", "postures"])) == [("capability", "capabilities")]


HERE = "tests/conformance/contract/test_mismatch.py"
KIT = Path(places.__file__).parents[1]


def raised(action: Callable[[], object]) -> Exception:
    """The exception that the action raises."""
    with pytest.raises(Exception) as error:  # noqa: PT011  # any
        action()
    return error.value


def in_file(file: str) -> Callable[[], object]:
    """An action that raises an exception in the second line of a file."""
    code = compile("\n1 / 0", file, "exec")
    return lambda: exec(code, {})


@pytest.mark.parametrize(
    "action", [lambda: json.loads("{"), lambda: must_be_dialect("quite another", "Mine")], ids=["python", "kit"]
)
def test_the_line_that_called_python_or_the_kit_is_named(action: Callable[[], object]) -> None:
    """An author knows their own line, and cannot correct another."""
    place = place_of(raised(action))

    assert place
    assert (place.file, place.function) == (HERE, "<lambda>")


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        (f"{Path(msgspec.__file__).parent}/made_up.py", "msgspec/made_up.py:2"),
        (f"{Path.cwd()}/made_up.py", "made_up.py:2"),
        (f"{KIT}/adapters/made_up/made_up.py", f"{file_name(str(KIT))}/adapters/made_up/made_up.py:2"),
    ],
    ids=["installed", "here", "shipped adapter"],
)
def test_another_line_is_named_by_the_path_of_its_module(file: str, shown: str) -> None:
    """A path from the folder that Python imports the module from is short, and enough to find it."""
    error = raised(in_file(file))

    assert str(place_of(error)) == shown
    assert located(error) == f"ZeroDivisionError: division by zero ({shown})"


def test_an_exception_without_such_a_line_has_no_place() -> None:
    """It was never raised, or by Python itself."""
    assert place_of(KeyError("a")) is None
    assert located(KeyError("a")) == "KeyError: 'a'"
