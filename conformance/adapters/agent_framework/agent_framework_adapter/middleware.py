"""A scripted handler as middleware of Agent Framework: around a run, a model call and a tool call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import agent_framework as af

import loopspec_adapting as kit

from .interrupts import interrupting
from .requests import answer_in, change_request, keep_tools, names_in, system_in, tools_in
from .sessions import entered, stored_in
from .streaming import Reading
from .tools import info_of, text_of

Next = Callable[[], Awaitable[None]]


def middleware_of(
    double: kit.HookDouble[af.Message], parts: kit.Parts[af.Message]
) -> tuple[af.AgentMiddleware, af.ChatMiddleware, af.FunctionMiddleware]:
    """Make a scripted handler a middleware of each kind."""
    return AroundRun(double), AroundModel(double, parts), AroundTool(double)


class AroundRun(af.AgentMiddleware):
    """Wraps a run: the before-agent hook and the after-agent hook."""

    def __init__(self, double: kit.HookDouble[af.Message]) -> None:
        self.double = double

    async def process(self, context: af.AgentContext, call_next: Next) -> None:
        """Receives the agent, whose options have the instructions and the tools."""
        entered(context.session)
        options = cast("af.Agent[Any]", context.agent).default_options  # Any: the options of any chat client
        await self.double.before_agent(tools=[tool.name for tool in options.get("tools", ())])
        earlier = stored_in(context.session)
        await call_next()

        async def after(response: af.AgentResponse[Any]) -> None:
            conversation = [*earlier, *context.messages, *response.messages]
            await self.double.after_agent(conversation, options.get("instructions", ""))

        if isinstance(context.result, af.ResponseStream):
            context.result.with_result_hook(after)
        elif context.result is not None:
            await after(context.result)


class AroundModel(af.ChatMiddleware):
    """Wraps a model call: the before-model hook, then the wrapper, then the after-model hook."""

    def __init__(self, double: kit.HookDouble[af.Message], parts: kit.Parts[af.Message]) -> None:
        self.double, self.parts = double, parts

    async def process(self, context: af.ChatContext, call_next: Next) -> None:
        """Receives the request: messages, and options with the instructions and the tools."""
        entered(context.session)
        reading = Reading() if context.stream and "around model" in self.double.hooks else None
        change = await self.double.before_model(context.messages, names_in(context), system_in(context))
        change_request(context, change, self.parts)

        async def next_handler(change: kit.Change[af.Message]) -> Any:  # Any: a response, or a stream of it
            change_request(context, change, self.parts)
            await call_next()
            return await reading.response(context.result) if reading else context.result  # type: ignore[arg-type]  # a stream

        answer: Any = await self.double.around_model(  # Any: a response, or a stream of it
            context.messages,
            next_handler,
            tools=[info_of(tool) for tool in tools_in(context)],
            system=system_in(context),
            read=lambda response: response.messages[-1],
            make=lambda message: af.ChatResponse(messages=message),
        )
        context.result = reading.stream(answer) if reading else answer
        if isinstance(context.result, af.ResponseStream):
            context.result.with_result_hook(lambda response: self._after(context, response))
        elif context.result is not None:
            context.result = await self._after(context, context.result)

    async def _after(self, context: af.ChatContext, response: af.ChatResponse[Any]) -> af.ChatResponse[Any]:
        given = [*context.messages, *response.messages]
        change = await self.double.after_model(given, names_in(context), system_in(context))
        if change.messages_changed:
            response.messages = answer_in(change.messages, context.messages, response.messages)
        keep_tools(context, change, self.parts)
        return response


class AroundTool(af.FunctionMiddleware):
    """Wraps a tool call. The arguments are an object."""

    def __init__(self, double: kit.HookDouble[af.Message]) -> None:
        self.double = double

    async def process(self, context: af.FunctionInvocationContext, call_next: Next) -> None:
        """Receives the tool, the id of the call, and the arguments."""
        entered(context.session)

        async def next_handler(args: str) -> Any:  # Any: a text, or contents
            context.arguments = kit.args_object(args) or {}
            await call_next()
            return context.result

        args, call_id = dict(cast("Mapping[str, Any]", context.arguments)), context.metadata.get("call_id", "")
        with interrupting(context, args, self.double.name) as resumed:
            context.result = await self.double.resuming(resumed).around_tool(
                context.function.name, call_id, args, next_handler, read=text_of
            )
