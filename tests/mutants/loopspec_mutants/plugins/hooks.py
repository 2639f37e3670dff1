"""Mutants about the hooks of middlewares and the tools that they bring."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from copy import copy
from typing import Any, TypeVar
from unittest.mock import patch

from msgspec import structs
from msgspec.structs import replace

from loopspec_reference import (
    AgentContext,
    AnyMessage,
    Message,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    Output,
    State,
    ToolCall,
)
from loopspec_reference.plugins import Hook, Middleware, PluginError, StrategyError, ToolOutcome, hooks, stack
from loopspec_reference.plugins.hooks import Kind
from loopspec_reference.plugins.layers import Layer, awaited
from loopspec_reference.plugins.middleware import ToolHandler
from loopspec_reference.plugins.stack import Stack
from loopspec_reference.plugins.tool_wrapping import wrapped_tool_call
from loopspec_reference.runs.run import Run, Target

from ..registry import mutant

T = TypeVar("T")
AnyStack = Stack[AnyMessage]
AnyState = State[AnyMessage]
After = tuple[AnyState, Target | None]
Layers = Sequence[Layer]
Spoken = tuple[type[AnyMessage], ...]
HOOKS = ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call")
Hooks = Callable[[Layers, Kind, Run, AnyState, Spoken], Awaitable[After]]


def _calling(
    lie: Callable[[Hooks, Layers, Kind, Run, AnyState, Spoken], Awaitable[After]],
) -> AbstractContextManager[object]:
    """Call all hooks of one kind in another way, given the right one."""
    right: Hooks = hooks.through_hooks

    async def calls(layers: Layers, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        return await lie(right, layers, kind, run, state, spoken)

    return patch.object(stack, "through_hooks", calls)


def _leaving(lie: Callable[[Kind, AnyState, AnyState], AnyState]) -> AbstractContextManager[object]:
    """Go on with another state, given the one before these hooks and the one behind them."""

    async def calls(right: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        left, target = await right(layers, kind, run, state, spoken)
        return lie(kind, state, left), target

    return _calling(calls)


def _ordering(kind: Kind, order: Callable[[Layers], Layers]) -> AbstractContextManager[object]:
    """Call the hooks of one kind in another order."""

    async def calls(right: Hooks, layers: Layers, its: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        return await right(order(layers) if its == kind else layers, its, run, state, spoken)

    return _calling(calls)


def _once_in_its_life(kind: Kind) -> AbstractContextManager[object]:
    """Call the hooks of one kind in the first run of an agent only."""
    called = dict[Layer, Run]()

    async def calls(right: Hooks, layers: Layers, its: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        if its == kind:
            layers = [layer for layer in layers if called.setdefault(layer, run) is run]
        return await right(layers, its, run, state, spoken)

    return _calling(calls)


@mutant(
    "XP-HOOK-01",
    neighbors={
        "XP-STATE-11": "the next run of a thread continues counting before the agent",
        "XP-STATE-12": "the run of another thread counts before the agent",
    },
)
def starts_only_once_in_its_life() -> AbstractContextManager[object]:
    """Calls the hooks before the agent in the first run of an agent, and never again."""
    return _once_in_its_life("before_agent")


@mutant("XP-HOOK-02")
def prepares_three_calls_only() -> AbstractContextManager[object]:
    """Calls the hooks before the model no more after the third model call of a run."""

    async def calls(right: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        due = kind != "before_model" or run.iteration < 3
        return await right(layers if due else (), kind, run, state, spoken)

    return _calling(calls)


@mutant("XP-HOOK-03", neighbors={"XP-JUMP-01": "a jump is asked for there after such an answer"})
def leaves_alone_who_thinks_aloud() -> AbstractContextManager[object]:
    """Does not call the hooks after the model for an answer that says something and asks for tools, too."""

    async def calls(right: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        due = kind != "after_model" or not (state.messages[-1].text and state.messages[-1].tool_calls)
        return await right(layers if due else (), kind, run, state, spoken)

    return _calling(calls)


@mutant("XP-HOOK-04")
def ends_only_once_in_its_life() -> AbstractContextManager[object]:
    """Calls the hooks after the agent in the first run of an agent, and never again."""
    return _once_in_its_life("after_agent")


@mutant(
    "XP-NODE-02",
    neighbors={
        "XP-HOOK-13": "who is behind a hook that fails is before it then",
    },
)
def starts_from_behind() -> AbstractContextManager[object]:
    """Calls the hooks before the agent from the last middleware to the first."""
    return _ordering("before_agent", lambda layers: layers[::-1])


@mutant(
    "XP-HOOK-06",
    neighbors={
        "XP-HOOK-13": "who is behind a hook that fails is before it then",
        "XP-JUMP-07": "it says which hooks are left out after a jump",
    },
)
def goes_the_same_way_back() -> AbstractContextManager[object]:
    """Calls the hooks after the model from the first middleware to the last."""
    return _ordering("after_model", lambda layers: layers[::-1])


@mutant("XP-HOOK-07")
def prepares_each_call_of_a_wrapper() -> AbstractContextManager[object]:
    """Calls the hooks before the model again when a wrapper makes the call again."""
    wrap_model = AnyStack.wrap_model

    def wraps(
        self: AnyStack, endpoint: ModelEndpoint[AnyMessage], context: ModelContext[AnyMessage]
    ) -> ModelEndpoint[AnyMessage]:
        calls = 0

        async def again(request: ModelRequest[AnyMessage]) -> Output[AnyMessage]:
            nonlocal calls
            calls += 1
            if calls > 1:
                await self.before_model(State(tuple(request.messages), tuple(request.tools)), context)
            return await endpoint(request)

        return wrap_model(self, again, context)

    return patch.object(Stack, "wrap_model", wraps)


@mutant(
    "XP-HOOK-08",
    neighbors={
        "XP-REG-12": "what a factory makes may be nothing but a name there",
        "XP-SUM-05": "a summarization without a limit has no hook",
    },
)
def refuses_who_does_nothing() -> AbstractContextManager[object]:
    """Refuses a middleware that has neither hooks nor tools."""
    init = Stack.__init__

    def builds(self: AnyStack, middlewares: Sequence[Middleware], *rest: Any) -> None:  # Any: handed on
        init(self, middlewares, *rest)
        for one in middlewares:
            if not one.tools and not any(getattr(one, part) is not None for part in HOOKS):
                raise StrategyError(f"the middleware {one.name!r} does nothing")

    return patch.object(Stack, "__init__", builds)


@mutant("XP-HOOK-09", neighbors={"PLUGIN-19": "who declares jumps is no function"})
def knows_functions_only() -> AbstractContextManager[object]:
    """Leaves out hooks that are objects."""
    found = AnyStack._with

    def callables(self: AnyStack, part: str) -> tuple[Layer, ...]:
        return tuple(layer for layer in found(self, part) if not isinstance(getattr(layer.middleware, part), Hook))

    return patch.object(Stack, "_with", callables)


@mutant("XP-HOOK-10")
def takes_an_update_for_the_whole() -> AbstractContextManager[object]:
    """Offers no tools any more when a hook has returned messages and has not named them."""

    def leaves(kind: Kind, before: AnyState, after: AnyState) -> AnyState:
        if kind == "before_model" and after.messages != before.messages and after.tools == before.tools:
            return replace(after, tools=())
        return after

    return _leaving(leaves)


@mutant("XP-HOOK-11", neighbors={"XP-BEST-02": "the second summarization sees what was there before the first"})
def shows_all_the_same() -> AbstractContextManager[object]:
    """Shows all hooks of one kind the conversation as it was before the first of them, and adds up what they add."""

    async def calls(right: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        if kind != "before_model":
            return await right(layers, kind, run, state, spoken)
        whole = state
        for layer in layers:
            left, target = await right([layer], kind, run, replace(whole, messages=state.messages), spoken)
            adds = left.messages[: len(state.messages)] == state.messages
            messages = (*whole.messages, *left.messages[len(state.messages) :]) if adds else left.messages
            whole = replace(left, messages=messages)
            if target is not None:
                return whole, target
        return whole, None

    return _calling(calls)


@mutant("XP-HOOK-12")
def calls_what_the_model_has_said() -> AbstractContextManager[object]:
    """Makes tool calls with the arguments that the model has given, whatever hooks have made of them."""

    def leaves(kind: Kind, before: AnyState, after: AnyState) -> AnyState:
        if kind != "after_model":
            return after
        said = {(call.id, call.name): call for call in before.messages[-1].tool_calls}
        last = after.messages[-1]
        if not isinstance(last, Message):
            return after
        calls = tuple(said.get((call.id, call.name), call) for call in last.tool_calls)
        return replace(after, messages=(*after.messages[:-1], structs.replace(last, tool_calls=calls)))

    return _leaving(leaves)


@mutant("XP-HOOK-13")
def gets_over_broken_hooks() -> AbstractContextManager[object]:
    """Goes on with the next hook when one has failed."""
    after_hook = hooks._through_hook

    async def calls(layer: Layer, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        try:
            return await after_hook(layer, kind, run, state, spoken)
        except PluginError:
            raise
        except Exception:
            return state, None

    return patch.object(hooks, "_through_hook", calls)


@mutant("XP-HOOK-16")
def awaits_only() -> AbstractContextManager[object]:
    """Takes what a plain function has returned for nothing."""

    async def awaits(value: T | Awaitable[T]) -> T | None:
        return await awaited(value) if isinstance(value, Awaitable) else None

    return patch.object(hooks, "awaited", awaits)


@mutant(
    "XP-HOOK-18",
    neighbors={
        "XP-HOOK-09": "a message added before the agent shows there that the hook works",
        "XP-HOOK-11": "a hook before the model is to see such a message",
        "XP-HOOK-16": "a message added before the agent shows there that the hook works",
        "PLUGIN-32": "a hook before the agent removes all messages there",
    },
)
def forgets_what_was_said_before_the_start() -> AbstractContextManager[object]:
    """Drops what the hooks before the agent put into the conversation."""
    return _leaving(
        lambda kind, before, after: replace(after, messages=before.messages) if kind == "before_agent" else after
    )


@mutant("XP-HOOK-19")
def has_bound_its_tools_before() -> AbstractContextManager[object]:
    """Offers the tools that it had, whatever the hooks before the model want."""
    return _leaving(lambda kind, before, after: replace(after, tools=before.tools))


@mutant(
    "XP-HOOK-20",
    neighbors={
        "XP-HOOK-06": "the answer that hooks have changed is looked at behind the agent",
        "XP-HOOK-09": "the answer that a hook has changed is looked at behind the agent",
        "XP-HOOK-16": "the answer that a hook has changed is looked at behind the agent",
        "XP-WRAP-11": "the result that a wrapper has changed is looked for behind the agent",
    },
)
def shows_the_end_without_the_answer() -> AbstractContextManager[object]:
    """Shows the hooks after the agent the conversation that the last answer was given to."""

    async def calls(right: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, spoken: Spoken) -> After:
        if kind == "after_agent":
            state = replace(state, messages=state.messages[:-1])
        return await right(layers, kind, run, state, spoken)

    return _calling(calls)


@mutant(
    "XP-TOOLS-01",
    neighbors={
        "XP-REG-12": "what a factory makes may be nothing but tools there",
        "XP-WRAP-20": "the command comes from a tool of a middleware without hooks there",
    },
)
def passes_over_who_has_no_hooks() -> AbstractContextManager[object]:
    """Leaves out middlewares without any hook, their tools included."""
    init = Stack.__init__

    def builds(self: AnyStack, middlewares: Sequence[Middleware], *rest: Any) -> None:  # Any: handed on
        init(self, [one for one in middlewares if any(getattr(one, part) is not None for part in HOOKS)], *rest)

    return patch.object(Stack, "__init__", builds)


@mutant(
    "XP-TOOLS-02",
    neighbors={
        "PLUGIN-11": "two middlewares of one name are two with tools of their own, or with none",
        "PLUGIN-12": "of two tools of one name there is only one left",
    },
)
def has_enough_with_the_tools_of_one() -> AbstractContextManager[object]:
    """Gives the agent the tools of the first middleware that brings any, and of no other."""
    tools = stack._tools

    def first(layers: Sequence[Layer]) -> object:
        return tools([layer for layer in layers if layer.middleware.tools][:1])

    return patch.object(stack, "_tools", first)


@mutant("XP-TOOLS-03")
def lets_the_middlewares_tool_win() -> AbstractContextManager[object]:
    """Takes a middleware's tool in the place of the agent's own of the same name."""

    before_agent = AnyStack.before_agent

    async def starts(self: AnyStack, context: AgentContext) -> AgentContext:
        started = await before_agent(self, context)
        brought = {tool.info.name for tool in self._tools}
        own = [tool for tool in context.tools if tool.info.name not in brought]
        return replace(started, tools=(*own, *self._tools))

    return patch.object(Stack, "before_agent", starts)


@mutant("XP-TOOLS-09", neighbors={"PLUGIN-25": "the tools there are the agent's own, too"})
def wraps_its_own_tools_only() -> AbstractContextManager[object]:
    """Calls the tools that middlewares bring past all wrappers."""
    right = wrapped_tool_call

    def bare(layer: Layer) -> Layer:
        other = copy(layer)
        other.middleware = replace(layer.middleware, wrap_tool_call=None)
        return other

    async def calls(layers: Layers, run: Run, call: ToolCall, innermost: ToolHandler) -> ToolOutcome:
        if any(tool.info.name == call.name for layer in layers for tool in layer.middleware.tools):
            layers = [bare(layer) for layer in layers]
        return await right(layers, run, call, innermost)

    return patch.object(stack, "wrapped_tool_call", calls)


@mutant("XP-BEST-08")
def sorts_wrappers_by_name() -> AbstractContextManager[object]:
    """Puts wrappers around a model call in the order of their middlewares' names."""
    found = AnyStack._with

    def ordered(self: AnyStack, part: str) -> tuple[Layer, ...]:
        layers = found(self, part)
        return tuple(sorted(layers, key=lambda layer: layer.name)) if part == "wrap_model_call" else layers

    return patch.object(Stack, "_with", ordered)
