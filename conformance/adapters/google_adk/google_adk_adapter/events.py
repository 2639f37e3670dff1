"""The events of a run: what the runner yields."""

from __future__ import annotations

from collections.abc import AsyncIterator

from google.adk.events import Event
from google.genai import types

from loopspec.contract.values import Json
from loopspec_adapting import Reporter

from .cancelling import Aborted, is_aborted
from .interrupts import requests_in, without_pending
from .tools import text_of


class ErrorEvent(Exception):
    """The runner has yielded an event with an error code."""


class _Reported:
    """What the events of a run have been so far."""

    def __init__(self, report: Reporter[types.Content]) -> None:
        self.report = report
        self.final: str | None = None
        self.error: ErrorEvent | Aborted | None = None
        self.waiting: list[tuple[str, Json]] = []

    def add(self, event: Event, streamed: bool) -> None:
        """Report a complete event. `streamed`: the caller has received its chunks."""
        self._remember_error(event)
        requested = requests_in(event)
        self.waiting += [(call_id, shown) for call_id, shown, _ in requested]
        content = without_pending(event)
        if content is None or requested:
            return
        if not streamed:
            self.report.message(content)
        if event.is_final_response():
            self.final = final_text(content)

    async def stream(self, event: Event | None, events: AsyncIterator[Event]) -> Event | None:
        """Report partial events as the chunks of one answer; return the event after the chunks."""
        async with self.report.stream() as push:
            while event is not None and (event.partial or (event.error_code and not is_aborted(event))):
                self._remember_error(event)
                for chunk in self.report.conversion.to_wire(event.content) if event.content else ():
                    push(chunk)
                event = await anext(events, None)  # after the event of an exception, the exception breaks the stream
        return event

    def _remember_error(self, event: Event) -> None:
        if event.error_code:
            kind = Aborted if is_aborted(event) else ErrorEvent
            self.error = kind(f"{event.error_code}: {event.error_message}")


async def report_events(events: AsyncIterator[Event], report: Reporter[types.Content]) -> list[tuple[str, Json]]:
    """Report answers or chunks, results, and the final response; return the confirmations that the run waits for."""
    reported = _Reported(report)
    event = await anext(events, None)
    while event is not None:
        streamed = bool(event.partial)
        complete = await reported.stream(event, events) if streamed else event
        if complete is not None:
            reported.add(complete, streamed)
        event = await anext(events, None)
    if reported.error is not None:
        raise reported.error
    if reported.final is not None and not reported.waiting:
        report.final(reported.final)
    return reported.waiting


def final_text(content: types.Content) -> str:
    """The text of a final response: an answer, or the last result of a step that skips the summarization."""
    results = [part.function_response.response for part in content.parts or () if part.function_response]
    return text_of(results[-1]) if results else "".join(part.text or "" for part in content.parts or ())
