"""Mutants about wrappers of all kinds of tools, in streaming runs and with agentic messages."""

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


def _wrapping_enhanced(
    change: Callable[[AnyStack, EnhancedToolEndpoint, Around], EnhancedToolEndpoint],
) -> AbstractContextManager[object]:
    """Patch how an enhanced tool is wrapped: `change` receives the original wrapper."""
    original = AnyStack.wrap_enhanced_tool

    def wraps(self: AnyStack, endpoint: EnhancedToolEndpoint, context: ToolContext) -> EnhancedToolEndpoint:
        return change(self, endpoint, lambda stack, inner: original(stack, inner, context))

    return patch.object(Stack, "wrap_enhanced_tool", wraps)


@mutant("PLUGIN-25")
def does_not_wrap_enhanced_tools_in_streaming_runs() -> AbstractContextManager[object]:
    """Calls enhanced tools without wrappers in a streaming run."""
    return _wrapping_enhanced(
        lambda stack, endpoint, original: endpoint if active_run().streaming else original(stack, endpoint)
    )


@mutant("PLUGIN-26")
def calls_enhanced_tools_after_a_short_circuit() -> AbstractContextManager[object]:
    """Calls an enhanced tool when a wrapper has short-circuited, and drops the result."""
    return _wrapping_enhanced(
        lambda stack, endpoint, original: insisting(lambda inner: original(stack, inner))(endpoint)
    )


@mutant("PLUGIN-27")
def calls_enhanced_tools_with_the_models_arguments() -> AbstractContextManager[object]:
    """Calls an enhanced tool with the arguments of the model, not with those that a wrapper passes."""

    def change(stack: AnyStack, endpoint: EnhancedToolEndpoint, original: Around) -> EnhancedToolEndpoint:
        async def around(request: ToolRequest[ToolArgument]) -> ToolResult:
            async def calls(passed: ToolRequest[ToolArgument]) -> ToolResult:
                return await endpoint(request)

            return await original(stack, calls)(request)

        return around

    return _wrapping_enhanced(change)


@mutant("PLUGIN-28")
def passes_wrappers_the_first_chunk_only() -> AbstractContextManager[object]:
    """Passes only the first chunk of a streamable tool to a wrapper."""
    original = AnyStack.wrap_streaming_tool

    def wraps(self: AnyStack, endpoint: StreamingToolEndpoint, context: ToolContext) -> StreamingToolEndpoint:
        async def first(request: ToolRequest[str]) -> AsyncIterator[str]:
            whole = [chunk async for chunk in endpoint(request)]
            for chunk in whole[:1]:
                yield chunk

        return original(self, first, context)

    return patch.object(Stack, "wrap_streaming_tool", wraps)


@mutant("PLUGIN-29")
def drops_commands_of_wrappers_of_enhanced_tools() -> AbstractContextManager[object]:
    """Keeps only the result of a command that a wrapper of an enhanced tool returns."""

    def without_commands(layer: Layer) -> Layer:
        wrapper = layer.middleware.wrap_tool_call

        async def around(request: ToolCallRequest, handler: ToolHandler) -> ToolAnswer:
            assert wrapper is not None
            answer: ToolAnswer = await awaited(wrapper(request, handler))
            return answer.result if isinstance(answer, Command) else answer

        one = copy(layer)
        one.middleware = replace(layer.middleware, wrap_tool_call=around if wrapper else None)
        return one

    def change(stack: AnyStack, endpoint: EnhancedToolEndpoint, original: Around) -> EnhancedToolEndpoint:
        other = copy(stack)
        other._layers = tuple(map(without_commands, stack._layers))
        return original(other, endpoint)

    return _wrapping_enhanced(change)


@mutant("PLUGIN-34")
def assigns_commands_to_the_last_wrapper() -> AbstractContextManager[object]:
    """Applies a command to the state of the middleware whose wrapper returned the command last, not of the one that
    made it."""
    stamp = Layer.owned

    def stamps(self: Layer, command: Command, part: str) -> Command:
        return stamp(self, Command(command.update, command.goto, command.result), part)

    return patch.object(Layer, "owned", stamps)


# -- streaming runs and agentic messages --------------------------------------------------------------------------


def _output(change: Callable[[Output[AnyMessage], AnyMessage], Output[AnyMessage]]) -> AbstractContextManager[object]:
    """Patch the output of the wrappers, by the original output and the message."""
    original = Exchange.output

    def outputs(self: Exchange, message: AnyMessage) -> Output[AnyMessage]:
        return change(original(self, message), message)

    return patch.object(_Exchange, "output", outputs)


@mutant("PLUGIN-30")
def joins_chunks_with_wrappers() -> AbstractContextManager[object]:
    """Emits a whole answer in place of chunks if a wrapper wraps the model call."""
    return _output(lambda original, message: Output.of(message))


@mutant("PLUGIN-31")
def streams_a_changed_answer_by_letters() -> AbstractContextManager[object]:
    """Streams an answer that a wrapper has changed letter by letter."""

    def letters(message: AnyMessage) -> Iterator[AnyMessage]:
        for letter in message.text:
            yield type(message).assistant(letter)

    def change(original: Output[AnyMessage], message: AnyMessage) -> Output[AnyMessage]:
        if not active_run().streaming or original._stream is not None or message.tool_calls or not message.text:
            return original

        async def chunks() -> AsyncIterator[AnyMessage]:
            for chunk in letters(message):
                yield chunk

        return Output(chunks(), lambda _: message)

    return _output(change)


@mutant("PLUGIN-32")
def ignores_a_changed_system_message_of_agentic_messages() -> AbstractContextManager[object]:
    """Ignores the system message that a wrapper passes if the messages are agentic."""
    call = Exchange.call

    async def calls(self: Exchange, requested: ModelCallRequest) -> AnyMessage:
        agentic = self._type is AgenticMessage
        return await call(self, replace(requested, system=self.opening().system) if agentic else requested)

    return patch.object(_Exchange, "call", calls)


@mutant("PLUGIN-33")
def ignores_results_in_blocks() -> AbstractContextManager[object]:
    """Detects tool results by the role of a message only, and ignores results in blocks."""
    original = conversations.answers

    def answers(message: AnyMessage) -> Iterator[tuple[str | None, str]]:
        return original(message) if isinstance(message, Message) else iter(())

    return patch.object(conversations, "answers", answers)
