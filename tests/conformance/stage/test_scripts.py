"""Scripted handlers: each action, and the calls in which a script applies."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec import Message
from loopspec.contract.actions import (
    Action,
    DropInstructions,
    GetLocal,
    ReturnNothing,
    SetLocal,
)
from loopspec.contract.agents import Agent, AgentsMD, Hook, Script, Scripted
from loopspec.contract.calls import AgentStart, Edited, ModelContext, ModelRequest, State, ToolRequest
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import File, Run, Scene
from loopspec.contract.values import ToolInfo
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


async def before_model(stage: LiveStage, *messages: Message) -> Edited | None:
    """The result of the handler's before-model hook for this conversation."""
    return await stage.doubles.before_model("H", State(messages=messages), None, Inside())


NOTE = Message(role="assistant", content="A note.")


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
