"""Mutants that pass every plain case, and fail in a variant about the plugin layer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from inspect import isawaitable
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import fields, replace

from loopspec_reference import State, plugins
from loopspec_reference.plugins import Hook, Middleware, MiddlewareContext, Registry, StrategyError, graph, hooks, stack
from loopspec_reference.plugins.graph import Edge, Node, Workflow
from loopspec_reference.plugins.hooks import Kind
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.plugins.stack import Stack
from loopspec_reference.plugins.state import OwnState
from loopspec_reference.runs.run import Run

from .registry import mutant

Update = Mapping[str, Any]  # Any: JSON of any shape


def _stacked(first: bool, kind: Kind) -> AbstractContextManager[object]:
    """Patch the stack so that hooks of one kind jump only in its first or its last middleware."""
    through = hooks._through_hook

    async def calls(layer: Layer, called: Kind, run: Run, state: State[Any], types: Any) -> Any:
        state, target = await through(layer, called, run, state, types)
        return state, target if called != kind or layer.name in allowed else None

    allowed: set[str] = set()
    init = Stack.__init__

    def begins(self: Stack[Any], middlewares: Sequence[Middleware], message_type: Any = None) -> None:
        init(self, middlewares, message_type)
        allowed.add(middlewares[0 if first else -1].name)

    return _both(patch.object(hooks, "_through_hook", calls), patch.object(Stack, "__init__", begins))


def _both(*patches: AbstractContextManager[object]) -> AbstractContextManager[object]:
    @contextmanager
    def entered() -> Iterator[None]:
        with ExitStack() as stacked:
            for one in patches:
                stacked.enter_context(one)
            yield

    return entered()


@mutant("VARIANT-47")
def jumps_from_the_first_middleware_only() -> AbstractContextManager[object]:
    """Ignores a jump of a before-agent hook unless its middleware is the first one of the agent."""
    return _stacked(True, "before_agent")


@mutant("VARIANT-48")
def jumps_from_the_last_middleware_only() -> AbstractContextManager[object]:
    """Ignores a jump of a before-agent hook unless its middleware is the last one of the agent."""
    return _stacked(False, "before_agent")


@mutant("VARIANT-49")
def checks_the_first_module_only() -> AbstractContextManager[object]:
    """Skips an incomplete strategy, without an error, in a module after the first one."""
    load = Registry.load

    def loads(self: Registry, module: object) -> None:
        try:
            load(self, module)
        except StrategyError:
            if not self.providers():
                raise

    return patch.object(Registry, "load", loads)


@mutant("VARIANT-50")
def skips_nodes_without_a_middleware() -> AbstractContextManager[object]:
    """Skips a node whose factory returns no middleware, without an error, if the agent has two middlewares."""
    make = graph.get_agent_middlewares

    async def lenient(
        workflow: Workflow, agent_key: str, registry: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        made: list[Middleware] = []
        for node in workflow.attached(agent_key):
            alone = Workflow([Node(agent_key, "agent"), node], [Edge(agent_key, node.key)])
            try:
                made += await make(alone, agent_key, registry, context)
            except StrategyError:
                if len(made) < 2:
                    raise
        return made

    return patch.object(plugins, "get_agent_middlewares", lenient)


@mutant("VARIANT-51")
def merges_the_options_of_unconnected_nodes() -> AbstractContextManager[object]:
    """Adds the options of a node that no agent is connected to to those of the nodes with the same provider."""
    attached = Workflow.attached

    def merged(self: Workflow, agent_key: str) -> list[Node]:
        connected = {edge.target for edge in self.edges}
        found = []
        for node in attached(self, agent_key):
            options: dict[str, Any] = {}
            for one in self.nodes:
                if one.provider == node.provider and one.key not in connected:
                    options |= one.options
            found.append(replace(node, options=options | dict(node.options)))
        return found

    return patch.object(Workflow, "attached", merged)


@mutant("VARIANT-52")
def gives_a_tool_to_one_agent_only() -> AbstractContextManager[object]:
    """Leaves out a tool of a middleware if a middleware of another agent has a tool with the same name."""
    owners: dict[str, str] = {}
    tools = stack._tools

    def claimed(layers: Sequence[Layer]) -> Any:  # Any: tools of five kinds
        found = tools(layers)
        key = str(id(layers))
        return tuple(tool for tool in found if owners.setdefault(tool.info.name, key) == key)

    return patch.object(stack, "_tools", claimed)


@mutant("VARIANT-53", neighbors={"PLUGIN-01": "an example has a field whose name begins like a reserved one"})
def reserves_the_beginnings_of_reserved_fields() -> AbstractContextManager[object]:
    """Drops the value of a state field whose name is the beginning of a reserved name."""
    checked = OwnState.checked

    def drops(self: OwnState, update: Update, by: str) -> dict[str, Any]:
        found = checked(self, update, by)
        return {key: value for key, value in found.items() if not "messages".startswith(key)}

    return patch.object(OwnState, "checked", drops)


@mutant("VARIANT-54")
def ignores_jumps_of_synchronous_hooks() -> AbstractContextManager[object]:
    """Ignores the jump that a synchronous hook returns."""

    async def awaited(value: Any) -> Any:  # Any: what a hook returns
        if isawaitable(value):
            return await value
        return {key: each for key, each in value.items() if key != "jump_to"} if isinstance(value, Mapping) else value

    return patch.object(hooks, "awaited", awaited)


@mutant("VARIANT-55")
def ignores_the_state_of_declared_hooks() -> AbstractContextManager[object]:
    """Drops the state update of a hook object that declares its jumps."""
    through, checked = hooks._through_hook, OwnState.checked
    declared: ContextVar[bool] = ContextVar("declared", default=False)

    async def calls(layer: Layer, kind: Kind, run: Run, state: State[Any], types: Any) -> Any:
        declared.set(isinstance(getattr(layer.middleware, kind), Hook))
        return await through(layer, kind, run, state, types)

    def drops(self: OwnState, update: Update, by: str) -> dict[str, Any]:
        return {} if declared.get() else checked(self, update, by)

    return _both(patch.object(hooks, "_through_hook", calls), patch.object(OwnState, "checked", drops))


@mutant("VARIANT-56")
def accepts_any_value_with_an_optional_schema() -> AbstractContextManager[object]:
    """Does not check the types of the values in a state whose schema is optional."""
    init = Layer.__init__

    def begins(self: Layer, middleware: Middleware) -> None:
        init(self, middleware)
        schema = middleware.own_schema
        if schema is not None and schema is not middleware.state_schema:
            same = [(field.name, Any, None) for field in fields(schema)]
            loose = msgspec.defstruct("Loose", same, kw_only=True)
            self.state = OwnState(middleware.name, loose)

    return patch.object(Layer, "__init__", begins)
