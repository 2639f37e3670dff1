"""Scripted handlers: each thing they can be told to do, and when."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from loopspec import Message, ReadRequest, ScriptedError
from loopspec.contract.actions import (
    Action,
    AddContext,
    Answer,
    DropInstructions,
    GetLocal,
    Hold,
    Insert,
    Raise,
    Rewrite,
    SetLocal,
    Summarise,
)
from loopspec.contract.agents import Agent, AgentsMD, Hook, Script, Scripted
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import Began, Error, Json
from loopspec.stage import LiveStage

from .staging import staged

SYSTEM, HELLO, AGAIN = (
    Message(role="system", content="Be brief."),
    Message(role="user", content="Hello."),
    Message(role="user", content="Hello again."),
)
GIVEN = Message(role="user", content="# /p/a.md\n\nAnswer in French.")
FILES = {"/p/a.md": File(text="Answer in French."), "/p/b.md": File(text=" ")}
RUN = Run(id="1", messages=(HELLO,))


class Inside:
    """The implementation, seen from inside: what is further in answers with what it was called with."""

    def __init__(self) -> None:
        self.local: dict[str, Json] = {}

    def set_local(self, key: str, value: Json) -> None:
        """Keep it."""
        self.local[key] = value

    def get_local(self, key: str) -> Json:
        """Return it."""
        return self.local.get(key)

    async def model(self, messages: Sequence[Message]) -> Message:
        """Say what the last message says."""
        return Message(role="assistant", content=f"model: {messages[-1].content}")

    async def tool(self, args: str) -> str:
        """Return the arguments."""
        return f"tool: {args}"


def scene_of(hook: Hook, *actions: Action, calls: tuple[int, ...] = ()) -> Scene:
    """A scene with one handler that does this."""
    handler = Scripted(name="H", scripts=(Script(hook=hook, actions=actions, calls=calls),))
    return Scene(act="run", files=FILES, agent=Agent(handlers=(AgentsMD(), handler)), runs=(RUN,))


def edited(*actions: Action) -> list[Message | int]:
    """What becomes of a conversation, before a model call and after it alike."""
    came: list[list[Message | int]] = []
    for hook in ("before model", "after model"):

        async def course(stage: LiveStage, hook: Hook = hook) -> None:
            call = stage.doubles.before_model if hook == "before model" else stage.doubles.after_model
            came.append(list(await call("H", [SYSTEM, GIVEN, HELLO, AGAIN], ["t"], Inside())))

        staged(scene_of(hook, *actions), course)
    assert came[0] == came[1]
    return came[0]


NOTE = Message(role="assistant", content="A note.")
SUMMARY = Message(role="user", content="(summary)")


@pytest.mark.parametrize(
    ("actions", "outcome"),
    [
        ([], [0, 1, 2, 3]),
        ([DropInstructions()], [0, 2, 3]),
        ([Insert(at=1, message=NOTE)], [0, NOTE, 1, 2, 3]),
        ([Summarise(over=3)], [0, 1, 2, 3]),
        ([Summarise(over=2)], [0, SUMMARY, 3]),
        ([Summarise(over=2, keep=2, text="Earlier.")], [0, Message(role="user", content="Earlier."), 2, 3]),
        ([Summarise(over=2, keep=0)], [0, SUMMARY]),
        ([Insert(at=0, message=NOTE), Summarise(over=3, keep=3)], [0, SUMMARY, 1, 2, 3]),
        ([Insert(at=4, message=GIVEN), DropInstructions()], [0, 2, 3]),
    ],
)
def test_a_handler_edits_the_conversation(actions: list[Action], outcome: list[Message | int]) -> None:
    """It keeps messages by their index, so that they stay the same objects, and adds its own."""
    assert edited(*actions) == outcome


def test_the_callers_own_words_are_no_instructions() -> None:
    """Even when they are those of a file."""
    scene = scene_of("before model", DropInstructions())
    own = Message(role="user", content="Answer in French.")
    scene = Scene(act="run", files=FILES, agent=scene.agent, runs=(Run(id="1", messages=(own,)),))

    async def course(stage: LiveStage) -> None:
        assert await stage.doubles.before_model("H", [own, GIVEN], [], Inside()) == [0]

    staged(scene, course)


@pytest.mark.parametrize(
    ("actions", "model", "tool"),
    [
        ([], "model: Hello.", "tool: {}"),
        ([Answer(text="mine")], "mine", "mine"),
        ([Rewrite(text="more")], "model: more", "tool: more"),
        ([Rewrite(text="more"), Answer(text="mine")], "mine", "mine"),
        ([SetLocal(key="k", value=1), Rewrite(text="more")], "model: more", "tool: more"),
    ],
)
def test_a_handler_stands_around_a_call(actions: list[Action], model: str, tool: str) -> None:
    """It answers itself, or calls further in with more or with something else."""

    async def around_model(stage: LiveStage) -> None:
        answer = await stage.doubles.around_model("H", [HELLO], Inside())
        assert answer == Message(role="assistant", content=model)

    async def around_tool(stage: LiveStage) -> None:
        assert await stage.doubles.around_tool("H", "t", "{}", Inside()) == tool

    staged(scene_of("around model", *actions), around_model)
    staged(scene_of("around tool", *actions), around_tool)


def test_every_hook_is_recorded_with_what_it_was_given() -> None:
    """And with what it found under the keys it asked for."""
    hooks: list[Hook] = ["before agent", "before model", "around model", "after model", "around tool", "after agent"]
    scripts = tuple(Script(hook=hook, actions=(GetLocal(key="k"),)) for hook in hooks)
    scene = Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=scripts),)), runs=(RUN,))

    async def course(stage: LiveStage) -> None:
        doubles, inside = stage.doubles, Inside()
        with stage.runs.running(RUN):
            await doubles.before_agent("H", "Be brief.", ["t"], inside)
            inside.set_local("k", 7)
            await doubles.before_model("H", [HELLO], ["t"], inside)
            await doubles.around_model("H", [HELLO], inside)
            await doubles.after_model("H", [HELLO, NOTE], ["t"], inside)
            await doubles.around_tool("H", "t", "{}", inside)
            await doubles.after_agent("H", [HELLO, NOTE], inside)

    seen = staged(scene, course).hooks

    assert [call.found for call in seen] == [{"k": None}, *[{"k": 7}] * 5]
    assert [replace(call, found={}) for call in seen] == [
        HookCall(n=0, handler="H", hook="before agent", run="1", instruction="Be brief.", tools=("t",)),
        HookCall(n=1, handler="H", hook="before model", run="1", messages=(HELLO,), tools=("t",)),
        HookCall(n=2, handler="H", hook="around model", run="1", messages=(HELLO,)),
        HookCall(n=3, handler="H", hook="after model", run="1", messages=(HELLO, NOTE), tools=("t",)),
        HookCall(n=4, handler="H", hook="around tool", run="1", tools=("t",), args="{}"),
        HookCall(n=5, handler="H", hook="after agent", run="1", messages=(HELLO, NOTE)),
    ]


def test_a_script_may_be_for_some_calls_only() -> None:
    """Counted in each run by itself."""
    scene = scene_of("before model", Raise(code="E"), calls=(2,))

    async def course(stage: LiveStage) -> None:
        for run in (RUN, Run(id="2")):
            with stage.runs.running(run):
                assert await stage.doubles.before_model("H", [HELLO], [], Inside()) == [0]
                with pytest.raises(ScriptedError):
                    await stage.doubles.before_model("H", [HELLO], [], Inside())
                assert await stage.doubles.before_model("H", [HELLO], [], Inside()) == [0]

    assert [end.error for end in staged(scene, course).runs] == [None, None]


def test_a_handler_fails_with_its_code() -> None:
    """However the implementation wraps it."""

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            try:
                await stage.doubles.before_agent("H", "", [], Inside())
            except ScriptedError as error:
                raise RuntimeError("wrapped") from error

    seen = staged(scene_of("before agent", Raise(code="E7")), course)

    assert [end.error for end in seen.runs] == [Error(kind="scripted", code="E7", message="wrapped")]


def test_a_handler_waits_and_goes_on() -> None:
    """Until its gate opens; what stands behind the waiting is done after it."""
    scene = scene_of("before agent", Hold(until=Began(run="2")), SetLocal(key="k", value=1))
    inside = Inside()

    async def wait(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", "", [], inside)

    async def begin(stage: LiveStage) -> None:
        assert inside.local == {}
        with stage.runs.running(Run(id="2")):
            pass

    async def course(stage: LiveStage) -> None:
        await asyncio.gather(wait(stage), begin(stage))

    assert staged(scene, course).stuck == ()
    assert inside.local == {"k": 1}


def test_a_context_value_reaches_what_is_called_further_in() -> None:
    """And neither what was called before nor another run."""
    scene = scene_of("before model", AddContext(key="k", value=[1]))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.world.read(ReadRequest(file_path="/p/a.md"))
            await stage.doubles.before_model("H", [HELLO], [], Inside())
            await stage.doubles.before_model("H", [HELLO], [], Inside())
            await stage.world.read(ReadRequest(file_path="/p/a.md"))
        with stage.runs.running(Run(id="2")):
            await stage.world.read(ReadRequest(file_path="/p/a.md"))

    seen = staged(scene, course)

    assert [read.context for read in seen.reads] == [{}, {"k": [1]}, {}]
    assert [call.context for call in seen.hooks] == [{}, {"k": [1]}]
