"""Mutants about how a run ends: at the iteration limit, by the exit tool, and what it leaves under the output key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from contextvars import ContextVar
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
    IterationLimitError,
    Message,
    State,
    ToolContext,
    ToolRequest,
)
from loopspec_reference.calls.attempts import Attempt
from loopspec_reference.loop import agents as loops
from loopspec_reference.loop.agents import Agent, _Start
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run

from ..registry import mutant
from .configuration import Build, built


@mutant("MAXITER-01")
def allows_one_model_call_less() -> AbstractContextManager[object]:
    """Allows one model call less than it is told, if that is more than two."""

    def strict(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        limit = given.get("max_iterations", 0)
        build(self, **{**given, "max_iterations": limit - 1 if limit > 2 else limit})

    return built(strict)


_spent: ContextVar[list[object]] = ContextVar("spent")
_limit: ContextVar[int] = ContextVar("limit")


@contextmanager
def _counting() -> Iterator[None]:
    """Refuse a model call when enough is in a run's list of what counts."""
    fresh, call = Agent._fresh, ModelCalls.call

    async def begins(self: Agent[AnyMessage], run: Run, messages: Sequence[AnyMessage]) -> AnyMessage:
        _spent.set([])
        _limit.set(self._max_iterations)
        return await fresh(self, run, messages)

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        if len(_spent.get([])) >= _limit.get(1):
            raise IterationLimitError("enough is enough")
        return await call(self, run, state)

    with patch.object(Agent, "_fresh", begins), patch.object(ModelCalls, "call", calls):
        yield


@mutant("MAXITER-02")
@contextmanager
def counts_tool_calls() -> Iterator[None]:
    """Counts tool calls, not model calls."""
    call = ToolCalls.call

    async def calls(self: ToolCalls[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        _spent.get([]).append(self)
        return await call(self, *rest)

    with _counting(), patch.object(ToolCalls, "call", calls):
        yield


@mutant("MAXITER-07")
@contextmanager
def counts_attempts() -> Iterator[None]:
    """Counts every attempt to call a model."""
    attempt = ModelCalls._attempt

    async def attempts(self: ModelCalls[AnyMessage], run: Run, *rest: Any) -> Attempt[AnyMessage]:  # Any: handed on
        _spent.get([]).append(self)
        return await attempt(self, run, *rest)

    with _counting(), patch.object(ModelCalls, "_attempt", attempts):
        yield


@mutant(
    "MAXITER-03",
    neighbors={"INTERRUPT-10": "its second run ends at a limit"},
)
def is_content_with_what_it_has() -> AbstractContextManager[object]:
    """Lets a run end well at a limit that it was told, if that is more than one."""
    loop = Agent._loop

    async def loops(self: Agent[AnyMessage], *rest: Any) -> AnyMessage:  # Any: handed on
        try:
            return await loop(self, *rest)
        except IterationLimitError:
            if self._max_iterations in (1, 20):
                raise
            return self.message_type.assistant("")

    return patch.object(Agent, "_loop", loops)


@mutant("MAXITER-04", neighbors={"MAXITER-05": "it falls back on the same default"})
def has_another_default() -> AbstractContextManager[object]:
    """Allows 25 model calls, if nothing is said."""
    return patch.object(loops, "_DEFAULT_ITERATIONS", 25)


@mutant("MAXITER-05")
def takes_less_than_none_for_any_number() -> AbstractContextManager[object]:
    """Allows any number of model calls when the limit is negative."""

    def generous(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("max_iterations", 0) < 0:
            self._max_iterations = 1000

    return built(generous)


@mutant("MAXITER-01")
def counts_the_end_of_the_only_round() -> AbstractContextManager[object]:
    """Takes the one answer of an agent without tools for a round that needs another one."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> _Start:
        start = await begin(self, run)
        if self._max_iterations == 1 and not start.box.tools:
            raise IterationLimitError("one model call is not enough")
        return start

    return patch.object(Agent, "_begin", begins)


@mutant("MAXITER-08")
def looks_at_the_limit_first() -> AbstractContextManager[object]:
    """Looks at the limit after the tool calls, before it looks whether one of them returns directly."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: handed on
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, iteration, *rest)
        if iteration >= self._max_iterations:
            raise IterationLimitError("no model call is left")
        return state, ended

    return patch.object(Agent, "_act", acts)


@mutant("MAXITER-09")
@contextmanager
def has_one_limit_for_all_runs() -> Iterator[None]:
    """Counts the model calls of an agent, not those of its run."""
    loop, call = Agent._loop, ModelCalls.call
    made: dict[ModelCalls[AnyMessage], int] = {}

    async def calls(self: ModelCalls[AnyMessage], run: Run, state: State[AnyMessage]) -> State[AnyMessage]:
        made[self] = made.get(self, 0) + 1
        return await call(self, run, state)

    async def loops(
        self: Agent[AnyMessage], run: Run, start: _Start, state: State[AnyMessage], iteration: int
    ) -> AnyMessage:
        return await loop(self, run, start, state, max(iteration, made.get(self._models, 0)))

    with patch.object(Agent, "_loop", loops), patch.object(ModelCalls, "call", calls):
        yield


@mutant("MAXITER-10")
def prepares_a_call_it_cannot_make() -> AbstractContextManager[object]:
    """Calls the hooks before the model before it looks at the limit."""
    act = Agent._act

    async def acts(
        self: Agent[AnyMessage],
        run: Run,
        start: _Start,
        state: State[AnyMessage],
        iteration: int,
        *rest: Any,  # Any: handed on
    ) -> tuple[State[AnyMessage], bool]:
        state, ended = await act(self, run, start, state, iteration, *rest)
        if iteration >= self._max_iterations and not ended:
            await self._models._prepared(state)
        return state, ended

    return patch.object(Agent, "_act", acts)


class _Kept(Handler[AnyMessage]):
    """A handler that another tool is kept from."""

    def __init__(self, handler: Handler[AnyMessage], secret: AnyTool) -> None:
        self._handler = handler
        self._secret = secret

    async def before_agent(self, context: AgentContext) -> AgentContext:
        shown = tuple(tool for tool in context.tools if tool is not self._secret)
        context = await self._handler.before_agent(replace(context, tools=shown))
        return replace(context, tools=(*context.tools, self._secret))


@mutant("EXIT-03", neighbors={"EXIT-01": "it looks at the same hook for where the exit tool stands"})
def adds_the_exit_tool_later() -> AbstractContextManager[object]:
    """Adds the exit tool after the hooks before the agent."""

    def later(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("exit_tool"):
            self._before = [_Kept(handler, given["exit_tool"]) for handler in self._before]

    return built(later)


@mutant("EXIT-01")
def puts_the_exit_tool_first() -> AbstractContextManager[object]:
    """Puts the exit tool before all others."""

    def first(build: Build, self: Agent[AnyMessage], given: dict[str, Any]) -> None:
        build(self, **given)
        if given.get("exit_tool"):
            self._tools = (self._tools[-1], *self._tools[:-1])
            self._context = partial(AgentContext, self._context.args[0], self._tools)

    return built(first)


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
