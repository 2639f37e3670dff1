"""Mutants about the hooks of middlewares."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, TypeVar
from unittest.mock import patch

from msgspec import structs
from msgspec.structs import replace

from loopspec_reference import (
    AnyMessage,
    Message,
    ModelContext,
    ModelEndpoint,
    ModelRequest,
    Output,
    State,
)
from loopspec_reference.plugins import Hook, Middleware, PluginError, StrategyError, hooks, stack
from loopspec_reference.plugins.hooks import Kind
from loopspec_reference.plugins.layers import Layer, awaited
from loopspec_reference.plugins.stack import Stack
from loopspec_reference.runs.run import Run, Target

from ..registry import mutant

T = TypeVar("T")
AnyStack = Stack[AnyMessage]
AnyState = State[AnyMessage]
After = tuple[AnyState, Target | None]
Layers = Sequence[Layer]
Types = tuple[type[AnyMessage], ...]
HOOKS = ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call")
Hooks = Callable[[Layers, Kind, Run, AnyState, Types], Awaitable[After]]


def _calling(
    change: Callable[[Hooks, Layers, Kind, Run, AnyState, Types], Awaitable[After]],
) -> AbstractContextManager[object]:
    """Patch how all hooks of one kind are called: `change` receives the original `through_hooks`."""
    original: Hooks = hooks.through_hooks

    async def calls(layers: Layers, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        return await change(original, layers, kind, run, state, types)

    return patch.object(stack, "through_hooks", calls)


def _returning(change: Callable[[Kind, AnyState, AnyState], AnyState]) -> AbstractContextManager[object]:
    """Patch the state after the hooks of one kind, given the states before and after them."""

    async def calls(original: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        left, target = await original(layers, kind, run, state, types)
        return change(kind, state, left), target

    return _calling(calls)


def _ordering(kind: Kind, order: Callable[[Layers], Layers]) -> AbstractContextManager[object]:
    """Patch the order of the hooks of one kind."""

    async def calls(original: Hooks, layers: Layers, current: Kind, run: Run, state: AnyState, types: Types) -> After:
        return await original(order(layers) if current == kind else layers, current, run, state, types)

    return _calling(calls)


def _first_run_only(kind: Kind) -> AbstractContextManager[object]:
    """Call the hooks of one kind in the first run of an agent only."""
    called = dict[Layer, Run]()

    async def calls(original: Hooks, layers: Layers, current: Kind, run: Run, state: AnyState, types: Types) -> After:
        if current == kind:
            layers = [layer for layer in layers if called.setdefault(layer, run) is run]
        return await original(layers, current, run, state, types)

    return _calling(calls)


@mutant(
    "XP-HOOK-01",
    neighbors={
        "XP-STATE-11": "the next run of a thread continues counting before the agent",
        "XP-STATE-12": "the run of another thread counts before the agent",
    },
)
def calls_before_agent_hooks_in_the_first_run_only() -> AbstractContextManager[object]:
    """Calls the before-agent hooks in the first run of an agent only."""
    return _first_run_only("before_agent")


@mutant("XP-HOOK-02")
def calls_before_model_hooks_three_times_only() -> AbstractContextManager[object]:
    """Calls no before-model hooks after the third model call of a run."""

    async def calls(original: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        due = kind != "before_model" or run.iteration < 3
        return await original(layers if due else (), kind, run, state, types)

    return _calling(calls)


@mutant(
    "XP-HOOK-03",
    neighbors={
        "XP-JUMP-01": "a hook jumps after an answer with a text and tool calls",
        "XP-JUMP-06": "a hook jumps to the model after an answer with a text and tool calls",
    },
)
def skips_after_model_hooks_for_a_text_with_calls() -> AbstractContextManager[object]:
    """Calls no after-model hooks for an answer with both a text and tool calls."""

    async def calls(original: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        due = kind != "after_model" or not (state.messages[-1].text and state.messages[-1].tool_calls)
        return await original(layers if due else (), kind, run, state, types)

    return _calling(calls)


@mutant("XP-HOOK-04")
def calls_after_agent_hooks_in_the_first_run_only() -> AbstractContextManager[object]:
    """Calls the after-agent hooks in the first run of an agent only."""
    return _first_run_only("after_agent")


@mutant(
    "XP-NODE-02",
    neighbors={
        "XP-HOOK-13": "a hook that follows the failing one is then called",
    },
)
def calls_middleware_before_agent_hooks_in_reverse() -> AbstractContextManager[object]:
    """Calls the before-agent hooks from the last middleware to the first."""
    return _ordering("before_agent", lambda layers: layers[::-1])


@mutant(
    "XP-HOOK-06",
    neighbors={
        "XP-HOOK-13": "a hook that follows the failing one is then called",
        "XP-JUMP-07": "the rule says which hooks a jump skips",
    },
)
def calls_middleware_after_model_hooks_in_order() -> AbstractContextManager[object]:
    """Calls the after-model hooks from the first middleware to the last."""
    return _ordering("after_model", lambda layers: layers[::-1])


@mutant("XP-HOOK-07")
def calls_before_model_hooks_for_each_repeated_call() -> AbstractContextManager[object]:
    """Calls the before-model hooks again when a wrapper repeats the model call."""
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
        "XP-REG-12": "a factory may make a middleware without any parts",
        "XP-SUM-05": "a summarization without a limit has no hook",
    },
)
def rejects_a_middleware_without_parts() -> AbstractContextManager[object]:
    """Rejects a middleware that has neither hooks nor tools."""
    init = Stack.__init__

    def builds(self: AnyStack, middlewares: Sequence[Middleware], *rest: Any) -> None:  # Any: passed on
        init(self, middlewares, *rest)
        for one in middlewares:
            if not one.tools and not any(getattr(one, part) is not None for part in HOOKS):
                raise StrategyError(f"the middleware {one.name!r} does nothing")

    return patch.object(Stack, "__init__", builds)


@mutant("XP-HOOK-09", neighbors={"PLUGIN-19": "a hook that declares jumps is an object"})
def calls_plain_functions_only() -> AbstractContextManager[object]:
    """Skips hooks that are objects."""
    found = AnyStack._with

    def callables(self: AnyStack, part: str) -> tuple[Layer, ...]:
        return tuple(layer for layer in found(self, part) if not isinstance(getattr(layer.middleware, part), Hook))

    return patch.object(Stack, "_with", callables)


@mutant("XP-HOOK-10")
def drops_the_tools_after_an_update() -> AbstractContextManager[object]:
    """Passes no tools to the model when a hook has returned messages but no tools."""

    def leaves(kind: Kind, before: AnyState, after: AnyState) -> AnyState:
        if kind == "before_model" and after.messages != before.messages and after.tools == before.tools:
            return replace(after, tools=())
        return after

    return _returning(leaves)


@mutant(
    "XP-HOOK-11", neighbors={"XP-BEST-02": "the second summarization receives the conversation from before the first"}
)
def passes_the_same_conversation_to_all_hooks() -> AbstractContextManager[object]:
    """Passes the conversation from before the first before-model hook to all of them, and joins their additions."""

    async def calls(original: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        if kind != "before_model":
            return await original(layers, kind, run, state, types)
        whole = state
        for layer in layers:
            left, target = await original([layer], kind, run, replace(whole, messages=state.messages), types)
            adds = left.messages[: len(state.messages)] == state.messages
            messages = (*whole.messages, *left.messages[len(state.messages) :]) if adds else left.messages
            whole = replace(left, messages=messages)
            if target is not None:
                return whole, target
        return whole, None

    return _calling(calls)


@mutant("XP-HOOK-12")
def makes_calls_with_the_models_arguments() -> AbstractContextManager[object]:
    """Makes tool calls with the arguments of the model, without the changes of hooks."""

    def leaves(kind: Kind, before: AnyState, after: AnyState) -> AnyState:
        if kind != "after_model":
            return after
        original_calls = {(call.id, call.name): call for call in before.messages[-1].tool_calls}
        last = after.messages[-1]
        if not isinstance(last, Message):
            return after
        calls = tuple(original_calls.get((call.id, call.name), call) for call in last.tool_calls)
        return replace(after, messages=(*after.messages[:-1], structs.replace(last, tool_calls=calls)))

    return _returning(leaves)


@mutant("XP-HOOK-13")
def ignores_failed_hooks() -> AbstractContextManager[object]:
    """Continues with the next hook when one has failed."""
    after_hook = hooks._through_hook

    async def calls(layer: Layer, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        try:
            return await after_hook(layer, kind, run, state, types)
        except PluginError:
            raise
        except Exception:
            return state, None

    return patch.object(hooks, "_through_hook", calls)


@mutant("XP-HOOK-16")
def ignores_results_of_plain_functions() -> AbstractContextManager[object]:
    """Drops the result of a hook that is not a coroutine function."""

    async def awaits(value: T | Awaitable[T]) -> T | None:
        return await awaited(value) if isinstance(value, Awaitable) else None

    return patch.object(hooks, "awaited", awaits)


@mutant(
    "XP-HOOK-18",
    neighbors={
        "XP-HOOK-09": "a message of the before-agent hook shows that the hook is called",
        "XP-HOOK-11": "a before-model hook receives such a message",
        "XP-HOOK-16": "a message of the before-agent hook shows that the hook is called",
        "PLUGIN-32": "a before-agent hook removes all messages",
    },
)
def drops_messages_of_before_agent_hooks() -> AbstractContextManager[object]:
    """Drops the messages that before-agent hooks add."""
    return _returning(
        lambda kind, before, after: replace(after, messages=before.messages) if kind == "before_agent" else after
    )


@mutant("XP-HOOK-19")
def ignores_tools_of_before_model_hooks() -> AbstractContextManager[object]:
    """Passes the same tools to every model call, without the changes of before-model hooks."""
    return _returning(lambda kind, before, after: replace(after, tools=before.tools))


@mutant(
    "XP-HOOK-20",
    neighbors={
        "XP-HOOK-06": "an after-agent hook receives the answer that hooks have changed",
        "XP-HOOK-09": "an after-agent hook receives the answer that a hook has changed",
        "XP-HOOK-16": "an after-agent hook receives the answer that a hook has changed",
        "XP-WRAP-11": "an after-agent hook receives the result that a wrapper has changed",
    },
)
def hides_the_answer_from_after_agent_hooks() -> AbstractContextManager[object]:
    """Passes the conversation to the after-agent hooks without the final answer."""

    async def calls(original: Hooks, layers: Layers, kind: Kind, run: Run, state: AnyState, types: Types) -> After:
        if kind == "after_agent":
            state = replace(state, messages=state.messages[:-1])
        return await original(layers, kind, run, state, types)

    return _calling(calls)


@mutant("XP-BEST-08")
def sorts_wrappers_by_name() -> AbstractContextManager[object]:
    """Nests model wrappers in the order of their middlewares' names."""
    found = AnyStack._with

    def ordered(self: AnyStack, part: str) -> tuple[Layer, ...]:
        layers = found(self, part)
        return tuple(sorted(layers, key=lambda layer: layer.name)) if part == "wrap_model_call" else layers

    return patch.object(Stack, "_with", ordered)
