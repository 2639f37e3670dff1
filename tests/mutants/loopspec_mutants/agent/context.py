"""Mutants about how far a context value reaches."""

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
def begins_a_run_in_a_context_of_its_own() -> AbstractContextManager[object]:
    """Lets what is added before the agent go no further than the other hooks there."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: handed on
        return await in_copied_context(begin(self, run))

    return patch.object(Agent, "_begin", begins)


@contextmanager
def _remembering() -> Iterator[None]:
    """Keep the context that a model call begins in."""
    call = Messages.call

    async def calls(self: Messages, run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        _before.set(copy_context())
        return await call(self, run, state)

    with patch.object(ModelCalls, "call", calls):
        yield


@mutant("CTX-02")
@contextmanager
def calls_the_model_in_the_context_of_the_run() -> Iterator[None]:
    """Lets what a hook before the model adds reach other hooks, but neither wrappers nor the model."""
    answered = Messages._answered

    async def answers(self: Messages, run: Run, request: ModelRequest[AnyMessage]) -> Any:  # Any: handed on
        return await in_context(_before.get(), answered(self, run, request))

    with _remembering(), patch.object(ModelCalls, "_answered", answers):
        yield


@mutant("CTX-03")
@contextmanager
def goes_back_to_the_context_of_the_run() -> Iterator[None]:
    """Calls the hooks after the model in the context from before the hooks before it."""
    finished = Messages._finished

    async def finishes(self: Messages, state: State[AnyMessage]) -> State[AnyMessage]:
        return await in_context(_before.get(), finished(self, state))

    with _remembering(), patch.object(ModelCalls, "_finished", finishes):
        yield


def _adopt(context: Context) -> None:
    """Set here what is set there."""
    here = copy_context()
    for variable, value in context.items():
        if variable is not _leaks and here.get(variable) is not value:
            variable.set(value)


@contextmanager
def _leaking() -> Iterator[None]:
    """Let what is in the contexts that a step leaves behind be there in the steps that follow."""

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
def never_leaves_the_context_of_a_model_call() -> Iterator[None]:
    """Goes on after a model call in the context that the hooks before it have made."""
    prepared = Messages._prepared

    async def prepares(self: Messages, state: State[AnyMessage]) -> State[AnyMessage]:
        state = await prepared(self, state)
        _leaks.get().append(copy_context())
        return state

    with _leaking(), patch.object(ModelCalls, "_prepared", prepares):
        yield


@mutant("CTX-04")
@contextmanager
def goes_on_in_the_context_of_the_last_hook() -> Iterator[None]:
    """Goes on after a model call in the context that the hooks after it have made."""
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
    """Nest wrappers, all in one context."""
    if layer == len(wraps):
        return innermost

    async def endpoint(request: A) -> B:
        return await wraps[layer](_flat(wraps, innermost, layer + 1))(request)

    return endpoint


@mutant("CTX-05")
def wraps_the_model_in_one_context() -> AbstractContextManager[object]:
    """Lets all wrappers of the model share one context, which is also that of the call."""
    return patch.object(model_calls, "nested", _flat)


@mutant("CTX-06")
@contextmanager
def wraps_tools_in_one_context() -> Iterator[None]:
    """Lets all wrappers of a tool share one context, in which the run then goes on."""
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


class _Apart:
    """A handler at the end of a run, in a context of its own."""

    def __init__(self, handler: Any) -> None:  # Any: of whatever message type
        self._handler = handler

    async def after_agent(self, state: State[AnyMessage]) -> None:
        await in_copied_context(self._handler.after_agent(state))


@mutant("CTX-07")
def ends_with_each_handler_in_a_context_of_its_own() -> AbstractContextManager[object]:
    """Lets what a handler adds to the context after the agent go no further."""
    init = Agent.__init__

    def builds(self: Agent[AnyMessage], **parts: Any) -> None:  # Any: handed on
        init(self, **parts)
        self._after = [_Apart(handler) for handler in self._after]  # type: ignore[misc]  # all that is asked of it

    return patch.object(Agent, "__init__", builds)


@mutant("CTX-08")
def gives_sub_agents_a_copy_of_the_session() -> AbstractContextManager[object]:
    """Lets a sub-agent see the session's values, and keeps what it sets there from the others."""
    part_of = Agent._sub_run

    def part(self: Agent[AnyMessage], parent: Run, *rest: Any) -> Run:  # Any: handed on
        run = part_of(self, parent, *rest)
        run.session = dict(parent.session)
        return run

    return patch.object(Agent, "_sub_run", part)


@mutant("CTX-11")
def loses_the_session_in_the_checkpoint() -> AbstractContextManager[object]:
    """Restores the run-local values from a checkpoint, and no session values."""
    values = Checkpoint.values
    return patch.object(Checkpoint, "values", lambda self: (values(self)[0], {}))


@mutant("CTX-09")
def lets_legacy_functions_add_to_the_context() -> AbstractContextManager[object]:
    """Calls legacy functions in the context of the model call itself."""
    return patch.object(legacy, "in_copied_context", lambda awaitable: awaitable)
