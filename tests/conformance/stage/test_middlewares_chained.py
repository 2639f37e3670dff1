"""Nested middlewares of the plugin layer, and their cache."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec import Message
from loopspec.contract.actions import (
    CallInner,
    Raise,
    Redact,
    UseCache,
)
from loopspec.contract.agents import Agent, Model, Plugin, Script, Tool, Turn
from loopspec.contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error, Part
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, TWO, VIEW, BegunAnswer, CheckedInside, call_of, nested, sent, staged


def test_equal_requests_get_the_same_answer() -> None:
    """The cache of a middleware is used in all runs of a scene; the key is the request as it is passed on."""
    plugins = (
        Plugin(name="A", scripts=(Script(hook="around model", actions=(UseCache(),)),)),
        Plugin(name="B", scripts=(Script(hook="around model", actions=(Redact(text="o", by="0"), UseCache())),)),
    )
    agent = Agent(model=Model(turns=tuple(Turn(text=text) for text in "abcd")), handlers=plugins)
    marked = replace(HELLO, extra={"no": ["hash"]})
    came: list[object] = []

    class Asking(CheckedInside):
        def __init__(self, stage: LiveStage) -> None:
            super().__init__()
            self._stage = stage

        async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
            self.models.append(self._sound(request))
            answer = await self._stage.doubles.generate("model", self._sound(request))
            assert answer is not None
            return BegunAnswer(answer)

    async def steps(stage: LiveStage) -> None:
        inside = Asking(stage)
        asked = [("A", HELLO), ("A", marked), ("A", HELLO), ("B", HELLO), ("B", replace(HELLO, content="Hell0."))]
        for run in (ONE, TWO):
            with stage.runs.running(run):
                for name, message in asked:
                    came.append(await stage.middlewares.around_model(name, sent(message), VIEW, inside))
        assert [request.messages[0].content for request in inside.models] == ["Hello.", "Hello.", "Hell0."]

    seen = staged(Scene(act="run", agent=agent, runs=(ONE, TWO)), steps, "plugins")

    assert [message.content for message in came if isinstance(message, Message)] == ["a", "b", "a", "c", "c"] * 2
    assert [call.answer for call in seen.hooks] == ["a", "b", None, "c", None, *[None] * 5]
    assert seen.runs[0].error is None


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
