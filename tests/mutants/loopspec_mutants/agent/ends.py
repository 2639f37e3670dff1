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


class _Kept(Handler[AnyMessage]):
    """A handler that another tool is kept from."""

    def __init__(self, handler: Handler[AnyMessage], secret: AnyTool) -> None:
        self._handler = handler
        self._secret = secret

    async def before_agent(self, context: AgentContext) -> AgentContext:
        shown = tuple(tool for tool in context.tools if tool is not self._secret)
        context = await self._handler.before_agent(replace(context, tools=shown))
        return replace(context, tools=(*context.tools, self._secret))


@mutant("EXIT-03", neighbors={"EXIT-06": "it looks at the same hook for the position of the exit tool"})
def adds_the_exit_tool_later() -> AbstractContextManager[object]:
    """Adds the exit tool after the hooks before the agent."""

    def later(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("exit_tool"):
            self._before = [_Kept(handler, given["exit_tool"]) for handler in self._before]

    return built(later)


@mutant("EXIT-06")
def puts_the_exit_tool_first() -> AbstractContextManager[object]:
    """Puts the exit tool before all others."""

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
def exits_without_a_word() -> AbstractContextManager[object]:
    """Tells the result of the exit tool like that of any other."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        given = (*rest[:-1], False)
        return await call(self, *given)

    return patch.object(ToolCalls, "call", calls)


@mutant("EXIT-04")
def takes_anything_for_a_final_answer() -> AbstractContextManager[object]:
    """Lets the exit tool return its arguments when it does not understand them."""
    invoke = ExitTool.invoke

    async def invokes(self: ExitTool, context: ToolContext, request: ToolRequest[str]) -> str:
        with suppress(ValueError):
            return await invoke(self, context, request)
        return request.arguments

    return patch.object(ExitTool, "invoke", invokes)


@mutant("EXIT-05")
def has_a_plain_exit_only() -> AbstractContextManager[object]:
    """Refuses the exit tool where messages are agentic."""

    def plain(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        if given.get("exit_tool") and given["message_type"] is AgenticMessage:
            raise ConfigError("the exit tool is for plain messages")
        build(self, **given)

    return built(plain)


@mutant("OUTKEY-01")
def leaves_what_was_said_first() -> AbstractContextManager[object]:
    """Leaves the first text of the model under the output key, not the last."""
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
def leaves_the_first_chunk() -> Iterator[None]:
    """Leaves the first chunk of a streamed answer under the output key."""
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


@mutant("OUTKEY-03", neighbors={"OUTKEY-06": "the answer whose parts are stored is a tool's result"})
def leaves_only_what_models_say() -> AbstractContextManager[object]:
    """Leaves the last text of the model under the output key, even if a tool returned directly."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None:
            said = [message.text for message in state.messages if message.role == "assistant"]
            run.session[self._output_key] = said[-1]
        return answer

    return patch.object(Agent, "_end", ends)


@mutant("OUTKEY-04")
def leaves_the_answer_too_early() -> AbstractContextManager[object]:
    """Leaves the answer under the output key before the hooks after the agent."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        if self._output_key is not None:
            run.session[self._output_key] = state.messages[-1].outcome
        return await end(self, run, state)

    return patch.object(Agent, "_end", ends)


@mutant("OUTKEY-05")
@contextmanager
def leaves_the_answer_as_it_was_told() -> Iterator[None]:
    """Leaves the answer of the model under the output key as it was before the hooks after the model."""
    finish, end = ModelCalls._finished, Agent._end
    told: dict[ModelCalls[AnyMessage], str] = {}

    async def finishes(self: ModelCalls[AnyMessage], state: State[AnyMessage]) -> State[AnyMessage]:
        told[self] = state.messages[-1].text
        return await finish(self, state)

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and answer.role == "assistant":
            run.session[self._output_key] = told[self._models]
        return answer

    with patch.object(ModelCalls, "_finished", finishes), patch.object(Agent, "_end", ends):
        yield


@mutant("OUTKEY-06")
def leaves_only_plain_texts() -> AbstractContextManager[object]:
    """Leaves the plain text of the final answer under the output key, and nothing of its parts."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        if self._output_key is not None and not answer.text:
            run.session[self._output_key] = answer.text
        return answer

    return patch.object(Agent, "_end", ends)
