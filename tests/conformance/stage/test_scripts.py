"""Scripted handlers: each action, and the calls in which a script applies."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from loopspec import Message, ReadRequest, ScriptedError
from loopspec.contract.actions import (
    Action,
    AddContext,
    Answer,
    DeferTools,
    DropInstructions,
    GetLocal,
    Hold,
    Insert,
    OfferTools,
    Raise,
    ReplaceAll,
    ReplaceLast,
    ReturnNothing,
    SetCalls,
    SetInstruction,
    SetLocal,
    SetReturnDirectly,
    SetTools,
    SetToolSearch,
    Summarize,
)
from loopspec.contract.agents import Agent, AgentsMD, Hook, Legacy, Script, Scripted
from loopspec.contract.calls import AgentStart, Edited, ModelContext, ModelRequest, State, ToolAnswer, ToolRequest
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import Began, Error, ToolCall, ToolInfo
from loopspec.stage import LiveStage

from ..staging import Inside, call_of, sent, staged

SYSTEM, HELLO, AGAIN = (
    Message(role="system", content="Be brief."),
    Message(role="user", content="Hello."),
    Message(role="user", content="Hello again."),
)
GIVEN = Message(role="user", content="# /p/a.md\n\nAnswer in French.")
FILES = {"/p/a.md": File(text="Answer in French."), "/p/b.md": File(text=" ")}
RUN = Run(id="1", messages=(HELLO,))
START = AgentStart(instruction="Be brief.", tools=("t",), return_directly=("t",), tool_search="look")


def scene_of(hook: Hook, *actions: Action, calls: tuple[int, ...] = ()) -> Scene:
    """A scene with one handler that performs these actions."""
    handler = Scripted(name="H", scripts=(Script(hook=hook, actions=actions, calls=calls),))
    return Scene(act="run", files=FILES, agent=Agent(handlers=(AgentsMD(), handler)), runs=(RUN,))


def edited(*actions: Action) -> Edited:
    """The edited state, which is the same before and after a model call."""
    came: list[Edited] = []
    for hook in ("before model", "after model"):

        async def steps(stage: LiveStage, hook: Hook = hook) -> None:
            call = stage.doubles.before_model if hook == "before model" else stage.doubles.after_model
            edit = await call("H", State(messages=(SYSTEM, GIVEN, HELLO, AGAIN), tools=("t",)), None, Inside())
            assert edit
            came.append(edit)

        staged(scene_of(hook, *actions), steps)
    assert came[0] == came[1]
    return came[0]


async def before_model(stage: LiveStage, *messages: Message) -> Edited | None:
    """The result of the handler's before-model hook for this conversation."""
    return await stage.doubles.before_model("H", State(messages=messages), None, Inside())


NOTE = Message(role="assistant", content="A note.")
ASKING = Message(role="assistant", tool_calls=(ToolCall(id="c", name="t"),))
SUMMARY = Message(role="user", content="(summary)")


@pytest.mark.parametrize(
    ("actions", "outcome"),
    [
        ([], [0, 1, 2, 3]),
        ([DropInstructions()], [0, 2, 3]),
        ([Insert(at=1, message=NOTE)], [0, NOTE, 1, 2, 3]),
        ([Summarize(over=3)], [0, 1, 2, 3]),
        ([Summarize(over=2)], [0, SUMMARY, 3]),
        ([Summarize(over=2, keep=2, text="Earlier.")], [0, Message(role="user", content="Earlier."), 2, 3]),
        ([Summarize(over=2, keep=0)], [0, SUMMARY]),
        ([Insert(at=0, message=NOTE), Summarize(over=3, keep=3)], [0, SUMMARY, 1, 2, 3]),
        ([Insert(at=4, message=GIVEN), DropInstructions()], [0, 2, 3]),
        ([Insert(at=None, message=NOTE)], [0, 1, 2, 3, NOTE]),
        ([ReplaceAll()], []),
        ([ReplaceAll(messages=(NOTE, HELLO))], [NOTE, HELLO]),
        ([ReplaceLast(text="Bye.")], [0, 1, 2, Message(role="user", content="Bye.")]),
        ([ReplaceAll(messages=(ASKING,)), ReplaceLast(text="So?")], [replace(ASKING, content="So?")]),
        ([SetCalls(calls=ASKING.tool_calls)], [0, 1, 2, replace(AGAIN, tool_calls=ASKING.tool_calls)]),
        ([ReplaceAll(messages=(ASKING,)), SetCalls()], [Message(role="assistant")]),
        ([SetInstruction(text="no")], [0, 1, 2, 3]),
    ],
)
def test_a_handler_edits_the_conversation(actions: list[Action], outcome: list[Message | int]) -> None:
    """Unchanged messages are named by their index, so they stay the same objects."""
    assert edited(*actions) == Edited(messages=tuple(outcome), tools=("t",))


def test_a_handler_offers_and_defers_tools() -> None:
    """Tools are named, and replace the earlier ones."""
    assert edited(OfferTools(tools=("u", "t"))) == Edited(messages=(0, 1, 2, 3), tools=("u", "t"))
    wanted = Edited(messages=(0, 1, 2, 3), tools=(), deferred_tools=("u",))
    assert edited(OfferTools(), DeferTools(tools=("u",))) == wanted


@pytest.mark.parametrize(
    ("actions", "wanted"),
    [
        ([], START),
        ([SetInstruction(text="So.")], replace(START, instruction="So.")),
        ([SetInstruction(text=" So.", append=True)], replace(START, instruction="Be brief. So.")),
        ([SetTools(tools=("u",))], replace(START, tools=("u",))),
        ([SetReturnDirectly(tools=("t", "u"))], replace(START, return_directly=("t", "u"))),
        ([SetToolSearch(tool="find")], replace(START, tool_search="find")),
        (
            [SetTools(), SetLocal(key="k"), SetInstruction(text="")],
            AgentStart(instruction="", tools=(), return_directly=("t",), tool_search="look"),
        ),
    ],
)
def test_a_handler_changes_the_start_of_a_run(actions: list[Action], wanted: AgentStart) -> None:
    """Values that no action changes stay."""

    async def steps(stage: LiveStage) -> None:
        assert await stage.doubles.before_agent("H", START, Inside()) == wanted

    staged(scene_of("before agent", *actions), steps)


def test_a_hook_may_return_nothing() -> None:
    """The hook returns None after its other actions."""
    hooks: list[Hook] = ["before agent", "before model", "around model", "after model", "around tool", "after agent"]
    actions = (ReturnNothing(), SetLocal(key="k", value=1))
    scripts = tuple(Script(hook=hook, actions=actions) for hook in hooks)
    scene = Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=scripts),)))

    async def steps(stage: LiveStage) -> None:
        doubles, state = stage.doubles, State(messages=(HELLO,))
        for hook in (
            lambda inside: doubles.before_agent("H", START, inside),
            lambda inside: doubles.before_model("H", state, None, inside),
            lambda inside: doubles.around_model("H", sent(HELLO), None, inside),
            lambda inside: doubles.after_model("H", state, None, inside),
            lambda inside: doubles.around_tool("H", call_of("t"), inside),
            lambda inside: doubles.after_agent("H", state, inside),
        ):
            inside = Inside()
            assert (await hook(inside), inside.local) == (None, {"k": 1})

    staged(scene, steps)


def test_a_script_may_be_for_some_tools_only() -> None:
    """Calls of other tools are not changed."""
    script = Script(hook="around tool", actions=(Answer(text="mine"),), tools=("t", "v"))
    scene = Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=(script,)),)))

    async def steps(stage: LiveStage) -> None:
        answers = [await stage.doubles.around_tool("H", call_of(tool), Inside()) for tool in ("t", "u", "v")]
        assert [isinstance(answer, ToolAnswer) for answer in answers] == [True, False, True]

    staged(scene, steps)


def test_a_script_may_be_for_some_runs_only() -> None:
    """In other runs, the hook only observes."""
    script = Script(hook="before model", actions=(SetLocal(key="k", value=1),), runs=("2",))
    scene = Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=(script,)),)))

    async def steps(stage: LiveStage) -> None:
        for run, found in (("1", {}), ("2", {"k": 1})):
            inside = Inside()
            with stage.runs.running(Run(id=run)):
                await stage.doubles.before_model("H", State(), None, inside)
            assert inside.local == found

    staged(scene, steps)


def test_middlewares_and_legacy_ones_are_scripted_like_handlers() -> None:
    """Each has its own scripts, its own count of calls, and only the hooks of its scripts."""
    own, old = (Script(hook="around tool", actions=(Answer(text=name),)) for name in ("M", "L"))
    before = Script(hook="before model", actions=(DropInstructions(),))
    middleware, legacy = Scripted(name="M", scripts=(own,)), Legacy(name="L", scripts=(old, before))
    scene = Scene(act="run", files=FILES, agent=Agent(tool_middlewares=(middleware,), legacy=(legacy,)))

    async def steps(stage: LiveStage) -> None:
        for name in ("M", "L"):
            assert await stage.doubles.around_tool(name, call_of("t"), Inside()) == ToolAnswer(text=name)
        state = State(messages=(GIVEN, HELLO))
        assert await stage.doubles.before_model("L", state, None, Inside()) == Edited(messages=(1,))

    assert [(call.handler, call.hook) for call in staged(scene, steps).hooks] == [
        ("M", "around tool"),
        ("L", "around tool"),
        ("L", "before model"),
    ]
    assert (middleware.hooks, legacy.hooks) == (frozenset({"around tool"}), frozenset({"around tool", "before model"}))


def test_a_message_of_the_caller_is_no_instructions() -> None:
    """A message of the caller may have the same content as a file."""
    scene = scene_of("before model", DropInstructions())
    own = Message(role="user", content="Answer in French.")
    scene = Scene(act="run", files=FILES, agent=scene.agent, runs=(Run(id="1", messages=(own,)),))

    async def steps(stage: LiveStage) -> None:
        assert await before_model(stage, own, GIVEN) == Edited(messages=(0,))

    staged(scene, steps)


def test_every_hook_is_recorded_with_its_arguments() -> None:
    """The record also has the values that the hook reads."""
    hooks: list[Hook] = ["before agent", "before model", "around model", "after model", "around tool", "after agent"]
    scripts = tuple(Script(hook=hook, actions=(GetLocal(key="k"),)) for hook in hooks)
    scene = Scene(act="run", agent=Agent(handlers=(Scripted(name="H", scripts=scripts),)), runs=(RUN,))
    context = ModelContext(tools=("t",), retry=True)

    async def steps(stage: LiveStage) -> None:
        doubles, inside = stage.doubles, Inside()
        with stage.runs.running(RUN):
            start = AgentStart(instruction="Be brief.", tools=("t",), return_directly=("t",))
            await doubles.before_agent("H", start, inside)
            inside.set_local("k", 7)
            state = State(messages=(HELLO,), tools=("t",), deferred_tools=("u",))
            await doubles.before_model("H", state, context, inside)
            await doubles.around_model(
                "H", ModelRequest(messages=(HELLO,), tools=(ToolInfo(name="t"),)), context, inside
            )
            await doubles.after_model("H", replace(state, messages=(HELLO, NOTE)), None, inside)
            request = ToolRequest(tool="t", call_id="c", args="[]", kind="enhanced streamable", options={"o": 1})
            await doubles.around_tool("H", request, inside)
            await doubles.after_agent("H", State(messages=(HELLO, NOTE), tools=()), inside)

    seen = staged(scene, steps).hooks

    assert [(call.found, call.missing) for call in seen] == [({}, ("k",)), *[({"k": 7}, ())] * 5]
    plain = [replace(call, n=0, found={}, missing=()) for call in seen]
    assert plain == [
        HookCall(
            n=0,
            handler="H",
            hook="before agent",
            run="1",
            instruction="Be brief.",
            tools=("t",),
            return_directly=("t",),
        ),
        HookCall(
            n=0,
            handler="H",
            hook="before model",
            run="1",
            messages=(HELLO,),
            tools=("t",),
            deferred_tools=("u",),
            model_context=context,
        ),
        HookCall(
            n=0, handler="H", hook="around model", run="1", messages=(HELLO,), tools=("t",), model_context=context
        ),
        HookCall(
            n=0,
            handler="H",
            hook="after model",
            run="1",
            messages=(HELLO, NOTE),
            tools=("t",),
            deferred_tools=("u",),
            model_context=ModelContext(tools=("t",)),
        ),
        HookCall(
            n=0,
            handler="H",
            hook="around tool",
            run="1",
            tools=("t",),
            tool="t",
            call_id="c",
            kind="enhanced streamable",
            args="[]",
            options={"o": 1},
        ),
        HookCall(n=0, handler="H", hook="after agent", run="1", messages=(HELLO, NOTE)),
    ]
    assert sorted(call.n for call in seen) == [call.n for call in seen]


def test_a_script_may_be_for_some_calls_only() -> None:
    """Calls are counted in each run separately."""
    scene = scene_of("before model", Raise(code="E"), calls=(2,))

    async def steps(stage: LiveStage) -> None:
        for run in (RUN, Run(id="2")):
            with stage.runs.running(run):
                assert await before_model(stage, HELLO) == Edited(messages=(0,))
                with pytest.raises(ScriptedError):
                    await before_model(stage, HELLO)
                assert await before_model(stage, HELLO) == Edited(messages=(0,))

    assert [end.error for end in staged(scene, steps).runs] == [None, None]


def test_a_handler_fails_with_its_code() -> None:
    """The code is found inside another error."""

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            try:
                await stage.doubles.before_agent("H", AgentStart(), Inside())
            except ScriptedError as error:
                raise RuntimeError("wrapped") from error

    seen = staged(scene_of("before agent", Raise(code="E7")), steps)

    assert [end.error for end in seen.runs] == [Error(kind="scripted", code="E7", message="wrapped")]


def test_a_handler_waits_and_continues() -> None:
    """The hook waits until its gate opens; the next actions are performed afterward."""
    scene = scene_of("before agent", Hold(until=Began(run="2")), SetLocal(key="k", value=1))
    inside = Inside()

    async def wait(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.doubles.before_agent("H", AgentStart(), inside)

    async def begin(stage: LiveStage) -> None:
        assert inside.local == {}
        with stage.runs.running(Run(id="2")):
            pass

    async def steps(stage: LiveStage) -> None:
        await asyncio.gather(wait(stage), begin(stage))

    assert staged(scene, steps).stuck == ()
    assert inside.local == {"k": 1}


def test_a_context_value_reaches_the_calls_inside() -> None:
    """Earlier calls and other runs do not receive the value."""
    scene = scene_of("before model", AddContext(key="k", value=[1]))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            await stage.environment.read(ReadRequest(file_path="/p/a.md"))
            await before_model(stage, HELLO)
            await before_model(stage, HELLO)
            await stage.environment.read(ReadRequest(file_path="/p/a.md"))
        with stage.runs.running(Run(id="2")):
            await stage.environment.read(ReadRequest(file_path="/p/a.md"))

    seen = staged(scene, steps)

    assert [read.context for read in seen.reads] == [{}, {"k": [1]}, {}]
    assert [call.context for call in seen.hooks] == [{}, {"k": [1]}]
