"""Mutants of a handler: handlers that change more of a run than they declare."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

import loopspec_reference as ref
from loopspec_reference_adapter import Reference

from .registry import mutant

M = ref.AnyMessage


class _Wrapping(ref.Handler[M]):
    """A handler whose wrappers call a method each."""

    def wrap_model(self, endpoint: ref.ModelEndpoint[M], context: ref.ModelContext[M]) -> ref.ModelEndpoint[M]:
        async def around(request: ref.ModelRequest[M]) -> ref.Output[M]:
            return await self.model(endpoint, request)

        return around

    def wrap_tool(self, endpoint: ref.ToolEndpoint, context: ref.ToolContext) -> ref.ToolEndpoint:
        async def around(request: ref.ToolRequest[str]) -> str:
            return await self.tool(endpoint, request)

        return around

    async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
        return await endpoint(request)

    async def tool(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> str:
        return await endpoint(request)


def _testing(handler: type[ref.Handler[M]]) -> AbstractContextManager[object]:
    """Provide this handler as the one under test."""
    return patch.object(Reference, "handler", lambda self: handler())


@mutant("HANDLER-07")
def hides_the_tools_after_a_result() -> AbstractContextManager[object]:
    """Removes the tools from a model call that follows a result."""

    class Hiding(_Wrapping):
        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            follows = bool(request.messages) and request.messages[-1].role == "tool"
            return await endpoint(replace(request, tools=()) if follows else request)

    return _testing(Hiding)


@mutant("HANDLER-08")
def emits_an_event_for_each_tool_call() -> AbstractContextManager[object]:
    """Emits a custom event after each tool call."""

    class Reporting(_Wrapping):
        async def tool(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> str:
            result = await endpoint(request)
            ref.send_event("called")
            return result

    return _testing(Reporting)


@mutant("HANDLER-09")
def repeats_calls_with_arguments() -> AbstractContextManager[object]:
    """Calls a tool twice if the call has arguments."""

    class Repeating(_Wrapping):
        async def tool(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> str:
            if request.arguments != "{}":
                await endpoint(request)
            return await endpoint(request)

    return _testing(Repeating)


@mutant("HANDLER-10")
def returns_the_first_result_of_an_answer() -> AbstractContextManager[object]:
    """Returns the result of the first tool call of an answer for the other calls, too."""

    class Repeating(_Wrapping):
        first: str | None = None

        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            self.first = None
            return await endpoint(request)

        async def tool(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> str:
            result = await endpoint(request)
            self.first = self.first or result
            return self.first

    return _testing(Repeating)


@mutant("HANDLER-11")
def answers_for_a_failed_model() -> AbstractContextManager[object]:
    """Returns an answer of its own if the model fails."""

    class Answering(_Wrapping):
        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            try:
                output = await endpoint(request)
                await output.opened()
            except Exception:
                return ref.Output.of(ref.Message.assistant("Sorry."))
            return output

    return _testing(Answering)


@mutant("HANDLER-12")
def answers_for_a_failed_tool() -> AbstractContextManager[object]:
    """Returns the text of the error as the result of a failed tool."""

    class Answering(_Wrapping):
        async def tool(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> str:
            try:
                return await endpoint(request)
            except ref.InterruptRun:
                raise
            except Exception as error:
                return f"failed: {error}"

    return _testing(Answering)


@mutant("HANDLER-13", neighbors={"HANDLER-14": "a run that is not interrupted leaves no checkpoint"})
def takes_an_interrupt_for_an_error() -> AbstractContextManager[object]:
    """Returns a result for a call that interrupts the run."""

    class Answering(_Wrapping):
        async def tool(self, endpoint: ref.ToolEndpoint, request: ref.ToolRequest[str]) -> str:
            try:
                return await endpoint(request)
            except ref.InterruptRun as error:
                return f"failed: {error}"

    return _testing(Answering)


@mutant("HANDLER-14")
def forgets_the_interrupted_run() -> AbstractContextManager[object]:
    """Sends a result to the model only if the same handler object has made the call before it."""

    class Remembering(_Wrapping):
        called = False

        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            known = request.messages if self.called else request.messages[:1]
            self.called = True
            return await endpoint(replace(request, messages=known))

    return _testing(Remembering)


@mutant("HANDLER-15")
def collects_the_chunks() -> AbstractContextManager[object]:
    """Reads an answer to its end before it returns the answer."""

    class Collecting(_Wrapping):
        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            output = await endpoint(request)
            await output.message()
            return output

    return _testing(Collecting)


@mutant("HANDLER-16")
def remembers_the_tools_of_the_first_agent() -> AbstractContextManager[object]:
    """Appends a note to the conversation of an agent with other tool objects than the first agent."""

    class Remembering(ref.Handler[M]):
        tools: tuple[ref.AnyTool, ...] | None = None
        other = False

        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            self.tools = context.tools if self.tools is None else self.tools
            pairs = zip(self.tools, context.tools, strict=False)
            self.other = any(first is not second for first, second in pairs)
            return context

        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            note = (ref.Message.user("(a note)"),) if self.other else ()
            return replace(state, messages=(*state.messages, *note))

    return _testing(Remembering)


@mutant("HANDLER-17")
def hides_the_tools_of_later_handlers() -> AbstractContextManager[object]:
    """Sends the model only tools that the run begins with when the handler's before-agent hook is called."""

    class Hiding(_Wrapping):
        names: frozenset[str] = frozenset()
        later: frozenset[str] = frozenset()

        async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
            self.names = frozenset(tool.info.name for tool in context.tools)
            return context

        async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            self.later = frozenset(tool.name for tool in state.tools) - self.names if self.names else frozenset()
            return state

        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            tools = tuple(tool for tool in request.tools if tool.name not in self.later)
            return await endpoint(replace(request, tools=tools))

    return _testing(Hiding)


@mutant("HANDLER-18")
def restores_its_own_answer() -> AbstractContextManager[object]:
    """Returns from its after-model hook the answer that its own model wrapper has received."""

    class Restoring(_Wrapping):
        answers: tuple[M, ...] = ()

        async def model(self, endpoint: ref.ModelEndpoint[M], request: ref.ModelRequest[M]) -> ref.Output[M]:
            output = await endpoint(request)
            if not request.streaming:
                self.answers = (await output.message(),)
            return output

        async def after_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
            answers, self.answers = self.answers, ()
            return replace(state, messages=(*state.messages[:-1], *answers)) if answers else state

    return _testing(Restoring)
