"""A failed model call is retried."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from loopspec_reference import (
    ErrorEvent,
    Message,
    ModelRequest,
    RetriesExhaustedError,
    RetryConfig,
    RetryContext,
    StreamEvent,
    WillRetryError,
)

from ..doubles import QUESTION, Answers, Tracer, agent, asks, drain, raising, reported, returning

ERROR = RuntimeError("no connection")


class Breaking(Answers):
    """A model whose stream breaks a number of times, and then says "whole"."""

    def __init__(self, times: int) -> None:
        super().__init__("whole")
        self._times = times

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Break, or answer."""
        if len(self.given) < self._times:
            self.given.append(tuple(request.messages))
            yield Message.assistant("ha")
            raise ERROR
        async for chunk in super().stream(request):
            yield chunk


def retry(max_retries: int = 3, delays: list[float] | None = None, **options: object) -> RetryConfig[Message]:
    """A configuration without real delays."""

    async def sleep(delay: float) -> None:
        if delays is not None:
            delays.append(delay)

    return RetryConfig(max_retries=max_retries, backoff=float, sleep=sleep, **options)  # type: ignore[arg-type]  # of various kinds


def test_a_successful_retry_hides_the_failures() -> None:
    """Each attempt sends the same request, and the back-off callback receives the number of the retry."""
    model, delays = Answers(ERROR, ERROR, "4"), list[float]()
    events = reported(agent(model, retry=retry(delays=delays)).run([QUESTION]))

    assert (events, model.given, delays) == (["4"], [(QUESTION,)] * 3, [1.0, 2.0])


@pytest.mark.parametrize("times", [0, 2])
@pytest.mark.parametrize("streaming", [False, True])
def test_exhausted_retries_fail_the_run(times: int, streaming: bool) -> None:
    """The error contains the last error."""
    model = Answers(ERROR)
    [event] = drain(agent(model, retry=retry(times)).run([QUESTION], streaming=streaming))

    assert isinstance(event, ErrorEvent)
    assert isinstance(event.error, RetriesExhaustedError)
    assert (event.error.last, len(model.given)) == (ERROR, times + 1)


def test_an_error_that_is_not_retryable_is_reported_unchanged() -> None:
    """The error ends the run immediately, also after retries."""
    fatal = ValueError("fatal")
    model = Answers(ERROR, fatal)
    config = retry(is_retryable=lambda error: not isinstance(error, ValueError))

    assert drain(agent(model, retry=config).run([QUESTION])) == [ErrorEvent("agent", ("agent",), fatal)]
    assert len(model.given) == 2


def test_a_broken_stream_and_its_retry_are_reported() -> None:
    """The first stream ends with a retry notice."""
    assert reported(agent(Breaking(1), retry=retry()).run([QUESTION], streaming=True)) == [
        "~ha (WillRetryError)",
        "~whole",
    ]


def test_the_last_broken_stream_ends_in_its_own_error() -> None:
    """The run ends with the exhausted-retries error."""
    assert reported(agent(Breaking(9), retry=retry(1)).run([QUESTION], streaming=True)) == [
        "~ha (WillRetryError)",
        "~ha (RuntimeError)",
        "RetriesExhaustedError",
    ]


def test_attempts_are_counted_from_zero() -> None:
    """The number of the attempt increases by one."""

    async def numbers() -> list[int]:
        found = []
        async for event in agent(Breaking(2), retry=retry()).run([QUESTION], streaming=True):
            if isinstance(event, StreamEvent):
                try:
                    _ = [chunk async for chunk in event.stream]
                except WillRetryError as error:
                    found.append(error.attempt)
        return found

    assert asyncio.run(numbers()) == [0, 1]


def test_each_model_call_has_its_own_retries() -> None:
    """The budget is for each call, and a retry is no iteration."""
    model = Answers(ERROR, asks("add"), ERROR, "4")
    built = agent(model, tools=[returning("add", "4")], retry=retry(1), max_iterations=2)

    assert reported(built.run([QUESTION]))[-1] == "4"


def test_an_attempt_repeats_the_wrappers_and_not_the_hooks() -> None:
    """Hooks are outside the retried part."""
    trace: list[str] = []
    reported(agent(Answers(ERROR, "4"), retry=retry(), handlers=[Tracer("a", trace)]).run([QUESTION]))

    assert [trace.count(f"a {what}") for what in ("before model", "into model", "after model")] == [1, 2, 1]


def test_tools_are_not_retried() -> None:
    """Neither an error nor an interrupt of a tool causes a retry."""
    tool = raising("break", ERROR)
    reported(agent(Answers(asks("break")), tools=[tool], retry=retry()).run([QUESTION]))

    assert len(tool.calls) == 1


@pytest.mark.parametrize("streaming", [False, True])
def test_an_answer_can_be_rejected(streaming: bool) -> None:
    """A rejected answer is reported only as a stream; without a retry left, the run fails."""
    seen: list[tuple[int, str | None]] = []

    def rejects(context: RetryContext[Message]) -> bool:
        seen.append((context.attempt, context.output.text if context.output else None))
        return context.output is not None and context.output.text == "4"

    def events(times: int) -> list[str]:
        built = agent(Answers("4", "4", "four"), retry=retry(times, should_retry=rejects))
        return reported(built.run([QUESTION], streaming=streaming))

    assert events(2) == (["~4 (WillRetryError)"] * 2 + ["~four"] if streaming else ["four"])
    assert seen == [(1, "4"), (2, "4"), (3, "four")]
    assert events(1)[-1] == "RetriesExhaustedError"


@pytest.mark.parametrize("what", ["is_retryable", "should_retry"])
def test_a_failing_callback_leaves_no_stream_open(what: str) -> None:
    """The stream keeps its own end, and the run fails with the new error."""

    def fails(_: object) -> bool:
        raise LookupError("no idea")

    options: dict[str, Any] = {what: fails}  # Any: keyword arguments of two types
    config = retry(**options)
    assert reported(agent(Breaking(1), retry=config).run([QUESTION], streaming=True)) == [
        "~ha (RuntimeError)",
        "LookupError",
    ]
