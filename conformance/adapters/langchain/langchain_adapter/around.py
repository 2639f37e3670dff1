"""What stands around model calls and tool calls: requests and answers, as they cross the seam and come back."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import ModelRequest as LangChainRequest
from langchain.agents.middleware import ModelResponse
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.types import Command

from loopspec.contract.calls import InvalidValue, ModelRequest, ToolAnswer, ToolRequest
from loopspec.contract.values import Message

from .doubles import Inside, command_of
from .wire import all_to_wire, answer_from_wire, args_from_wire, args_to_wire, from_wire, info_to_wire, to_wire

Request = LangChainRequest[Any]  # Any: the runtime context is whatever the scene's schema says
Response = ModelResponse[Any]
Outcome = ToolMessage | Command[Any]
ModelEndpoint = Callable[[Request], Awaitable[Response]]
ToolEndpoint = Callable[[ToolCallRequest], Awaitable[Outcome]]


class Named:
    """The models and tools that a wrapper may name."""

    def __init__(self, model: Callable[[str], BaseChatModel], tool: Callable[[str], BaseTool]) -> None:
        self.model = model
        self.tool = tool


def request_to_wire(request: Request) -> ModelRequest:
    """What a wrapper around a model call gets."""
    system = (to_wire(request.system_message),) if request.system_message else ()
    return ModelRequest(
        messages=(*system, *all_to_wire(request.messages)), tools=tuple(map(info_to_wire, request.tools))
    )


def passed_on(request: Request, given: ModelRequest, wanted: ModelRequest, named: Named) -> Request:
    """The request as a wrapper passes it on: only what it has changed is overridden."""
    overrides: dict[str, Any] = {}
    if wanted.messages != given.messages:
        leading = wanted.messages[:1] if wanted.messages and wanted.messages[0].role == "system" else ()
        overrides["system_message"] = SystemMessage(leading[0].content) if leading else None
        ours = given.messages[len(given.messages) - len(request.messages) :]
        kept = dict(zip(map(id, ours), request.messages, strict=True))
        overrides["messages"] = [kept.get(id(one)) or from_wire(one) for one in wanted.messages[len(leading) :]]
    if wanted.tools != given.tools:
        offered = {info_to_wire(tool).name: tool for tool in request.tools}
        overrides["tools"] = [offered.get(info.name) or named.tool(info.name) for info in wanted.tools]
    if wanted.model is not None:
        overrides["model"] = named.model(wanted.model)
    return request.override(**overrides) if overrides else request


class Answered:
    """What a model call came to."""

    def __init__(self, response: Response) -> None:
        self.response = response

    async def complete(self) -> Message:
        """All of it."""
        answers = [message for message in self.response.result if isinstance(message, AIMessage)]
        return to_wire(answers[-1])


class ModelInside(Inside):
    """Around a model call."""

    def __init__(self, request: Request, handler: ModelEndpoint, named: Named) -> None:
        self.given = request_to_wire(request)
        self._request = request
        self._handler = handler
        self._named = named

    async def model(self, request: ModelRequest | InvalidValue) -> Answered:
        """Call the inner endpoint."""
        if isinstance(request, InvalidValue):
            return Answered(await self._handler(request))  # type: ignore[arg-type]  # a wrapper's mistake
        return Answered(await self._handler(passed_on(self._request, self.given, request, self._named)))


def response_of(answer: object) -> Response | AIMessage:
    """What a wrapper around a model call returns."""
    if isinstance(answer, Answered):
        return answer.response
    return answer_from_wire(answer) if isinstance(answer, Message) else answer  # type: ignore[return-value]  # a mistake


class Came:
    """What a tool call came to."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    async def complete(self) -> ToolAnswer:
        """All of it."""
        return ToolAnswer(text=str(_result(self.outcome).text))


def _result(outcome: Outcome) -> ToolMessage:
    """The result in what a tool call came to."""
    if isinstance(outcome, ToolMessage):
        return outcome
    update: Any = outcome.update  # Any: of a tool it is an object with messages, which `ToolNode` has seen to
    return next(one for one in update["messages"] if isinstance(one, ToolMessage))


class ToolInside(Inside):
    """Around a tool call; `outcome` is the outcome of the last inner call."""

    def __init__(self, request: ToolCallRequest, handler: ToolEndpoint) -> None:
        call = request.tool_call
        self.given = ToolRequest(tool=call["name"], call_id=call["id"] or "", args=args_to_wire(call["args"]))
        self.outcome: Outcome | None = None
        self._request = request
        self._handler = handler

    async def tool(self, request: ToolRequest | InvalidValue) -> Came:
        """Call the inner endpoint. LangChain offers a wrapper no way to add options to a call."""
        passed = self._request
        if isinstance(request, InvalidValue):
            return Came(await self._handler(request))  # type: ignore[arg-type]  # a wrapper's mistake
        if request.args != self.given.args:
            args = args_from_wire(request.args)
            call: Any = {**passed.tool_call, "args": request.args if args is None else args}  # Any: may be no object
            passed = passed.override(tool_call=call)
        self.outcome = await self._handler(passed)
        return Came(self.outcome)

    def outcome_of(self, answer: object) -> Outcome:
        """What the wrapper returns; a command of the tool's own stays one."""
        if isinstance(answer, Came):
            return answer.outcome
        if not isinstance(answer, ToolAnswer):
            return answer  # type: ignore[return-value]  # a wrapper's mistake
        result = ToolMessage(answer.text, tool_call_id=self.given.call_id, name=self.given.tool)
        if answer.command is not None:
            return command_of(answer.command.state, answer.command.goto, result)
        if isinstance(self.outcome, Command):
            update: Any = self.outcome.update  # Any: likewise
            return dataclasses.replace(self.outcome, update={**update, "messages": [result]})
        return result
