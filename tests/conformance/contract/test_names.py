"""Names in messages, and suggestions for unknown names."""

from __future__ import annotations

import pytest

from loopspec.contract.names import alike, did_you_mean, near_misses, nearest, short_name

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
