"""Nested middlewares of the plugin layer, and their cache."""

from __future__ import annotations

from loopspec import Message
from loopspec.contract.actions import (
    CallInner,
    Raise,
)
from loopspec.contract.agents import Agent, Model, Plugin, Script, Tool, Turn
from loopspec.contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error, Part
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, VIEW, BegunAnswer, CheckedInside, call_of, nested, sent, staged


class Chain(CheckedInside):
    """An implementation with nested middlewares around a model or a tool."""

    def __init__(self, stage: LiveStage, names: str) -> None:
        super().__init__()
        self._stage = stage
        self._names = names

    async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
        """Call the next middleware, or the model."""
        doubles, middlewares = self._stage.doubles, self._stage.middlewares
        if self._names:
            next_handler = Chain(self._stage, self._names[1:])
            answer = await middlewares.around_model(self._names[0], self._sound(request), VIEW, next_handler)
            assert not isinstance(answer, InvalidValue)
            return BegunAnswer(answer if isinstance(answer, Message) else await answer.complete())
        said = await doubles.generate("model", self._sound(request))
        assert said is not None
        return BegunAnswer(said)

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Call the next middleware, or the tool."""
        doubles, middlewares = self._stage.doubles, self._stage.middlewares
        if self._names:
            next_handler = Chain(self._stage, self._names[1:])
            answer = await middlewares.around_tool(self._names[0], self._sound(request), VIEW, next_handler)
            assert not isinstance(answer, InvalidValue)
            return BegunAnswer(answer if isinstance(answer, ToolAnswer) else await answer.complete())
        returned = await doubles.invoke(self._sound(request), self)
        assert returned is not None
        return BegunAnswer(returned)


def test_calls_are_inside_the_middlewares_around_them() -> None:
    """The spans are nested, also for tools of a middleware. An error ends the spans of the wrappers."""
    both = (Script(hook="around model"), Script(hook="around tool"))
    tool = Tool(name="t", parts=(Part(text="x"),), error=Error(kind="scripted", code="E"))
    plugins = (
        Plugin(name="A", scripts=both, tools=(tool,)),
        Plugin(name="B", scripts=both),
        Plugin(name="C", scripts=(Script(hook="around tool", actions=(CallInner(), Raise(code="F"))),)),
    )

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            await Chain(stage, "AB").model(sent(HELLO))
            await Chain(stage, "ABC").tool(call_of("t"))

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(Turn(),)), handlers=plugins)), steps, "plugins")

    assert nested(seen) == [
        ("around model A", None),
        ("around model B", "around model A"),
        ("model model", "around model B"),
        ("around tool A", None),
        ("around tool B", "around tool A"),
        ("around tool C", "around tool B"),
        ("tool t", "around tool C"),
    ]
    assert [(span.error.code if span.error else None) for span in seen.spans] == [None] * 3 + ["E"] * 4
    assert {span.agent for span in seen.spans} == {"agent"}
    assert all(span.ended is not None for span in seen.spans)
