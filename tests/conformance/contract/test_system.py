"""The system instruction of a framework that holds it apart from the messages; edits of messages that are several."""

from __future__ import annotations

import pytest

from loopspec import Edited, Message, ModelRequest, Scene, State
from loopspec.contract.actions import Action, Insert, ReplaceAll, Script
from loopspec.contract.agents import Agent, Model, Plugin, Scripted, Turn
from loopspec.contract.around import Rewrite, SetSystem
from loopspec.contract.doubles import NoInside
from loopspec.stage import LiveStage

from ..staging import BRIEF, HELLO, VIEW, Inside, staged

NEW = Message(role="user", content="new")
OTHER = Message(role="system", content="Be funny.")


def scene_of(hook: str, *actions: Action) -> Scene:
    """A scene with a handler and a middleware that do the actions."""
    script = Script(hook=hook, actions=actions)  # type: ignore[arg-type]  # a hook
    handlers = (Scripted(name="H", scripts=(script,)), Plugin(name="P", scripts=(script,)))
    return Scene(act="run", agent=Agent(handlers=handlers, model=Model(turns=(Turn(text="done"),) * 2)))


def test_a_request_and_a_state_have_the_instruction_first() -> None:
    """The record is that of a framework whose first message is the instruction; "" is no message."""
    scene = scene_of("before model")

    async def steps(stage: LiveStage) -> None:
        for request in (ModelRequest(messages=(BRIEF, HELLO)), ModelRequest(messages=(HELLO,), system="Be brief.")):
            await stage.doubles.generate("model", request)
        for state in (
            State(messages=(BRIEF, HELLO)),
            State(messages=(HELLO,), system="Be brief."),
            State(messages=(HELLO,), system=""),
        ):
            await stage.doubles.edit("before model", "H", state, NoInside())

    seen = staged(scene, steps)

    assert [call.request for call in seen.model_calls] == [ModelRequest(messages=(BRIEF, HELLO))] * 2
    assert [call.messages for call in seen.hooks] == [(BRIEF, HELLO), (BRIEF, HELLO), (HELLO,)]


@pytest.mark.parametrize(
    ("actions", "system", "wanted"),
    [
        ((), "Be brief.", Edited(messages=(0, 1), system="Be brief.")),
        ((), "", Edited(messages=(0, 1), system="")),
        ((), None, Edited(messages=(0, 1))),
        ((Insert(at=1, message=NEW),), "Be brief.", Edited(messages=(NEW, 0, 1), system="Be brief.")),
        ((Insert(at=0, message=NEW),), "Be brief.", Edited(messages=(NEW, 0, 1), system="Be brief.")),
        ((Insert(at=0, message=NEW),), "", Edited(messages=(NEW, 0, 1), system="")),
        ((ReplaceAll(messages=(OTHER, NEW)),), "Be brief.", Edited(messages=(NEW,), system="Be funny.")),
        ((ReplaceAll(messages=(NEW,)),), "Be brief.", Edited(messages=(NEW,), system="")),
        ((ReplaceAll(messages=(NEW, OTHER)),), "Be brief.", Edited(messages=(NEW, OTHER), system="")),
    ],
)
def test_an_edited_state_has_the_instruction_apart(
    actions: tuple[Action, ...], system: str | None, wanted: Edited
) -> None:
    """The numbers are those of the messages that the adapter passed, for handlers and for middlewares."""
    state = State(messages=(HELLO, Message(role="assistant", content="Hi.")), system=system)

    async def steps(stage: LiveStage) -> None:
        assert await stage.doubles.edit("before model", "H", state, NoInside()) == wanted
        assert await stage.doubles.edit("before model", "P", state, NoInside(), view=VIEW) == wanted

    staged(scene_of("before model", *actions), steps)


@pytest.mark.parametrize(
    ("actions", "system", "wanted"),
    [
        ((), "Be brief.", ModelRequest(messages=(HELLO,), system="Be brief.")),
        ((SetSystem(text="Be funny."),), "Be brief.", ModelRequest(messages=(HELLO,), system="Be funny.")),
        ((SetSystem(text="Be funny."),), "", ModelRequest(messages=(HELLO,), system="Be funny.")),
        ((SetSystem(text="Be funny."),), None, ModelRequest(messages=(OTHER, HELLO))),
        ((Rewrite(text="new"),), "", ModelRequest(messages=(HELLO, NEW), system="")),
    ],
)
def test_a_wrappers_request_has_the_instruction_apart(
    actions: tuple[Action, ...], system: str | None, wanted: ModelRequest
) -> None:
    """The inner endpoint receives the request in the form that the adapter passed."""
    request, handler, middleware = ModelRequest(messages=(HELLO,), system=system), Inside(), Inside()

    async def steps(stage: LiveStage) -> None:
        await stage.doubles.around_model("H", request, handler)
        await stage.doubles.around_model("P", request, middleware, view=VIEW)

    staged(scene_of("around model", *actions), steps)

    assert (handler.models, middleware.models) == ([wanted], [wanted])


@pytest.mark.parametrize(
    ("messages", "sizes", "wanted"),
    [
        ((0, 1, 2), [1, 2], [0, 1]),
        ((0, 1, 2), [3], [0]),
        ((0, 2), [1, 2], [0, (2,)]),
        ((1, 2), [1, 2], [1]),
        ((0, 2, 1), [1, 2], [0, (2, 1)]),
        ((NEW, 0, NEW, 1, 2), [1, 2], [(NEW,), 0, (NEW,), 1]),
        ((0, 1, NEW, 2), [1, 2], [0, (1, NEW, 2)]),
        ((0, 1), [1, 0, 1], [0, 2]),
        ((), [1, 2], []),
    ],
)
def test_the_edits_of_messages_that_are_several(
    messages: tuple[Message | int, ...], sizes: list[int], wanted: list[object]
) -> None:
    """A framework's message stays if all its parts do, in their order; the rest is new."""
    assert Edited(messages=messages).in_groups(sizes) == wanted
