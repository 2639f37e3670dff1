"""Mutants about handlers around a tool call."""

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
    """Nest the wrappers around an invoked tool in another way."""
    return patch.object(tool_calls, "nested", change)


@mutant(
    "HOOK-WT-01",
    neighbors={
        "CTX-06": "the second of its three handlers sets a value for the third",
        "HOOK-WT-07": "it has three handlers, so that something stands on either side of the one that refuses",
    },
)
def turns_round_all_but_the_outermost_around_a_tool() -> AbstractContextManager[object]:
    """Keeps the first handler around a tool outermost and puts the others in reverse order."""
    init = ToolCalls.__init__

    def turned(self: Calls, message_type: Any, layers: Sequence[ToolMiddleware], callbacks: Any) -> None:  # handed on
        others = [layer for layer in layers if not isinstance(layer, Handler)]
        handlers = [layer for layer in layers if isinstance(layer, Handler)]
        init(self, message_type, [*others, *handlers[:1], *handlers[:0:-1]], callbacks)

    return patch.object(ToolCalls, "__init__", turned)


Call = Callable[[], Awaitable[AnyMessage]]


def _calls(
    change: Callable[[Calls, Run, Toolbox, ToolCall, Call], Awaitable[AnyMessage]],
) -> AbstractContextManager[object]:
    """Make a tool call in another way."""
    call = ToolCalls.call

    async def calls(
        self: Calls,
        run: Run,
        box: Toolbox,
        asked: ToolCall,
        context: ToolContext,
        emit: Callable[[Event], None],
        exits: bool,
    ) -> AnyMessage:
        async def as_before() -> AnyMessage:
            return await call(self, run, box, asked, context, emit, exits)

        return await change(self, run, box, asked, as_before)

    return patch.object(ToolCalls, "call", calls)


@contextmanager
def _innermost(
    change: Callable[[ToolContext, Endpoint[Any, Any]], Endpoint[Any, Any]],  # Any: of tools of either kind
) -> Iterator[None]:
    """Put something directly around invoked tools."""
    told = ToolCalls._with_callbacks

    def tells(self: Calls, context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        return told(self, context, change(context, innermost))

    with patch.object(ToolCalls, "_with_callbacks", tells):
        yield


@mutant("HOOK-WT-05", neighbors={"ORDER-TOOL-01": "two handlers of it change the result one after the other"})
@contextmanager
def keeps_what_the_tool_itself_has_returned() -> Iterator[None]:
    """Goes on with the tool's own result; what several handlers around it have made of it is only shown as an event."""
    results: dict[str, object] = {}

    def keeping(context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        async def around(request: Any) -> Any:  # handed on
            results[context.call_id] = await innermost(request)
            return results[context.call_id]

        return around

    async def change(calls: Calls, run: Run, box: Toolbox, asked: ToolCall, call: Call) -> AnyMessage:
        message = await call()
        own = results.pop(asked.id, None)
        if not isinstance(own, str) or sum(isinstance(one, Handler) for one in calls._plain) < 2:
            return message
        return calls._message_type.tool_result(asked, own)

    with _innermost(keeping), _calls(change):
        yield


@mutant("HOOK-WT-06", neighbors={"LEGACY-07": "its middleware passes on other arguments, too"})
@contextmanager
def calls_the_tool_with_the_models_arguments() -> Iterator[None]:
    """Calls the tool with what the model has asked for, whatever the handlers pass on."""
    arguments: dict[str, str] = {}

    def asking(context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        def around(request: Any) -> Awaitable[Any]:  # handed on
            if isinstance(request.arguments, str):
                request = replace(request, arguments=arguments[context.call_id])
            return innermost(request)

        return around

    async def change(calls: Calls, run: Run, box: Toolbox, asked: ToolCall, call: Call) -> AnyMessage:
        arguments[asked.id] = asked.arguments
        return await call()

    with _innermost(asking), _calls(change):
        yield


@mutant("HOOK-WT-15")
def takes_the_options_of_the_innermost_only() -> AbstractContextManager[object]:
    """Passes no options on from one handler around a tool to the next."""

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


@mutant("HOOK-WT-07", neighbors={"AGENTTOOL-15": "one of its handlers answers in a sub-agent's place"})
def calls_the_tool_in_any_case() -> AbstractContextManager[object]:
    """Calls further in when a handler around a tool has answered by itself, and drops what comes back."""
    return _nests(lambda wraps, innermost: chains.nested([insisting(wrap) for wrap in wraps], innermost))


@mutant("HOOK-WT-13")
def takes_an_unwrapped_tool_for_the_innermost() -> AbstractContextManager[object]:
    """Leaves out the handlers further in than one, behind others, that hands back the tool it was given."""

    def nests(wraps: Sequence[Wrap[A, B]], innermost: Endpoint[A, B]) -> Endpoint[A, B]:
        return chains.nested([*wraps[:1], *(ending(wrap, innermost) for wrap in wraps[1:])], innermost)

    return _nests(nests)


@mutant("HOOK-WT-11")
@contextmanager
def has_two_contexts_for_each_tool() -> Iterator[None]:
    """Keeps what it has told about the first two calls of a tool, and tells it again about the later ones."""
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
def wraps_the_tools_it_was_built_with() -> Iterator[None]:
    """Has the handlers around the tools of its configuration, and none around those that came in before the agent."""
    begin = Agent._begin
    known: dict[Calls, Sequence[object]] = {}

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # of a type of its own
        known[self._tool_calls] = self._tools
        return await begin(self, run)

    call = ToolCalls.call

    async def calls(self: Calls, run: Run, box: Toolbox, asked: ToolCall, *rest: Any) -> AnyMessage:  # handed on
        if not any(box.tools[asked.name] is tool for tool in known[self]):
            self = copy(self)
            self._plain = self._streaming = self._enhanced = self._enhanced_streaming = ()
        return await call(self, run, box, asked, *rest)

    with patch.object(Agent, "_begin", begins), patch.object(ToolCalls, "call", calls):
        yield


@contextmanager
def _failures() -> Iterator[dict[str, Exception]]:
    """The errors of the tools themselves, by the ids of their calls."""
    errors: dict[str, Exception] = {}

    def noting(context: ToolContext, innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        async def around(request: Any) -> Any:  # handed on
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
def remembers_that_the_tool_has_failed() -> Iterator[None]:
    """Ends the run when a tool has failed, whatever the handlers around it have made of that."""
    with _failures() as errors:

        async def change(calls: Calls, run: Run, box: Toolbox, asked: ToolCall, call: Call) -> AnyMessage:
            message = await call()
            if asked.id in errors:
                raise errors[asked.id]
            return message

        with _calls(change):
            yield


@mutant("HOOK-WT-10")
def answers_a_handler_with_what_the_tool_has_said() -> AbstractContextManager[object]:
    """Gives a handler that calls further in again the tool's first result again."""
    return _nests(lambda wraps, innermost: chains.nested(wraps, once(innermost)))


@mutant("HOOK-WT-08", neighbors={"EVENT-16": "one of its errors is that of a handler around a tool"})
@contextmanager
def tells_the_model_what_a_handler_fails_with() -> Iterator[None]:
    """Makes a result of the error of a handler around a tool that has not failed itself."""
    with _failures() as errors:

        async def change(calls: Calls, run: Run, box: Toolbox, asked: ToolCall, call: Call) -> AnyMessage:
            try:
                return await call()
            except Exception as error:
                if asked.id in errors or not calls._plain:
                    raise
                return calls._message_type.tool_result(asked, str(error))

        with _calls(change):
            yield
