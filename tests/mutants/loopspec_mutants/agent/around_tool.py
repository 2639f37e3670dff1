"""Mutants about tool wrappers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from typing import Any, TypeVar
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, Handler, ToolCall, ToolContext, ToolMiddleware, ToolRequest
from loopspec_reference.calls import chains
from loopspec_reference.loop import tool_calls
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run
from loopspec_reference.tools.toolboxes import Toolbox
from loopspec_reference.values.events import Event

from ..registry import mutant
from .around_model import Endpoint, Wrap, ending, insisting, once

Calls = ToolCalls[AnyMessage]
A = TypeVar("A")
B = TypeVar("B")


def _nests(change: Callable[[Sequence[Wrap[A, B]], Endpoint[A, B]], Endpoint[A, B]]) -> AbstractContextManager[object]:
    """Patch how the wrappers of an invoked tool are nested."""
    return patch.object(tool_calls, "nested", change)


@mutant(
    "HOOK-WT-01",
    neighbors={
        "CTX-06": "the second of three handlers sets a value for the third",
        "HOOK-WT-07": "the example has three handlers, with one on either side of the one that short-circuits",
    },
)
def nests_the_inner_tool_wrappers_in_reverse() -> AbstractContextManager[object]:
    """Keeps the tool wrapper of the first handler outermost, and nests the others in reverse order."""
    init = ToolCalls.__init__

    def reorders(self: Calls, message_type: Any, layers: Sequence[ToolMiddleware], callbacks: Any) -> None:  # passed on
        others = [layer for layer in layers if not isinstance(layer, Handler)]
        handlers = [layer for layer in layers if isinstance(layer, Handler)]
        init(self, message_type, [*others, *handlers[:1], *handlers[:0:-1]], callbacks)

    return patch.object(ToolCalls, "__init__", reorders)


Call = Callable[[], Awaitable[AnyMessage]]


def _calls(
    change: Callable[[Calls, Run, Toolbox, ToolCall, Call], Awaitable[AnyMessage]],
) -> AbstractContextManager[object]:
    """Patch how tool calls are made."""
    call = ToolCalls.call

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        requested: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        async def original() -> AnyMessage:
            return await call(self, run, box, requested, context, emit, exits)

        return await change(self, run, box, requested, original)

    return patch.object(ToolCalls, "call", calls)


@contextmanager
def _innermost(
    change: Callable[[ToolContext, Endpoint[Any, Any]], Endpoint[Any, Any]],  # Any: of tools of either kind
) -> Iterator[None]:
    """Wrap invoked tools directly, inside all other wrappers."""
    with_callbacks = ToolCalls._with_callbacks

    def wraps(self: Calls, context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        return with_callbacks(self, context, change(context, innermost))

    with patch.object(ToolCalls, "_with_callbacks", wraps):
        yield


@mutant("HOOK-WT-05", neighbors={"ORDER-TOOL-01": "two handlers change the result one after the other"})
@contextmanager
def keeps_the_result_without_the_changes_of_wrappers() -> Iterator[None]:
    """Keeps the tool's own result in the conversation; the changes of two or more tool wrappers appear only in the
    event."""
    results: dict[str, object] = {}

    def keeping(context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        async def around(request: Any) -> Any:  # passed on
            results[context.call_id] = await innermost(request)
            return results[context.call_id]

        return around

    async def change(calls: Calls, run: Run, box: Toolbox, requested: ToolCall, call: Call) -> AnyMessage:
        message = await call()
        own = results.pop(requested.id, None)
        if not isinstance(own, str) or sum(isinstance(one, Handler) for one in calls._plain) < 2:
            return message
        return calls._message_type.tool_result(requested, own)

    with _innermost(keeping), _calls(change):
        yield


@mutant("HOOK-WT-06", neighbors={"LEGACY-07": "the middleware passes other arguments, too"})
@contextmanager
def calls_the_tool_with_the_models_arguments() -> Iterator[None]:
    """Calls the tool with the arguments of the model, not with those that the tool wrappers pass."""
    arguments: dict[str, str] = {}

    def replacing(context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        def around(request: Any) -> Awaitable[Any]:  # passed on
            if isinstance(request.arguments, str):
                request = replace(request, arguments=arguments[context.call_id])
            return innermost(request)

        return around

    async def change(calls: Calls, run: Run, box: Toolbox, requested: ToolCall, call: Call) -> AnyMessage:
        arguments[requested.id] = requested.arguments
        return await call()

    with _innermost(replacing), _calls(change):
        yield


@mutant("HOOK-WT-15")
def passes_no_options_between_wrappers() -> AbstractContextManager[object]:
    """Drops the call options that a tool wrapper passes to the next one."""

    def forgetting(wrap: Wrap[ToolRequest[A], B]) -> Wrap[ToolRequest[A], B]:
        def wraps(endpoint: Endpoint[ToolRequest[A], B]) -> Endpoint[ToolRequest[A], B]:
            wrapped = wrap(endpoint)
            return lambda request: wrapped(replace(request, options={}))

        return wraps

    def nests(
        wraps: Sequence[Wrap[ToolRequest[A], B]], innermost: Endpoint[ToolRequest[A], B]
    ) -> Endpoint[ToolRequest[A], B]:
        return chains.nested([forgetting(wrap) for wrap in wraps], innermost)

    return _nests(nests)


@mutant("HOOK-WT-07", neighbors={"AGENTTOOL-15": "one of the handlers short-circuits the call of a sub-agent"})
def calls_the_tool_after_a_short_circuit() -> AbstractContextManager[object]:
    """Calls the inner endpoint when a tool wrapper has short-circuited, and drops the result."""
    return _nests(lambda wraps, innermost: chains.nested([insisting(wrap) for wrap in wraps], innermost))


@mutant("HOOK-WT-13")
def stops_nesting_at_a_handler_without_a_tool_wrapper() -> AbstractContextManager[object]:
    """Skips the inner tool wrappers when a handler, other than the first, returns the endpoint that it receives."""

    def nests(wraps: Sequence[Wrap[A, B]], innermost: Endpoint[A, B]) -> Endpoint[A, B]:
        return chains.nested([*wraps[:1], *(ending(wrap, innermost) for wrap in wraps[1:])], innermost)

    return _nests(nests)


@mutant("HOOK-WT-11")
@contextmanager
def repeats_the_context_of_an_earlier_call() -> Iterator[None]:
    """Passes the context of an earlier call to the tool wrappers from the third call of a tool on."""
    kept: dict[str, list[ToolContext]] = {}
    bound = tool_calls._bound

    def binds(wrap: Callable[[Any, ToolContext], Any], context: ToolContext) -> Any:  # Any: of any kind of tool
        known = kept.setdefault(context.name, [])
        if len(known) < 2 and context not in known:
            known.append(context)
        return bound(wrap, context if context in known else known[0])

    with patch.object(tool_calls, "_bound", binds):
        yield


@mutant("HOOK-WT-12")
@contextmanager
def wraps_the_configured_tools_only() -> Iterator[None]:
    """Calls tool wrappers for the configured tools, and none for tools that a before-agent hook has added."""
    begin = Agent._begin
    known: dict[Calls, Sequence[object]] = {}

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: of a private type
        known[self._tool_calls] = self._tools
        return await begin(self, run)

    call = ToolCalls.call

    async def calls(self: Calls, run: Run, box: Toolbox, requested: ToolCall, *rest: Any) -> AnyMessage:  # passed on
        if not any(box.tools[requested.name] is tool for tool in known[self]):
            self = copy(self)
            self._plain = self._streaming = self._enhanced = self._enhanced_streaming = ()
        return await call(self, run, box, requested, *rest)

    with patch.object(Agent, "_begin", begins), patch.object(ToolCalls, "call", calls):
        yield


@contextmanager
def _failures() -> Iterator[dict[str, Exception]]:
    """Collect the errors of the tools themselves, by the ids of their calls."""
    errors: dict[str, Exception] = {}

    def noting(context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        async def around(request: Any) -> Any:  # passed on
            errors.pop(context.call_id, None)
            try:
                return await innermost(request)
            except Exception as error:
                errors[context.call_id] = error
                raise

        return around

    with _innermost(noting):
        yield errors


@mutant("HOOK-WT-09")
@contextmanager
def fails_a_call_that_a_wrapper_has_recovered() -> Iterator[None]:
    """Ends the run when a tool has failed, although a tool wrapper has handled the error."""
    with _failures() as errors:

        async def change(calls: Calls, run: Run, box: Toolbox, requested: ToolCall, call: Call) -> AnyMessage:
            message = await call()
            if requested.id in errors:
                raise errors[requested.id]
            return message

        with _calls(change):
            yield


@mutant("HOOK-WT-10")
def repeats_the_first_result_for_a_wrapper() -> AbstractContextManager[object]:
    """Returns the tool's first result again when a tool wrapper calls the inner endpoint a second time."""
    return _nests(lambda wraps, innermost: chains.nested(wraps, once(innermost)))


@mutant("HOOK-WT-08", neighbors={"EVENT-16": "one of the errors is the error of a tool wrapper"})
@contextmanager
def makes_a_result_of_a_failed_wrapper() -> Iterator[None]:
    """Makes a tool result of the error of a tool wrapper if the tool itself has not failed."""
    with _failures() as errors:

        async def change(calls: Calls, run: Run, box: Toolbox, requested: ToolCall, call: Call) -> AnyMessage:
            try:
                return await call()
            except Exception as error:
                if requested.id in errors or not calls._plain:
                    raise
                return calls._message_type.tool_result(requested, str(error))

        with _calls(change):
            yield
