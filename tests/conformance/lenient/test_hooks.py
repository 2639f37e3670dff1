"""Lawful implementations of hooks, tools and instructions that differ from the reference pass every normative rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from loopspec.specification.features import compiled
from loopspec.specification.ledger import NORMATIVE, ledger
from loopspec_reference import AnyMessage, ModelRequest, State, ToolCall
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.loop.agents import Agent, _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.values.instructions import render

from .judging import Variant, must_be_lawful

AnyAgent = Agent[AnyMessage]


def writes_arguments_in_its_own_way() -> AbstractContextManager[object]:
    """Parses the arguments of a call, as an integration of a model does, and writes them as compact, sorted JSON."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], run: Run, box: Any, asked: ToolCall, *rest: Any) -> AnyMessage:
        # Any: passed on
        try:
            arguments = json.dumps(json.loads(asked.arguments), separators=(",", ":"), sort_keys=True)
        except ValueError:
            arguments = asked.arguments
        return await call(self, run, box, replace(asked, arguments=arguments), *rest)

    return patch.object(ToolCalls, "call", calls)


def renders_what_users_write() -> AbstractContextManager[object]:
    """Renders the caller's messages like the instruction, which is one reading of the document's note on braces."""
    loop = Agent._loop

    async def loops(self: AnyAgent, run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> AnyMessage:
        if iteration == 0 and run.session and self._make_input is None:
            kind = self.message_type
            messages = tuple(
                kind.user(render(one.text, run.session)) if one.role == "user" and "{" in one.text else one
                for one in state.messages
            )
            state = replace(state, messages=messages)
        return await loop(self, run, start, state, iteration)

    return patch.object(Agent, "_loop", loops)


@contextmanager
def adds_the_system_message_to_each_request() -> Iterator[None]:
    """Keeps the system message out of the state and puts it in front of the messages of each model request."""
    begin, loop, answer = Agent._begin, Agent._loop, ModelCalls._answered
    instructions: dict[Run, AnyMessage] = {}

    async def begins(self: AnyAgent, run: Run) -> _Start:
        start = await begin(self, run)
        if start.instruction and self._make_input is None:
            instructions[run] = self.message_type.system(render(start.instruction, run.session))
        return start

    async def loops(self: AnyAgent, run: Run, start: _Start, state: State[AnyMessage], iteration: int) -> AnyMessage:
        if iteration == 0 and run in instructions:
            state = replace(state, messages=state.messages[1:])
        return await loop(self, run, start, state, iteration)

    async def answers(self: ModelCalls[AnyMessage], run: Run, request: ModelRequest[AnyMessage]) -> Attempt[AnyMessage]:
        if run in instructions:
            request = replace(request, messages=(instructions[run], *request.messages))
        return await answer(self, run, request)

    with (
        patch.object(Agent, "_begin", begins),
        patch.object(Agent, "_loop", loops),
        patch.object(ModelCalls, "_answered", answers),
    ):
        yield


VARIANTS = [
    Variant(
        writes_arguments_in_its_own_way,
        "LOOP-15",
        "LOOP-15 :: A text, numbers, a list, an object and a null",
        lambda seen: [call.call.args for call in seen.tool_runs],
    ),
    Variant(
        renders_what_users_write,
        "INSTR-08",
        "INSTR-08 :: A user message with a key in single and in doubled braces",
        lambda seen: [[message.content for message in call.messages] for call in seen.model_calls],
    ),
    Variant(
        adds_the_system_message_to_each_request,
        "STATE-02 HOOK-BM-08 HOOK-AA-09",
        "STATE-12 :: A before-model hook observes two model calls",
        lambda seen: [[message.role for message in hook.messages] for hook in seen.hooks],
    ),
]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.patch.__name__)
def test_a_variant_is_lawful(variant: Variant) -> None:
    """The cases are all normative ones, and those of the rules that the variant once failed."""
    cases = [
        case
        for case in compiled()
        if any(ledger().rules[rule].basis in NORMATIVE or rule in variant.rules for rule in case.rule.ids)
    ]

    must_be_lawful(variant, cases)
