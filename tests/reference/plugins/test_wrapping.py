"""Wrappers of middlewares around model calls and tool calls."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from loopspec_reference import (
    AgenticMessage,
    ImagePart,
    ToolCall,
)
from loopspec_reference.loop.agents import Agent
from loopspec_reference.plugins import (
    Command,
    Middleware,
    ModelCallRequest,
    ModelHandler,
    Stack,
    ToolOutcome,
)

from ..doubles import QUESTION, Answers, asks, drain, returning
from .stacks import failure, stacked


class Count(msgspec.Struct):
    """A state."""

    count: int = 0


def test_agentic_messages_pass_too() -> None:
    """A prompt is added as an agentic message, also to an empty conversation."""

    class Agentic:
        given: tuple[AgenticMessage, ...] = ()

        async def generate(self, request: Any) -> AgenticMessage:
            self.given = tuple(request.messages)
            return AgenticMessage.assistant("4")

        def stream(self, request: Any) -> Any:
            raise NotImplementedError

    async def prompt(request: ModelCallRequest, handler: ModelHandler) -> Any:
        return await handler(replace(request, system="Be brief."))

    stack = Stack[AgenticMessage]([Middleware("m", wrap_model_call=prompt)], AgenticMessage)
    for messages in ([AgenticMessage.user("2 + 2?")], []):
        model = Agentic()
        drain(Agent(name="a", model=model, message_type=AgenticMessage, handlers=[stack]).run(messages))
        assert model.given == (AgenticMessage.system("Be brief."), *messages)


@pytest.mark.parametrize(
    ("wrapper", "sentence"),
    [
        (lambda request, handler: None, "has returned None: return the message that answers the request"),
        (lambda request, handler: "4", "has returned '4': return the message that answers"),
        (
            lambda request, handler: handler("invalid"),
            "has passed on 'invalid': pass on the request, or a changed copy of it",
        ),
        (
            lambda request, handler: handler(replace(request, messages=("invalid",))),
            "has passed on ('invalid',): pass on messages of the agent's type",
        ),
    ],
)
def test_an_invalid_value_around_a_model_is_rejected(wrapper: Any, sentence: str) -> None:
    """The error names the wrapper."""
    events = drain(stacked(Answers("4"), Middleware("m", wrap_model_call=wrapper)).run([QUESTION]))

    assert failure(events).startswith(f"HookError: the wrap_model_call of the middleware 'm' {sentence}")


INVALID: Any = 3
PICTURE = ToolOutcome(parts=(ImagePart("u"),))


@pytest.mark.parametrize(
    ("wrapper", "sentence"),
    [
        (
            lambda r, h: None,
            "HookError: the wrap_tool_call of the middleware 'm' has returned None: return a ToolOutcome",
        ),
        (
            lambda r, h: "4",
            "HookError: the wrap_tool_call of the middleware 'm' has returned '4': return a ToolOutcome",
        ),
        (lambda r, h: h("invalid"), "has passed on 'invalid': pass on the request, or a changed copy of it"),
        (lambda r, h: h(replace(r, call=ToolCall("2", "add"))), "'2', name='add', arguments='{}'): only its arguments"),
        (
            lambda r, h: Command(goto="start"),
            "JumpError: the wrap_tool_call of the middleware 'm' sends the run to 'start'",
        ),
        (lambda r, h: Command(result=INVALID), "has returned a command with the result 3: give a ToolOutcome"),
        (lambda r, h: Command(update=INVALID), "has returned a command with the update 3: give a mapping"),
        (
            lambda r, h: Command({"count": "x"}),
            "the command of the middleware 'm' has returned 'x' for the field 'count'",
        ),
        (
            lambda r, h: PICTURE,
            "HookError: 'add' returns an image, but its result must be a text: make it an enhanced",
        ),
    ],
)
def test_an_invalid_value_around_a_tool_is_rejected(wrapper: Any, sentence: str) -> None:
    """The error names the wrapper."""
    middleware = Middleware("m", wrap_tool_call=wrapper, state_schema=Count)
    events = drain(stacked(Answers(asks("add")), middleware, tools=[returning("add", "4")]).run([QUESTION]))

    assert re.search(re.escape(sentence), failure(events))
