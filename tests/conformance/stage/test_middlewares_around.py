"""Scripted wrappers of the plugin layer around model calls and tool calls."""

from __future__ import annotations

import pytest

from loopspec import Message, ScriptedError, at_once
from loopspec.contract.actions import (
    Action,
    CallInner,
    ReturnNothing,
    UseCache,
)
from loopspec.contract.agents import Agent, Hook, Plugin, Script
from loopspec.contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.observation import HookCall
from loopspec.contract.scene import Scene
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, SPOKEN, TWO, VIEW, BegunAnswer, CheckedInside, E, call_of, sent, staged


class Flaky(CheckedInside):
    """A next handler that fails immediately, or whose answer breaks, a number of times."""

    def __init__(self, times: int, breaks: bool = False) -> None:
        super().__init__()
        self._left = times
        self._late = breaks

    def _broken(self) -> Exception | None:
        self._left -= 1
        if self._left < 0:
            return None
        if not self._late:
            raise E
        return E

    async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
        """Answer after the configured failures."""
        self.models.append(self._sound(request))
        return BegunAnswer(Message(role="assistant", content="finally"), self._broken())

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Answer after the configured failures."""
        self.tools.append(self._sound(request))
        return BegunAnswer(ToolAnswer(text="finally"), self._broken())


def scene_of(hook: Hook, *actions: Action) -> Scene:
    """A scene with one middleware that performs these actions."""
    plugin = Plugin(name="A", scripts=(Script(hook=hook, actions=actions),))
    return Scene(act="run", agent=Agent(handlers=(plugin,)), runs=(ONE, TWO))


def around_model(
    inside: CheckedInside, *actions: Action, request: ModelRequest | None = None
) -> tuple[object, HookCall]:
    """The complete answer of a middleware around a model call, and its record."""
    came: list[object] = []

    async def steps(stage: LiveStage) -> None:
        answer = await stage.middlewares.around_model("A", request or sent(HELLO), VIEW, inside)
        came.append(await answer.complete() if isinstance(answer, BegunAnswer) else answer)

    seen = staged(scene_of("around model", *actions), steps, "plugins")
    return came[0], seen.hooks[0]


def around_tool(inside: CheckedInside, *actions: Action, request: ToolRequest | None = None) -> tuple[object, HookCall]:
    """The complete answer of a middleware around a tool call, and its record."""
    came: list[object] = []

    async def steps(stage: LiveStage) -> None:
        answer = await stage.middlewares.around_tool("A", request or call_of("t"), VIEW, inside)
        came.append(await answer.complete() if isinstance(answer, BegunAnswer) else answer)

    seen = staged(scene_of("around tool", *actions), steps, "plugins")
    return came[0], seen.hooks[0]


def test_an_answer_of_the_next_handler_is_passed_on_unchanged() -> None:
    """An adapter can recognize its own answer."""
    begun = BegunAnswer(SPOKEN)

    class Once(CheckedInside):
        async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
            return begun

    stage = LiveStage(scene_of("around model", CallInner()), "plugins")

    assert at_once(stage.middlewares.around_model("A", sent(HELLO), VIEW, Once())) is begun


def test_a_cache_belongs_to_one_stage() -> None:
    """Each stage has its own cache, and failures are not cached."""
    inside = Flaky(1)

    with pytest.raises(ScriptedError):
        around_model(inside, UseCache())
    around_model(inside, UseCache())
    around_model(inside, UseCache())

    assert len(inside.models) == 3


def test_a_wrapper_never_returns_nothing() -> None:
    """No adapter receives None from a wrapper."""
    for around in (around_model, around_tool):
        with pytest.raises(AssertionError, match="no phrase lets a middleware return nothing there"):
            around(CheckedInside(), ReturnNothing())
