"""The variants of values: what they change is changed everywhere, and their ways back hide no difference."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from loopspec.contract.agents import Model
from loopspec.contract.observation import Event, Observation, ToolRun
from loopspec.contract.values import Message, Part, ToolCall
from loopspec.specification.features import compiled
from loopspec_lab.variants import VariedCase, varied_cases
from loopspec_lab.variants.expanding import variants
from loopspec_lab.variants.facts import found
from loopspec_lab.variants.kinds import WithPlainTools
from loopspec_lab.variants.values import Replacement


@cache
def cases_of(name: str) -> tuple[VariedCase, ...]:
    """Some cases of a variant."""
    return tuple(one for case in compiled()[::3] for one in varied_cases(case, [variants()[name]]))


@pytest.mark.parametrize(
    ("name", "is_changed"),
    [
        ("non-ascii-texts", lambda text: not text.isascii()),
        ("long-texts", lambda text: len(text) > 500),
    ],
)
def test_each_answer_has_the_form(name: str, is_changed: Callable[[str], bool]) -> None:
    """The text of each answer with a letter has the form that the variant is about."""
    said = [
        (case.id, old.text, new.text)
        for case in cases_of(name)
        for old_model, new_model in zip(found(case.base.scene, (Model,)), found(case.scene, (Model,)), strict=True)
        if isinstance(old_model, Model) and isinstance(new_model, Model)
        for old, new in zip(old_model.turns, new_model.turns, strict=True)
        if any("a" <= letter <= "z" for letter in old.text[:1])
    ]

    assert said
    assert [one for one in said if not is_changed(one[2])] == []


def test_values_are_replaced_one_to_one() -> None:
    """The way back returns each value of the scene, so the two hide no difference between two values of a key."""
    cases = [case for case in cases_of("false-values") if case.scene != case.base.scene]

    assert cases
    for case in cases:
        (back,) = case.act.back
        assert isinstance(back, Replacement)
        assert back.in_scene(case.scene) == case.base.scene


def test_each_kind_of_false_value_occurs() -> None:
    """Which false value stands for a value differs among the scenes."""
    back: list[Any] = [case.act.back[0] for case in cases_of("false-values")]  # Any: the way back of these variants

    assert {new for one in back for _, new in one.others} >= {b"false", b"0", b'""', b"[]", b"{}"}


def test_a_result_that_is_more_than_a_text_stays() -> None:
    """A picture, a result of another tool and a call of another kind are not taken for those of a plain tool."""
    plain = WithPlainTools("enhanced invokable", {"t1"})
    text, picture = Part(text="one"), Part(url="https://example.org/one.png")
    result = Message(role="tool", tool_call_id="c", tool_name="t1", parts=(text,))

    def restored(message: Message) -> Message | None:
        return plain(Observation(events=(Event(n=0, run="1", agent="agent", message=message),))).events[0].message

    assert restored(result) == replace(result, content="one", parts=())
    for other in (replace(result, parts=(text, picture)), replace(result, tool_name="t2")):
        assert restored(other) == other
    run = ToolRun(n=0, tool="t1", call=ToolCall(id="c", name="t1"), run="1", kind="streamable")
    assert plain(Observation(tool_runs=(run,))).tool_runs == (run,)
