"""Lawful variants of the loop agree with each document on runs, failures, interrupts and sub-agents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

import pytest

import loopspec_reference as ref
from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE
from loopspec_mutants.rewriting import Change, Rewriting
from loopspec_reference import AnyMessage, ModelRequest, RetryConfig
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.calls.models import Model
from loopspec_reference.calls.outputs import Output
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs import run as runs

from .judging import Variant, must_be_lawful

_OTHER_ROLES = ("AMD-", "XP-", "PLUGIN-", "HANDLER-", "BACKEND-")


@contextmanager
def retries_errors_of_the_model_only() -> Iterator[None]:
    """Fails the run with an error of a model wrapper, whatever the retry predicate says."""
    call, rejects = ModelCalls._call, RetryConfig.rejects
    of_models: list[Exception] = []

    async def calls(
        self: ModelCalls[AnyMessage], model: Model[AnyMessage], request: ModelRequest[AnyMessage]
    ) -> Output[AnyMessage]:
        try:
            return await call(self, model, request)
        except Exception as error:
            of_models.append(error)
            raise

    def rejects_models(
        self: RetryConfig[AnyMessage], attempt: Attempt[AnyMessage], number: int, request: ModelRequest[AnyMessage]
    ) -> bool:
        of_handler = attempt.error is not None and attempt.error not in of_models and attempt.stream is None
        return not of_handler and rejects(self, attempt, number, request)

    with patch.object(ModelCalls, "_call", calls), patch.object(RetryConfig, "rejects", rejects_models):
        yield


# The tool search of each agent by name, like a part of a checkpoint: a resumed run has its own patch.
_STARTS: dict[str, tuple[Any, Any]] = {}  # Any: what `_begin` returns, and a tool


def prepares_handlers_once_per_run() -> AbstractContextManager[object]:
    """Does not call the before-agent hook when a run is resumed; the values that the hook set are kept."""
    begin, continued = Agent._begin, Agent._continued
    resuming: list[str] = []

    async def begins(self: Agent[AnyMessage], run: runs.Run) -> Any:  # Any: what `_begin` returns
        if self.name not in resuming:
            start = await begin(self, run)
            _STARTS[self.name] = start, run.tool_search
        start, run.tool_search = _STARTS[self.name]
        return start

    async def continues(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        resuming.append(self.name)
        try:
            return await continued(self, *rest)
        finally:
            resuming.remove(self.name)

    return patch.multiple(Agent, _begin=begins, _continued=continues)


def lets_handlers_alone_send_events() -> AbstractContextManager[object]:
    """Rejects an event that a tool sends: the document permits events of handlers only."""
    wrapped = ToolCalls._with_callbacks
    inside: list[bool] = []

    def marking(self: ToolCalls[AnyMessage], context: Any, innermost: Any) -> Any:  # Any: of two kinds of tools
        within = wrapped(self, context, innermost)

        async def around(request: Any) -> Any:
            inside.append(True)
            try:
                return await within(request)
            finally:
                inside.pop()

        return around

    def send(payload: Any) -> None:
        current = runs.current_run.get()
        if current and len(inside) >= len(current.path):  # a handler of a sub-agent is inside the outer agent's tool
            raise ref.OutsideRunError("only handlers send events")
        runs.send_event(payload)

    return _both(patch.object(ToolCalls, "_with_callbacks", marking), patch.object(ref, "send_event", send))


@contextmanager
def _both(one: AbstractContextManager[object], other: AbstractContextManager[object]) -> Iterator[None]:
    with one, other:
        yield


def _rewritten(name: str, file: str, old: str, new: str) -> Rewriting:
    return Rewriting(name, name, [Change(f"loopspec_reference/{file}", old, new)])


VARIANTS = [
    Variant(
        _rewritten(
            "starts the last call of an answer first", "loop/agents.py", "at in opened))", "at in opened[::-1]))"
        ),
        "EVENT-02",
        "EVENT-02 :: Each of two chunks has a tool call, in plain messages",
        lambda seen: [run.tool for run in seen.tool_runs],
    ),
    Variant(
        retries_errors_of_the_model_only,
        "RETRY-18",
        "HOOK-WM-06 :: A wrapper fails before the model call, with retry",
        lambda seen: [call.handler for call in seen.hooks],
    ),
    Variant(
        prepares_handlers_once_per_run,
        "INTERRUPT-09",
        "INTERRUPT-09 :: A before-agent hook has changed the instruction",
        lambda seen: [(call.run, call.hook) for call in seen.hooks],
    ),
    Variant(
        lets_handlers_alone_send_events,
        "EVENT-14",
        "EVENT-14 :: A tool sends two custom events",
        lambda seen: [event.custom for event in seen.events],
    ),
    Variant(
        _rewritten(
            "calls the failover predicate twice",
            "calls/failovers.py",
            "not config.agrees(attempt.error)",
            "not all([config.agrees(attempt.error) for _ in range(2)])",
        ),
        "FAILOVER-02 FAILOVER-04",
        "FAILOVER-02 :: The error is down",
        lambda seen: [question.what for question in seen.questions],
    ),
    Variant(
        _rewritten("sends a fixed task", "loop/agent_tools.py", "arguments if self", '"Do your task." if self'),
        "AGENTTOOL-17",
        "AGENTTOOL-17 :: Two calls with different arguments",
        lambda seen: {message.content for call in seen.model_calls for message in call.messages},
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.patch.__name__)
def test_a_variant_is_lawful(variant: Variant) -> None:
    """The cases are those of the loop and of the rules that the variant once failed, except merged ones."""
    cases = [
        case
        for case in compiled()
        if not case.id.startswith(_OTHER_ROLES)
        and (case.rule.basis in NORMATIVE or set(variant.rules) & set(case.rule.ids))
    ]

    must_be_lawful(variant, cases)
