"""The middlewares of the role `plugins`: states, the runtime context, jumps and synchronous hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NotRequired

from langchain.agents.middleware import hook_config
from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool
from pydantic import BaseModel, ConfigDict, create_model
from typing_extensions import TypedDict

import loopspec_adapting as kit
from loopspec.contract.acting import Hook
from loopspec.contract.agents import FieldType, Plugin
from loopspec.contract.doubles import at_once

Parts = kit.Parts[BaseMessage]
Method = Callable[..., Any]  # of a middleware: the base class has its type
OWN = ("messages", "jump_to", "structured_response")  # the fields of LangChain's state that no middleware declares
TYPES: Mapping[FieldType, Any] = {"text": str, "number": int | float, "list": list[Any], "any": Any}


def plugin_attributes(plugin: Plugin, methods: Mapping[Hook, Method], tools: Sequence[BaseTool]) -> dict[str, Any]:
    """The attributes of a middleware class: its tools, its state schema, and its hooks with the targets of jumps."""
    attributes: dict[str, Any] = {"tools": tools}
    for hook, method in methods.items():
        may_jump: Any = hook_config(can_jump_to=list(plugin.jumps_from(hook)))  # type: ignore[arg-type]  # any word
        own = in_sync(method, hook.startswith("around")) if plugin.sync else method
        attributes[method_name(hook, plugin.sync)] = may_jump(own)
    if plugin.state is not None:
        types = {one.name: TYPES[one.type] if one.required else NotRequired[TYPES[one.type]] for one in plugin.state}
        attributes["state_schema"] = TypedDict(f"{plugin.name} state", types)  # type: ignore[operator]  # at runtime
    return attributes


def method_name(hook: Hook, sync: bool = False) -> str:
    """The name of a method: `abefore_model`, or `wrap_tool_call` of plain functions."""
    name = f"wrap_{hook[len('around ') :]}_call" if hook.startswith("around") else hook.replace(" ", "_")
    return name if sync else f"a{name}"


def in_sync(method: Method, wraps: bool) -> Method:
    """The same method as a plain function. LangGraph passes a runtime to a parameter of this name."""

    def now(self: object, given: object, runtime: Any) -> object:
        async def next_handler(passed: object) -> object:
            return runtime(passed)  # the last argument of a wrapper is its handler

        return at_once(method(self, given, next_handler if wraps else runtime))

    return now


def seeing(double: kit.HookDouble[BaseMessage], state: Any, context: Any) -> kit.HookDouble[BaseMessage]:
    """The double for a call with this state, which has the fields of all middlewares, and this runtime context."""
    if not isinstance(double, kit.PluginDouble):
        return double
    fields = {name: value for name, value in state.items() if name not in OWN}
    return double.seeing(fields, context.model_dump() if isinstance(context, BaseModel) else context)


def context_schema(parts: Parts) -> type[BaseModel] | None:
    """One schema with the fields of all middlewares: an agent has one."""
    plugins = [one for one in parts.spec.handlers if isinstance(one, Plugin) and one.context is not None]
    fields: dict[str, Any] = {
        one.name: (TYPES[one.type], ...) if one.required else (TYPES[one.type] | None, one.default)
        for plugin in plugins
        for one in plugin.context or ()
    }
    return create_model("Context", __config__=ConfigDict(strict=True), **fields) if plugins else None
