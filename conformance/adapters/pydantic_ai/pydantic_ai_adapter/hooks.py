"""The hooks: a scripted handler is a capability of pydantic-ai."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

from pydantic_ai import RunContext
from pydantic_ai import messages as pai
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.run import AgentRunResult
from pydantic_ai.tools import ToolDefinition

import loopspec_adapting as kit

from .inside import Deps, entered
from .interrupts import interrupting
from .tools import info_of, tool_of


class Scripted(AbstractCapability[Deps]):
    """A scripted handler as a capability. The instructions are parts of a request, and no messages."""

    def __init__(self, double: kit.HookDouble[pai.ModelMessage], parts: kit.Parts[pai.ModelMessage]) -> None:
        super().__init__()
        self.double, self.parts = double, parts

    async def before_run(self, ctx: RunContext[Deps]) -> None:
        """Receives neither instructions nor tools, and returns nothing."""
        entered(ctx)
        await self.double.before_agent()

    async def before_model_request(
        self, ctx: RunContext[Deps], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Changes the request. The history of the run stays as it is."""
        entered(ctx)
        params = request_context.model_request_parameters
        names = [tool.name for tool in params.function_tools]
        change = await self.double.before_model(request_context.messages, names, system_of(params))
        return None if change.returns_nothing else self._changed(request_context, change)  # type: ignore[return-value]  # a hook's mistake

    async def after_model_request(
        self, ctx: RunContext[Deps], *, request_context: ModelRequestContext, response: pai.ModelResponse
    ) -> pai.ModelResponse:
        """Changes the answer, and the history before it."""
        entered(ctx)
        params = request_context.model_request_parameters
        names = [tool.name for tool in params.function_tools]
        change = await self.double.after_model([*ctx.messages, response], names, system_of(params))
        if change.messages_changed:
            ctx.messages[:] = change.messages[:-1]
        return change.messages[-1] if change.messages and not change.returns_nothing else None  # type: ignore[return-value]  # likewise

    async def after_run(self, ctx: RunContext[Deps], *, result: AgentRunResult[Any]) -> AgentRunResult[Any]:
        """Receives the messages of the run, each request with the instructions that it was sent with."""
        entered(ctx)
        messages = result.all_messages()
        sent = [one.instructions for one in messages if isinstance(one, pai.ModelRequest) and one.instructions]
        await self.double.after_agent(messages, sent[-1] if sent else "")
        return result

    async def wrap_model_request(
        self,
        ctx: RunContext[Deps],
        *,
        request_context: ModelRequestContext,
        handler: Callable[[ModelRequestContext], Awaitable[pai.ModelResponse]],
    ) -> pai.ModelResponse:
        """Wraps a model call, the hooks before and after it included."""
        entered(ctx)
        params = request_context.model_request_parameters
        return await self.double.around_model(  # type: ignore[return-value]  # a wrapper's mistake
            request_context.messages,
            lambda change: handler(self._changed(request_context, change)),
            tools=[info_of(tool) for tool in params.function_tools],
            system=system_of(params),
        )

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Deps],
        *,
        call: pai.ToolCallPart,
        tool_def: ToolDefinition,
        args: dict[str, Any],
        handler: Callable[[dict[str, Any]], Awaitable[Any]],
    ) -> Any:
        """Wraps a tool call. The arguments are an object."""
        entered(ctx)
        with interrupting(ctx, self.double.name) as resumed:
            return await self.double.resuming(resumed).around_tool(
                call.tool_name, call.tool_call_id, args, lambda text: handler(kit.args_object(text) or {})
            )

    def _changed(self, request: ModelRequestContext, change: kit.Change[pai.ModelMessage]) -> ModelRequestContext:
        params = request.model_request_parameters
        if change.system_changed:
            instructions = [pai.InstructionPart(content=change.system)] if change.system else []
            params = dataclasses.replace(params, instruction_parts=instructions)
        if change.tools_changed:
            known = {tool.name: tool for tool in params.function_tools}
            tools = self.parts.pick(change.tools or (), known, lambda double: tool_of(double).tool_def)
            params = dataclasses.replace(params, function_tools=tools)
        messages = list(change.messages) if change.messages_changed else request.messages
        return dataclasses.replace(request, model_request_parameters=params, messages=messages)


def system_of(params: ModelRequestParameters) -> str:
    """The instructions of a request."""
    return "\n\n".join(part.content for part in params.instruction_parts or ())
