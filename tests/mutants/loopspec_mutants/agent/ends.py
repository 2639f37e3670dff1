"""Mutants about the exit tool and the output key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import (
    AgentContext,
    AgenticMessage,
    AnyMessage,
    AnyTool,
    ConfigError,
    ExitTool,
    Handler,
    Message,
    State,
    ToolContext,
    ToolRequest,
)
from loopspec_reference.loop.agents import Agent
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run, current_run

from ..registry import mutant
from .configuration import Build, built


class _WithoutTool(Handler[AnyMessage]):
    """A handler whose before-agent hook does not receive one tool."""

    def __init__(self, handler: Handler[AnyMessage], hidden: AnyTool) -> None:
        self._handler = handler
        self._hidden = hidden

    async def before_agent(self, context: AgentContext) -> AgentContext:
        shown = tuple(tool for tool in context.tools if tool is not self._hidden)
        context = await self._handler.before_agent(replace(context, tools=shown))
        return replace(context, tools=(*context.tools, self._hidden))


@mutant("EXIT-03", neighbors={"EXIT-06": "the example reads the position of the exit tool from the same hook"})
def adds_the_exit_tool_after_the_hooks() -> AbstractContextManager[object]:
    """Adds the exit tool after the before-agent hooks."""

    def later(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("exit_tool"):
            self._before = [_WithoutTool(handler, given["exit_tool"]) for handler in self._before]

    return built(later)


@mutant("EXIT-06")
def puts_the_exit_tool_first() -> AbstractContextManager[object]:
    """Puts the exit tool before all other tools."""

    def first(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("exit_tool"):
            self._tools = (self._tools[-1], *self._tools[:-1])
            self._context = partial(AgentContext, self._context.args[0], self._tools)

    return built(first)


@mutant("EXIT-01")
def exits_with_the_raw_arguments() -> AbstractContextManager[object]:
    """Takes the JSON text of the arguments for the final answer in a streaming run."""
    invoke = ExitTool.invoke

    async def invokes(self: ExitTool, context: ToolContext, request: ToolRequest[str]) -> str:
        run = current_run.get()
        return request.arguments if run and run.streaming else await invoke(self, context, request)

    return patch.object(ExitTool, "invoke", invokes)


@mutant("EXIT-02")
def emits_no_exit_action() -> AbstractContextManager[object]:
    """Emits the result of the exit tool like the result of any other tool, without the exit action."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: passed on
        given = (*rest[:-1], False)
        return await call(self, *given)

    return patch.object(ToolCalls, "call", calls)


@mutant("EXIT-04")
def accepts_invalid_exit_arguments() -> AbstractContextManager[object]:
    """Returns the arguments of the exit tool as the final answer when they are invalid."""
    invoke = ExitTool.invoke

    async def invokes(self: ExitTool, context: ToolContext, request: ToolRequest[str]) -> str:
        with suppress(ValueError):
            return await invoke(self, context, request)
        return request.arguments

    return patch.object(ExitTool, "invoke", invokes)


@mutant("EXIT-05")
def rejects_the_exit_tool_for_agentic_messages() -> AbstractContextManager[object]:
    """Rejects the exit tool if the messages are agentic."""

    def plain(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        if given.get("exit_tool") and given["message_type"] is AgenticMessage:
            raise ConfigError("the exit tool is for plain messages")
        build(self, **given)

    return built(plain)


@mutant("OUTKEY-01")
def stores_the_first_answer() -> AbstractContextManager[object]:
    """Stores the first answer of the model under the output key, not the final one."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and answer.role == "assistant":
            said = (message.text for message in state.messages if message.role == "assistant")
            run.session[self._output_key] = next(said)
        return answer

    return patch.object(Agent, "_end", ends)


@mutant("OUTKEY-02")
@contextmanager
def stores_the_first_chunk() -> Iterator[None]:
    """Stores the first chunk of a streamed answer under the output key."""
    concat, end = Message.concat, Agent._end
    began: dict[str, str] = {}

    def joins(chunks: Sequence[Message]) -> Message:
        whole = concat(chunks)
        began[whole.text] = chunks[0].text
        return whole

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and answer.text in began:
            run.session[self._output_key] = began[answer.text]
        return answer

    with patch.object(Message, "concat", joins), patch.object(Agent, "_end", ends):
        yield


@mutant("OUTKEY-03", neighbors={"OUTKEY-06": "the answer whose parts are stored is a tool result"})
def stores_no_result_of_a_tool() -> AbstractContextManager[object]:
    """Stores the last answer of the model under the output key even if a tool has returned directly."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None:
            said = [message.text for message in state.messages if message.role == "assistant"]
            run.session[self._output_key] = said[-1]
        return answer

    return patch.object(Agent, "_end", ends)


@mutant("OUTKEY-04")
def stores_the_answer_before_the_hooks() -> AbstractContextManager[object]:
    """Stores the answer under the output key before the after-agent hooks."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if self._output_key is not None:
            run.session[self._output_key] = state.messages[-1].outcome
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("OUTKEY-05")
@contextmanager
def stores_the_answer_without_the_changes_of_hooks() -> Iterator[None]:
    """Stores the answer of the model under the output key without the changes of the after-model hooks."""
    finish, end = ModelCalls._finished, Agent._end
    original: dict[ModelCalls[AnyMessage], str] = {}

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        original[self] = state.messages[-1].text
        return await finish(self, state)

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and answer.role == "assistant":
            run.session[self._output_key] = original[self._models]
        return answer

    with patch.object(ModelCalls, "_finished", finishes), patch.object(Agent, "_end", ends):
        yield


@mutant("OUTKEY-06")
def stores_no_parts_of_the_answer() -> AbstractContextManager[object]:
    """Stores only the plain text of the final answer under the output key, without its other parts."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and not answer.text:
            run.session[self._output_key] = answer.text
        return answer

    return patch.object(Agent, "_end", ends)
