"""Mutants about wrappers around all kinds of tools, in streaming runs and among agentic messages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from copy import copy
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    AgenticMessage,
    AnyMessage,
    EnhancedToolEndpoint,
    Message,
    Output,
    StreamingToolEndpoint,
    ToolArgument,
    ToolContext,
    ToolRequest,
    ToolResult,
)
from loopspec_reference.plugins import Command, ModelCallRequest, Stack, ToolCallRequest, ToolHandler, conversations
from loopspec_reference.plugins.layers import Layer, active_run, awaited
from loopspec_reference.plugins.middleware import ToolAnswer
from loopspec_reference.plugins.model_wrapping import _Exchange

from ..agent.around_model import insisting
from ..registry import mutant

AnyStack = Stack[AnyMessage]
Exchange = _Exchange[AnyMessage]
Around = Callable[[AnyStack, EnhancedToolEndpoint], EnhancedToolEndpoint]


def _around_enhanced(
    change: Callable[[AnyStack, EnhancedToolEndpoint, Around], EnhancedToolEndpoint],
) -> AbstractContextManager[object]:
    """Stand around an enhanced tool in another way, given the right one."""
    right = AnyStack.wrap_enhanced_tool

    def wraps(self: AnyStack, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        return change(self, endpoint, lambda stack, inner: right(stack, inner, context))

    return patch.object(Stack, "wrap_enhanced_tool", wraps)


@mutant("PLUGIN-25")
def stands_around_no_pictures_in_streaming_runs() -> AbstractContextManager[object]:
    """Calls enhanced tools without any wrapper in a streaming run."""
    return _around_enhanced(
        lambda stack, endpoint, right: endpoint if active_run().streaming else right(stack, endpoint)
    )


@mutant("PLUGIN-26")
def runs_enhanced_tools_all_the_same() -> AbstractContextManager[object]:
    """Runs an enhanced tool for a wrapper that has denied the call, and throws its result away."""
    return _around_enhanced(lambda stack, endpoint, right: insisting(lambda inner: right(stack, inner))(endpoint))


@mutant("PLUGIN-27")
def calls_enhanced_tools_as_the_model_did() -> AbstractContextManager[object]:
    """Calls an enhanced tool with the arguments that the model gave, whatever a wrapper has passed on."""

    def change(stack: AnyStack, endpoint: EnhancedToolEndpoint, right: Around) -> EnhancedToolEndpoint:
        async def around(request: ToolRequest[ToolArgument]) -> ToolResult:
            async def asks(passed: ToolRequest[ToolArgument]) -> ToolResult:
                return await endpoint(request)

            return await right(stack, asks)(request)

        return around

    return _around_enhanced(change)


@mutant("PLUGIN-28")
def shows_wrappers_the_first_chunk() -> AbstractContextManager[object]:
    """Gives a wrapper the first chunk of a tool that streams, and nothing of the others."""
    right = AnyStack.wrap_streaming_tool

    def wraps(self: AnyStack, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        async def first(request: ToolRequest[str]) -> AsyncIterator[str]:
            whole = [chunk async for chunk in endpoint(request)]
            for chunk in whole[:1]:
                yield chunk

        return right(self, first, context)

    return patch.object(Stack, "wrap_streaming_tool", wraps)


@mutant("PLUGIN-29")
def takes_no_commands_from_around_enhanced_tools() -> AbstractContextManager[object]:
    """Takes only the result of a command that a wrapper around an enhanced tool returns."""

    def deaf(layer: Layer) -> Layer:
        wrapper = layer.middleware.wrap_tool_call

        async def around(request: ToolCallRequest, handler: ToolHandler) -> ToolAnswer:
            assert wrapper is not None
            answer: ToolAnswer = await awaited(wrapper(request, handler))
            return answer.result if isinstance(answer, Command) else answer

        one = copy(layer)
        one.middleware = replace(layer.middleware, wrap_tool_call=around if wrapper else None)
        return one

    def change(stack: AnyStack, endpoint: EnhancedToolEndpoint, right: Around) -> EnhancedToolEndpoint:
        other = copy(stack)
        other._layers = tuple(map(deaf, stack._layers))
        return right(other, endpoint)

    return _around_enhanced(change)


@mutant("PLUGIN-34")
def takes_commands_for_those_of_whoever_hands_them_on() -> AbstractContextManager[object]:
    """Carries out a command for the middleware whose wrapper has returned it last, whoever has made it."""
    stamp = Layer.owned

    def stamps(self: Layer, command: Command, part: str) -> Command:
        return stamp(self, Command(command.update, command.goto, command.result), part)

    return patch.object(Layer, "owned", stamps)


# -- streaming runs and agentic messages -------------------------------------------------------------------------


def _comes_as(change: Callable[[Output[AnyMessage], AnyMessage], Output[AnyMessage]]) -> AbstractContextManager[object]:
    """Give what comes out of the wrappers another form, told the right one and the message."""
    right = Exchange.output

    def comes(self: Exchange, message: AnyMessage) -> Output[AnyMessage]:
        return change(right(self, message), message)

    return patch.object(_Exchange, "output", comes)


@mutant("PLUGIN-30")
def gathers_chunks_where_there_are_wrappers() -> AbstractContextManager[object]:
    """Gives listeners a whole answer wherever a wrapper is around the model."""
    return _comes_as(lambda right, message: Output.of(message))


@mutant("PLUGIN-31")
def spells_what_was_changed() -> AbstractContextManager[object]:
    """Gives listeners an answer that a wrapper has changed letter by letter, as if somebody typed it."""

    def letters(message: AnyMessage) -> Iterator[AnyMessage]:
        for letter in message.text:
            yield type(message).assistant(letter)

    def change(right: Output[AnyMessage], message: AnyMessage) -> Output[AnyMessage]:
        if not active_run().streaming or right._stream is not None or message.tool_calls or not message.text:
            return right

        async def chunks() -> AsyncIterator[AnyMessage]:
            for chunk in letters(message):
                yield chunk

        return Output(chunks(), lambda _: message)

    return _comes_as(change)


@mutant("PLUGIN-32")
def leaves_the_system_message_of_agentic_conversations() -> AbstractContextManager[object]:
    """Sends the system message that there was, whatever a wrapper passes on, where messages are agentic."""
    ask = Exchange.call

    async def asks(self: Exchange, asked: ModelCallRequest) -> AnyMessage:
        agentic = self._type is AgenticMessage
        return await ask(self, replace(asked, system=self.opening().system) if agentic else asked)

    return patch.object(_Exchange, "call", asks)


@mutant("PLUGIN-33")
def knows_results_by_their_role() -> AbstractContextManager[object]:
    """Takes messages of the role of tools for results, and overlooks blocks that hold some."""
    right = conversations.answers

    def answers(message: AnyMessage) -> Iterator[tuple[str | None, str]]:
        return right(message) if isinstance(message, Message) else iter(())

    return patch.object(conversations, "answers", answers)
