"""Actions of handlers and tools inside a run."""

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
from loopspec.contract.calls import AgentStart, ToolAnswer
from loopspec.contract.doubles import RegisteredValue, ScriptedCrash, UnregisteredValue
from loopspec.contract.observation import HookCall, Outside
from loopspec.contract.scene import ReadRequest, Run, Scene
from loopspec.contract.values import Began, Error
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, staged

RUN = Run(id="1")


def hooked(inside: Inside, *actions: Action) -> HookCall:
    """The record of a hook that performs these actions."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=actions),))
    scene = Scene(act="run", agent=Agent(handlers=(handler,)), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", AgentStart(), inside)

    return staged(scene, steps).hooks[0]


def used(inside: Inside, tool: Tool) -> Observation:
    """The observation of a run that calls a tool."""
    scene = Scene(act="run", agent=Agent(tools=(tool,)), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.invoke(call_of(tool.name), inside)

    return staged(scene, steps)


def test_a_hook_sets_reads_and_deletes_values() -> None:
    """Values are those of the run and of its session; a missing value differs from None."""
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


def test_values_that_are_not_json_are_identified_by_their_type() -> None:
    """One type is registered with the target, the other is unknown."""
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


def test_a_rejection_is_recorded_and_not_raised() -> None:
    """A rejection is recorded by its action, and the next actions are performed."""
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
    rejected = ["set a", "get a", "delete a", "set b", "get b", "send event"]
    assert (seen.found, seen.missing) == ({}, ())
    assert seen.refused == dict.fromkeys(rejected, refusal)


def test_values_read_before_a_hook_fails_are_recorded() -> None:
    """The error is raised to the caller."""
    handler = Scripted(
        name="H",
        scripts=(
            Script(hook="before agent", actions=(SetLocal(key="k", value=1), GetLocal(key="k"), Raise(code="E"))),
        ),
    )

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(ScriptedError, match="scripted error E"):
            await stage.doubles.before_agent("H", AgentStart(), Inside())

    seen = staged(Scene(act="run", agent=Agent(handlers=(handler,))), steps)
    assert [call.found for call in seen.hooks] == [{"k": 1}]


@pytest.mark.parametrize(("crash", "kind"), [(False, ScriptedError), (True, ScriptedCrash)])
def test_a_hook_fails_or_crashes(crash: bool, kind: type[Exception]) -> None:
    """The error is a declared one or a crash."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=(Raise(code="E", crash=crash),)),))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            try:
                await stage.doubles.before_agent("H", AgentStart(), Inside())
            except kind as error:
                raise RuntimeError("wrapped") from error

    seen = staged(Scene(act="run", agent=Agent(handlers=(handler,)), runs=(RUN,)), steps)
    expected = Error(kind="crash" if crash else "scripted", code="E", message="wrapped")
    assert [end.error for end in seen.runs] == [expected]


def test_a_hook_sends_events() -> None:
    """Events are sent in order."""
    inside = Inside()

    hooked(inside, SendEvent(payload={"half": 0.5}), SendEvent(payload=None))

    assert inside.events == [{"half": 0.5}, None]


def test_an_action_for_another_hook_has_no_effect() -> None:
    """Setting the tools of a run is not an action inside the run."""
    inside = Inside()

    seen = hooked(inside, SetTools(tools=("t",)))

    assert (inside.local, inside.events, seen.refused) == ({}, [], {})


def test_the_body_of_a_tool_acts_like_a_hook() -> None:
    """Values that the tool reads are in its record."""
    inside = Inside()
    inside.local["k"] = 7
    tool = Tool(name="t", actions=(GetLocal(key="k"), SendEvent(payload="e"), SetSession(key="s", value=1)))

    seen = used(inside, tool)

    assert ([run.found for run in seen.tool_runs], inside.events, inside.session) == ([{"k": 7}], ["e"], {"s": 1})


def test_values_read_before_a_tool_fails_are_recorded() -> None:
    """The record is kept, as for a hook."""
    inside = Inside()
    inside.local["k"] = 7

    seen = used(inside, Tool(name="t", actions=(GetLocal(key="k"), Raise(code="E"))))

    assert ([run.found for run in seen.tool_runs], seen.runs[0].error and seen.runs[0].error.code) == ([{"k": 7}], "E")


def test_the_body_of_a_tool_waits() -> None:
    """A gate that can no longer open fails the call."""
    seen = used(Inside(), Tool(name="t", actions=(Hold(until=Began(run="2")),)))

    assert seen.stuck == ("held until run 2 begins, which never came",)


def test_a_context_value_reaches_models_and_tools() -> None:
    """The value reaches the reads of the tools as well."""
    handler = Scripted(name="H", scripts=(Script(hook="before agent", actions=(AddContext(key="k", value=1),)),))
    scene = Scene(act="run", agent=Agent(handlers=(handler,), tools=(Tool(name="t"),)), runs=(RUN,))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", AgentStart(), Inside())
            await stage.doubles.invoke(call_of("t"), Inside())
            await stage.environment.read(ReadRequest(file_path="/p/a.md"))

    seen = staged(scene, steps)
    assert [*(run.context for run in seen.tool_runs), *(read.context for read in seen.reads)] == [{"k": 1}] * 2


def test_a_custom_input_function_makes_the_first_conversation() -> None:
    """The request is recorded, and the messages of the scene come first; or the function fails."""
    hello, before = Message(role="user", content="Hello."), Message(role="user", content="Before.")
    fine = Agent(name="fine", make_input=MakeInput(messages=(before,)))
    agent = Agent(make_input=MakeInput(error=Error(kind="scripted", code="E")), tools=(Tool(name="fine", agent=fine),))

    async def steps(stage: LiveStage) -> None:
        assert await stage.doubles.make_input("fine", "Be brief.", [hello]) == [before, hello]
        with pytest.raises(ScriptedError, match="scripted error E"):
            await stage.doubles.make_input("agent", "", [])

    seen = staged(Scene(act="run", agent=agent), steps)
    assert [(asked.what, asked.agent, asked.instruction, asked.messages) for asked in seen.questions] == [
        ("input", "fine", "Be brief.", (hello,)),
        ("input", "agent", "", ()),
    ]
    assert [(span.name, span.agent, span.error and span.error.code) for span in seen.spans] == [
        ("input", "fine", None),
        ("input", "agent", "E"),
    ]


def test_each_action_is_tried_outside_a_run() -> None:
    """Each action is performed or rejected outside a run."""

    async def steps(stage: LiveStage) -> None:
        stage.doubles.outside(Inside())
        stage.doubles.outside(Inside(LookupError("no")))

    actions = ["set", "get", "delete", "send event"]
    rejected = Error(kind="other", message="LookupError: no")
    assert staged(Scene(act="outside"), steps).outside == (
        *(Outside(what=action) for action in actions),
        *(Outside(what=action, error=rejected) for action in actions),
    )


def test_information_about_a_tool() -> None:
    """A tool has information unless the scene denies it."""
    agent = Agent(tools=(Tool(name="t", description="explains"),), additional_tools=(Tool(name="u", nameless=True),))

    async def steps(stage: LiveStage) -> None:
        info = stage.doubles.info("t")
        assert (info.name, info.description) == ("t", "explains")
        with pytest.raises(ScriptedError, match="no information"):
            stage.doubles.info("u")

    staged(Scene(act="run", agent=agent), steps)


@pytest.mark.parametrize(
    ("tool", "args", "answer"),
    [
        (Tool(name="t", echoes=True), "{}", ToolAnswer(text="{}")),
        (Tool(name="t", parses=True), "[1]", ToolAnswer(text="ok")),
        (Tool(name="t", nothing=True), "{}", None),
    ],
)
def test_a_tool_answers_as_configured(tool: Tool, args: str, answer: ToolAnswer | None) -> None:
    """A tool returns its arguments, parses them first, or returns nothing."""

    async def steps(stage: LiveStage) -> None:
        assert await stage.doubles.invoke(call_of("t", args=args), Inside()) == answer

    staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)


@pytest.mark.parametrize(
    ("tool", "args", "error"),
    [
        (Tool(name="t", parses=True), "{", ScriptedError),
        (Tool(name="t", error=Error(kind="scripted", code="E"), crash=True), "{}", ScriptedCrash),
        (Tool(name="t", crash=True), "{}", ScriptedCrash),
    ],
)
def test_a_tool_fails_as_configured(tool: Tool, args: str, error: type[Exception]) -> None:
    """A tool fails for arguments that are not JSON, with a declared error, or with a crash."""

    async def steps(stage: LiveStage) -> None:
        with pytest.raises(error):
            await stage.doubles.invoke(call_of("t", args=args), Inside())

    staged(Scene(act="run", agent=Agent(tools=(tool,))), steps)


def test_a_tool_has_a_text_for_each_call_of_a_run() -> None:
    """The texts start again in the next run and after the last text."""
    scene = Scene(act="run", agent=Agent(tools=(Tool(name="t", texts=("one", "two")),)), runs=(RUN, Run(id="2")))
    said: list[str] = []

    async def steps(stage: LiveStage) -> None:
        for run in scene.runs:
            with stage.runs.running(run):
                for _ in range(3):
                    answer = await stage.doubles.invoke(call_of("t"), Inside())
                    said.append(answer.text if answer else "nothing")

    staged(scene, steps)
    assert said == ["one", "two", "one"] * 2
