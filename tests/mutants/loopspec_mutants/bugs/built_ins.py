"""Realistic bugs about the summarization and the to-do list."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.models import Model
from loopspec_reference.plugins import metadata, summarization
from loopspec_reference.plugins.summarization import SummarizationOptions, Trigger
from loopspec_reference.runs.run import current_run
from loopspec_reference.values.events import MessageEvent
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug

_Summarizer = summarization._Summarizer


@bug("XP-SUM-11")
def emits_the_summary_as_an_answer() -> AbstractContextManager[object]:
    """Emits the answer of the summarizing model as an event of the run."""
    summary = _Summarizer._summary

    async def emits(self: summarization._Summarizer, messages: tuple[AnyMessage, ...], agent: str) -> str | None:
        text, run = await summary(self, messages, agent), current_run.get()
        if text is not None and run is not None:
            run.emit(MessageEvent(run.agent, run.path, type(messages[0]).assistant(text)))
        return text

    return patch.object(_Summarizer, "_summary", emits)


@bug("XP-SUM-08")
def replaces_messages_without_a_question_by_a_placeholder() -> AbstractContextManager[object]:
    """Replaces older messages by a fixed text, without a model call, if none of them is a user message."""
    summary = _Summarizer._summary

    async def replaces(self: summarization._Summarizer, messages: tuple[AnyMessage, ...], agent: str) -> str | None:
        if all(message.role != "user" for message in messages):
            return "The conversation was too long."
        return await summary(self, messages, agent)

    return patch.object(_Summarizer, "_summary", replaces)


@bug("XP-SUM-13")
def never_summarizes_at_a_fraction() -> AbstractContextManager[object]:
    """Never summarizes if the limit is a fraction, because it does not read the context size of the model."""
    limit = summarization._limit

    def finds(trigger: Trigger, model: Model[Any]) -> int:
        found = limit(trigger, model)
        return found if trigger.fraction is None else trigger.tokens or sys.maxsize

    return patch.object(summarization, "_limit", finds)


@bug("XP-SUM-11")
def ignores_the_prefix_of_the_summary() -> AbstractContextManager[object]:
    """Writes the default prefix before each summary, and ignores the configured prefix."""
    read = metadata.read_options

    def reads(kind: Any, *rest: Any) -> Any:  # Any: passed on
        options = read(kind, *rest)
        return replace(options, prefix=summarization._PREFIX) if isinstance(options, SummarizationOptions) else options

    return patch.object(summarization, "read_options", reads)
