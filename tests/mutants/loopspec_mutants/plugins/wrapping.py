"""Mutants about wrappers of middlewares around model calls and tool calls, and about commands."""

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
    """The layers, with middlewares that do not wrap tool calls."""
    bare = []
    for layer in layers:
        one = copy(layer)
        one.middleware = replace(layer.middleware, wrap_tool_call=None)
        bare.append(one)
    return bare


def _model_layers(change: Callable[[Layers, Run], Layers]) -> AbstractContextManager[object]:
    """Let other middlewares stand around a model call."""
    wrapped = model_wrapping.wrapped_model_call

    def wraps(layers: Layers, run: Run, *rest: Any) -> Awaitable[Any]:  # Any: handed on
        return wrapped(change(layers, run), run, *rest)

    return patch.object(stack, "wrapped_model_call", wraps)


def _tool_calls(
    change: Callable[[Layers, Run, ToolCall, ToolHandler, Around], Awaitable[ToolOutcome]],
) -> AbstractContextManager[object]:
    """Go through the wrappers around a tool in another way."""
    wrapped = tool_wrapping.wrapped_tool_call

    def wraps(layers: Layers, run: Run, call: ToolCall, innermost: ToolHandler) -> Awaitable[ToolOutcome]:
        def as_before(layers: Layers, innermost: ToolHandler) -> Awaitable[ToolOutcome]:
            return wrapped(layers, run, call, innermost)

        return change(layers, run, call, innermost, as_before)

    return patch.object(stack, "wrapped_tool_call", wraps)


def _tool_layers(change: Callable[[Layers, Run, ToolCall], bool]) -> AbstractContextManager[object]:
    """Make the tool calls that `change` is true of without any wrapper."""

    def calls(layers: Layers, run: Run, call: ToolCall, inner: ToolHandler, around: Around) -> Awaitable[ToolOutcome]:
        return around(_bare(layers) if change(layers, run, call) else layers, inner)

    return _tool_calls(calls)


@contextmanager
def _nests(
    change: Callable[[Sequence[Wrap[Any, Any]], Endpoint[Any, Any]], Endpoint[Any, Any]],  # Any: of both kinds of calls
) -> Iterator[None]:
    """Nest the wrappers of middlewares in another way."""
    with patch.object(model_wrapping, "nested", change), patch.object(tool_wrapping, "nested", change):
        yield


def _asks(
    change: Callable[[_Exchange[AnyMessage], ModelCallRequest], ModelCallRequest],
) -> AbstractContextManager[object]:
    """Ask the model something else than what the innermost wrapper passes on."""
    ask = _Exchange.call

    def asks(self: _Exchange[AnyMessage], asked: ModelCallRequest) -> Awaitable[AnyMessage]:
        return ask(self, change(self, asked))

    return patch.object(_Exchange, "call", asks)


@mutant("XP-WRAP-01")
def wraps_the_first_three_model_calls() -> AbstractContextManager[object]:
    """Calls the model without any wrapper from the fourth model call of a run on."""
    return _model_layers(lambda layers, run: layers if run.iteration < 3 else ())


@mutant("XP-WRAP-02", neighbors={"XP-WRAP-19": "the wrapper must see all calls of the tool to count them"})
def wraps_a_tool_once_in_a_run() -> AbstractContextManager[object]:
    """Makes a call of a tool that an earlier answer has called without any wrapper."""

    def again(layers: Layers, run: Run, call: ToolCall) -> bool:
        return any(one.name == call.name for message in run.conversation[:-1] for one in message.tool_calls)

    return _tool_layers(again)


@mutant("XP-WRAP-16")
def wraps_a_tool_once_in_an_answer() -> AbstractContextManager[object]:
    """Lets the wrappers enclose the first of several calls of one tool in an answer, and not the others."""

    def again(layers: Layers, run: Run, call: ToolCall) -> bool:
        return call.id != next(one.id for one in run.conversation[-1].tool_calls if one.name == call.name)

    return _tool_layers(again)


@mutant("XP-BEST-08")
def turns_round_all_middlewares_but_the_outermost() -> AbstractContextManager[object]:
    """Keeps the wrapper of the first middleware outermost and puts the others in reverse order."""
    return _nests(lambda wraps, innermost: chains.nested([*wraps[:1], *wraps[:0:-1]], innermost))


@mutant(
    "XP-WRAP-04",
    neighbors={
        "XP-WRAP-10": "a tool call that is denied must not reach the tool",
        "XP-WRAP-19": "the calls above the limit must not reach the tool",
        "PLUGIN-26": "it says so of tools of all kinds",
    },
)
def runs_the_tool_all_the_same() -> AbstractContextManager[object]:
    """Runs the tool for a wrapper that has answered by itself, and throws its result away."""

    def nests(wraps: Sequence[Wrap[Any, Any]], innermost: Endpoint[Any, Any]) -> Endpoint[Any, Any]:
        return chains.nested([insisting(wrap) for wrap in wraps], innermost)

    return patch.object(tool_wrapping, "nested", nests)


@mutant("XP-WRAP-05")
def makes_a_wrapped_call_once() -> AbstractContextManager[object]:
    """Gives a wrapper that calls further in again the answer it has got the first time."""
    return _nests(lambda wraps, innermost: chains.nested(wraps, once(innermost)))


@mutant("XP-WRAP-06", neighbors={"XP-WRAP-21": "the tools of one model call are changed there, too"})
def offers_the_tools_of_the_agent() -> AbstractContextManager[object]:
    """Offers the model all tools of the agent, whatever a wrapper passes on."""
    return _asks(lambda exchange, asked: replace(asked, tools=exchange.opening().tools))


@mutant("XP-WRAP-21")
@contextmanager
def keeps_messages_that_a_wrapper_has_added() -> Iterator[None]:
    """Puts the messages that a wrapper passes on besides into the conversation for good."""
    finished = ModelCalls._finished
    added: dict[Run, tuple[AnyMessage, ...]] = {}

    def change(exchange: _Exchange[AnyMessage], asked: ModelCallRequest) -> ModelCallRequest:
        added[active_run()] = asked.messages[len(exchange.opening().messages) :]
        return asked

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        more = added.pop(active_run(), ())
        return await finished(self, replace(state, messages=(*state.messages[:-1], *more, state.messages[-1])))

    with _asks(change), patch.object(ModelCalls, "_finished", finishes):
        yield


@mutant("XP-WRAP-07")
def asks_the_agents_own_model() -> AbstractContextManager[object]:
    """Asks the agent's own model, whichever a wrapper has chosen."""
    return _asks(lambda exchange, asked: replace(asked, model=None))


@mutant("XP-WRAP-08")
def gives_up_after_two_failures() -> AbstractContextManager[object]:
    """Lets a call further in fail again, without asking the model, once it has failed twice."""

    def unforgiving(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
        failed: list[Exception] = []

        async def asks(request: A) -> B:
            if len(failed) == 2:
                raise failed[1]
            try:
                return await endpoint(request)
            except Exception as error:
                failed.append(error)
                raise

        return asks

    return patch.object(model_wrapping, "nested", lambda wraps, innermost: chains.nested(wraps, unforgiving(innermost)))


@mutant("XP-WRAP-09", neighbors={"XP-BEST-08": "a cache answers in the second of two runs there, too"})
def uses_up_its_wrappers_in_the_first_run() -> AbstractContextManager[object]:
    """Has no wrappers around the model any more in the second run of an agent."""
    first: dict[int, Run] = {}
    return _model_layers(lambda layers, run: layers if first.setdefault(id(layers), run) is run else ())


@mutant("XP-WRAP-18")
def takes_only_additions_from_a_wrapper() -> AbstractContextManager[object]:
    """Sends the model the messages of the conversation as they are, and what a wrapper has put behind them."""

    def change(exchange: _Exchange[AnyMessage], asked: ModelCallRequest) -> ModelCallRequest:
        there = exchange.opening().messages
        return replace(asked, messages=(*there, *asked.messages[len(there) :]))

    return _asks(change)


@mutant(
    "XP-WRAP-10",
    neighbors={"PLUGIN-26": "it says so of tools of all kinds", "PLUGIN-29": "a command may be such an answer"},
)
@contextmanager
def answers_denied_calls_without_their_ids() -> Iterator[None]:
    """Forgets which call it was that a wrapper has answered without the tool."""
    call = ToolCalls.call
    denied: set[str] = set()

    def goes(layers: Layers, run: Run, asked: ToolCall, inner: ToolHandler, around: Around) -> Awaitable[ToolOutcome]:
        def innermost(request: ToolCallRequest) -> Awaitable[ToolAnswer]:
            denied.discard(asked.id)
            return inner(request)

        denied.add(asked.id)
        return around(layers, innermost)

    async def calls(self: Any, run: Run, box: Any, asked: ToolCall, *rest: Any) -> Any:  # Any: handed on
        message = await call(self, run, box, asked, *rest)
        return replace(message, call_id="") if asked.id in denied else message

    with _tool_calls(goes), patch.object(ToolCalls, "call", calls):
        yield


@mutant("XP-WRAP-11")
def lets_wrappers_add_to_results_only() -> AbstractContextManager[object]:
    """Goes on with the tool's own result when a wrapper has left something of it out."""

    async def goes(layers: Layers, run: Run, call: ToolCall, inner: ToolHandler, around: Around) -> ToolOutcome:
        returned: list[ToolAnswer] = []

        async def innermost(request: ToolCallRequest) -> ToolAnswer:
            returned.append(await inner(request))
            return returned[-1]

        outcome = await around(layers, innermost)
        own = returned[0] if len(returned) == 1 else outcome
        return own if isinstance(own, ToolOutcome) and own.text not in outcome.text else outcome

    return _tool_calls(goes)


@mutant("XP-WRAP-19", neighbors={"PLUGIN-25": "there are four calls in an answer"})
def asks_wrappers_about_three_calls() -> AbstractContextManager[object]:
    """Makes the tool calls of a run that follow the third without any wrapper."""
    made: dict[Run, int] = {}

    def late(layers: Layers, run: Run, call: ToolCall) -> bool:
        made[run] = made.get(run, 0) + 1
        return made[run] > 3

    return _tool_layers(late)


@mutant("XP-WRAP-13")
def lets_errors_of_tools_out_past_wrappers() -> AbstractContextManager[object]:
    """Ends the run with the error of a tool, though a wrapper has made a result of it."""

    async def goes(layers: Layers, run: Run, call: ToolCall, inner: ToolHandler, around: Around) -> ToolOutcome:
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

    return _tool_calls(goes)


@mutant("XP-WRAP-12", neighbors={"PLUGIN-29": "it says so of tools of all kinds"})
def takes_only_the_text_of_a_wrappers_command() -> AbstractContextManager[object]:
    """Drops what a wrapper's command changes in the state; the commands of tools count."""
    stamped = Layer.owned

    def stamps(self: Layer, command: Command, part: str) -> Command:
        made = stamped(self, command, part)
        return replace(made, update={}) if command.owner is None and part == "wrap_tool_call" else made

    return patch.object(Layer, "owned", stamps)


@mutant(
    "XP-WRAP-20",
    neighbors={
        "PLUGIN-24": "of several commands one goes to the end",
        "PLUGIN-29": "it says so of tools of all kinds",
        "PLUGIN-36": "a command goes to the end before an interrupt",
    },
)
def stays_where_it_is_told_to_go() -> AbstractContextManager[object]:
    """Carries out what a command changes in the state, and not where it goes."""
    return patch.object(tool_wrapping, "jump_to", lambda target: None)
