"""Scripted handlers, middlewares of the plugin layer and factories, in cases that no feature reaches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError, Strategy, at_once
from loopspec.contract.acting import Hook
from loopspec.contract.actions import Action, DropInstructions, Hold, Raise, Script
from loopspec.contract.agents import Agent, AgentsMD, Plugin, Scripted
from loopspec.contract.around import Answer, AppendAnswer, AssignContext, CallInner, Jump, SetState, UseCache
from loopspec.contract.calls import Edited, State, ToolAnswer, View
from loopspec.contract.doubles import StateHook
from loopspec.contract.faults import AdapterError
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import File, Scene
from loopspec.contract.values import Began, Part
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, TWO, VIEW, BegunAnswer, E, Inside, call_of, sent, staged

F = ScriptedError("F")
STATE = State(messages=(HELLO,), tools=("t1", "t2"))
KEPT = Edited(messages=(0,), tools=("t1", "t2"))


def scene_of(hook: Hook, *actions: Action) -> Scene:
    """A scene with a handler "H" and a middleware "P" that perform these actions."""
    scripts = (Script(hook=hook, actions=actions),)
    handlers = (Scripted(name="H", scripts=scripts), Plugin(name="P", scripts=scripts))
    return Scene(act="run", agent=Agent(handlers=handlers), runs=(ONE, TWO))


def around(inside: Inside, *actions: Action) -> list[HookCall]:
    """The records of "H" and of "P" around a model call, and around a tool call."""

    async def model(stage: LiveStage) -> None:
        await stage.doubles.around_model("H", sent(HELLO), inside)
        await stage.doubles.around_model("P", sent(HELLO), inside, view=VIEW)

    async def tool(stage: LiveStage) -> None:
        await stage.doubles.around_tool("H", call_of("t"), inside)
        await stage.doubles.around_tool("P", call_of("t"), inside, VIEW)

    return [
        *staged(scene_of("around model", *actions), model).hooks,
        *staged(scene_of("around tool", *actions), tool).hooks,
    ]


# -- hooks that receive the state ------------------------------------------------------------------------------------


def test_a_message_of_the_caller_is_no_instructions() -> None:
    """A message of the caller may have the same content as a file."""
    own = Message(role="user", content="Answer in French.")
    given = Message(role="user", content="# /p/a.md\n\nAnswer in French.")
    handlers = (AgentsMD(), *scene_of("before model", DropInstructions()).agent.handlers)
    files = {"/p/a.md": File(text="Answer in French."), "/p/b.md": File(text=" ")}
    scene = Scene(act="run", files=files, agent=Agent(handlers=handlers), runs=(replace(ONE, messages=(own,)),))

    async def steps(stage: LiveStage) -> None:
        state = State(messages=(own, given))
        assert await stage.doubles.edit("before model", "H", state, Inside()) == Edited(messages=(0,))

    staged(scene, steps)


def test_the_runtime_context_is_changed_if_the_implementation_allows_it() -> None:
    """A rejection is recorded, and the next actions are performed."""
    inside, edited = Inside(), []

    async def steps(stage: LiveStage) -> None:
        for inner in (inside, Inside(fails=E)):
            edited.append(await stage.doubles.edit("before model", "P", STATE, inner, view=View()))

    actions = (AssignContext(key="user", value="v"), SetState(key="a", value=1))
    seen = staged(scene_of("before model", *actions), steps, "plugins")

    assert inside.assigned == {"user": "v"}
    assert edited == [replace(KEPT, own={"a": 1})] * 2
    assert [list(call.refused) for call in seen.hooks] == [[], ["assign user"]]


def test_a_synchronous_hook_call_cannot_be_held() -> None:
    """A synchronous call fails, its span has no end, and it is not reported as stuck."""
    scene = scene_of("before model", Hold(until=Began(run="2")))

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(RuntimeError, match="the scene holds this call"):
            at_once(stage.doubles.edit("before model", "P", STATE, Inside(), view=View()))
        with stage.runs.running(TWO):
            assert at_once(stage.doubles.edit("before model", "P", STATE, Inside(), view=View())) == KEPT

    seen = staged(scene, steps, "plugins")

    assert seen.stuck == ()
    assert [span.ended is None for span in seen.spans] == [True, False]
    with pytest.raises(RuntimeError, match="the scene holds this call"):  # without a driver as well
        at_once(LiveStage(scene, "plugins").doubles.edit("before model", "P", STATE, Inside(), view=View()))


def test_a_middleware_declares_its_jump_targets() -> None:
    """The targets of a hook are sorted and unique, and other actions add none."""
    scripts = (
        Script(hook="before model", actions=(Jump(target="tools"), SetState(key="a", value=1), Jump(target="end"))),
        Script(hook="before model", calls=(2,), actions=(Jump(target="end"),)),
        Script(hook="after model", actions=(Jump(target="model"),)),
    )
    plugin = Plugin(name="A", scripts=scripts)
    hooks: tuple[StateHook, ...] = ("before agent", "before model", "after model", "after agent")

    assert [plugin.jumps_from(hook) for hook in hooks] == [(), ("end", "tools"), ("model",), ()]
    assert replace(plugin, may_jump_to=("end",)).jumps_from("after model") == ("end",)


# -- wrappers --------------------------------------------------------------------------------------------------------


def test_an_answer_of_the_next_handler_is_passed_on_unchanged() -> None:
    """An adapter recognizes its own answer, which is not read to its end."""
    begun = BegunAnswer(Message(role="assistant"), broken=E)

    class Once(Inside):
        async def model(self, request: object) -> BegunAnswer[Message]:
            return begun

    stage = LiveStage(scene_of("around model", CallInner()), "plugins")

    for name in ("H", "P"):
        assert at_once(stage.doubles.around_model(name, sent(HELLO), Once())) is begun


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
def test_any_other_error_is_raised(inside: Inside, actions: Sequence[Action]) -> None:
    """The error is from the next handler or from the wrapper itself, also after the call."""
    with pytest.raises(ScriptedError, match="scripted error E"):
        around(inside, *actions)


@pytest.mark.parametrize(
    ("actions", "looked"),
    [
        ([AppendAnswer(text="!")], True),
        ([CallInner(fallback="instead"), Answer(text="mine")], True),
        ([], False),
        ([CallInner()], False),
        ([Answer(text="mine"), AppendAnswer(text="!")], False),
    ],
)
def test_the_record_has_the_answer_if_the_wrapper_uses_it(actions: Sequence[Action], looked: bool) -> None:
    """The record has the answer of the next handler."""
    model, tool = ("model: Hello.", "tool: {}") if looked else (None, None)

    assert [call.answer for call in around(Inside(), *actions)] == [model, model, tool, tool]


def test_an_answer_for_an_enhanced_tool_has_parts() -> None:
    """Answers and additions are parts; the record has all of them."""
    enhanced = replace(call_of("t"), kind="enhanced invokable")
    parts = (Part(text="a"), Part(url="u"), Part(text="b"))

    class Enhanced(Inside):
        async def tool(self, request: object) -> BegunAnswer[ToolAnswer]:
            return BegunAnswer(ToolAnswer(parts=parts))

    def answered(action: Action) -> tuple[object, str | None]:
        came: list[object] = []

        async def steps(stage: LiveStage) -> None:
            came.append(await stage.doubles.around_tool("H", enhanced, Enhanced()))

        (call,) = staged(scene_of("around tool", action), steps).hooks
        return came[0], call.answer

    assert answered(Answer(text="mine")) == (ToolAnswer(parts=(Part(text="mine"),)), None)
    assert answered(AppendAnswer(text="!")) == (ToolAnswer(parts=(*parts, Part(text="!"))), "a/image:u/b")


def test_a_cache_belongs_to_one_stage_and_one_middleware() -> None:
    """Failures are not cached."""
    inside = Inside()

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError):
            await stage.doubles.around_model("P", sent(HELLO), Inside(breaks=E), view=VIEW)
        for name in ("P", "P", "H"):
            await stage.doubles.around_model(name, sent(HELLO), inside, view=VIEW)

    for _ in range(2):
        staged(scene_of("around model", UseCache()), steps, "plugins")

    assert len(inside.models) == 4


# -- factories -------------------------------------------------------------------------------------------------------


def test_a_rejected_middleware_is_no_double() -> None:
    """A rejected middleware is not registered as a double."""
    stage = LiveStage(Scene(act="run"), "plugins")

    with pytest.raises(ScriptedError, match="without a"):
        at_once(stage.doubles.create(Strategy(provider="p", requires=("a",)), "m1", "agent", {}))
    with pytest.raises(AdapterError, match="m1"):
        at_once(stage.doubles.edit("before model", "m1", State(), Inside(), view=View()))


def test_a_slow_factory_is_awaited() -> None:
    """A slow factory that is not awaited fails."""
    stage = LiveStage(Scene(act="run"), "plugins")

    with pytest.raises(RuntimeError, match="the scene holds this call"):
        at_once(stage.doubles.create(Strategy(provider="p", slow=True), "m1", "agent", {}))
