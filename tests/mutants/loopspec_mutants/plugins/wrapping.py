"""Mutants about wrappers of middlewares, and about commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from typing import Any, TypeVar
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, State, ToolCall
from loopspec_reference.calls import chains
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.plugins import (
    Command,
    ModelCallRequest,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
    model_wrapping,
    stack,
    tool_wrapping,
)
from loopspec_reference.plugins.layers import Layer, active_run
from loopspec_reference.plugins.middleware import ToolAnswer
from loopspec_reference.plugins.model_wrapping import _Exchange
from loopspec_reference.runs.run import Run

from ..agent.around_model import Endpoint, Wrap, insisting, once
from ..registry import mutant

A = TypeVar("A")
B = TypeVar("B")
Layers = Sequence[Layer]
Around = Callable[[Layers, ToolHandler], Awaitable[ToolOutcome]]


def _bare(layers: Layers) -> list[Layer]:
    """Return the layers without tool wrappers."""
    bare = []
    for layer in layers:
        one = copy(layer)
        one.middleware = replace(layer.middleware, wrap_tool_call=None)
        bare.append(one)
    return bare


def _model_layers(change: Callable[[Layers, Run], Layers]) -> AbstractContextManager[object]:
    """Patch which layers wrap a model call."""
    wrapped = model_wrapping.wrapped_model_call

    def wraps(layers: Layers, run: Run, *rest: Any) -> Awaitable[Any]:  # Any: passed on
        return wrapped(change(layers, run), run, *rest)

    return patch.object(stack, "wrapped_model_call", wraps)


def _tool_calls(
    change: Callable[[Layers, Run, ToolCall, ToolHandler, Around], Awaitable[ToolOutcome]],
) -> AbstractContextManager[object]:
    """Patch how the wrappers of a tool call are called."""
    wrapped = tool_wrapping.wrapped_tool_call

    def wraps(layers: Layers, run: Run, call: ToolCall, innermost: ToolHandler) -> Awaitable[ToolOutcome]:
        def original(layers: Layers, innermost: ToolHandler) -> Awaitable[ToolOutcome]:
            return wrapped(layers, run, call, innermost)

        return change(layers, run, call, innermost, original)

    return patch.object(stack, "wrapped_tool_call", wraps)


def _tool_layers(change: Callable[[Layers, Run, ToolCall], bool]) -> AbstractContextManager[object]:
    """Make the tool calls for which `change` is true without wrappers."""

    def calls(layers: Layers, run: Run, call: ToolCall, inner: ToolHandler, around: Around) -> Awaitable[ToolOutcome]:
        return around(_bare(layers) if change(layers, run, call) else layers, inner)

    return _tool_calls(calls)


@contextmanager
def _nests(
    change: Callable[[Sequence[Wrap[Any, Any]], Endpoint[Any, Any]], Endpoint[Any, Any]],  # Any: of both kinds of calls
) -> Iterator[None]:
    """Patch how the wrappers of middlewares are nested."""
    with patch.object(model_wrapping, "nested", change), patch.object(tool_wrapping, "nested", change):
        yield


def _calling(
    change: Callable[[_Exchange[AnyMessage], ModelCallRequest], ModelCallRequest],
) -> AbstractContextManager[object]:
    """Patch the request that reaches the model."""
    call = _Exchange.call

    def calls(self: _Exchange[AnyMessage], requested: ModelCallRequest) -> Awaitable[AnyMessage]:
        return call(self, change(self, requested))

    return patch.object(_Exchange, "call", calls)


@mutant("XP-WRAP-01")
def skips_model_wrappers_from_the_fourth_call_on() -> AbstractContextManager[object]:
    """Calls no model wrappers from the fourth model call of a run on."""
    return _model_layers(lambda layers, run: layers if run.iteration < 3 else ())


@mutant("XP-WRAP-02", neighbors={"XP-WRAP-19": "the wrapper has to receive all calls of the tool to count them"})
def wraps_a_tool_once_in_a_run() -> AbstractContextManager[object]:
    """Calls no tool wrappers for a tool that an earlier answer has called."""

    def again(layers: Layers, run: Run, call: ToolCall) -> bool:
        return any(one.name == call.name for message in run.conversation[:-1] for one in message.tool_calls)

    return _tool_layers(again)


@mutant("XP-WRAP-16", neighbors={"XP-STATE-01": "an answer of an example calls one tool twice"})
def wraps_a_tool_once_in_an_answer() -> AbstractContextManager[object]:
    """Calls tool wrappers only for the first of several calls of a tool in one answer."""

    def again(layers: Layers, run: Run, call: ToolCall) -> bool:
        return call.id != next(one.id for one in run.conversation[-1].tool_calls if one.name == call.name)

    return _tool_layers(again)


@mutant("XP-BEST-08")
def nests_the_inner_middlewares_in_reverse() -> AbstractContextManager[object]:
    """Keeps the wrapper of the first middleware outermost, and nests the others in reverse order."""
    return _nests(lambda wraps, innermost: chains.nested([*wraps[:1], *wraps[:0:-1]], innermost))


@mutant(
    "XP-WRAP-04",
    neighbors={
        "XP-WRAP-10": "a denied tool call must not reach the tool",
        "XP-WRAP-19": "the calls above the limit must not reach the tool",
        "PLUGIN-26": "the rule states the same for all kinds of tools",
    },
)
def calls_the_tool_after_a_middleware_short_circuits() -> AbstractContextManager[object]:
    """Calls the tool when a wrapper has short-circuited, and drops the result."""

    def nests(wraps: Sequence[Wrap[Any, Any]], innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        return chains.nested([insisting(wrap) for wrap in wraps], innermost)

    return patch.object(tool_wrapping, "nested", nests)


@mutant("XP-WRAP-05")
def repeats_the_first_answer_for_a_middleware() -> AbstractContextManager[object]:
    """Returns the first answer again when a wrapper calls the next handler a second time."""
    return _nests(lambda wraps, innermost: chains.nested(wraps, once(innermost)))


@mutant("XP-WRAP-06", neighbors={"XP-WRAP-21": "a wrapper also changes the tools of one model call"})
def ignores_tools_of_model_wrappers() -> AbstractContextManager[object]:
    """Passes all tools of the agent to the model, without the changes of wrappers."""
    return _calling(lambda exchange, requested: replace(requested, tools=exchange.opening().tools))


@mutant("XP-WRAP-21")
@contextmanager
def keeps_messages_of_model_wrappers() -> Iterator[None]:
    """Keeps the messages that a wrapper appends to a request in the conversation."""
    finished = ModelCalls._finished
    added: dict[Run, tuple[AnyMessage, ...]] = {}

    def change(exchange: _Exchange[AnyMessage], requested: ModelCallRequest) -> ModelCallRequest:
        added[active_run()] = requested.messages[len(exchange.opening().messages) :]
        return requested

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        more = added.pop(active_run(), ())
        return await finished(self, replace(state, messages=(*state.messages[:-1], *more, state.messages[-1])))

    with _calling(change), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("XP-WRAP-07")
def ignores_the_model_of_a_wrapper() -> AbstractContextManager[object]:
    """Calls the agent's own model, not the model that a wrapper has chosen."""
    return _calling(lambda exchange, requested: replace(requested, model=None))


@mutant("XP-WRAP-08")
def stops_repeating_after_two_failures() -> AbstractContextManager[object]:
    """Raises the second error again, without a model call, when a wrapper calls the next handler after two failures."""

    def limited(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
        failed: list[Exception] = []

        async def calls(request: A) -> B:
            if len(failed) == 2:
                raise failed[1]
            try:
                return await endpoint(request)
            except Exception as error:
                failed.append(error)
                raise

        return calls

    return patch.object(model_wrapping, "nested", lambda wraps, innermost: chains.nested(wraps, limited(innermost)))


@mutant("XP-WRAP-09", neighbors={"XP-BEST-08": "a cache also answers in the second of two runs"})
def skips_model_wrappers_in_the_second_run() -> AbstractContextManager[object]:
    """Calls no model wrappers from the second run of an agent on."""
    first: dict[int, Run] = {}
    return _model_layers(lambda layers, run: layers if first.setdefault(id(layers), run) is run else ())


@mutant("XP-WRAP-18")
def accepts_appended_messages_only() -> AbstractContextManager[object]:
    """Drops all changes of a wrapper to the messages of a request, except appended messages."""

    def change(exchange: _Exchange[AnyMessage], requested: ModelCallRequest) -> ModelCallRequest:
        original = exchange.opening().messages
        return replace(requested, messages=(*original, *requested.messages[len(original) :]))

    return _calling(change)


@mutant(
    "XP-WRAP-10",
    neighbors={
        "PLUGIN-26": "the rule states the same for all kinds of tools",
        "PLUGIN-29": "a wrapper may also short-circuit with a command",
    },
)
@contextmanager
def omits_the_id_of_a_denied_call() -> Iterator[None]:
    """Omits the id of the call from a result that a wrapper returned without the tool."""
    call = ToolCalls.call
    denied: set[str] = set()

    def wraps(
        layers: Layers, run: Run, requested: ToolCall, inner: ToolHandler, around: Around
    ) -> Awaitable[ToolOutcome]:
        def innermost(request: ToolCallRequest) -> Awaitable[ToolAnswer]:
            denied.discard(requested.id)
            return inner(request)

        denied.add(requested.id)
        return around(layers, innermost)

    async def calls(self: Any, run: Run, box: Any, requested: ToolCall, *rest: Any) -> Any:  # Any: passed on
        message = await call(self, run, box, requested, *rest)
        return replace(message, call_id="") if requested.id in denied else message

    with _tool_calls(wraps), patch.object(ToolCalls, "call", calls):
        yield


@mutant("XP-WRAP-11")
def accepts_longer_results_only() -> AbstractContextManager[object]:
    """Keeps the tool's own result when a wrapper has removed a part of it."""

    async def wraps(layers: Layers, run: Run, call: ToolCall, inner: ToolHandler, around: Around) -> ToolOutcome:
        returned: list[ToolAnswer] = []

        async def innermost(request: ToolCallRequest) -> ToolAnswer:
            returned.append(await inner(request))
            return returned[-1]

        outcome = await around(layers, innermost)
        own = returned[0] if len(returned) == 1 else outcome
        return own if isinstance(own, ToolOutcome) and own.text not in outcome.text else outcome

    return _tool_calls(wraps)


@mutant("XP-WRAP-19", neighbors={"PLUGIN-25": "one answer of the example has four tool calls"})
def skips_tool_wrappers_after_three_calls() -> AbstractContextManager[object]:
    """Calls no tool wrappers after the third tool call of a run."""
    made: dict[Run, int] = {}

    def late(layers: Layers, run: Run, call: ToolCall) -> bool:
        made[run] = made.get(run, 0) + 1
        return made[run] > 3

    return _tool_layers(late)


@mutant("XP-WRAP-13")
def raises_errors_that_a_wrapper_has_handled() -> AbstractContextManager[object]:
    """Ends the run with the error of a tool although a wrapper has made a result of it."""

    async def wraps(layers: Layers, run: Run, call: ToolCall, inner: ToolHandler, around: Around) -> ToolOutcome:
        failed: list[Exception] = []

        async def innermost(request: ToolCallRequest) -> ToolAnswer:
            try:
                return await inner(request)
            except Exception as error:
                failed.append(error)
                raise

        outcome = await around(layers, innermost)
        if failed:
            raise failed[0]
        return outcome

    return _tool_calls(wraps)


@mutant(
    "XP-WRAP-12",
    neighbors={
        "XP-STATE-01": "a wrapper of an example returns a command",
        "PLUGIN-29": "the rule states the same for all kinds of tools",
    },
)
def drops_the_update_of_a_wrappers_command() -> AbstractContextManager[object]:
    """Drops the state update of a wrapper's command, but not that of a tool's command."""
    stamped = Layer.owned

    def stamps(self: Layer, command: Command, part: str) -> Command:
        made = stamped(self, command, part)
        return replace(made, update={}) if command.owner is None and part == "wrap_tool_call" else made

    return patch.object(Layer, "owned", stamps)


@mutant(
    "XP-WRAP-20",
    neighbors={
        "PLUGIN-24": "one of several commands jumps to the end",
        "PLUGIN-29": "the rule states the same for all kinds of tools",
        "PLUGIN-36": "a command jumps to the end before an interrupt",
    },
)
def ignores_the_jump_of_a_command() -> AbstractContextManager[object]:
    """Applies the state update of a command, but ignores its jump."""
    return patch.object(tool_wrapping, "jump_to", lambda target: None)
