"""An agent and its loop: reason, act, observe, until nothing is left to act on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

from ..calls.callbacks import Callbacks
from ..calls.chains import in_copied_context
from ..calls.failovers import FailoverConfig
from ..calls.models import Model
from ..calls.retries import RetryConfig
from ..handlers.handler import AgentContext, Handler, State, ToolMiddleware, overridden
from ..handlers.legacy import LegacyMiddleware, check
from ..runs.cancels import Canceller, ImmediateStop
from ..runs.checkpoints import Checkpoint, Stop
from ..runs.lifecycle import as_current, cancel_is_due, emit_events, step, unrequested_cancellation
from ..runs.run import Run, discard, taken_jump
from ..tools.kinds import AnyTool, InterruptRun, Resumed, ToolContext
from ..tools.toolboxes import Toolbox, check_names
from ..values.errors import (
    CancelMode,
    ConfigError,
    IterationLimitError,
    NothingReturnedError,
    UnknownToolError,
    checked,
)
from ..values.events import Event
from ..values.instructions import render
from ..values.messages import Json, M, ToolCall
from .model_calls import ModelCalls
from .tool_calls import ToolCalls

MakeInput = Callable[[str, Sequence[M]], Awaitable[Sequence[M]]]

_DEFAULT_ITERATIONS = 20


@dataclass(frozen=True, slots=True)
class _Start:
    """What a run has from its beginning to its end."""

    instruction: str
    box: Toolbox
    return_directly: frozenset[str]
    exits: str | None  # the name of the exit tool, if it is there


class Agent(Generic[M]):
    """A model, the tools it may ask for, and those who watch over both.

    `instruction` becomes the system message, rendered with the session's values, unless `make_input` makes the
    model's input (INSTR-06). `return_directly` says which tools end the run with their result, as the `exit_tool`
    does. A run that succeeds leaves its text under `output_key` in the session. A limit of model calls that is not
    positive is the default one (MAXITER-05). Raises `ConfigError` for what cannot work.
    """

    def __init__(
        self,
        *,
        model: Model[M] | None,
        message_type: type[M],
        name: str = "",
        description: str = "",
        instruction: str = "",
        make_input: MakeInput[M] | None = None,
        tools: Sequence[AnyTool] = (),
        return_directly: Mapping[str, bool] | None = None,
        exit_tool: AnyTool | None = None,
        output_key: str | None = None,
        max_iterations: int = 0,
        handlers: Sequence[Handler[M]] = (),
        legacy: Sequence[LegacyMiddleware[M]] = (),
        tool_middlewares: Sequence[ToolMiddleware] = (),
        retry: RetryConfig[M] | None = None,
        failover: FailoverConfig[M] | None = None,
        callbacks: Callbacks[M] | None = None,
        parallel_tools: bool = True,
        emit_internal_events: bool = False,
    ) -> None:
        if model is None:
            raise ConfigError("an agent needs a model")
        check(legacy, message_type)
        self.name = name
        self.description = description
        self.message_type = message_type
        self._make_input = make_input
        self._exit_tool = exit_tool
        self._output_key = output_key
        self._max_iterations = max_iterations if max_iterations > 0 else _DEFAULT_ITERATIONS
        self._parallel = parallel_tools
        self._forwards = emit_internal_events

        instructions = [instruction, *(one.additional_instruction for one in legacy)]
        additional = [tool for one in legacy for tool in one.additional_tools]
        exits = [] if exit_tool is None else [exit_tool]
        all_tools = (*tools, *additional, *exits)
        check_names(all_tools)
        self._context = partial(AgentContext, "\n".join(filter(None, instructions)), all_tools)
        self._tools = all_tools
        self._return_directly = frozenset(name for name, ends in (return_directly or {}).items() if ends)
        self._box: Toolbox | None = None  # of the tools as configured, once they have told about themselves

        self._before = overridden(handlers, "before_agent")
        self._after = overridden(handlers, "after_agent")
        self._models = ModelCalls(model, message_type, handlers, legacy, retry, failover, callbacks)
        layers = [*tool_middlewares, *(one.tools for one in legacy if one.tools is not None), *handlers]
        self._tool_calls = ToolCalls(message_type, layers, callbacks)

    def run(
        self,
        messages: Sequence[M],
        session: MutableMapping[str, Json] | None = None,
        *,
        streaming: bool = False,
        canceller: Canceller | None = None,
        context: Mapping[str, Json] | None = None,
    ) -> AsyncIterator[Event]:
        """Start a run and yield its events. An error, or an interrupt, is the last one and is not raised.

        The session is used itself: what the run sets, the caller finds there. The context is there for hooks of
        this run to read, and nobody keeps it (XP-CTX-01, XP-CTX-02).
        """
        run = Run(
            self.name,
            {} if session is None else session,
            streaming=streaming,
            canceller=canceller,
            forwards=self._forwards,
            context=context,
        )
        return emit_events(run, partial(self._fresh, run, messages))

    def resume(
        self,
        checkpoint: bytes,
        data: Mapping[str, Json] | None = None,
        *,
        session: MutableMapping[str, Json] | None = None,
        canceller: Canceller | None = None,
        context: Mapping[str, Json] | None = None,
    ) -> AsyncIterator[Event]:
        """Go on from a checkpoint's bytes: the interrupted calls are made again, with `data` by their interrupts' ids.

        Besides that only `before_agent` is repeated (INTERRUPT-09). The agent must be built like the one that
        stopped, in any process. A session that is given is used itself, and what it lacks is added from the
        checkpoint; a context is given anew. Bytes that are no checkpoint end the run with a `CheckpointError`, before
        anything else.
        """
        run = Run(
            self.name,
            {} if session is None else session,
            canceller=canceller,
            forwards=self._forwards,
            context=context,
        )
        return emit_events(run, partial(self._continued, run, checkpoint, data or {}))

    async def run_within(self, parent: Run, messages: Sequence[M]) -> M:
        """Run as a part of another agent's run, in its mode, and return the final answer.

        The session is the parent's own; run-local values are not (AMD-CACHE-14), and events only if it forwards them.
        Raises `Stop` when the run was interrupted or cancelled.
        """
        run = self._part_of(parent)
        return await as_current(run, self._fresh(run, messages))

    async def resume_within(self, parent: Run, checkpoint: bytes, data: Mapping[str, Json]) -> M:
        """Go on like `resume` does, as a part of another agent's run."""
        run = self._part_of(parent)
        return await as_current(run, self._continued(run, checkpoint, data))

    def _part_of(self, parent: Run) -> Run:
        return Run(
            self.name,
            parent.session,
            parent.emit if parent.forwards else discard,
            path=parent.path,
            streaming=parent.streaming,
            canceller=parent.canceller,
            nested=True,
            forwards=self._forwards,
            context=parent.context,
        )

    async def _fresh(self, run: Run, messages: Sequence[M]) -> M:
        start = await self._begin(run)
        if self._make_input is not None:
            given = tuple(await self._make_input(start.instruction, messages))
        else:
            text = render(start.instruction, run.session)
            given = (*((self.message_type.system(text),) if text else ()), *messages)
        return await self._loop(run, start, State(given, start.box.infos), 0)

    async def _continued(self, run: Run, checkpoint: bytes, data: Mapping[str, Json]) -> M:
        read = Checkpoint.read(checkpoint, self.message_type)
        saved, state, run.local = read.checkpoint, read.state, read.local
        if not run.nested:
            run.streaming = saved.streaming
            for key, value in read.session.items():
                run.session.setdefault(key, value)
        start = await self._begin(run)
        if saved.phase == "model":
            return await self._loop(run, start, state, saved.iteration)
        resumed = {at: Resumed(left, _answer(call, data)) for at, (call, left) in read.interrupted.items()}
        state, ended = await self._act(run, start, state, saved.iteration, read.results, resumed)
        return await (self._end(run, state) if ended else self._loop(run, start, state, saved.iteration))

    async def _begin(self, run: Run) -> _Start:
        """What the run starts with, as the handlers leave it. Tools tell about themselves before (CFG-07)."""
        if self._box is None:
            self._box = Toolbox(self._tools)
        box, exits, direct = self._box, self._exit_tool, self._return_directly
        if exits is not None:
            direct |= {exits.info.name}  # EXIT-03
        context = self._context(direct)
        for handler in self._before:
            context = checked(await handler.before_agent(context), AgentContext, handler)
        if context.tools is not self._tools:
            box = Toolbox(context.tools)
        run.tool_search = context.tool_search
        named = exits.info.name if exits is not None and any(tool is exits for tool in context.tools) else None
        return _Start(context.instruction, box, context.return_directly, named)

    async def _loop(self, run: Run, start: _Start, state: State[M], iteration: int) -> M:
        """`iteration` counts the model calls that were made, and those that were jumped over."""
        while True:
            run.iteration = iteration
            if iteration >= self._max_iterations:
                raise IterationLimitError(f"{self.name!r} has called its model {iteration} times without an end")
            try:
                state = await step(run, self._models.call(run, state))
            except ImmediateStop:
                taken_jump(run)  # who said it will be asked again
                raise Stop(Checkpoint.of(run, state, iteration)) from None
            iteration += 1
            jump = taken_jump(run) if run.local else None
            pending = start.box.tools and state.messages and state.messages[-1].tool_calls
            if jump == "end" or not (pending or jump):
                return await self._end(run, state)
            if jump == "model" or not pending:
                if cancel_is_due(run, CancelMode.AFTER_MODEL):
                    raise Stop(Checkpoint.of(run, state, iteration))
                continue
            if cancel_is_due(run, CancelMode.AFTER_MODEL):
                raise Stop(Checkpoint.of(run, state, iteration, {}))
            state, ended = await self._act(run, start, state, iteration, {}, {})
            if ended:
                return await self._end(run, state)

    async def _end(self, run: Run, state: State[M]) -> M:
        """The final answer, after everybody who wants to has seen it."""
        if not state.messages:
            raise NothingReturnedError("the run was told to end before anything was said")
        for handler in self._after:
            await handler.after_agent(state)
        answer = state.messages[-1]
        if self._output_key is not None:
            run.session[self._output_key] = answer.outcome
        return answer

    async def _act(
        self,
        run: Run,
        start: _Start,
        state: State[M],
        iteration: int,
        results: dict[int, M],
        resumed: Mapping[int, Resumed],
    ) -> tuple[State[M], bool]:
        """All calls of the last answer at once; their results follow it in the order of the calls.

        `results` holds what is known already, by position: two calls may have the same id. A failing call ends the
        run, but only after the others are done. The second value says that a result is the final answer: the first
        call that returns directly, in the order of the calls (RETDIR-03); then it is last. Its event waits for all the
        others (EVENT-15). Or that one of the calls has told the run to end (XP-WRAP-20).
        """
        calls = state.messages[-1].tool_calls
        self._check_known(start, calls)
        run.conversation = state.messages
        direct = next((at for at, call in enumerate(calls) if call.name in start.return_directly), None)
        held: list[Event] = []
        errors: dict[int, Exception] = {}

        async def make(at: int) -> None:
            call, emit = calls[at], held.append if at == direct else run.emit
            context = ToolContext(call.name, call.id, resumed.get(at))
            try:
                results[at] = await self._tool_calls.call(run, start.box, call, context, emit, call.name == start.exits)
            except asyncio.CancelledError as error:
                errors[at] = unrequested_cancellation(error)
            except Exception as error:
                errors[at] = error

        opened = [at for at in range(len(calls)) if at not in results]
        try:
            await step(run, self._make_all(make, opened))
        except ImmediateStop:
            states = {at: one.state for at, one in resumed.items() if at not in results}
            raise Stop(Checkpoint.of(run, state, iteration, results, states)) from None
        finally:
            for event in held:
                run.emit(event)

        for at in sorted(errors):
            if not isinstance(errors[at], InterruptRun):
                raise errors[at]
        stopped = {at: error for at, error in sorted(errors.items()) if isinstance(error, InterruptRun)}
        if stopped or (opened and cancel_is_due(run, CancelMode.AFTER_TOOLS)):
            states = {at: error.state for at, error in stopped.items()}
            interrupts = [(calls[at].id, error) for at, error in stopped.items()]
            raise Stop(Checkpoint.of(run, state, iteration, results, states), interrupts)
        order = sorted(results, key=lambda at: (at == direct, at))
        answers = (results[at] for at in order)
        state = State((*state.messages, *answers), state.tools, state.deferred_tools)
        jump = taken_jump(run) if run.local else None
        return state, direct is not None or jump == "end"

    def _check_known(self, start: _Start, calls: Sequence[ToolCall]) -> None:
        """A tool nobody has ends the run before any other is called (TOOLS-04)."""
        for call in calls:
            if call.name not in start.box.tools:
                raise UnknownToolError(f"the model asked for a tool {call.name!r}, which {self.name!r} does not have")

    async def _make_all(self, make: Callable[[int], Coroutine[Any, Any, None]], opened: Sequence[int]) -> None:
        """The calls, each in a context of its own (CTX-06)."""
        if self._parallel and len(opened) > 1:
            await asyncio.gather(*(make(at) for at in opened))
        else:
            for at in opened:
                await in_copied_context(make(at))


def _answer(call: ToolCall, data: Mapping[str, Json]) -> Json:
    """What the caller answers an interrupted call; for one of a sub-agent, its own interrupts' answers by their ids."""
    prefix = f"{call.id}/"
    inner = {key.removeprefix(prefix): value for key, value in data.items() if key.startswith(prefix)}
    return inner or data.get(call.id)
