"""Spans: which call of a double happened inside which, and how each came back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from loopspec import Message, ScriptedError
from loopspec.contract.actions import Action, CallInner, Raise
from loopspec.contract.agents import Agent, Failover, Hook, Model, Script, Scripted, Tool, Turn
from loopspec.contract.calls import ModelRequest, Start, State, ToolAnswer, ToolRequest
from loopspec.contract.doubles import Doubles
from loopspec.contract.observation import ModelCall, Observation, Span
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Began, Called, Error, Returned
from loopspec.stage import LiveStage

from ..staging import Begun, Inside, call_of, nested, sent, staged

HELLO = Message(role="user", content="Hello.")
RUN = Run(id="1")


class Chain(Inside):
    """An implementation with handlers one inside the other, and a model or a tool in their midst."""

    def __init__(self, doubles: Doubles, handlers: Iterable[str], model: str = "model") -> None:
        super().__init__()
        self._doubles = doubles
        self._handlers = list(handlers)
        self._model = model

    def _further(self) -> Chain:
        return Chain(self._doubles, self._handlers[1:], self._model)

    async def model(self, request: ModelRequest) -> Begun[Message]:
        """Go one further in."""
        if self._handlers:
            answer = await self._doubles.around_model(self._handlers[0], request, None, self._further())
        else:
            answer = await self._doubles.generate(self._model, request)
        assert answer is not None
        return Begun(answer if isinstance(answer, Message) else await answer.whole())

    async def tool(self, request: ToolRequest) -> Begun[ToolAnswer]:
        """Go one further in."""
        if self._handlers:
            answer = await self._doubles.around_tool(self._handlers[0], request, self._further())
        else:
            answer = await self._doubles.invoke(request, self)
        assert answer is not None
        return Begun(answer if isinstance(answer, ToolAnswer) else await answer.whole())


def around(name: str) -> Scripted:
    """A handler around models and tools that does nothing."""
    return Scripted(name=name, scripts=(Script(hook="around model"), Script(hook="around tool")))


def around_tool(name: str, *actions: Action) -> Scripted:
    """A handler around tools that does this."""
    return Scripted(name=name, scripts=(Script(hook="around tool", actions=actions),))


def test_a_model_call_is_inside_the_handlers_around_it() -> None:
    """One inside the other, each ended after what it encloses; another call of the model begins anew."""
    agent = Agent(model=Model(turns=(Turn(), Turn())), handlers=(around("H1"), around("H2")))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            for _ in range(2):
                await Chain(stage.doubles, ["H1", "H2"]).model(sent(HELLO))

    seen = staged(Scene(act="run", agent=agent, runs=(RUN,)), course)

    once = [
        ("around model H1", None),
        ("around model H2", "around model H1"),
        ("model model", "around model H2"),
    ]
    assert nested(seen) == once * 2
    outer, inner, model = seen.spans[:3]
    assert outer.n < inner.n < model.n
    ends = [span.ended for span in (outer, inner, model)]
    assert ends == [len(seen.spans[:3]) + 3] * 3  # nothing was taken down between one end and the next
    assert [(span.agent, span.run, span.error) for span in seen.spans] == [("agent", "1", None)] * 6


def test_parallel_tool_calls_do_not_nest_in_each_other() -> None:
    """Each is inside what stands around the call of the same id."""
    tools = tuple(Tool(name=name, held=Called(double=f"tool {other}")) for name, other in ("ab", "ba"))
    agent = Agent(tools=tools, handlers=(around("H1"), around("H2")))

    async def course(stage: LiveStage) -> None:
        with stage.runs.running(RUN):
            calls = (Chain(stage.doubles, ["H1", "H2"]).tool(call_of(name, f"c{name}")) for name in "ab")
            await asyncio.gather(*calls)

    seen = staged(Scene(act="run", agent=agent, runs=(RUN,)), course)

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
    """Though they go on at the same time."""
    deep = Agent(name="deep", model=Model(name="deep model"), handlers=(around("D"),))
    agent = Agent(tools=(Tool(name="deep", agent=deep),), handlers=(around("H"),))
    runs = (RUN, Run(id="2", together=True))

    async def course(stage: LiveStage) -> None:
        class Nesting(Inside):
            async def model(self, request: ModelRequest) -> Begun[Message]:
                await Chain(stage.doubles, ["D"], "deep model").model(request)
                with stage.runs.running(runs[1]):
                    await stage.doubles.generate("model", request)
                return await super().model(request)

        with stage.runs.running(RUN):
            answer = await stage.doubles.around_model("H", sent(HELLO), None, Nesting())
            assert isinstance(answer, Begun)

    seen = staged(Scene(act="run", agent=agent, runs=runs), course)

    assert nested(seen) == [
        ("around model H", None),
        ("around model D", None),
        ("model deep model", "around model D"),
        ("model model", None),
    ]
    assert [(span.agent, span.run) for span in seen.spans] == [
        ("agent", "1"),
        ("deep", "1"),
        ("deep", "1"),
        ("agent", "2"),
    ]


def test_hooks_beside_a_call_enclose_nothing() -> None:
    """Those before and after it are spans of their own."""
    hooks: tuple[Hook, ...] = ("before agent", "before model", "after model", "after agent")
    handler = Scripted(name="H", scripts=tuple(Script(hook=hook) for hook in hooks))

    async def course(stage: LiveStage) -> None:
        doubles, inside, state = stage.doubles, Inside(), State(messages=(HELLO,))
        with stage.runs.running(RUN):
            await doubles.before_agent("H", Start(), inside)
            await doubles.before_model("H", state, None, inside)
            await doubles.generate("model", sent(HELLO))
            await doubles.after_model("H", state, None, inside)
            await doubles.after_agent("H", state, inside)

    seen = staged(Scene(act="run", agent=Agent(handlers=(handler,)), runs=(RUN,)), course)

    names = ["before agent H", "before model H", "model model", "after model H", "after agent H"]
    assert nested(seen) == [(name, None) for name in names]
    assert [span.ended for span in seen.spans] == [span.n + 2 for span in seen.spans]


def test_every_model_that_is_asked_in_one_call_is_inside_the_same_handler() -> None:
    """Also the one that is asked because another has failed."""
    failing = Model(turns=(Turn(error=Error(kind="scripted", code="E")),))
    agent = Agent(model=failing, failover=Failover(models=(Model(name="spare"),)), handlers=(around("H"),))

    class FailingOver(Inside):
        def __init__(self, doubles: Doubles) -> None:
            super().__init__()
            self._doubles = doubles

        async def model(self, request: ModelRequest) -> Begun[Message]:
            with pytest.raises(ScriptedError):
                await self._doubles.generate("model", request)
            return await Chain(self._doubles, [], "spare").model(request)

    async def course(stage: LiveStage) -> None:
        await stage.doubles.around_model("H", sent(HELLO), None, FailingOver(stage.doubles))

    seen = staged(Scene(act="run", agent=agent), course)

    assert nested(seen) == [
        ("around model H", None),
        ("model model", "around model H"),
        ("model spare", "around model H"),
    ]
    assert [span.error and span.error.code for span in seen.spans] == [None, "E", None]


def test_an_error_is_in_the_spans_it_left() -> None:
    """Down to the handler that made an answer of it."""
    raises = around_tool("raises", CallInner(), Raise(code="F"))
    catches = around_tool("catches", CallInner(fallback="instead"))
    agent = Agent(handlers=(catches, raises), tools=(Tool(name="t", text="fine"),))

    async def course(stage: LiveStage) -> None:
        answer = await Chain(stage.doubles, ["catches", "raises"]).tool(call_of("t"))
        assert await answer.whole() == ToolAnswer(text="instead")

    seen = staged(Scene(act="run", agent=agent), course)

    assert [(span.name, span.error and span.error.code) for span in seen.spans] == [
        ("around tool catches", None),
        ("around tool raises", "F"),
        ("tool t", None),
    ]


def test_what_was_cancelled_has_never_come_back() -> None:
    """Its span has no end, and what waits for its return waits on; the next call is not inside of it."""
    tool, reader = Tool(name="t", held=Began(run="2")), Tool(name="u", held=Returned(double="tool t"))
    agent = Agent(tools=(tool, reader), handlers=(around("H"),))

    async def course(stage: LiveStage) -> None:
        calls = [asyncio.ensure_future(Chain(stage.doubles, ["H"]).tool(call_of("t"))) for _ in range(2)]
        await asyncio.sleep(0)
        calls[0].cancel()
        await asyncio.gather(calls[0], return_exceptions=True)
        calls[1].cancel()
        await asyncio.gather(calls[1], return_exceptions=True)
        await asyncio.gather(stage.doubles.invoke(call_of("u"), Inside()), return_exceptions=True)

    seen = staged(Scene(act="run", agent=agent), course)

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


def test_a_stream_that_was_let_go_has_never_come_back() -> None:
    """One that was read to its end has."""

    async def course(stage: LiveStage) -> None:
        for read_on in (False, True):
            chunks = stage.doubles.stream("model", sent(HELLO))
            assert (await anext(chunks)).content == "done"
            if read_on:
                assert [chunk async for chunk in chunks] == []
            else:
                await chunks.aclose()  # type: ignore[attr-defined]  # an async generator

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=(Turn(text="done"),) * 2))), course)
    assert [span.ended is None for span in seen.spans] == [True, False]


def test_a_callback_is_a_point_inside_the_call_it_is_about() -> None:
    """Around a model, or around a tool by its id; where nothing is around it, inside nothing."""

    class Calling(Inside):
        def __init__(self, doubles: Doubles) -> None:
            super().__init__()
            self._doubles = doubles

        async def model(self, request: ModelRequest) -> Begun[Message]:
            self._doubles.called_back("model start", "model")
            self._doubles.called_back("tool start", "t", "other")
            return await super().model(request)

        async def tool(self, request: ToolRequest) -> Begun[ToolAnswer]:
            self._doubles.called_back("tool end", "t", request.call_id)
            return await super().tool(request)

    async def course(stage: LiveStage) -> None:
        inside = Calling(stage.doubles)
        await stage.doubles.around_model("H", sent(HELLO), None, inside)
        await stage.doubles.around_tool("H", call_of("t"), inside)

    agent = Agent(tools=(Tool(name="t"),), handlers=(around("H"),))
    seen = staged(Scene(act="run", agent=agent), course)

    assert nested(seen) == [
        ("around model H", None),
        ("callback model start", "around model H"),
        ("callback tool start", None),
        ("around tool H", None),
        ("callback tool end", "around tool H"),
    ]
    assert [span.ended is None for span in seen.spans] == [False, True, True, False, True]


@pytest.mark.parametrize("streaming", [False, True])
def test_some_models_tell_callbacks_about_themselves(streaming: bool) -> None:
    """Of the end only where there was one."""
    turns = (Turn(text="one"), Turn(error=Error(kind="scripted", code="E")))

    async def course(stage: LiveStage) -> None:
        for _ in turns:
            with stage.runs.running(RUN):
                if streaming:
                    assert [chunk async for chunk in stage.doubles.stream("model", sent(HELLO))]
                else:
                    await stage.doubles.generate("model", sent(HELLO))

    seen = staged(Scene(act="run", agent=Agent(model=Model(turns=turns, reports=True)), runs=(RUN,)), course)

    once = ["model model", "callback model start"]
    assert [span.name for span in seen.spans] == [*once, "callback model end", *once]


def test_a_double_belongs_to_the_agent_that_has_it() -> None:
    """The first one, where several share a handler; nobody, where nobody has it."""
    shared = around("shared")
    inner = Agent(name="inner", model=None, tools=(Tool(name="deep"),), handlers=(shared,))
    agent = Agent(tools=(Tool(name="inner", agent=inner),), additional_tools=(Tool(name="spare"),), handlers=(shared,))

    async def course(stage: LiveStage) -> None:
        for tool in ("deep", "spare"):
            await stage.doubles.invoke(call_of(tool), Inside())
        await stage.doubles.around_tool("shared", call_of("deep"), Inside())
        stage.doubles.called_back("tool end", "inner", "c")

    seen = staged(Scene(act="run", agent=agent), course)
    assert [(span.name, span.agent) for span in seen.spans] == [
        ("tool deep", "inner"),
        ("tool spare", "agent"),
        ("around tool shared", "agent"),
        ("callback tool end", ""),
    ]


def test_the_place_of_a_span_is_one_in_the_whole_record() -> None:
    """Before what the double took down itself, and its end after that."""

    async def course(stage: LiveStage) -> None:
        await stage.doubles.generate("model", sent(HELLO))

    seen = staged(Scene(act="run"), course)

    answer = Message(role="assistant", content="done")
    assert seen.spans == (Span(n=0, name="model model", agent="agent", run=None, ended=2),)
    assert seen.model_calls == (ModelCall(n=1, model="model", run=None, request=sent(HELLO), answer=answer),)
    assert replace(seen, spans=(), model_calls=()) == Observation()
