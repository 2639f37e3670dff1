"""Mutants about the reach of context values."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar
from unittest.mock import patch

from loopspec_reference import Agent, AnyMessage, Event, State, ToolCall, ToolContext
from loopspec_reference.calls.chains import in_context, in_copied_context
from loopspec_reference.calls.models import ModelRequest
from loopspec_reference.handlers import legacy
from loopspec_reference.loop import agents, model_calls, tool_calls
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.checkpoints import Checkpoint
from loopspec_reference.runs.lifecycle import step
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox

from ..registry import mutant

A = TypeVar("A")
B = TypeVar("B")
T = TypeVar("T")
Messages = ModelCalls[AnyMessage]

_before: ContextVar[Context] = ContextVar("before")
_leaks: ContextVar[list[Context]] = ContextVar("leaks")


@mutant("CTX-01")
def loses_values_of_before_agent_hooks() -> AbstractContextManager[object]:
    """Drops the context values of the before-agent hooks after the last of these hooks."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: passed on
        return await in_copied_context(begin(self, run))

    return patch.object(Agent, "_begin", begins)


@contextmanager
def _remembering() -> Iterator[None]:
    """Record the context in which a model call begins."""
    call = Messages.call

    async def calls(self: Messages, run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        _before.set(copy_context())
        return await call(self, run, state)

    with patch.object(ModelCalls, "call", calls):
        yield


@mutant("CTX-02")
@contextmanager
def loses_values_before_the_model_wrappers() -> Iterator[None]:
    """Passes the context values of before-model hooks to other hooks, but neither to wrappers nor to the model."""
    answered = Messages._answered

    async def answers(self: Messages, run: Run, request: ModelRequest[AnyMessage]) -> Any:  # Any: passed on
        return await in_context(_before.get(), answered(self, run, request))

    with _remembering(), patch.object(ModelCalls, "_answered", answers):
        yield


@mutant("CTX-03")
@contextmanager
def loses_values_before_the_after_model_hooks() -> Iterator[None]:
    """Calls the after-model hooks without the context values of the before-model hooks."""
    finished = Messages._finished

    async def finishes(self: Messages, state: State[AnyMessage]) -> State[AnyMessage]:
        return await in_context(_before.get(), finished(self, state))

    with _remembering(), patch.object(ModelCalls, "_finished", finishes):
        yield


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


@mutant("CTX-05")
def shares_one_context_among_model_wrappers() -> AbstractContextManager[object]:
    """Shares one context among all model wrappers and the model call."""
    return patch.object(model_calls, "nested", _flat)


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


class _Apart:
    """Calls the after-agent hook of a handler in a separate context."""

    def __init__(self, handler: Any) -> None:  # Any: of whatever message type
        self._handler = handler

    async def after_agent(self, state: State[AnyMessage]) -> None:
        await in_copied_context(self._handler.after_agent(state))


@mutant("CTX-07")
def isolates_values_of_after_agent_hooks() -> AbstractContextManager[object]:
    """Drops the context values of each after-agent hook before the next one."""
    init = Agent.__init__

    def builds(self: Agent[AnyMessage], **parts: Any) -> None:  # Any: passed on
        init(self, **parts)
        self._after = [_Apart(handler) for handler in self._after]  # type: ignore[misc]  # the only method that is called

    return patch.object(Agent, "__init__", builds)


@mutant("CTX-08")
def copies_the_session_for_sub_agents() -> AbstractContextManager[object]:
    """Passes a copy of the session values to a sub-agent, so that changes of the sub-agent are lost."""
    part_of = Agent._sub_run

    def part(self: Agent[AnyMessage], parent: Run, *rest: Any) -> Run:  # Any: passed on
        run = part_of(self, parent, *rest)
        run.session = dict(parent.session)
        return run

    return patch.object(Agent, "_sub_run", part)


@mutant("CTX-11")
def loses_the_session_in_the_checkpoint() -> AbstractContextManager[object]:
    """Restores the run-local values from a checkpoint, but no session values."""
    values = Checkpoint.values
    return patch.object(Checkpoint, "values", lambda self: (values(self)[0], {}))


@mutant("CTX-09")
def keeps_values_of_legacy_functions() -> AbstractContextManager[object]:
    """Calls legacy functions in the context of the model call itself."""
    return patch.object(legacy, "in_copied_context", lambda awaitable: awaitable)
