"""Cancellation of a run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

import pytest

from loopspec_reference import (
    Agent,
    AgentTool,
    CancelError,
    CancelHandle,
    Canceller,
    CancelMode,
    ErrorEvent,
    Event,
    InterruptRun,
    Message,
    MessageEvent,
    ModelRequest,
    StreamEvent,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)

from ..doubles import (
    QUESTION,
    Answers,
    Function,
    Tracer,
    agent,
    asks,
    drain,
    raising,
    reported,
    returning,
    texts_of,
)

BOTH = CancelMode.AFTER_MODEL | CancelMode.AFTER_TOOLS


def cancelling(canceller: Canceller, mode: CancelMode, *, wait: bool = False, **options: object) -> Function:
    """A tool that cancels its own run, and then returns or waits forever."""

    async def cancel(context: ToolContext, arguments: str) -> str:
        canceller.cancel(mode, **options)  # type: ignore[arg-type]  # of various kinds
        if wait:
            await asyncio.Event().wait()
        await asyncio.sleep(0)
        return "cancelled"

    return Function("cancel", cancel)


def cancelled(events: list[Event]) -> CancelError:
    """The error of a cancelled run."""
    last = events[-1]
    assert isinstance(last, ErrorEvent)
    assert isinstance(last.error, CancelError), last
    return last.error


def test_a_run_cancelled_after_the_model_makes_no_tool_calls() -> None:
    """The model call is not repeated."""
    canceller, model, tool = Canceller(), Answers(asks("add"), "4"), returning("add", "4")
    built = agent(model, tools=[tool])
    canceller.cancel(CancelMode.AFTER_MODEL)
    events = drain(built.run([QUESTION], canceller=canceller))

    assert (texts_of(events), tool.calls, cancelled(events).mode) == ([""], [], CancelMode.AFTER_MODEL)
    assert texts_of(drain(built.resume(cancelled(events).checkpoint))) == ["4", "4"]
    assert len(model.given) == 2


@pytest.mark.parametrize("mode", [CancelMode.AFTER_TOOLS, BOTH])
@pytest.mark.parametrize("direct", [False, True])
def test_a_run_cancelled_after_the_tools_calls_no_model(mode: CancelMode, direct: bool) -> None:
    """All calls of the answer finish; a return-directly tool is delayed too."""
    canceller, trace, model = Canceller(), list[str](), Answers(asks("cancel", "add"), "4")
    built = agent(
        model,
        tools=[cancelling(canceller, mode), returning("add", "four")],
        return_directly={"add": direct},
        handlers=[Tracer("a", trace)],
    )
    events = drain(built.run([QUESTION], canceller=canceller))

    assert sorted(texts_of(events)) == ["", "cancelled", "four"]
    assert (cancelled(events).mode, len(model.given), "a after agent" in trace) == (mode, 1, False)
    assert texts_of(drain(built.resume(cancelled(events).checkpoint))) == ([] if direct else ["4"])
    assert trace[-1] == "a after agent"


def test_an_immediate_cancellation_repeats_the_interrupted_call() -> None:
    """The finished call of the same answer is not repeated."""
    canceller, done, model = Canceller(), returning("add", "four"), Answers(asks("add", "cancel"), "4")
    stuck = agent(model, tools=[done, cancelling(canceller, CancelMode.IMMEDIATE, wait=True)])
    events = drain(stuck.run([QUESTION], canceller=canceller))
    again = returning("cancel", "now")

    assert (texts_of(events), cancelled(events).escalated) == (["", "four"], False)
    assert texts_of(drain(agent(model, tools=[done, again]).resume(cancelled(events).checkpoint))) == ["now", "4"]
    assert (len(done.calls), [message.text for message in model.given[1][-2:]]) == (1, ["four", "now"])


def test_an_immediate_cancellation_ends_a_stream() -> None:
    """The stream ends with an error; the model is called again after the resumption."""
    canceller = Canceller()

    class Endless(Answers):
        async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
            yield Message.assistant("ha")
            canceller.cancel()
            await asyncio.Event().wait()

    events = reported(agent(Endless()).run([QUESTION], streaming=True, canceller=canceller))

    assert events == ["~ha (StreamCancelledError)", "CancelError"]


def test_a_run_cancelled_before_its_start_calls_no_model() -> None:
    """The before-agent hook is still called; a resumed run has the mode of the first."""
    canceller, trace, model = Canceller(), list[str](), Answers("4")
    canceller.cancel()
    built = agent(model, handlers=[Tracer("a", trace)])
    events = drain(built.run([QUESTION], streaming=True, canceller=canceller))

    assert (len(events), model.given, trace) == (1, [], ["a before agent"])
    assert reported(built.resume(cancelled(events).checkpoint)) == ["~4"]


@pytest.mark.parametrize("mode", [CancelMode.AFTER_MODEL, CancelMode.AFTER_TOOLS])
def test_a_run_that_ends_before_the_safe_point_is_not_cancelled(mode: CancelMode) -> None:
    """The waiting caller receives the outcome "ended"."""

    async def listen() -> tuple[list[Event], str]:
        canceller = Canceller()
        handle = canceller.cancel(mode)
        events = [event async for event in agent(Answers("4")).run([QUESTION], canceller=canceller)]
        return events, await handle.wait()

    events, outcome = asyncio.run(listen())
    assert (texts_of(events), outcome) == (["4"], "ended")


def test_a_failure_precedes_a_pending_cancellation() -> None:
    """The error is reported unchanged."""
    canceller, error = Canceller(), RuntimeError("broken")
    canceller.cancel(CancelMode.AFTER_TOOLS)
    built = agent(Answers(asks("break")), tools=[raising("break", error)])

    assert drain(built.run([QUESTION], canceller=canceller))[-1] == ErrorEvent("agent", ("agent",), error)


def waiting(ask: Callable[[Canceller], list[CancelHandle]], slept: Callable[[float], None] | None = None) -> object:
    """Start a run whose tool waits forever, and cancel the run; return the outcomes and the error."""

    async def sleep(delay: float) -> None:
        if slept is not None:
            slept(delay)

    async def listen() -> object:
        canceller, begun = Canceller(sleep), asyncio.Event()

        async def wait(context: ToolContext, arguments: str) -> str:
            begun.set()
            return str(await asyncio.Event().wait())

        events = agent(Answers(asks("wait")), tools=[Function("wait", wait)]).run([QUESTION], canceller=canceller)
        listening = asyncio.create_task(_all(events))
        await begun.wait()
        handles = ask(canceller)
        error = cancelled(await asyncio.wait_for(listening, 10))
        late = canceller.cancel()
        outcomes = [await handle.wait() for handle in (*handles, late)]
        return outcomes, late.contributed, error.mode, error.escalated, error.timed_out

    return asyncio.run(listen())


async def _all(events: AsyncIterator[Event]) -> list[Event]:
    return [event async for event in events]


def test_cancel_requests_are_joined_and_an_immediate_one_escalates() -> None:
    """A request after the end has no effect."""
    modes = (CancelMode.AFTER_MODEL, CancelMode.AFTER_TOOLS, CancelMode.IMMEDIATE)
    outcome = waiting(lambda canceller: [canceller.cancel(mode) for mode in modes])

    assert outcome == (["cancelled"] * 3 + ["ended"], False, BOTH, True, False)


def test_waiting_for_a_safe_point_may_time_out() -> None:
    """After the timeout the run stops immediately, and the caller receives the outcome "timed out"."""
    delays: list[float] = []
    outcome = waiting(lambda canceller: [canceller.cancel(CancelMode.AFTER_TOOLS, timeout=5)], delays.append)

    assert outcome == (["timed out", "ended"], False, CancelMode.AFTER_TOOLS, True, True)
    assert delays == [5, 1]  # the second delay is the limit for a step that ignores its cancellation


def test_an_interrupt_during_a_cancellation_is_a_cancellation() -> None:
    """The checkpoint serves both."""
    canceller = Canceller()
    canceller.cancel(CancelMode.AFTER_TOOLS)
    built = agent(Answers(asks("stop"), "4"), tools=[raising("stop", InterruptRun())])
    events = drain(built.run([QUESTION], canceller=canceller))

    assert (
        texts_of(drain(agent(Answers("4"), tools=[returning("stop", "")]).resume(cancelled(events).checkpoint)))[-1]
        == "4"
    )


@pytest.mark.parametrize("recursive", [False, True])
def test_safe_points_of_a_sub_agent_count_if_recursive(recursive: bool) -> None:
    """With `recursive`, the sub-agent stops and resumes at its checkpoint."""
    canceller, inner = Canceller(), Answers(asks("cancel"), "inner")
    cancel = cancelling(canceller, CancelMode.AFTER_TOOLS, recursive=recursive)
    expert = agent(inner, name="expert", description="Knows.", tools=[cancel])
    asked = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])
    built = agent(Answers(asked, "4"), tools=[AgentTool(expert)])
    events = drain(built.run([QUESTION], canceller=canceller))

    assert texts_of(events) == ([""] if recursive else ["", "inner"])
    assert texts_of(drain(built.resume(cancelled(events).checkpoint))) == (["inner", "4"] if recursive else ["4"])
    assert (len(inner.given), len(cancel.calls)) == (2, 1)


def test_a_sub_agent_continues_after_an_immediate_cancellation() -> None:
    """The sub-agent does not repeat its completed calls; the next call of the outer answer is not made before."""
    canceller, inner, done, later = (
        Canceller(),
        Answers(asks("add"), asks("cancel"), "6"),
        returning("add", "4"),
        returning("later", "later"),
    )
    stuck = cancelling(canceller, CancelMode.IMMEDIATE, wait=True)
    calls = [ToolCall("call-1", "expert", '{"request": "2 + 2?"}'), ToolCall("call-2", "later")]

    def outer(model: Answers, cancel: Function) -> Agent[Message]:
        expert = agent(inner, name="expert", description="Knows.", tools=[done, cancel])
        return agent(model, tools=[AgentTool(expert), later], parallel_tools=False)

    events = drain(outer(Answers(Message.assistant("", calls)), stuck).run([QUESTION], canceller=canceller))

    assert (texts_of(events), len(later.calls)) == ([""], 0)
    assert texts_of(drain(outer(Answers("4"), returning("cancel", "now")).resume(cancelled(events).checkpoint))) == [
        "6",
        "later",
        "4",
    ]
    assert (len(done.calls), len(inner.given), len(later.calls)) == (1, 3, 1)


def test_a_reader_that_stops_ends_a_sub_agent() -> None:
    """The cancellation by the reader is not one of the canceller."""
    ends: list[str] = []

    async def waits(context: ToolContext, arguments: str) -> str:
        called.set()
        try:
            await asyncio.Event().wait()
        finally:
            ends.append("ended")
        return "never"

    expert = agent(Answers(asks("wait")), name="expert", description="Knows.", tools=[Function("wait", waits)])
    asked = Message.assistant("", [ToolCall("call-1", "expert", '{"request": "2 + 2?"}')])
    events = agent(Answers(asked, "4"), tools=[AgentTool(expert)]).run([QUESTION], canceller=Canceller())
    called = asyncio.Event()

    async def stops() -> None:
        async for _ in events:
            await called.wait()
            break
        await events.aclose()  # type: ignore[attr-defined]  # a generator

    asyncio.run(stops())

    assert ends == ["ended"]


def test_an_unused_canceller_changes_nothing() -> None:
    """The events are the same."""
    built = agent(Answers("4"))

    assert drain(built.run([QUESTION], canceller=Canceller())) == drain(built.run([QUESTION]))
    assert isinstance(drain(built.run([QUESTION]))[0], MessageEvent)
    assert StreamEvent not in map(type, drain(built.run([QUESTION])))


def test_a_step_that_ignores_its_cancellation_is_abandoned() -> None:
    """The run ends without the tool's result after the limit."""

    async def at_once(seconds: float) -> None:
        await asyncio.sleep(0)

    canceller = Canceller(at_once)
    ends = asyncio.Event()

    class Stubborn:
        info = ToolInfo("stubborn")

        async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
            canceller.cancel()
            while not ends.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await ends.wait()
            return "finally"

    async def listen() -> list[Event]:
        events = [
            e
            async for e in agent(Answers(asks("stubborn"), "4"), tools=[Stubborn()]).run(
                [QUESTION], canceller=canceller
            )
        ]
        ends.set()
        await asyncio.sleep(0)
        return events

    assert cancelled(asyncio.run(listen())).checkpoint
