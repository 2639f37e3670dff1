"""Handlers: the order of hooks, and the effect of their results."""

from __future__ import annotations

import asyncio

from loopspec_reference import (
    AgentContext,
    Handler,
    Message,
    ModelContext,
    ModelRequest,
    Output,
    State,
    ToolContext,
    ToolRequest,
)

from ..doubles import QUESTION, returning


async def _answer(request: ModelRequest[Message]) -> Output[Message]:
    return Output.of(Message.assistant("4"))


async def _result(request: ToolRequest[str]) -> str:
    return "4"


def test_a_default_handler_changes_nothing() -> None:
    """Every default hook returns the object that it receives."""
    handler = Handler[Message]()
    context, state, model = (
        AgentContext("Be terse.", (returning("add", "4"),)),
        State((QUESTION,)),
        ModelContext[Message](),
    )

    async def hooks() -> tuple[object, ...]:
        await handler.after_agent(state)
        return (
            await handler.before_agent(context),
            await handler.before_model(state, model),
            handler.wrap_model(_answer, model),
            await handler.after_model(state, model),
            handler.wrap_tool(_result, ToolContext("add", "call-1")),
        )

    given = (context, state, _answer, state, _result)
    assert all(after is before for after, before in zip(asyncio.run(hooks()), given, strict=True))
