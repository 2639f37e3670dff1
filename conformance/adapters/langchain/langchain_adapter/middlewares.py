"""The scene's handlers and middlewares, as LangChain's: classes that have exactly the hooks of the scene."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NotRequired

from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.messages import AIMessage, BaseMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from msgspec import to_builtins
from typing_extensions import TypedDict

from loopspec.contract import agents as spec
from loopspec.contract.calls import AgentStart, Edited, InvalidValue, State, View
from loopspec.contract.middlewares import StateHook
from loopspec.contract.stage import Stage
from loopspec.contract.sync import at_once
from loopspec.contract.values import Json

from .around import ModelEndpoint, ModelInside, Named, Outcome, Request, Response, ToolEndpoint, ToolInside, response_of
from .doubles import Inside, tool_of
from .wire import all_to_wire, from_wire, to_wire

Update = dict[str, Any]
Values = Mapping[str, Any]
_STATE_HOOKS: Mapping[StateHook, str] = {
    "before agent": "before_agent",
    "before model": "before_model",
    "after model": "after_model",
    "after agent": "after_agent",
}
TYPES: Mapping[spec.FieldType, Any] = {"text": str, "number": int | float, "list": list[Any], "any": Any}


class Script(ABC):
    """What one handler does, as the harness says."""

    hooks: frozenset[spec.Hook]

    @abstractmethod
    async def change(self, hook: StateHook, state: Values, runtime: Runtime[Any]) -> Edited | InvalidValue | None:
        """Return the state it wants."""

    @abstractmethod
    async def around_model(self, request: Request, inside: ModelInside) -> object:
        """Answer in the model's place."""

    @abstractmethod
    async def around_tool(self, request: ToolCallRequest, inside: ToolInside) -> object:
        """Answer in a tool's place."""


class HandlerScript(Script):
    """A handler of the role `agent`. LangChain's hooks receive no tools, and cannot change those of a run."""

    def __init__(self, handler: spec.Scripted, stage: Stage) -> None:
        self.hooks = handler.hooks
        self._name = handler.name
        self._doubles = stage.doubles

    async def change(self, hook: StateHook, state: Values, runtime: Runtime[Any]) -> Edited | InvalidValue | None:
        given = State(messages=all_to_wire(state["messages"]))
        match hook:
            case "before agent":
                await self._doubles.before_agent(self._name, AgentStart(), Inside())
                return None
            case "before model":
                return await self._doubles.before_model(self._name, given, None, Inside())
            case "after model":
                return await self._doubles.after_model(self._name, given, None, Inside())
            case "after agent":
                return await self._doubles.after_agent(self._name, given, Inside())

    async def around_model(self, request: Request, inside: ModelInside) -> object:
        return await self._doubles.around_model(self._name, inside.given, None, inside)

    async def around_tool(self, request: ToolCallRequest, inside: ToolInside) -> object:
        return await self._doubles.around_tool(self._name, inside.given, inside)


class PluginScript(Script):
    """A middleware of the role `plugins`."""

    def __init__(self, plugin: spec.Plugin, stage: Stage) -> None:
        self.hooks = plugin.hooks
        self._plugin = plugin
        self._doubles = stage.middlewares

    async def change(self, hook: StateHook, state: Values, runtime: Runtime[Any]) -> Edited | InvalidValue | None:
        def assign(key: str, value: Json) -> None:
            if isinstance(runtime.context, dict):
                runtime.context[key] = value
            else:
                setattr(runtime.context, key, value)

        given = State(messages=all_to_wire(state["messages"]))
        return await self._doubles.change(self._plugin.name, hook, given, self._view(state, runtime.context), assign)

    async def around_model(self, request: Request, inside: ModelInside) -> object:
        view = self._view(request.state, request.runtime.context)
        return await self._doubles.around_model(self._plugin.name, inside.given, view, inside)

    async def around_tool(self, request: ToolCallRequest, inside: ToolInside) -> object:
        view = self._view(request.state, request.runtime.context)
        return await self._doubles.around_tool(self._plugin.name, inside.given, view, inside)

    def _view(self, state: Values, context: Any) -> View:
        """The fields of its own schema, and all of the context: LangChain passes both."""
        fields = [field.name for field in self._plugin.state or ()]
        own = {name: _in_json(state[name]) for name in fields if name in state}
        if context is None or isinstance(context, dict):
            return View(own=own, context=context)
        return View(own=own, context=context.model_dump())


def _in_json(value: Any) -> Json:
    """A value of a state; a field that the agent's own state has, too, may hold messages."""
    if isinstance(value, list):
        return [_in_json(one) for one in value]
    return to_builtins(to_wire(value)) if isinstance(value, BaseMessage) else value


def plugin_of(plugin: spec.Plugin, stage: Stage, named: Named) -> AgentMiddleware[Any, Any]:
    """Build a middleware of the role `plugins`."""
    script = PluginScript(plugin, stage)
    attributes: dict[str, Any] = {"tools": [tool_of(tool, stage.doubles) for tool in plugin.tools]}
    if plugin.state is not None:
        fields = {
            field.name: TYPES[field.type] if field.required else NotRequired[TYPES[field.type]]
            for field in plugin.state
        }
        attributes["state_schema"] = TypedDict(f"{plugin.name} state", fields)  # type: ignore[operator]  # made at runtime
    return _built(plugin.name, script, named, attributes, plugin.jumps_from, plugin.sync)


def handler_of(handler: spec.Scripted, stage: Stage, named: Named) -> AgentMiddleware[Any, Any]:
    """Build a handler of the role `agent`."""
    return _built(handler.name, HandlerScript(handler, stage), named, {}, lambda _: (), False)


def _built(
    name: str,
    script: Script,
    named: Named,
    attributes: dict[str, Any],
    jumps_from: Callable[[spec.Hook], tuple[str, ...]],
    sync: bool,
) -> AgentMiddleware[Any, Any]:
    """A middleware with the hooks of a script; LangChain needs the targets of their jumps in advance."""
    for hook, method in _STATE_HOOKS.items():
        if hook in script.hooks:
            may_jump = hook_config(can_jump_to=list(jumps_from(hook)))  # type: ignore[arg-type]  # any word
            attributes[method if sync else f"a{method}"] = may_jump(_state_hook(script, hook, sync))
    if "around model" in script.hooks:
        attributes["wrap_model_call" if sync else "awrap_model_call"] = _around_model(script, named, sync)
    if "around tool" in script.hooks:
        attributes["wrap_tool_call" if sync else "awrap_tool_call"] = _around_tool(script, sync)
    made: AgentMiddleware[Any, Any] = type(name, (AgentMiddleware,), attributes)()
    return made


def _state_hook(script: Script, hook: StateHook, sync: bool) -> Callable[..., Any]:
    async def change(self: object, state: Values, runtime: Runtime[Any]) -> Update | None:
        return _update(state, await script.change(hook, state, runtime))

    def change_now(self: object, state: Values, runtime: Runtime[Any]) -> Update | None:
        return at_once(change(self, state, runtime))

    return change_now if sync else change


def _update(state: Values, wanted: Edited | InvalidValue | None) -> Update | None:
    """What the hook wants, as far as that is something else than there was."""
    if not isinstance(wanted, Edited):
        return wanted  # type: ignore[return-value]  # a hook's mistake
    update: Update = dict(wanted.own)
    if wanted.messages != tuple(range(len(state["messages"]))) or wanted.invalid is not None:
        kept = state["messages"]
        edited = [kept[one] if isinstance(one, int) else from_wire(one) for one in wanted.messages]
        invalid = () if wanted.invalid is None else (wanted.invalid,)
        update["messages"] = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *edited, *invalid]
    if wanted.jump is not None:
        update["jump_to"] = wanted.jump
    return update or None


def _around_model(script: Script, named: Named, sync: bool) -> Callable[..., Any]:
    async def around(self: object, request: Request, handler: ModelEndpoint) -> Response | AIMessage:
        return response_of(await script.around_model(request, ModelInside(request, handler, named)))

    def around_now(self: object, request: Request, handler: Callable[[Request], Response]) -> Response | AIMessage:
        async def next_handler(passed: Request) -> Response:
            return handler(passed)

        return at_once(around(self, request, next_handler))

    return around_now if sync else around


def _around_tool(script: Script, sync: bool) -> Callable[..., Any]:
    async def around(self: object, request: ToolCallRequest, handler: ToolEndpoint) -> Outcome:
        inside = ToolInside(request, handler)
        return inside.outcome_of(await script.around_tool(request, inside))

    def around_now(self: object, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Outcome]) -> Outcome:
        async def next_handler(passed: ToolCallRequest) -> Outcome:
            return handler(passed)

        return at_once(around(self, request, next_handler))

    return around_now if sync else around
