"""The handlers of an agent as middlewares: classes with exactly the hooks of the scene."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage, SystemMessage, ToolMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

import loopspec_adapting as kit
from loopspec import InvalidValue

from .interrupts import interrupting
from .models import model_of
from .plugins import Method, Parts, method_name, plugin_attributes, seeing
from .tools import Outcome, command_of, info_of, text_of, tool_of, with_result

Double = kit.HookDouble[BaseMessage]


def middleware_of(double: Double, parts: Parts) -> AgentMiddleware[Any, Any]:
    """Build a middleware. Each method is a node of the graph or a wrapper: only the hooks of the scene have one."""
    wrappers: dict[str, Method] = {"around model": model_wrapper, "around tool": tool_wrapper}
    methods = {hook: wrappers.get(hook, partial(state_hook, hook))(double, parts) for hook in double.hooks}
    attributes: dict[str, Any] = {method_name(hook): method for hook, method in methods.items()}
    if isinstance(double, kit.PluginDouble):
        tools = [tool_of(replace(parts.tool(one.name), spec=one)) for one in double.spec.tools]
        attributes = plugin_attributes(double.spec, methods, tools)
    middleware: AgentMiddleware[Any, Any] = type(double.name, (AgentMiddleware,), attributes)()
    return middleware


def state_hook(hook: Any, double: Double, parts: Parts) -> Method:  # Any: a hook that is no wrapper
    """Build a hook. It receives the state, which has no tools and no instruction."""

    async def edit(self: object, state: dict[str, Any], runtime: Runtime[Any]) -> object:
        messages, viewed = state["messages"], seeing(double, state, runtime.context)
        if isinstance(viewed, kit.PluginDouble):
            context = runtime.context
            assign = context.__setitem__ if isinstance(context, dict) else partial(setattr, context)
            return update_of(await viewed.change(hook, messages, assign))
        if hook == "before agent":
            await viewed.before_agent()
            return None
        if hook == "after agent":
            return update_of(await viewed.after_agent(messages))
        async with interrupting(runtime.store, f"{double.name} {hook}", double.name) as resumed:
            viewed = viewed.resuming(resumed)
            change = viewed.before_model if hook == "before model" else viewed.after_model
            return update_of(await change(messages))

    return edit


def update_of(change: kit.Change[BaseMessage] | InvalidValue) -> dict[str, Any] | InvalidValue | None:
    """The update of the state that a hook returns; None if nothing changes."""
    if isinstance(change, InvalidValue):
        return change
    update: dict[str, Any] = dict(change.own)
    if change.messages_changed:
        update["messages"] = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *change.messages]
    if change.jump is not None:
        update["jump_to"] = change.jump
    return update or None


def model_wrapper(double: Double, parts: Parts) -> Method:
    """Build a wrapper around a model call. Its answer is a `ModelResponse`, or a message."""

    async def around(self: object, request: ModelRequest[Any], handler: Method) -> object:
        viewed = seeing(double, request.state, request.runtime.context)
        async with interrupting(request.runtime.store, "model", double.name) as resumed:
            return await viewed.resuming(resumed).around_model(
                request.messages,
                lambda change: handler(changed(request, change, parts)),
                tools=[info_of(tool) for tool in request.tools],
                system=str(request.system_message.text) if request.system_message else "",
                read=lambda response: next(one for one in reversed(response.result) if isinstance(one, AIMessage)),
            )

    return around


def changed(request: ModelRequest[Any], change: kit.Change[BaseMessage] | InvalidValue, parts: Parts) -> object:
    """The request that a wrapper passes on: only what the wrapper has changed is overridden."""
    if isinstance(change, InvalidValue):
        return change
    overrides: dict[str, Any] = {}
    if change.system_changed:
        overrides["system_message"] = SystemMessage(change.system) if change.system else None
    if change.messages_changed:
        overrides["messages"] = list(change.messages)
    if change.tools_changed:
        offered = {info_of(tool).name: tool for tool in request.tools}
        overrides["tools"] = parts.pick(change.tools or (), offered, tool_of)
    if change.model is not None:
        overrides["model"] = model_of(parts.additional_models[change.model])
    return request.override(**overrides) if overrides else request


def tool_wrapper(double: Double, parts: Parts) -> Method:
    """Build a wrapper around a tool call. It can change the arguments, and cannot add options."""

    async def around(self: object, request: ToolCallRequest, handler: Method) -> object:
        call: Any = request.tool_call  # Any: a wrapper may make the arguments a text that is no object
        last: Outcome | None = None

        async def next_handler(args: str | InvalidValue) -> Outcome:
            nonlocal last
            passed: Any = args  # Any: an `InvalidValue` takes the place of the request
            if args == kit.args_text(call["args"]):
                passed = request
            elif isinstance(args, str):
                read = kit.args_object(args)
                overrides: Any = {"tool_call": {**call, "args": args if read is None else read}}
                passed = request.override(**overrides)
            outcome: Outcome = await handler(passed)
            last = outcome
            return outcome

        def result(text: str) -> ToolMessage:
            return ToolMessage(text, tool_call_id=call["id"] or "", name=call["name"])

        viewed = seeing(double, request.state, request.runtime.context)
        async with interrupting(request.runtime.store, call["id"] or "", double.name) as resumed:
            return await viewed.resuming(resumed).around_tool(
                call["name"],
                call["id"] or "",
                call["args"],
                next_handler,
                read=text_of,
                make=lambda text: with_result(last, result(text)),
                command=lambda answer: command_of(answer, result(answer.text)),
            )

    return around
