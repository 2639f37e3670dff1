"""A part of an agent that returns an invalid value: the run ends with one error event that names the part."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from loopspec_reference import (
    Agent,
    AgentContext,
    AgenticMessage,
    ErrorEvent,
    Handler,
    Message,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    NothingReturnedError,
    State,
    ToolArgument,
    ToolContext,
    ToolInfo,
    ToolRequest,
    ToolResult,
)

from ..doubles import QUESTION, Answers, agent, asks, drain

WRONG: list[Any] = [None, 5, "text", AgenticMessage.user("text")]


class Returning(Handler[Message]):
    """Returns a value from one of its hooks."""

    def __init__(self, hook: str, value: Any) -> None:  # Any: an invalid value
        self._hook = hook
        self._value = value

    async def before_agent(self, context: AgentContext) -> AgentContext:
        """Return the value, if configured."""
        return self._value if self._hook == "before_agent" else context

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Return the value, if configured."""
        return self._value if self._hook == "before_model" else state

    def wrap_model(self, endpoint: ModelEndpoint[Message], context: ModelContext[Message]) -> ModelEndpoint[Message]:
        """Return the value, if configured."""

        async def around(request: ModelRequest[Message]) -> Any:  # Any: an invalid value
            return self._value

        return around if self._hook == "wrapper" else endpoint

    async def after_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Return the value, if configured."""
        return self._value if self._hook == "after_model" else state


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
@pytest.mark.parametrize("hook", ["before_agent", "before_model", "wrapper", "after_model"])
def test_a_hook(hook: str, wrong: object) -> None:
    """The error names the hook or the wrapper."""
    events = drain(agent(Answers("4"), handlers=[Returning(hook, wrong)]).run([QUESTION]))

    error = events[-1]
    assert isinstance(error, ErrorEvent)
    assert isinstance(error.error, NothingReturnedError)
    assert ("wrapper" if hook == "wrapper" else "Returning") in str(error.error)
    assert [event for event in events if isinstance(event, ErrorEvent)] == [error]


class _Model:
    def __init__(self, value: Any) -> None:  # Any: an invalid value
        self._value = value

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Return the value."""
        return self._value  # type: ignore[no-any-return]  # the bug

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Not called."""
        yield await self.generate(request)


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_a_model(wrong: object) -> None:
    """A message of the other type is invalid too."""
    (event,) = drain(Agent(model=_Model(wrong), message_type=Message).run([QUESTION]))

    assert isinstance(event, ErrorEvent)
    assert isinstance(event.error, NothingReturnedError)


class Plain:
    """An invokable tool."""

    info = ToolInfo("wrong")

    def __init__(self, value: Any) -> None:  # Any: an invalid value
        self._value = value

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the value."""
        return self._value  # type: ignore[no-any-return]  # the bug


class Enhanced:
    """An enhanced invokable tool."""

    info = ToolInfo("wrong")

    def __init__(self, value: Any) -> None:  # Any: an invalid value
        self._value = value

    async def invoke_enhanced(self, context: ToolContext, request: ToolRequest[ToolArgument]) -> ToolResult:
        """Return the value."""
        return self._value  # type: ignore[no-any-return]  # the bug


@pytest.mark.parametrize("wrong", [None, 5, b"bytes"], ids=repr)
@pytest.mark.parametrize("tool", [Plain, Enhanced])
def test_a_tool(tool: type[Plain] | type[Enhanced], wrong: object) -> None:
    """The call has no result, and the model is not called again."""
    model = Answers(asks("wrong"), "4")
    events = drain(agent(model, tools=[tool(wrong)]).run([QUESTION]))

    error = events[-1]
    assert isinstance(error, ErrorEvent)
    assert isinstance(error.error, NothingReturnedError)
    assert "wrong" in str(error.error)
    assert len(model.given) == 1
