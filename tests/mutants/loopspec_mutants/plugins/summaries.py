"""Mutants about failed summaries, and about the system message of a summarized conversation."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import AnyMessage
from loopspec_reference.plugins import HookState, Runtime, summarization
from loopspec_reference.plugins.errors import HookError

from ..registry import mutant
from .built_ins import Hook, Summarizer, Update, before_model


@mutant("XP-SUM-26", neighbors={"PLUGIN-33": "the summarizing model of the example fails at its second call"})
def fails_the_run_with_the_summary() -> AbstractContextManager[object]:
    """Fails the run if the summarizing model fails."""
    summary = Summarizer._summary

    async def summarizes(self: Summarizer, messages: tuple[AnyMessage, ...], agent: str) -> str:
        text = await summary(self, messages, agent)
        if text is None:
            raise HookError("the summary has failed")
        return text

    return patch.object(summarization._Summarizer, "_summary", summarizes)


@mutant("XP-SUM-27", neighbors={"XP-SUM-08": "the agent of an example has an instruction"})
def puts_the_system_message_after_the_summary() -> AbstractContextManager[object]:
    """Puts the summary before the system message."""

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        update = await hook(self, state, runtime)
        if update is None or state.messages[0].role != "system":
            return update
        lead, summary, *kept = update["messages"]
        return {"messages": [summary, lead, *kept]}

    return before_model(changed)


@mutant("XP-SUM-28")
def counts_the_system_message_as_a_message() -> AbstractContextManager[object]:
    """Counts the system message toward a limit in messages."""
    exceeds = Summarizer._exceeds_limit

    async def changed(hook: Hook, self: Summarizer, state: HookState, runtime: Runtime) -> Update:
        lead = state.messages[:1] if state.messages and state.messages[0].role == "system" else ()

        def counted(self: Summarizer, history: Sequence[AnyMessage]) -> bool:
            by_messages = self.options.trigger is not None and self.options.trigger.messages is not None
            return bool(history) and exceeds(self, (*(lead if by_messages else ()), *history))

        with patch.object(Summarizer, "_exceeds_limit", counted):
            return await hook(self, state, runtime)

    return before_model(changed)
