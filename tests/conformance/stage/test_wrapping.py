"""Scripted handlers around model calls and tool calls."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError
from loopspec.contract.actions import (
    Action,
    AddOption,
    Answer,
    AppendAnswer,
    CallInner,
    DeferTools,
    OfferTools,
    Raise,
    Rewrite,
    SetLocal,
)
from loopspec.contract.agents import Agent, Hook, Script, Scripted
from loopspec.contract.calls import ModelRequest, ToolAnswer
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import Scene
from loopspec.contract.values import Part, ToolInfo
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


@pytest.mark.parametrize(
    ("actions", "model", "tool", "calls"),
    [
        ([], "model: Hello.", "tool: {}", 1),
        ([CallInner()], "model: Hello.", "tool: {}", 1),
        ([CallInner(), CallInner()], "model: Hello.", "tool: {}", 2),
        ([CallInner(fallback="instead")], "model: Hello.", "tool: {}", 1),
        ([Answer(text="mine")], "mine", "mine", 0),
        ([CallInner(), Answer(text="mine")], "mine", "mine", 1),
        ([Answer(text="mine"), AppendAnswer(text="!")], "mine!", "mine!", 0),
        ([AppendAnswer(text="!"), AppendAnswer(text="?")], "model: Hello.!?", "tool: {}!?", 1),
        ([Rewrite(text="more")], "model: more", "tool: more", 1),
        ([Rewrite(text="more"), Answer(text="mine")], "mine", "mine", 0),
        ([CallInner(), Rewrite(text="more")], "model: Hello.", "tool: {}", 1),
        ([SetLocal(key="k", value=1), Rewrite(text="more")], "model: more", "tool: more", 1),
    ],
)
def test_a_handler_wraps_a_call(actions: list[Action], model: str, tool: str, calls: int) -> None:
    """A wrapper short-circuits, calls the next handler once or more, changes the request, or changes the answer."""
    inside = Inside()

    assert around_model(inside, *actions)[0] == Message(role="assistant", content=model)
    assert around_tool(inside, *actions)[0] == ToolAnswer(text=tool)
    assert (len(inside.models), len(inside.tools)) == (calls, calls)


def test_an_answer_of_the_next_handler_is_passed_on_unchanged() -> None:
    """A handler that does not use the answer does not read it to the end."""

    async def steps(stage: LiveStage) -> None:
        inside = Inside(breaks=E)
        assert isinstance(await stage.doubles.around_model("H", sent(HELLO), None, inside), BegunAnswer)
        assert isinstance(await stage.doubles.around_tool("H", call_of("t"), inside), BegunAnswer)

    scripts = (Script(hook="around model", actions=(CallInner(),)), Script(hook="around tool", actions=(CallInner(),)))
    staged(Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=scripts),))), steps)


@pytest.mark.parametrize("inside", [lambda: Inside(fails=E), lambda: Inside(breaks=E)])
def test_an_error_of_a_call_becomes_an_answer(inside: type[Inside]) -> None:
    """The call fails immediately, or its answer breaks."""
    assert around_model(inside(), CallInner(fallback="instead"))[0] == Message(role="assistant", content="instead")
    assert around_tool(inside(), CallInner(fallback="instead"))[0] == ToolAnswer(text="instead")


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


def test_a_rewritten_request_has_an_additional_message() -> None:
    """Other messages and the tools are unchanged."""
    inside = Inside()
    request = ModelRequest(messages=(HELLO,), tools=(ToolInfo(name="t"),), streaming=True)

    around_model(inside, Rewrite(text="more"), request=request)

    assert inside.models == [replace(request, messages=(HELLO, Message(role="user", content="more")))]


def test_tools_are_offered_in_one_request_only() -> None:
    """Known tools keep their information; other tools have only a name."""
    inside = Inside()
    known = ToolInfo(name="t", description="explains")
    request = ModelRequest(messages=(HELLO,), tools=(known, ToolInfo(name="x")))

    around_model(inside, OfferTools(tools=("u", "t")), request=request)

    assert inside.models[0].tools == (ToolInfo(name="u"), known)


def test_tools_are_deferred_in_one_request_only() -> None:
    """The other tools of the request stay."""
    inside = Inside()
    request = ModelRequest(messages=(HELLO,), tools=(ToolInfo(name="t"),), deferred_tools=(ToolInfo(name="x"),))

    around_model(inside, DeferTools(tools=("u",)), request=request)

    assert inside.models[0].deferred_tools == (ToolInfo(name="u"),)
    assert inside.models[0].tools == (ToolInfo(name="t"),)


def test_options_are_added_to_a_tool_call() -> None:
    """Existing options are kept or overwritten."""
    inside = Inside()

    async def steps(stage: LiveStage) -> None:
        await stage.doubles.around_tool("H", replace(call_of("t"), options={"a": 1, "b": 1}), inside)

    staged(scene_of("around tool", [AddOption(key="b", value=2), AddOption(key="c", value=[3])]), steps)
    assert [request.options for request in inside.tools] == [{"a": 1, "b": 2, "c": [3]}]


def test_an_action_for_tool_calls_has_no_effect_around_models() -> None:
    """Actions for tools and for models do not mix."""
    inside = Inside()

    around_model(inside, AddOption(key="b", value=2))
    around_tool(inside, OfferTools(tools=("u",)))

    assert (inside.models[0].options, inside.tools) == ({}, [call_of("t")])


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
