"""Scripted handlers around model calls and tool calls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError
from loopspec.contract.actions import (
    Action,
    Answer,
    AppendAnswer,
    CallInner,
    Raise,
)
from loopspec.contract.agents import Agent, Hook, Script, Scripted
from loopspec.contract.calls import ModelRequest, ToolAnswer
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import Scene
from loopspec.contract.values import Part
from loopspec.stage import LiveStage

from ..staging import BegunAnswer, Inside, call_of, sent, staged

HELLO = Message(role="user", content="Hello.")
E, F = ScriptedError("E"), ScriptedError("F")


def scene_of(hook: Hook, actions: Sequence[Action]) -> Scene:
    """A scene with one handler that performs these actions."""
    return Scene(
        act="run", agent=Agent(handlers=(Scripted(name="H", scripts=(Script(hook=hook, actions=tuple(actions)),)),))
    )


def around_model(inside: Inside, *actions: Action, request: ModelRequest | None = None) -> tuple[object, HookCall]:
    """The complete answer of a handler around a model call, and its record."""
    came: list[object] = []

    async def steps(stage: LiveStage) -> None:
        answer = await stage.doubles.around_model("H", request or sent(HELLO), None, inside)
        came.append(await answer.complete() if isinstance(answer, BegunAnswer) else answer)

    seen = staged(scene_of("around model", actions), steps)
    return came[0], seen.hooks[0]


def around_tool(inside: Inside, *actions: Action) -> tuple[object, HookCall]:
    """The complete answer of a handler around a tool call, and its record."""
    came: list[object] = []

    async def steps(stage: LiveStage) -> None:
        answer = await stage.doubles.around_tool("H", call_of("t"), inside)
        came.append(await answer.complete() if isinstance(answer, BegunAnswer) else answer)

    seen = staged(scene_of("around tool", actions), steps)
    return came[0], seen.hooks[0]


def test_an_answer_of_the_next_handler_is_passed_on_unchanged() -> None:
    """A handler that does not use the answer does not read it to the end."""

    async def steps(stage: LiveStage) -> None:
        inside = Inside(breaks=E)
        assert isinstance(await stage.doubles.around_model("H", sent(HELLO), None, inside), BegunAnswer)
        assert isinstance(await stage.doubles.around_tool("H", call_of("t"), inside), BegunAnswer)

    scripts = (Script(hook="around model", actions=(CallInner(),)), Script(hook="around tool", actions=(CallInner(),)))
    staged(Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=scripts),))), steps)


@pytest.mark.parametrize(
    ("inside", "actions"),
    [
        (Inside(fails=E), []),
        (Inside(fails=E), [CallInner()]),
        (Inside(breaks=E), [AppendAnswer(text="!")]),
        (Inside(), [Raise(code="E")]),
        (Inside(), [CallInner(), Raise(code="E")]),
        (Inside(), [CallInner(fallback="instead"), Raise(code="E")]),
        (Inside(fails=F), [CallInner(fallback="instead"), Raise(code="E")]),
    ],
)
def test_any_other_error_is_raised(inside: Inside, actions: list[Action]) -> None:
    """The error is from the next handler or from the handler itself, also after the call."""
    for around in (around_model, around_tool):
        with pytest.raises(ScriptedError, match="scripted error E"):
            around(inside, *actions)


def test_the_record_has_the_answer_if_the_handler_uses_it() -> None:
    """The record has the answer of the next handler if the handler uses it."""
    looks: list[list[Action]] = [[AppendAnswer(text="!")], [CallInner(fallback="instead"), Answer(text="mine")]]
    for actions in looks:
        assert around_model(Inside(), *actions)[1].answer == "model: Hello."
        assert around_tool(Inside(), *actions)[1].answer == "tool: {}"
    idle: list[list[Action]] = [[], [CallInner()], [Answer(text="mine"), AppendAnswer(text="!")]]
    for actions in idle:
        assert around_model(Inside(), *actions)[1].answer is None
        assert around_tool(Inside(), *actions)[1].answer is None


def test_an_answer_for_an_enhanced_tool_has_parts() -> None:
    """Answers and additions are parts; the record has all of them."""
    enhanced = replace(call_of("t"), kind="enhanced invokable")
    came: list[object] = []

    class Enhanced(Inside):
        async def tool(self, request: object) -> BegunAnswer[ToolAnswer]:
            return BegunAnswer(ToolAnswer(parts=(Part(text="a"), Part(url="u"), Part(text="b"))))

    async def steps(stage: LiveStage) -> None:
        came.append(await stage.doubles.around_tool("own", enhanced, Enhanced()))
        came.append(await stage.doubles.around_tool("adds", enhanced, Enhanced()))

    handlers = (
        Scripted(name="own", scripts=(Script(hook="around tool", actions=(Answer(text="mine"),)),)),
        Scripted(name="adds", scripts=(Script(hook="around tool", actions=(AppendAnswer(text="!"),)),)),
    )
    seen = staged(Scene(act="run", agent=Agent(handlers=handlers)), steps)

    parts = (Part(text="a"), Part(url="u"), Part(text="b"), Part(text="!"))
    assert came == [ToolAnswer(parts=(Part(text="mine"),)), ToolAnswer(parts=parts)]
    assert [call.answer for call in seen.hooks] == [None, "a/image:u/b"]
