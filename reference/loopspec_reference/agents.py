"""An agent and its loop: reason, act, observe, until nothing is left to act on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Generic

import msgspec

from .chains import nested
from .checkpoints import Checkpoint
from .errors import ConfigError, IterationLimitError, UnknownToolError
from .events import ErrorEvent, Event, Interrupt, InterruptEvent, MessageEvent
from .handlers import AgentContext, Handler, ModelRequest, State, ToolEndpoint
from .messages import Json, M, ToolCall
from .models import Model
from .runs import Run, current_run
from .tools import InterruptRun, Resumed, Tool, ToolContext


class Agent(Generic[M]):
    """A model, the tools it may ask for, and the handlers that watch over both.

    `instruction` becomes the system message; `{Key}` in it stands for a session value when the run has any, and
    then doubled braces for single ones. Raises `ConfigError` when the limit of model calls is not positive.
    """

    def __init__(
        self,
        *,
        name: str,
        model: Model[M],
        message_type: type[M],
        instruction: str = "",
        tools: Sequence[Tool] = (),
        handlers: Sequence[Handler[M]] = (),
        max_iterations: int = 20,
    ) -> None:
        if max_iterations < 1:
            raise ConfigError(f"the limit of model calls is {max_iterations}: give a positive number")
        self.name = name
        self._model = model
        self._message_type = message_type
        self._instruction = instruction
        self._tools = {tool.info.name: tool for tool in tools}
        self._handlers = tuple(handlers)
        self._max_iterations = max_iterations

    def run(self, messages: Sequence[M], session: Mapping[str, Json] | None = None) -> AsyncIterator[Event]:
        """Start a run and yield its events. An error, or an interrupt, is the last one and is not raised."""
        run = Run(self.name, dict(session or {}))
        return _stream(run, partial(self._fresh, run, messages))

    def resume(self, checkpoint: bytes, data: Mapping[str, Json] | None = None) -> AsyncIterator[Event]:
        """Go on from an `InterruptEvent`'s bytes: the interrupted calls are made again, with `data` by call id.

        Nothing else of the run is repeated. The agent must be built like the one that stopped, in any process.
        """
        saved = msgspec.json.decode(checkpoint, type=Checkpoint)
        run = Run(self.name, dict(saved.session), dict(saved.local))
        return _stream(run, partial(self._continued, run, saved, data or {}))

    async def run_within(self, parent: Run, messages: Sequence[M]) -> str:
        """Run as a part of another agent's run and return the final answer's text.

        The session is the parent's own; run-local values and events are not (AMD-CACHE-14).
        """
        run = Run(self.name, parent.session)
        token = current_run.set(run)
        try:
            return (await self._fresh(run, messages)).text
        finally:
            current_run.reset(token)

    async def _fresh(self, run: Run, messages: Sequence[M]) -> M:
        context = AgentContext(self._instruction, tuple(tool.info for tool in self._tools.values()))
        for handler in self._handlers:
            context = await handler.before_agent(context)
        instruction = context.instruction.format_map(run.session) if run.session else context.instruction
        system = (self._message_type.system(instruction),) if instruction else ()
        return await self._loop(run, State((*system, *messages), context.tools), 0)

    async def _continued(self, run: Run, saved: Checkpoint, data: Mapping[str, Json]) -> M:
        state = State(saved.conversation(self._message_type), saved.tools)
        calls = state.messages[-1].tool_calls
        resumed = {place: Resumed(left, data.get(calls[place].id)) for place, left in saved.states.items()}
        state = await self._act(run, state, saved.iteration, dict(saved.results), resumed)
        return await self._loop(run, state, saved.iteration)

    async def _loop(self, run: Run, state: State[M], iteration: int) -> M:
        while True:
            if iteration == self._max_iterations:
                raise IterationLimitError(f"{self.name!r} has called its model {iteration} times without an end")
            iteration += 1
            state = await self._reason(run, state)
            answer = state.messages[-1]
            if not (self._tools and answer.tool_calls):
                for handler in self._handlers:
                    await handler.after_agent(state)
                return answer
            state = await self._act(run, state, iteration, {}, {})

    async def _reason(self, run: Run, state: State[M]) -> State[M]:
        """One model call, from the first hook before it to the last one after it."""
        for handler in self._handlers:
            state = await handler.before_model(state)
        call = nested([handler.wrap_model for handler in self._handlers], self._generate)
        answer = await call(ModelRequest(state.messages, state.tools))
        run.emit(MessageEvent(self.name, answer))
        state = State((*state.messages, answer), state.tools)
        for handler in self._handlers:
            state = await handler.after_model(state)
        return state

    def _generate(self, request: ModelRequest[M]) -> Awaitable[M]:
        return self._model.generate(request.messages, request.tools)

    async def _act(
        self,
        run: Run,
        state: State[M],
        iteration: int,
        results: dict[int, str],
        resumed: Mapping[int, Resumed],
    ) -> State[M]:
        """All calls of the last answer at once; their results follow it in the order of the calls.

        `results` holds what is known already, by position: two calls may have the same id. A failing call ends the
        run, but only after the others are done.
        """
        calls = state.messages[-1].tool_calls
        places = [place for place in range(len(calls)) if place not in results]
        tasks = [self._invoke(run, calls[place], resumed.get(place)) for place in places]
        outcomes = dict(zip(places, await asyncio.gather(*tasks, return_exceptions=True), strict=True))
        results |= {place: text for place, text in outcomes.items() if isinstance(text, str)}
        for error in outcomes.values():
            if isinstance(error, BaseException) and not isinstance(error, InterruptRun):
                raise error
        stopped = {place: error for place, error in outcomes.items() if isinstance(error, InterruptRun)}
        if stopped:
            interrupts = tuple(Interrupt(calls[place].id, error.info) for place, error in stopped.items())
            raise _Stop(interrupts, self._checkpoint(run, state, iteration, results, stopped))
        answers = (self._message_type.tool_result(call, results[place]) for place, call in enumerate(calls))
        return State((*state.messages, *answers), state.tools)

    async def _invoke(self, run: Run, call: ToolCall, resumed: Resumed | None) -> str:
        tool = self._tools.get(call.name)
        if tool is None:
            raise UnknownToolError(f"the model asked for a tool {call.name!r}, which {self.name!r} does not have")
        context = ToolContext(call.name, call.id, resumed)
        wraps = [partial(handler.wrap_tool, context) for handler in self._handlers]
        innermost: ToolEndpoint = partial(tool.invoke, context)
        endpoint: ToolEndpoint = nested(wraps, innermost)
        text = await endpoint(call.arguments)
        run.emit(MessageEvent(self.name, self._message_type.tool_result(call, text)))
        return text

    def _checkpoint(
        self, run: Run, state: State[M], iteration: int, results: Mapping[int, str], stopped: Mapping[int, InterruptRun]
    ) -> bytes:
        return msgspec.json.encode(
            Checkpoint(
                messages=msgspec.Raw(msgspec.json.encode(state.messages)),
                tools=state.tools,
                iteration=iteration,
                local=run.local,
                session=run.session,
                results=results,
                states={place: interrupt.state for place, interrupt in stopped.items()},
            )
        )


class _Stop(Exception):
    """The run cannot go on for now."""

    def __init__(self, interrupts: tuple[Interrupt, ...], checkpoint: bytes) -> None:
        self.interrupts = interrupts
        self.checkpoint = checkpoint


async def _stream(run: Run, course: Callable[[], Awaitable[object]]) -> AsyncIterator[Event]:
    """Let a run take its course in a task of its own, so that what it sets in its context stays there."""

    async def whole() -> None:
        current_run.set(run)
        try:
            await course()
        except _Stop as stop:
            run.emit(InterruptEvent(run.agent, stop.interrupts, stop.checkpoint))
        except Exception as error:
            run.emit(ErrorEvent(run.agent, error))
        finally:
            run.events.put_nowait(None)

    task = asyncio.create_task(whole())
    try:
        while (event := await run.events.get()) is not None:
            yield event
    finally:
        task.cancel()
        await asyncio.wait([task])
