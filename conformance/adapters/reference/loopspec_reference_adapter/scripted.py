"""The scripted middlewares of a scene as middlewares of the reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import replace

import loopspec_reference as ref
from loopspec.contract import agents as spec
from loopspec.contract.calls import Edited, InvalidValue, ModelRequest, State, ToolAnswer, ToolRequest, View
from loopspec.contract.doubles import NoInside, StateHook, at_once
from loopspec.contract.stage import Stage
from loopspec.contract.values import Json, Message
from loopspec_reference import plugins as ref_plugins
from loopspec_reference.plugins.middleware import ToolAnswer as Outcome
from loopspec_reference.plugins.middleware import Update

from .plugin_tools import plugin_tool_of
from .wire import from_wire, info_from_wire, info_to_wire, parts_from_wire, parts_to_wire, to_wire

ModelNamed = Callable[[str], ref.Model[ref.AnyMessage]]
_HOOKS: Mapping[StateHook, str] = {
    "before agent": "before_agent",
    "before model": "before_model",
    "after model": "after_model",
    "after agent": "after_agent",
}


class ScriptedMiddleware:
    """A middleware of the scene, with exactly the functions that have a script."""

    def __init__(
        self, plugin: spec.Plugin, stage: Stage, message_type: type[ref.AnyMessage], model_named: ModelNamed
    ) -> None:
        self._plugin = plugin
        self._doubles = stage.doubles
        self._tools = [plugin_tool_of(tool, stage.doubles) for tool in plugin.tools]
        self._type = message_type
        self._model_named = model_named

    def built(self) -> ref_plugins.Middleware:
        """Return the middleware."""
        plugin = self._plugin
        hooks = {part: self._hook(hook) for hook, part in _HOOKS.items() if hook in plugin.hooks}
        return ref_plugins.Middleware(
            name=plugin.name,
            state_schema=_state_schema(plugin),
            context_schema=_schema("Context", plugin.context),
            tools=self._tools,
            wrap_model_call=self._around_model if "around model" in plugin.hooks else None,
            wrap_tool_call=self._around_tool if "around tool" in plugin.hooks else None,
            **hooks,
        )

    def _hook(self, hook: StateHook) -> ref_plugins.StateHook | ref_plugins.Hook:
        plugin = self._plugin

        async def change(state: ref_plugins.HookState, runtime: ref_plugins.Runtime) -> Update | None:
            infos = {info.name: info for info in state.tools}
            given = State(messages=tuple(map(to_wire, state.messages)), tools=tuple(infos))
            view = _view(state.own, runtime)

            wanted = await self._doubles.edit(hook, plugin.name, given, _Runtime(runtime), view=view)
            _spoil(state.own, runtime.context)
            if wanted is None or isinstance(wanted, InvalidValue):
                return wanted  # type: ignore[return-value]  # a hook's mistake
            return self._update(state, wanted, infos)

        def change_now(state: ref_plugins.HookState, runtime: ref_plugins.Runtime) -> Update | None:
            return at_once(change(state, runtime))

        function = change_now if plugin.sync else change
        if not plugin.declares:
            return function
        return ref_plugins.Hook(function, can_jump_to=frozenset(plugin.jumps_from(hook)))

    def _update(self, state: ref_plugins.HookState, wanted: Edited, infos: Mapping[str, ref.ToolInfo]) -> Update:
        """Return the update of the hook: what differs from the present state."""
        update: dict[str, Json] = dict(wanted.own)
        if wanted.messages != tuple(range(len(state.messages))):
            update["messages"] = tuple(
                state.messages[one] if isinstance(one, int) else from_wire(one, self._type) for one in wanted.messages
            )
        if wanted.invalid is not None:
            first, *others = update.get("messages", state.messages)
            update["messages"] = (first, wanted.invalid, *others)
        if wanted.tools is not None and wanted.tools != tuple(infos):
            update["tools"] = tuple(infos.get(name, ref.ToolInfo(name)) for name in wanted.tools)
        if wanted.jump is not None:
            update["jump_to"] = wanted.jump
        return update

    async def _around_model(
        self, request: ref_plugins.ModelCallRequest, handler: ref_plugins.ModelHandler
    ) -> ref.AnyMessage:
        system = (Message(role="system", content=request.system),) if request.system else ()
        wire = ModelRequest(
            messages=(*system, *map(to_wire, request.messages)), tools=tuple(map(info_to_wire, request.tools))
        )
        view = _view(request.state, request.runtime)
        answer = await self._doubles.around_model(
            self._plugin.name, wire, _ModelInside(self, request, handler), view=view
        )
        if isinstance(answer, InvalidValue):
            return answer  # type: ignore[return-value]  # a wrapper's mistake
        return answer.message if isinstance(answer, _InnerAnswer) else from_wire(cast("Message", answer), self._type)

    def passed_on(self, request: ref_plugins.ModelCallRequest, wire: ModelRequest) -> ref_plugins.ModelCallRequest:
        """Return the request that a wrapper passes on."""
        leading = wire.messages[:1] if wire.messages and wire.messages[0].role == "system" else ()
        return replace(
            request,
            system=leading[0].content if leading else "",
            messages=tuple(from_wire(message, self._type) for message in wire.messages[len(leading) :]),
            tools=tuple(map(info_from_wire, wire.tools)),
            model=self._model_named(wire.model) if wire.model else request.model,
        )

    async def _around_tool(self, request: ref_plugins.ToolCallRequest, handler: ref_plugins.ToolHandler) -> Outcome:
        call = request.call
        wire = ToolRequest(tool=call.name, call_id=call.id, args=call.arguments)
        inside = _ToolInside(request, handler)
        answer = await self._doubles.around_tool(self._plugin.name, wire, inside, _view(request.own, request.runtime))
        if isinstance(answer, InvalidValue):
            return answer  # type: ignore[return-value]  # likewise
        if isinstance(answer, _InnerOutcome):
            return answer.outcome
        return _outcome(cast("ToolAnswer", answer), inside.outcome)


def _spoil(*received: Any) -> None:  # Any: instances of the scene's schemas
    """Change the lists and objects in what a hook received: nothing else may change with them (XP-HOOK-10)."""
    for value in [getattr(one, name) for one in received if one is not None for name in one.__struct_fields__]:
        if isinstance(value, list):
            value.append("spoiled")
        elif isinstance(value, dict):
            value["spoiled"] = True


class _Runtime(NoInside):
    """The inside of a run for a middleware: its runtime context, and nothing else."""

    def __init__(self, runtime: ref_plugins.Runtime) -> None:
        self._runtime = runtime

    def assign(self, key: str, value: Json) -> None:
        """Change a value of the runtime context."""
        setattr(self._runtime.context, key, value)


class _InnerAnswer:
    """The answer of the inner model call."""

    def __init__(self, message: ref.AnyMessage) -> None:
        self.message = message

    async def complete(self) -> Message:
        return to_wire(self.message)


class _ModelInside(NoInside):
    """The inside of a model wrapper."""

    def __init__(
        self, owner: ScriptedMiddleware, request: ref_plugins.ModelCallRequest, handler: ref_plugins.ModelHandler
    ) -> None:
        self._owner = owner
        self._request = request
        self._handler = handler

    async def model(self, request: ModelRequest | InvalidValue) -> _InnerAnswer:
        if isinstance(request, InvalidValue):
            return _InnerAnswer(await self._handler(request))  # type: ignore[arg-type]  # likewise
        return _InnerAnswer(await self._handler(self._owner.passed_on(self._request, request)))


class _InnerOutcome:
    """The outcome of the inner tool call."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    async def complete(self) -> ToolAnswer:
        result = self.outcome.result if isinstance(self.outcome, ref_plugins.Command) else self.outcome
        return ToolAnswer(text=result.text, parts=parts_to_wire(result.parts))


class _ToolInside(NoInside):
    """The inside of a tool wrapper; `outcome` is the outcome of the last inner call."""

    def __init__(self, request: ref_plugins.ToolCallRequest, handler: ref_plugins.ToolHandler) -> None:
        self._request = request
        self._handler = handler
        self.outcome: Outcome | None = None

    async def tool(self, request: ToolRequest | InvalidValue) -> _InnerOutcome:
        if isinstance(request, InvalidValue):
            return _InnerOutcome(await self._handler(request))  # type: ignore[arg-type]  # likewise
        call = self._request.call
        passed_on = ref.ToolCall(call.id, call.name, request.args)
        self.outcome = await self._handler(replace(self._request, call=passed_on))
        return _InnerOutcome(self.outcome)


def _outcome(answer: ToolAnswer, inner: Outcome | None) -> Outcome:
    """Return the changed outcome of a wrapper; a command of the tool itself stays a command."""
    result = ref_plugins.ToolOutcome(answer.text, parts_from_wire(answer.parts))
    if answer.command is not None:
        return ref_plugins.Command(dict(answer.command.state), answer.command.goto, result)
    return replace(inner, result=result) if isinstance(inner, ref_plugins.Command) else result


def _view(own: object, runtime: ref_plugins.Runtime) -> View:
    return View(
        own=msgspec.to_builtins(own) if own is not None else {},
        context=None if runtime.context is None else msgspec.to_builtins(runtime.context),
    )


_TYPES: Mapping[spec.FieldType, Any] = {  # Any: types, as values
    "text": str,
    "number": int | float,
    "list": list[Any],
    "any": Any,
}


def _state_schema(plugin: spec.Plugin) -> type[msgspec.Struct] | None:
    # A field without a default in the scene has none here, so that the reference's own default is judged.
    fields = [replace(one, required=one.default is None) for one in plugin.state or ()]
    schema = None if plugin.state is None else _schema("State", fields)
    if schema is None or plugin.form != "optional object":
        return schema
    return schema | None  # type: ignore[return-value]  # a schema that is optional as a whole is a union


def _schema(name: str, fields: Sequence[spec.Field] | None) -> type[msgspec.Struct] | None:
    """Return a schema with these fields."""
    if fields is None:
        return None
    return msgspec.defstruct(name, [_field(one) for one in fields], frozen=True, kw_only=True)


def _field(one: spec.Field) -> Any:  # Any: what defstruct takes
    kind = _TYPES[one.type]
    if one.required:
        return one.name, kind
    default = one.default
    if isinstance(default, list | dict):
        return one.name, kind | None, msgspec.field(default_factory=lambda: type(default)(default))
    return one.name, kind | None, default
