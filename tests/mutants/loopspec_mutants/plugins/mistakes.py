"""Mutants about mistakes of those who draw workflows and write middlewares."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from typing import Any, TypeVar
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

T = TypeVar("T")
Json = Any  # whatever JSON there is
Middlewares = Sequence[Middleware]


# -- workflows and strategies ------------------------------------------------------------------------------------


def _draws(change: Callable[[Workflow], dict[str, object]]) -> AbstractContextManager[object]:
    """Put other nodes and edges in the place of those that were drawn."""

    class Redrawn(Workflow, frozen=True):
        def __post_init__(self) -> None:
            for name, value in change(self).items():
                force_setattr(self, name, value)
            super().__post_init__()

    return patch.object(plugins, "Workflow", Redrawn)


@mutant("PLUGIN-05")
def overlooks_loose_connections() -> AbstractContextManager[object]:
    """Takes no notice of a connection that has no node at one of its ends."""

    def change(workflow: Workflow) -> dict[str, object]:
        keys = {node.key for node in workflow.nodes}
        return {"edges": [edge for edge in workflow.edges if {edge.source, edge.target} <= keys]}

    return _draws(change)


@mutant("PLUGIN-06")
def goes_round_in_circles() -> AbstractContextManager[object]:
    """Makes an agent from a workflow whose connections go round in a circle."""
    return patch.object(Workflow, "_refuse_cycles", lambda self: None)


@mutant("PLUGIN-07")
def draws_one_node_over_another() -> AbstractContextManager[object]:
    """Keeps nodes by their keys, and so the last of two with one key."""
    return _draws(lambda workflow: {"nodes": list({node.key: node for node in workflow.nodes}.values())})


@mutant("PLUGIN-08")
def attaches_nothing_to_strangers() -> AbstractContextManager[object]:
    """Gives no middlewares to an agent that its workflow does not have."""
    attached = Workflow.attached

    def attaches(self: Workflow, agent_key: str) -> list[Node]:
        try:
            return attached(self, agent_key)
        except GraphError:
            return []

    return patch.object(Workflow, "attached", attaches)


@mutant("PLUGIN-09")
def leaves_out_what_is_no_middleware() -> AbstractContextManager[object]:
    """Leaves out what a factory has returned, if that is no middleware."""

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
def leaves_out_strategies_that_cannot_be() -> AbstractContextManager[object]:
    """Loads what it can of a module, and leaves out a strategy that nothing can be made with."""
    load = Registry.load

    def loads(self: Registry, module: object) -> None:
        try:
            load(self, module)
        except StrategyError:
            return

    return patch.object(Registry, "load", loads)


# -- middlewares that cannot be together -------------------------------------------------------------------------


def _stacks(change: Callable[[Middlewares], Middlewares]) -> AbstractContextManager[object]:
    """Make a stack of other middlewares."""
    init = Stack.__init__

    def stacks(self: Stack[AnyMessage], middlewares: Middlewares, *rest: Any, **more: Any) -> None:  # Any: handed on
        init(self, change(middlewares), *rest, **more)

    return patch.object(Stack, "__init__", stacks)


@mutant("PLUGIN-11")
def keeps_middlewares_by_name() -> AbstractContextManager[object]:
    """Keeps middlewares by their names, and so the last of two with one name."""
    return _stacks(lambda middlewares: tuple({one.name: one for one in middlewares}.values()))


@mutant("PLUGIN-12")
def keeps_the_first_tool_of_a_name() -> AbstractContextManager[object]:
    """Takes the first of the tools of one name that middlewares bring, and leaves out the others."""

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
def lets_anything_be_declared() -> AbstractContextManager[object]:
    """Takes a schema for the state of a middleware whatever it declares."""
    return patch.object(middleware, "RESERVED", ())


# -- what comes back from hooks, wrappers and tools --------------------------------------------------------------


@mutant("PLUGIN-14")
def takes_no_notice_of_junk() -> AbstractContextManager[object]:
    """Goes on where a hook has returned what is neither nothing nor changes."""

    async def comes_to(value: Any) -> Any:  # Any: whatever a hook returns
        update = await awaited(value)
        return update if hasattr(update, "keys") else None

    return patch.object(hooks, "awaited", comes_to)


@mutant("PLUGIN-15")
def leaves_out_values_that_do_not_fit() -> AbstractContextManager[object]:
    """Leaves out of an update the values that do not fit the fields of the state."""
    check = OwnState.checked

    def checks(self: OwnState, update: Any, by: str) -> dict[str, Json]:  # Any: handed on
        found: dict[str, Json] = {}
        for key, value in update.items():
            try:
                found |= check(self, {key: value}, by)
            except HookError:
                continue
        return found

    return patch.object(OwnState, "checked", checks)


@mutant("PLUGIN-16")
def lets_what_is_over_be_changed() -> AbstractContextManager[object]:
    """Takes no notice of messages and tools that a hook after the agent returns."""
    return patch.object(hooks, "_refuse_final", lambda update, who: None)


@mutant("PLUGIN-17")
def makes_texts_of_junk() -> AbstractContextManager[object]:
    """Makes a text, and so a result, of whatever a wrapper around a tool returns."""

    async def comes_to(value: Any) -> ToolAnswer:  # Any: whatever a wrapper returns
        answer = await awaited(value)
        return answer if isinstance(answer, ToolOutcome | Command) else ToolOutcome(repr(answer))

    return patch.object(tool_wrapping, "awaited", comes_to)


@mutant("PLUGIN-40")
@contextmanager
def passes_on_what_there_was_before() -> Iterator[None]:
    """Passes on the request as it was where a wrapper passes on something that is none."""
    init = Layer.__init__

    def mends(one: Middleware) -> Middleware:
        around_model, around_tool = one.wrap_model_call, one.wrap_tool_call

        async def model(request: ModelCallRequest, handler: ModelHandler) -> AnyMessage:
            def passes(passed: Any) -> Awaitable[AnyMessage]:  # Any: whatever is passed on
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
        init(self, mends(one))

    with patch.object(Layer, "__init__", layers):
        yield


@mutant("PLUGIN-41")
def takes_nothing_for_an_empty_text() -> AbstractContextManager[object]:
    """Gives an empty result where a tool of a middleware returns nothing."""
    invoke = OwnedTool.invoke

    async def invokes(self: OwnedTool, context: ToolContext, request: ToolRequest[str]) -> str:
        answer: str | Command | None = await self._tool.invoke(context, request)

        class Answered:
            async def invoke(self, *_: object) -> str | Command:
                return "" if answer is None else answer

        lenient = copy(self)
        lenient._tool = Answered()  # type: ignore[assignment]  # as far as it is asked for
        return await invoke(lenient, context, request)

    return patch.object(OwnedTool, "invoke", invokes)


# -- jumps that must not be --------------------------------------------------------------------------------------


def _targets(change: Callable[[Any, Any, Any], tuple[Any, Any, Any]]) -> AbstractContextManager[object]:
    """Read another jump off what a hook returns: told the update, which hook it is, and the hook."""
    target = hooks._target

    def reads(update: Any, kind: Any, hook: Any, who: str) -> Target | None:  # Any: handed on
        return target(*change(update, kind, hook), who)

    return patch.object(hooks, "_target", reads)


def _staying(update: Any) -> dict[str, Json]:  # Any: an update
    return {key: value for key, value in update.items() if key != "jump_to"}


@mutant("PLUGIN-18")
def stays_where_it_cannot_go_on() -> AbstractContextManager[object]:
    """Takes no notice of a hook's jump to a target that there is not."""
    return _targets(
        lambda update, kind, hook: (
            update if update.get("jump_to") in TARGETS else _staying(update),
            kind,
            hook,
        )
    )


@mutant("PLUGIN-19")
def never_reads_what_hooks_declare() -> AbstractContextManager[object]:
    """Follows a hook to wherever it jumps, whatever it declares."""
    return _targets(lambda update, kind, hook: (update, kind, hook.function if isinstance(hook, Hook) else hook))


@mutant("PLUGIN-20")
def takes_no_notice_of_late_jumps() -> AbstractContextManager[object]:
    """Takes no notice of a jump from after the agent."""
    return _targets(lambda update, kind, hook: (_staying(update) if kind == "after_agent" else update, kind, hook))
