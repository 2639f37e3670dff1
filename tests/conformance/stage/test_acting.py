"""What handlers and tools do inside a run besides answering."""

from __future__ import annotations

import msgspec
import pytest

from loopspec import Message, Observation, ScriptedError
from loopspec.contract.actions import (
    Action,
    AddContext,
    DeleteLocal,
    GetLocal,
    GetSession,
    Hold,
    Raise,
    SendEvent,
    SetLocal,
    SetSession,
    SetTools,
)
from loopspec.contract.agents import Agent, MakeInput, Script, Scripted, Tool
from loopspec.contract.calls import Start, ToolAnswer
from loopspec.contract.doubles import RegisteredValue, ScriptedCrash, UnregisteredValue
from loopspec.contract.observation import HookCall, Outside
from loopspec.contract.scene import ReadRequest, Run, Scene
from loopspec.contract.values import Began, Error
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, staged

RUN = Run(id="1")


def hooked(inside: Inside, *actions: Action) -> HookCall:
    """The record of a hook that does this."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=actions),))
    scene = Scene(act="run", agent=Agent(handlers=(handler,)), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", Start(), inside)

    return staged(scene, course).hooks[0]


def used(inside: Inside, tool: Tool) -> Observation:
    """What is seen of a call of a tool in a run."""
    scene = Scene(act="run", agent=Agent(tools=(tool,)), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.invoke(call_of(tool.name), inside)

    return staged(scene, course)


def test_a_hook_keeps_finds_and_forgets_values() -> None:
    """Of the run and of its session; what is not there is missing, and None is there."""
    inside = Inside()

    seen = hooked(
        inside,
        GetLocal(key="early"),
        SetLocal(key="early", value=[1]),
        SetLocal(key="nothing"),
        GetLocal(key="early"),
        GetLocal(key="nothing"),
        DeleteLocal(key="early"),
        GetLocal(key="early"),
        GetSession(key="user"),
        SetSession(key="user", value={"name": "Ann"}),
        GetSession(key="user"),
    )

    assert (inside.local, inside.session) == ({"nothing": None}, {"user": {"name": "Ann"}})
    assert seen.found == {"early": [1], "nothing": None, "user": {"name": "Ann"}}
    assert (seen.missing, seen.refused) == (("early", "early", "user"), {})


def test_values_of_types_that_are_no_json_are_found_by_their_names() -> None:
    """One of a type that the target has been told of, and one of a type that nobody knows."""
    inside = Inside()
    actions: list[Action] = [
        SetLocal(key="known", typed="registered"),
        SetLocal(key="unknown", typed="unregistered"),
        GetLocal(key="known"),
        GetLocal(key="unknown"),
    ]

    seen = hooked(inside, *actions)

    assert inside.local["known"] == RegisteredValue(number=7)
    assert isinstance(inside.local["unknown"], UnregisteredValue)
    assert seen.found == {"known": "ticket 7", "unknown": "a value of an unregistered type"}
    assert msgspec.json.decode(msgspec.json.encode(seen), type=HookCall) == seen


def test_a_refusal_is_taken_down_and_goes_no_further() -> None:
    """Each by what was tried; what comes after it is done all the same."""
    actions: list[Action] = [
        SetLocal(key="a"),
        GetLocal(key="a"),
        DeleteLocal(key="a"),
        SetSession(key="b", value=1),
        GetSession(key="b"),
        SendEvent(payload="e"),
        AddContext(key="k", value=1),
    ]

    seen = hooked(Inside(PermissionError("no")), *actions)

    refusal = Error(kind="permission", message="no")
    refused = ["set a", "get a", "delete a", "set b", "get b", "send event"]
    assert (seen.found, seen.missing) == ({}, ())
    assert seen.refused == dict.fromkeys(refused, refusal)


def test_what_a_hook_found_before_it_failed_is_taken_down() -> None:
    """The failure goes on its way."""
    handler = Scripted(
        name="H",
        scripts=(
            Script(hook="before agent", actions=(SetLocal(key="k", value=1), GetLocal(key="k"), Raise(code="E"))),
        ),
    )

    async def course(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError, match="scripted error E"):
            await stage.doubles.before_agent("H", Start(), Inside())

    seen = staged(Scene(act="run", agent=Agent(handlers=(handler,))), course)
    assert [call.found for call in seen.hooks] == [{"k": 1}]


@pytest.mark.parametrize(("crash", "kind"), [(False, ScriptedError), (True, ScriptedCrash)])
def test_a_hook_fails_as_foreseen_or_not(crash: bool, kind: type[Exception]) -> None:
    """With a declared error, or with one that nobody knows."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=(Raise(code="E", crash=crash),)),))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            try:
                await stage.doubles.before_agent("H", Start(), Inside())
            except kind as error:
                raise RuntimeError("wrapped") from error

    seen = staged(Scene(act="run", agent=Agent(handlers=(handler,)), runs=(RUN,)), course)
    expected = Error(kind="crash" if crash else "scripted", code="E", message="wrapped")
    assert [end.error for end in seen.runs] == [expected]


def test_a_hook_sends_events() -> None:
    """In order."""
    inside = Inside()

    hooked(inside, SendEvent(payload={"half": 0.5}), SendEvent(payload=None))

    assert inside.events == [{"half": 0.5}, None]


def test_what_is_for_another_place_does_nothing_in_this_one() -> None:
    """Editing tools is no deed inside a run."""
    inside = Inside()

    seen = hooked(inside, SetTools(tools=("t",)))

    assert (inside.local, inside.events, seen.refused) == ({}, [], {})


def test_the_body_of_a_tool_acts_like_a_hook() -> None:
    """What it finds is in its record; a context value it adds is for what comes after it."""
    inside = Inside()
    inside.local["k"] = 7
    tool = Tool(name="t", actions=(GetLocal(key="k"), SendEvent(payload="e"), SetSession(key="s", value=1)))

    seen = used(inside, tool)

    assert ([run.found for run in seen.tool_runs], inside.events, inside.session) == ([{"k": 7}], ["e"], {"s": 1})


def test_what_a_tool_found_before_it_failed_is_taken_down() -> None:
    """As with a hook."""
    inside = Inside()
    inside.local["k"] = 7

    seen = used(inside, Tool(name="t", actions=(GetLocal(key="k"), Raise(code="E"))))

    assert ([run.found for run in seen.tool_runs], seen.runs[0].error and seen.runs[0].error.code) == ([{"k": 7}], "E")


def test_the_body_of_a_tool_waits() -> None:
    """For a gate that can no longer open, it is told so."""
    seen = used(Inside(), Tool(name="t", actions=(Hold(until=Began(run="2")),)))

    assert seen.stuck == ("held until run 2 begins, which never came",)


def test_a_context_value_reaches_models_and_tools() -> None:
    """And the reads among them."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=(AddContext(key="k", value=1),)),))
    scene = Scene(act="run", agent=Agent(handlers=(handler,), tools=(Tool(name="t"),)), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", Start(), Inside())
            await stage.doubles.invoke(call_of("t"), Inside())
            await stage.environment.read(ReadRequest(file_path="/p/a.md"))

    seen = staged(scene, course)
    assert [*(run.context for run in seen.tool_runs), *(read.context for read in seen.reads)] == [{"k": 1}] * 2


def test_the_first_conversation_of_a_run_is_made_by_somebody_else() -> None:
    """What was asked for is taken down, and the messages of the scene come first; or it fails."""
    hello, before = Message(role="user", content="Hello."), Message(role="user", content="Before.")
    fine = Agent(name="fine", make_input=MakeInput(messages=(before,)))
    agent = Agent(make_input=MakeInput(error=Error(kind="scripted", code="E")), tools=(Tool(name="fine", agent=fine),))

    async def course(stage: LiveStage) -> None:
        assert await stage.doubles.make_input("fine", "Be brief.", [hello]) == [before, hello]
        with pytest.raises(ScriptedError, match="scripted error E"):
            await stage.doubles.make_input("agent", "", [])

    seen = staged(Scene(act="run", agent=agent), course)
    assert [(asked.what, asked.agent, asked.instruction, asked.messages) for asked in seen.questions] == [
        ("input", "fine", "Be brief.", (hello,)),
        ("input", "agent", "", ()),
    ]
    assert [(span.name, span.agent, span.error and span.error.code) for span in seen.spans] == [
        ("input", "fine", None),
        ("input", "agent", "E"),
    ]


def test_everything_is_tried_outside_any_run() -> None:
    """What is refused, and what is not."""

    async def course(stage: LiveStage) -> None:
        stage.doubles.outside(Inside())
        stage.doubles.outside(Inside(LookupError("no")))

    actions = ["set", "get", "delete", "send event"]
    refused = Error(kind="other", message="LookupError: no")
    assert staged(Scene(act="outside"), course).outside == (
        *(Outside(what=action) for action in actions),
        *(Outside(what=action, error=refused) for action in actions),
    )


def test_information_about_a_tool() -> None:
    """There is some, unless the scene says that it cannot be had."""
    agent = Agent(tools=(Tool(name="t", description="tells"),), additional_tools=(Tool(name="u", nameless=True),))

    async def course(stage: LiveStage) -> None:
        info = stage.doubles.info("t")
        assert (info.name, info.description) == ("t", "tells")
        with pytest.raises(ScriptedError, match="no information"):
            stage.doubles.info("u")

    staged(Scene(act="run", agent=agent), course)


@pytest.mark.parametrize(
    ("tool", "args", "answer"),
    [
        (Tool(name="t", echoes=True), "{}", ToolAnswer(text="{}")),
        (Tool(name="t", parses=True), "[1]", ToolAnswer(text="ok")),
        (Tool(name="t", nothing=True), "{}", None),
    ],
)
def test_a_tool_answers_as_it_is_told(tool: Tool, args: str, answer: ToolAnswer | None) -> None:
    """With its arguments, after having read them, or not at all."""

    async def course(stage: LiveStage) -> None:
        assert await stage.doubles.invoke(call_of("t", args=args), Inside()) == answer

    staged(Scene(act="run", agent=Agent(tools=(tool,))), course)


@pytest.mark.parametrize(
    ("tool", "args", "error"),
    [
        (Tool(name="t", parses=True), "{", ScriptedError),
        (Tool(name="t", error=Error(kind="scripted", code="E"), crash=True), "{}", ScriptedCrash),
        (Tool(name="t", crash=True), "{}", ScriptedCrash),
    ],
)
def test_a_tool_fails_as_it_is_told(tool: Tool, args: str, error: type[Exception]) -> None:
    """Over arguments that are no JSON, or with what nobody foresees."""

    async def course(stage: LiveStage) -> None:
        with pytest.raises(error):
            await stage.doubles.invoke(call_of("t", args=args), Inside())

    staged(Scene(act="run", agent=Agent(tools=(tool,))), course)


def test_a_tool_has_a_text_for_each_call_of_a_run() -> None:
    """And begins anew with the next one, or when there are no more."""
    scene = Scene(act="run", agent=Agent(tools=(Tool(name="t", texts=("one", "two")),)), runs=(RUN, Run(id="2")))
    said: list[str] = []

    async def course(stage: LiveStage) -> None:
        for run in scene.runs:
            with stage.runs.running(run):
                for _ in range(3):
                    answer = await stage.doubles.invoke(call_of("t"), Inside())
                    said.append(answer.text if answer else "nothing")

    staged(scene, course)
    assert said == ["one", "two", "one"] * 2
