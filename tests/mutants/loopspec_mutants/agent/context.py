"""Mutants about the reach of context values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar
from unittest.mock import patch

from loopspec_reference import AnyMessage, Event, State, ToolCall, ToolContext
from loopspec_reference.loop import agents, tool_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.lifecycle import step
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import mutant

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")
Messages = ModelCalls[AnyMessage]

_leaks: ContextVar[list[Context]] = ContextVar("leaks")


def _adopt(context: Context) -> None:
    """Set the values of another context in the current one."""
    here = copy_context()
    for variable, value in context.items():
        if variable is not _leaks and here.get(variable) is not value:
            variable.set(value)


@contextmanager
def _leaking() -> Iterator[None]:
    """Set the context values of a step in the following steps."""

    async def leaks(run: Run, work: Coroutine[Any, Any, T]) -> T:
        _leaks.set([])
        result = await step(run, work)
        for context in _leaks.get():
            _adopt(context)
        return result

    with patch.object(agents, "step", leaks):
        yield


@mutant("CTX-10")
@contextmanager
def keeps_values_of_before_model_hooks() -> Iterator[None]:
    """Keeps the context values of before-model hooks after the model call."""
    prepared = Messages._prepared

    async def prepares(self: Messages, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await prepared(self, state)
        _leaks.get().append(copy_context())
        return state

    with _leaking(), patch.object(ModelCalls, "_prepared", prepares):
        yield


@mutant("CTX-04")
@contextmanager
def keeps_values_of_after_model_hooks() -> Iterator[None]:
    """Keeps the context values of after-model hooks after the model call."""
    finished = Messages._finished

    async def finishes(self: Messages, state: State[AnyMessage]) -> State[AnyMessage]:
        before = copy_context()
        state = await finished(self, state)
        if any(before.get(variable) is not value for variable, value in copy_context().items()):
            _leaks.get().append(copy_context())
        return state

    with _leaking(), patch.object(ModelCalls, "_finished", finishes):
        yield


def _flat(
    wraps: Sequence[Callable[[Callable[[A], Awaitable[B]]], Callable[[A], Awaitable[B]]]],
    innermost: Callable[[A], Awaitable[B]],
    layer: int = 0,
) -> Callable[[A], Awaitable[B]]:
    """Nest the wrappers in one shared context."""
    if layer == len(wraps):
        return innermost

    async def endpoint(request: A) -> B:
        return await wraps[layer](_flat(wraps, innermost, layer + 1))(request)

    return endpoint


@mutant("CTX-06", neighbors={"CTX-13": "a value that a tool sets leaves the call in the same context"})
@contextmanager
def shares_one_context_among_tool_wrappers() -> Iterator[None]:
    """Shares one context among all tool wrappers, and continues the run in that context."""
    call = ToolCalls.call

    async def calls(
        self: ToolCalls[AnyMessage],
        run: Run,
        box: Toolbox,
        one: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        message = await call(self, run, box, one, context, emit, exits)
        _leaks.get().append(copy_context())
        return message

    with _leaking(), patch.object(tool_calls, "nested", _flat), patch.object(ToolCalls, "call", calls):
        yield


@mutant("CTX-13")
@contextmanager
def keeps_context_values_of_tools() -> Iterator[None]:
    """Continues the run in the context in which a tool has returned."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        message = await call(self, *rest)
        _leaks.get().append(copy_context())
        return message

    with _leaking(), patch.object(ToolCalls, "call", calls):
        yield
