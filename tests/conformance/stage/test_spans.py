"""Spans: the nesting of calls of doubles, and how each call returned, in cases whose trace no feature shows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from loopspec import Message
from loopspec.contract.actions import Raise, Script
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.contract.around import CallInner
from loopspec.contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.doubles import Doubles
from loopspec.contract.observation import ModelCall, Observation, Span
from loopspec.contract.scene import Scene
from loopspec.contract.values import Began, Called, Error, Returned
from loopspec.stage import LiveStage

from ..staging import HELLO, ONE, TWO, BegunAnswer, Inside, call_of, nested, sent, staged


class Chain(Inside):
    """An implementation with nested handlers around a tool."""

    def __init__(self, doubles: Doubles, handlers: Iterable[str]) -> None:
        super().__init__()
        self._doubles = doubles
        self._handlers = list(handlers)

    async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
        """Call the next handler, or the tool."""
        assert not isinstance(request, InvalidValue)
        if self._handlers:
            inner = Chain(self._doubles, self._handlers[1:])
            answer = await self._doubles.around_tool(self._handlers[0], request, inner)
        else:
            answer = await self._doubles.invoke(request, self)
        assert answer is not None
        assert not isinstance(answer, InvalidValue)
        return BegunAnswer(answer if isinstance(answer, ToolAnswer) else await answer.complete())


def around(name: str) -> Scripted:
    """A handler with a model wrapper and a tool wrapper that only call the next handler."""
    return Scripted(name=name, scripts=(Script(hook="around model"), Script(hook="around tool")))


def test_parallel_tool_calls_do_not_nest_in_each_other() -> None:
    """A tool span is inside the wrappers of the call with the same id."""
    tools = tuple(Tool(name=name, held=Called(double=f"tool {other}")) for name, other in ("ab", "ba"))
    agent = Agent(tools=tools, handlers=(around("H1"), around("H2")))

    async def steps(stage: LiveStage) -> None:
        with stage.runs.running(ONE):
            calls = (Chain(stage.doubles, ["H1", "H2"]).tool(call_of(name, f"c{name}")) for name in "ab")
            await asyncio.gather(*calls)

    seen = staged(Scene(act="run", agent=agent, runs=(ONE,)), steps)

    assert sorted(nested(seen), key=str) == [
        ("around tool H1", None),
        ("around tool H1", None),
        ("around tool H2", "around tool H1"),
        ("around tool H2", "around tool H1"),
        ("tool a", "around tool H2"),
        ("tool b", "around tool H2"),
    ]
    wraps = {span.n: span for span in seen.spans}
    outermost = {
        span.name: wraps[wraps[span.inside or 0].inside or 0].n for span in seen.spans if span.name.startswith("tool")
    }
    assert outermost["tool a"] != outermost["tool b"]


def test_calls_of_other_runs_and_of_other_agents_do_not_nest() -> None:
    """Concurrent calls of other runs and agents are not nested."""
    deep = Agent(name="deep", model=Model(name="deep model"))
    agent = Agent(tools=(Tool(name="deep", agent=deep),), handlers=(around("H"),))

    async def steps(stage: LiveStage) -> None:
        class Nesting(Inside):
            async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
                await stage.doubles.generate("deep model", sent(HELLO))
                with stage.runs.running(TWO):
                    await stage.doubles.generate("model", sent(HELLO))
                return await super().model(request)

        with stage.runs.running(ONE):
            await stage.doubles.around_model("H", sent(HELLO), Nesting())

    seen = staged(Scene(act="run", agent=agent, runs=(ONE, TWO)), steps)

    assert nested(seen) == [("around model H", None), ("model deep model", None), ("model model", None)]
    assert [(span.agent, span.run) for span in seen.spans] == [("agent", "1"), ("deep", "1"), ("agent", "2")]


def test_an_error_is_in_the_spans_that_it_ends() -> None:
    """The error is in each span up to the handler that returns a fallback."""
    actions = {"catches": (CallInner(fallback="instead"),), "raises": (CallInner(), Raise(code="F"))}
    handlers = (Scripted(name=name, scripts=(Script(hook="around tool", actions=do),)) for name, do in actions.items())
    agent = Agent(handlers=tuple(handlers), tools=(Tool(name="t", text="fine"),))

    async def steps(stage: LiveStage) -> None:
        answer = await Chain(stage.doubles, ["catches", "raises"]).tool(call_of("t"))
        assert await answer.complete() == ToolAnswer(text="instead")

    seen = staged(Scene(act="run", agent=agent), steps)

    assert [(span.name, span.error and span.error.code) for span in seen.spans] == [
        ("around tool catches", None),
        ("around tool raises", "F"),
        ("tool t", None),
    ]


def test_a_cancelled_call_has_no_end() -> None:
    """The span has no end, a gate for its return stays closed, and the next call is not nested in it."""
    tool, reader = Tool(name="t", held=Began(run="2")), Tool(name="u", held=Returned(double="tool t"))
    agent = Agent(tools=(tool, reader), handlers=(around("H"),))

    async def steps(stage: LiveStage) -> None:
        calls = [asyncio.ensure_future(Chain(stage.doubles, ["H"]).tool(call_of("t"))) for _ in range(2)]
        await asyncio.sleep(0)
        calls[0].cancel()
        await asyncio.gather(calls[0], return_exceptions=True)
        calls[1].cancel()
        await asyncio.gather(calls[1], return_exceptions=True)
        await asyncio.gather(stage.doubles.invoke(call_of("u"), Inside()), return_exceptions=True)

    seen = staged(Scene(act="run", agent=agent), steps)

    assert [(span.name, span.ended, span.error) for span in seen.spans[:4]] == [
        ("around tool H", None, None),
        ("tool t", None, None),
        ("around tool H", None, None),
        ("tool t", None, None),
    ]
    assert (nested(seen)[4], seen.stuck) == (
        ("tool u", None),
        ("held until 'tool t' has returned 1 times, which never came",),
    )


def test_a_closed_stream_has_no_end() -> None:
    """A stream that is read completely has an end."""

    async def steps(stage: LiveStage) -> None:
        for read_on in (False, True):
            chunks = stage.doubles.stream("model", sent(HELLO))
            assert (await anext(chunks)).content == "done"
            if read_on:
                assert [chunk async for chunk in chunks] == []
            else:
                await chunks.aclose()  # type: ignore[attr-defined]  # an async generator

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(Turn(text="done"),) * 2))), steps)
    assert [span.ended is None for span in seen.spans] == [True, False]


def test_a_callback_is_nested_in_its_call() -> None:
    """A callback is nested in the model call, or in the tool call with its id, or in nothing."""

    class Calling(Inside):
        def __init__(self, doubles: Doubles) -> None:
            super().__init__()
            self._doubles = doubles

        async def model(self, request: ModelRequest | InvalidValue) -> BegunAnswer[Message]:
            self._doubles.called_back("model start", "model")
            self._doubles.called_back("tool start", "t", "other")
            return await super().model(request)

        async def tool(self, request: ToolRequest | InvalidValue) -> BegunAnswer[ToolAnswer]:
            self._doubles.called_back("tool end", "t", "c")
            return await super().tool(request)

    async def steps(stage: LiveStage) -> None:
        inside = Calling(stage.doubles)
        await stage.doubles.around_model("H", sent(HELLO), inside)
        await stage.doubles.around_tool("H", call_of("t"), inside)

    agent = Agent(tools=(Tool(name="t"),), handlers=(around("H"),))
    seen = staged(Scene(act="run", agent=agent), steps)

    assert nested(seen) == [
        ("around model H", None),
        ("callback model start", "around model H"),
        ("callback tool start", None),
        ("around tool H", None),
        ("callback tool end", "around tool H"),
    ]
    assert [span.ended is None for span in seen.spans] == [False, True, True, False, True]


@pytest.mark.parametrize("streaming", [False, True])
def test_a_model_may_call_its_own_callbacks(streaming: bool) -> None:
    """The callback for the end is missing if the call fails."""
    turns = (Turn(text="one"), Turn(error=Error(kind="scripted", code="E")))

    async def steps(stage: LiveStage) -> None:
        for _ in turns:
            with stage.runs.running(ONE):
                if streaming:
                    assert [chunk async for chunk in stage.doubles.stream("model", sent(HELLO))]
                else:
                    await stage.doubles.generate("model", sent(HELLO))

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=turns, reports=True)), runs=(ONE,)), steps)

    once = ["model model", "callback model start"]
    assert [span.name for span in seen.spans] == [*once, "callback model end", *once]


def test_a_double_belongs_to_the_agent_that_has_it() -> None:
    """A handler of several agents belongs to the first of them; without a handler, there is no agent."""
    shared = around("shared")
    inner = Agent(name="inner", model=None, tools=(Tool(name="deep"),), handlers=(shared,))
    agent = Agent(tools=(Tool(name="inner", agent=inner),), additional_tools=(Tool(name="extra"),), handlers=(shared,))

    async def steps(stage: LiveStage) -> None:
        for tool in ("deep", "extra"):
            await stage.doubles.invoke(call_of(tool), Inside())
        await stage.doubles.around_tool("shared", call_of("deep"), Inside())
        stage.doubles.called_back("tool end", "inner", "c")

    seen = staged(Scene(act="run", agent=agent), steps)
    assert [(span.name, span.agent) for span in seen.spans] == [
        ("tool deep", "inner"),
        ("tool extra", "agent"),
        ("around tool shared", "agent"),
        ("callback tool end", ""),
    ]


def test_spans_are_numbered_with_all_other_entries() -> None:
    """The number of a span precedes the numbers of its entries, and its end follows them."""

    async def steps(stage: LiveStage) -> None:
        await stage.doubles.generate("model", sent(HELLO))

    seen = staged(Scene(act="run"), steps)

    answer = Message(role="assistant", content="done")
    assert seen.spans == (Span(n=0, name="model model", agent="agent", run=None, ended=2),)
    assert seen.model_calls == (ModelCall(n=1, model="model", run=None, request=sent(HELLO), answer=answer),)
    assert replace(seen, spans=(), model_calls=()) == Observation()
