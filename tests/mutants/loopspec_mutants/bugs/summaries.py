"""Realistic bugs about the summarization of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference import AnyMessage, Json
from loopspec_reference.plugins import HookState, Runtime, summarization

from ..registry import bug

Summarizer = summarization._Summarizer
Update = dict[str, Json] | None


@bug("XP-SUM-26")
def takes_the_error_for_the_summary() -> AbstractContextManager[object]:
    """Takes the text of the error for the summary when the summarizing model fails."""
    summary = Summarizer._summary

    async def summarizes(self: Summarizer, messages: tuple[AnyMessage, ...], agent: str) -> str:
        return await summary(self, messages, agent) or "Error generating summary"

    return patch.object(Summarizer, "_summary", summarizes)


@bug("XP-SUM-27")
def summarizes_the_system_message() -> AbstractContextManager[object]:
    """Summarizes the system message at the start of the conversation with the other messages."""
    before = Summarizer.before_model

    async def calls(self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await before(self, state, runtime)
        if update is None or state.messages[0].role != "system":
            return update
        return {**update, "messages": update["messages"][1:]}

    return patch.object(Summarizer, "before_model", calls)


@bug("XP-SUM-28")
def counts_the_system_message() -> AbstractContextManager[object]:
    """Counts the system message toward the length of the conversation."""
    before, exceeds = Summarizer.before_model, Summarizer._exceeds_limit

    async def calls(self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        lead = state.messages[:1] if state.messages and state.messages[0].role == "system" else ()

        def counted(self: Summarizer, history: Sequence[AnyMessage]) -> bool:
            return bool(history) and exceeds(self, (*lead, *history))

        with patch.object(Summarizer, "_exceeds_limit", counted):
            return await before(self, state, runtime)

    return patch.object(Summarizer, "before_model", calls)


@bug("XP-SUM-08")
def keeps_no_equal_message() -> AbstractContextManager[object]:
    """Removes each message from the kept ones that equals a summarized message."""
    before = Summarizer.before_model

    async def calls(self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await before(self, state, runtime)
        if update is None:
            return update
        kept: list[Any] = list(update["messages"])
        old = state.messages[: len(state.messages) - len(kept) + 1]
        return {**update, "messages": [kept[0], *(one for one in kept[1:] if one not in old)]}

    return patch.object(Summarizer, "before_model", calls)
