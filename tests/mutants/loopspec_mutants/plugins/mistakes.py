"""Mutants about mistakes in workflows and middlewares."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from typing import Any
from unittest.mock import patch

from msgspec.structs import force_setattr, replace

from loopspec_reference import AnyMessage, ToolContext, ToolRequest, plugins
from loopspec_reference.plugins import (
    Command,
    GraphError,
    Hook,
    HookError,
    Middleware,
    ModelCallRequest,
    ModelHandler,
    Registry,
    Stack,
    StrategyError,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
    Workflow,
    hooks,
    middleware,
    tool_wrapping,
)
from loopspec_reference.plugins.graph import Node, get_agent_middlewares
from loopspec_reference.plugins.layers import Layer, awaited
from loopspec_reference.plugins.middleware import TARGETS, ToolAnswer
from loopspec_reference.plugins.registry import MiddlewareContext
from loopspec_reference.plugins.state import OwnState
from loopspec_reference.plugins.tool_wrapping import OwnedTool
from loopspec_reference.runs.run import Target

from ..registry import mutant
from .nodes import made_by

Json = Any  # any JSON value
Middlewares = Sequence[Middleware]


# -- workflows and strategies -------------------------------------------------------------------------------------


def _replacing(change: Callable[[Workflow], dict[str, object]]) -> AbstractContextManager[object]:
    """Patch the nodes and edges of a workflow."""

    class Replaced(Workflow, frozen=True):
        def __post_init__(self) -> None:
            for name, value in change(self).items():
                force_setattr(self, name, value)
            super().__post_init__()

    return patch.object(plugins, "Workflow", Replaced)


@mutant("PLUGIN-05")
def ignores_connections_without_a_node() -> AbstractContextManager[object]:
    """Ignores a connection that has no node at one of its ends."""

    def change(workflow: Workflow) -> dict[str, object]:
        keys = {node.key for node in workflow.nodes}
        return {"edges": [edge for edge in workflow.edges if {edge.source, edge.target} <= keys]}

    return _replacing(change)


@mutant("PLUGIN-06")
def accepts_a_cycle_of_connections() -> AbstractContextManager[object]:
    """Builds an agent from a workflow whose connections form a cycle."""
    return patch.object(Workflow, "_refuse_cycles", lambda self: None)


@mutant("PLUGIN-07")
def keeps_the_last_node_of_a_key() -> AbstractContextManager[object]:
    """Keeps the last of two nodes with the same key."""
    return _replacing(lambda workflow: {"nodes": list({node.key: node for node in workflow.nodes}.values())})


@mutant("PLUGIN-08")
def accepts_an_unknown_agent() -> AbstractContextManager[object]:
    """Attaches no middlewares to an agent that the workflow does not have, and reports no error."""
    attached = Workflow.attached

    def attaches(self: Workflow, agent_key: str) -> list[Node]:
        try:
            return attached(self, agent_key)
        except GraphError:
            return []

    return patch.object(Workflow, "attached", attaches)


@mutant("PLUGIN-09")
def ignores_factories_without_a_middleware() -> AbstractContextManager[object]:
    """Skips a factory that does not return a middleware."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        made: list[Middleware] = []
        for edge in workflow.edges:
            try:
                made += await get_agent_middlewares(Workflow(workflow.nodes, [edge]), agent_key, known, context)
            except StrategyError:
                continue
        return made

    return made_by(makes)


@mutant("PLUGIN-10")
def ignores_invalid_strategies() -> AbstractContextManager[object]:
    """Loads the valid strategies of a module, and skips the invalid ones."""
    load = Registry.load

    def loads(self: Registry, module: object) -> None:
        try:
            load(self, module)
        except StrategyError:
            return

    return patch.object(Registry, "load", loads)


# -- middlewares that conflict ------------------------------------------------------------------------------------


def _stacks(change: Callable[[Middlewares], Middlewares]) -> AbstractContextManager[object]:
    """Patch the middlewares of a stack."""
    init = Stack.__init__

    def stacks(self: Stack[AnyMessage], middlewares: Middlewares, *rest: Any, **more: Any) -> None:  # Any: passed on
        init(self, change(middlewares), *rest, **more)

    return patch.object(Stack, "__init__", stacks)


@mutant("PLUGIN-11")
def keeps_the_last_middleware_of_a_name() -> AbstractContextManager[object]:
    """Keeps the last of two middlewares with the same name."""
    return _stacks(lambda middlewares: tuple({one.name: one for one in middlewares}.values()))


@mutant("PLUGIN-12")
def keeps_the_first_tool_of_a_name() -> AbstractContextManager[object]:
    """Keeps the first of two tools of middlewares with the same name."""

    def change(middlewares: Middlewares) -> Middlewares:
        found: list[Middleware] = []
        names: set[str] = set()
        for one in middlewares:
            tools = {tool.info.name: tool for tool in reversed(one.tools) if tool.info.name not in names}
            names |= set(tools)
            found.append(replace(one, tools=tuple(tools.values())[::-1]))
        return found

    return _stacks(change)


@mutant("PLUGIN-13")
def accepts_reserved_fields() -> AbstractContextManager[object]:
    """Accepts a state schema that declares reserved fields."""
    return patch.object(middleware, "RESERVED", ())


# -- values that hooks, wrappers and tools return -----------------------------------------------------------------


@mutant("PLUGIN-14")
def ignores_an_invalid_update() -> AbstractContextManager[object]:
    """Continues when a hook has returned an invalid value."""

    async def converted(value: Any) -> Any:  # Any: whatever a hook returns
        update = await awaited(value)
        return update if hasattr(update, "keys") else None

    return patch.object(hooks, "awaited", converted)


@mutant("PLUGIN-15")
def drops_values_of_a_wrong_type() -> AbstractContextManager[object]:
    """Drops the values of an update that do not match the state schema."""
    check = OwnState.checked

    def checks(self: OwnState, update: Any, by: str) -> dict[str, Json]:  # Any: passed on
        found: dict[str, Json] = {}
        for key, value in update.items():
            try:
                found |= check(self, {key: value}, by)
            except HookError:
                continue
        return found

    return patch.object(OwnState, "checked", checks)


@mutant("PLUGIN-16")
def ignores_changes_after_the_agent() -> AbstractContextManager[object]:
    """Ignores the messages and tools that an after-agent hook returns."""
    return patch.object(hooks, "_refuse_final", lambda update, who: None)


@mutant("PLUGIN-17")
def makes_texts_of_invalid_results() -> AbstractContextManager[object]:
    """Makes a text result of an invalid value that a tool wrapper returns."""

    async def converted(value: Any) -> ToolAnswer:  # Any: whatever a wrapper returns
        answer = await awaited(value)
        return answer if isinstance(answer, ToolOutcome | Command) else ToolOutcome(repr(answer))

    return patch.object(tool_wrapping, "awaited", converted)


@mutant("PLUGIN-40")
@contextmanager
def replaces_an_invalid_request() -> Iterator[None]:
    """Passes the original request when a wrapper passes an invalid value."""
    init = Layer.__init__

    def repaired(one: Middleware) -> Middleware:
        around_model, around_tool = one.wrap_model_call, one.wrap_tool_call

        async def model(request: ModelCallRequest, handler: ModelHandler) -> AnyMessage:
            def passes(passed: Any) -> Awaitable[AnyMessage]:  # Any: also invalid values
                return handler(passed if isinstance(passed, ModelCallRequest) else request)

            assert around_model is not None
            return await awaited(around_model(request, passes))

        async def tool(request: ToolCallRequest, handler: ToolHandler) -> ToolAnswer:
            def passes(passed: Any) -> Awaitable[ToolAnswer]:  # Any: likewise
                return handler(passed if isinstance(passed, ToolCallRequest) else request)

            assert around_tool is not None
            return await awaited(around_tool(request, passes))

        return replace(
            one, wrap_model_call=model if around_model else None, wrap_tool_call=tool if around_tool else None
        )

    def layers(self: Layer, one: Middleware) -> None:
        init(self, repaired(one))

    with patch.object(Layer, "__init__", layers):
        yield


@mutant("PLUGIN-41")
def takes_null_for_an_empty_result() -> AbstractContextManager[object]:
    """Takes an empty result when a tool of a middleware returns nothing."""
    invoke = OwnedTool.invoke

    async def invokes(self: OwnedTool, context: ToolContext, request: ToolRequest[str]) -> str:
        answer: str | Command | None = await self._tool.invoke(context, request)

        class Answered:
            async def invoke(self, *_: object) -> str | Command:
                return "" if answer is None else answer

        lenient = copy(self)
        lenient._tool = Answered()  # type: ignore[assignment]  # the only method that is called
        return await invoke(lenient, context, request)

    return patch.object(OwnedTool, "invoke", invokes)


# -- invalid jumps ------------------------------------------------------------------------------------------------


def _targets(change: Callable[[Any, Any, Any], tuple[Any, Any, Any]]) -> AbstractContextManager[object]:
    """Patch the jump that is read from the value that a hook returns, by the update, the kind and the hook."""
    target = hooks._target

    def reads(update: Any, kind: Any, hook: Any, who: str) -> Target | None:  # Any: passed on
        return target(*change(update, kind, hook), who)

    return patch.object(hooks, "_target", reads)


def _without_jump(update: Any) -> dict[str, Json]:  # Any: an update
    return {key: value for key, value in update.items() if key != "jump_to"}


@mutant("PLUGIN-18")
def ignores_jumps_to_an_unknown_target() -> AbstractContextManager[object]:
    """Ignores a hook's jump to an unknown target."""
    return _targets(
        lambda update, kind, hook: (
            update if update.get("jump_to") in TARGETS else _without_jump(update),
            kind,
            hook,
        )
    )


@mutant("PLUGIN-19")
def follows_undeclared_jumps() -> AbstractContextManager[object]:
    """Follows jumps that a hook has not declared."""
    return _targets(lambda update, kind, hook: (update, kind, hook.function if isinstance(hook, Hook) else hook))


@mutant("PLUGIN-20")
def ignores_jumps_of_after_agent_hooks() -> AbstractContextManager[object]:
    """Ignores a jump from an after-agent hook."""
    return _targets(lambda update, kind, hook: (_without_jump(update) if kind == "after_agent" else update, kind, hook))
