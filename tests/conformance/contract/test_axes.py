"""Axes, their tags, and the postures that a target declares."""

from __future__ import annotations

from typing import Any

import pytest

from loopspec import Posture, TargetUnusable
from loopspec.contract.axes import as_text, axes, checked_postures, own_postures, posture_hint, value_of_tag, value_on

LINK = "https://example.org/hooks"
REVERSED = Posture("reversed", link=LINK)


@pytest.mark.parametrize(
    ("presupposed", "hint"),
    [
        ({}, ""),
        ({"after-order": "registered"}, ""),  # declared
        ({"after-order": "reversed"}, ""),  # the rule of a posture
        ({"links": "each-path"}, ""),  # the rule of a dialect
        (
            {"after-order": "registered", "tool-failure": "ends"},
            "if your implementation documents another choice, declare a posture on the axis tool-failure (reported)",
        ),
        (
            {"tool-failure": "ends", "same-name": "refused"},
            (
                "if your implementation documents another choice, "
                "declare a posture on one of the axes tool-failure (reported), same-name (accepted)"
            ),
        ),
    ],
)
def test_a_failure_that_may_be_a_choice_has_a_hint(presupposed: dict[str, str], hint: str) -> None:
    """The hint names the axes that the target declares no posture on, each with its other values."""
    assert posture_hint(presupposed, {"after-order": REVERSED}) == hint


def _posture(value: Any, **more: Any) -> Posture:  # Any: the mistakes of an author, which Python does not notice
    return Posture(value, **more)


def test_the_default_of_an_axis_is_one_of_its_values() -> None:
    """An axis has a default value and at least one other."""
    wrong = [name for name, axis in axes().items() if axis.default not in axis.values or len(axis.values) < 2]

    assert wrong == []


@pytest.mark.parametrize(
    ("tag", "value"),
    [
        ("axis:after-order", ("after-order", "registered")),
        ("axis:after-order=registered", ("after-order", "registered")),
        ("axis:after-order=reversed", ("after-order", "reversed")),
    ],
)
def test_a_tag_without_a_value_stands_for_the_default(tag: str, value: tuple[str, str]) -> None:
    """A tag names an axis, and a value other than the default one."""
    assert value_of_tag(tag) == value


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("axis:afterorder", "there is no axis 'afterorder': did you mean 'after-order'?"),
        ("axis:zzz", "there is no axis 'zzz': see features/axes.toml"),
        ("axis:after-order=reverse", "the axis after-order has no value 'reverse': did you mean 'reversed'?"),
        ("axis:after-order=", "the axis after-order has no value '': the values are registered, reversed"),
    ],
)
def test_an_unknown_tag_is_named(tag: str, sentence: str) -> None:
    """A similar name is suggested."""
    with pytest.raises(LookupError) as caught:
        value_of_tag(tag)

    assert caught.value.args == (sentence,)


def test_a_target_has_the_default_value_where_it_declares_none() -> None:
    """A declared default value is no posture of the target's own."""
    postures = {"same-name": Posture("refused", link=LINK), "after-order": REVERSED}

    assert value_on("after-order", postures) == "reversed"
    assert value_on("edits-last", postures) == "run"
    assert as_text(own_postures(postures)) == "after-order: reversed"


@pytest.mark.parametrize(
    ("postures", "sentence"),
    [
        (
            {"after-ordr": REVERSED},
            "mine declares a posture on the axis 'after-ordr', which is none: did you mean 'after-order'?",
        ),
        ({"zzz": REVERSED}, "mine declares a posture on the axis 'zzz', which is none: see `loopspec capabilities`"),
        (
            {"after-order": Posture("sideways", measured=True)},
            "mine declares 'sideways' on the axis after-order, which is no value: the values are registered, reversed",
        ),
        (
            {"after-order": Posture("reversed")},
            (
                "mine declares after-order: reversed without a link to where it is documented: add the link, or "
                "`measured` if no document says it"
            ),
        ),
        (
            {"after-order": Posture("reversed", link="the README")},
            "mine declares after-order: reversed with 'the README', which is no link",
        ),
        (
            {"after-order": _posture("reversed", measured="own.py")},
            "mine declares a posture on the axis after-order with measured='own.py': write True or False",
        ),
        (
            {"limit-default": _posture(50, measured=True)},
            "mine declares a posture on the axis limit-default with value=50: write a text",
        ),
        (
            {"after-order": _posture(["reversed"], measured=True)},
            "mine declares a posture on the axis after-order with value=['reversed']: write a text",
        ),
        (
            {"after-order": _posture("reversed", link=None)},
            "mine declares a posture on the axis after-order with link=None: write a text",
        ),
        ({5: REVERSED}, "mine declares a posture on the axis 5: the name of an axis is a text"),
    ],
)
def test_an_invalid_posture_is_one_sentence(postures: dict[str, Posture], sentence: str) -> None:
    """The target is unusable, whether it is a Python object or a process."""
    with pytest.raises(TargetUnusable) as caught:
        checked_postures(postures, "mine")

    assert str(caught.value) == sentence


def test_a_posture_has_a_link_or_is_measured() -> None:
    """Both are accepted together as well."""
    for posture in (REVERSED, Posture("reversed", measured=True), Posture("reversed", link=LINK, measured=True)):
        assert checked_postures({"after-order": posture}, "mine") == {"after-order": posture}
