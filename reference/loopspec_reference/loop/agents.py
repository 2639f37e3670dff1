"""An agent and its loop: call the model, call the tools of its answer, and repeat until an answer calls no tool."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, MutableMapping, Sequence
from functools import partial
from typing import Any, Generic

from msgspec import Struct

from ..calls.callbacks import Callbacks
from ..calls.chains import in_copied_context
from ..calls.failovers import FailoverConfig
from ..calls.models import Model, check_model
from ..calls.retries import RetryConfig
from ..handlers.handler import AgentContext, Handler, State, ToolMiddleware, overridden
from ..handlers.legacy import LegacyMiddleware, check
from ..runs.cancels import Canceller, ImmediateStop
from ..runs.checkpoints import Checkpoint, Stop, SubInterrupt, hook_call_id
from ..runs.conversations import Conversation
from ..runs.lifecycle import as_current, cancel_is_due, emit_events, is_cancelled, step, unrequested_cancellation
from ..runs.run import Run, discard, save_of_call, taken_jump
from ..runs.saving import SavedCalls, save
from ..runs.sent_messages import has_sent, waiting, with_sent
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


class _Start(Struct, frozen=True):
    """The part of a run that stays the same from its start to its end."""

    instruction: str
    box: Toolbox
    return_directly: frozenset[str]
    exits: str | None  # the name of the exit tool, if the run has it


class Agent(Generic[M]):
    """A model with its tools and handlers.

    `instruction`, rendered with the session values, becomes the system message, unless `make_input` makes the model's
    input (INSTR-06). The tools in `return_directly` end the run with their result, and so does the `exit_tool`. A
    successful run sets the session value `output_key` to its text. `max_iterations` limits the model calls of a run; a
    number that is not positive means the default (MAXITER-05). Raises `ConfigError` if the configuration cannot work.
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
        check_model(model, all_tools)
        self._context = partial(AgentContext, "\n".join(filter(None, instructions)), all_tools)
        self._tools = all_tools
        self._return_directly = frozenset(name for name, ends in (return_directly or {}).items() if ends)
        self._box: Toolbox | None = None  # of the configured tools, once their `info` has been read

        self._before = overridden(handlers, "before_agent")
        self._after = overridden(handlers, "after_agent")
        self._model = model
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
        conversation: Conversation[M] | None = None,
        save: Callable[[bytes], None] | None = None,
    ) -> AsyncIterator[Event]:
        """Start a run and yield its events. An error or an interrupt is the last event and is not raised.

        The run sets its session values in the passed mapping itself. The hooks of this run can read the context; no
        checkpoint holds it (XP-CTX-01, XP-CTX-02). The run adds the messages to the conversation and continues it,
        unless another run of it is under way (STOP-30).
        `save` takes a checkpoint before each model call, after each tool call, and when the run stops.
        """
        run = self._new_run(session, canceller, context, conversation, save)
        run.streaming = streaming
        return emit_events(run, partial(self._begun, run, messages, conversation))

    def resume(
        self,
        checkpoint: bytes,
        data: Mapping[str, Json] | None = None,
        *,
        session: MutableMapping[str, Json] | None = None,
        canceller: Canceller | None = None,
        context: Mapping[str, Json] | None = None,
        conversation: Conversation[M] | None = None,
        save: Callable[[bytes], None] | None = None,
    ) -> AsyncIterator[Event]:
        """Resume a run from the bytes of a checkpoint and repeat the interrupted calls.

        `data` holds the caller's answers by the ids of the interrupts. Of the rest only
        `before_agent` is repeated (INTERRUPT-14). The agent must be built like the one that stopped, in any process.
        Values that the passed session lacks are added from the checkpoint. The context is not part of a checkpoint and
        must be passed again. Bytes that are not a checkpoint end the run with a `CheckpointError` before anything else.
        """
        run = self._new_run(session, canceller, context, conversation, save)
        if conversation is not None:
            run.keep = conversation.keep
        return emit_events(run, partial(self._continued, run, checkpoint, data or {}))

    def _new_run(
        self,
        session: MutableMapping[str, Json] | None,
        canceller: Canceller | None,
        context: Mapping[str, Json] | None,
        conversation: Conversation[M] | None,
        save: Callable[[bytes], None] | None,
    ) -> Run:
        session = {} if session is None else session
        run = Run(self.name, session, canceller=canceller, forwards=self._forwards, context=context)
        run.save = save
        if conversation is not None:
            run.alone = conversation.run_alone(partial(waiting, run, self.message_type))
        return run

    async def run_within(self, parent: Run, messages: Sequence[M]) -> M:
        """Run within the run of another agent, in its mode, and return the final answer.

        The run shares the parent's session, but not its run-local values (AMD-CACHE-14). The parent reports the events
        only if it forwards them. Raises `Stop` if the run was interrupted or cancelled.
        """
        run = self._sub_run(parent)
        return await as_current(run, self._fresh(run, messages))

    async def resume_within(self, parent: Run, checkpoint: bytes, data: Mapping[str, Json]) -> M:
        """Resume as `resume` does, within the run of another agent."""
        run = self._sub_run(parent)
        return await as_current(run, self._continued(run, checkpoint, data))

    def _sub_run(self, parent: Run) -> Run:
        run = Run(
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
        run.save = save_of_call.get()
        return run

    async def _begun(self, run: Run, messages: Sequence[M], conversation: Conversation[M] | None) -> M:
        """Run with the messages of the conversation, once no other run can change them."""
        if conversation is not None:
            messages, run.keep = conversation.begin(messages), conversation.keep
        return await self._fresh(run, messages)

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
        if run.keep is not None:  # in place of what the stopped run has left
            run.keep((*state.messages, *(read.results[at] for at in sorted(read.results))))
        run.replays = dict(saved.replays)
        if saved.hook is not None:
            run.resumed_hook = saved.hook, Resumed(saved.hook.state, data.get(hook_call_id(saved.iteration)))
        start = await self._begin(run)
        if saved.phase == "model":
            return await self._loop(run, start, state, saved.iteration)
        resumed = {at: Resumed(left, _answer(call, data)) for at, (call, left) in read.interrupted.items()}
        state, ended = await self._act(run, start, state, saved.iteration, read.results, resumed)
        return await (self._end(run, state) if ended else self._loop(run, start, state, saved.iteration))

    async def _begin(self, run: Run) -> _Start:
        """Return the start of the run after the handlers' hooks. The `info` of the tools is read before (CFG-07)."""
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
            check_model(self._model, context.tools)
        run.tool_search = context.tool_search
        named = exits.info.name if exits is not None and any(tool is exits for tool in context.tools) else None
        return _Start(context.instruction, box, context.return_directly, named)

    async def _loop(self, run: Run, start: _Start, state: State[M], iteration: int) -> M:
        """Run until the end. `iteration` counts the model calls made and those jumped over."""
        while True:
            state = with_sent(run, state, self.message_type)
            run.iteration = iteration
            if iteration >= self._max_iterations:
                raise IterationLimitError(f"{self.name!r} has called its model {iteration} times without an end")
            save(run, state, iteration)
            hook = None if run.resumed_hook is None else run.resumed_hook[0]
            try:
                state = await step(run, self._models.call(run, state))
            except ImmediateStop:
                taken_jump(run)  # the hook that requested it is repeated
                raise Stop(Checkpoint.of(run, state, iteration, hook=hook)) from None
            run.resumed_hook = None
            if run.keep is not None:
                run.keep(state.messages)
            iteration += 1
            jump = taken_jump(run) if run.local else None
            pending = start.box.tools and state.messages and state.messages[-1].tool_calls
            if jump == "end" or not (pending or jump or has_sent(run)):
                return await self._end(run, state)
            if jump == "model" or not pending:
                if cancel_is_due(run, CancelMode.AFTER_MODEL):
                    raise Stop(Checkpoint.of(run, state, iteration))
                continue
            if cancel_is_due(run, CancelMode.AFTER_MODEL):
                raise Stop(Checkpoint.of(run, state, iteration, {}))
            run.replays = {}
            state, ended = await self._act(run, start, state, iteration, {}, {})
            if ended:
                return await self._end(run, state)

    async def _end(self, run: Run, state: State[M]) -> M:
        """Return the final answer after the hooks after the agent."""
        if not state.messages:
            raise NothingReturnedError("the run ended by a jump before it had any message")
        for handler in self._after:
            await handler.after_agent(state)
        answer = state.messages[run.answer_at]
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
        """Make all calls of the last answer at once; their results follow it in the order of the calls.

        `results` holds the known results by position, because two calls can have the same id. A failed call ends the
        run after the other calls have completed. The second value is true if a result is the final answer: that of the
        first call, in the order of the calls, that returns directly (RETDIR-03). The event of this result follows the
        events of all other calls (EVENT-15). It is also true if a call ended the run by a jump (XP-WRAP-20).
        """
        calls = state.messages[-1].tool_calls
        self._check_known(start, calls)
        run.conversation = state.messages
        names = start.return_directly
        direct = next((at for at, call in enumerate(calls) if call.name in names), None) if names else None
        opened = [at for at in range(len(calls)) if at not in results]
        held: list[Event] = []
        errors: dict[int, Exception] = {}
        saved = SavedCalls(run, state, iteration, results, resumed)
        saved.save()  # the answer, so that it is not asked for again (STOP-41)

        async def make(at: int) -> None:
            call, emit = calls[at], held.append if at == direct else run.emit
            context = ToolContext(call.name, call.id, resumed.get(at), at)
            saved.begin(at)
            try:
                results[at] = await self._tool_calls.call(run, start.box, call, context, emit, call.name == start.exits)
                saved.save()
            except asyncio.CancelledError as error:
                errors[at] = unrequested_cancellation(error)
            except Exception as error:
                errors[at] = error
                if isinstance(error, SubInterrupt) and is_cancelled():
                    raise asyncio.CancelledError from None  # the sub-agent has stopped, and the other calls stop too

        try:
            await step(run, self._make_all(make, opened))
        except ImmediateStop:
            states = {at: one.state for at, one in resumed.items() if at not in results}
            states |= {at: error.state for at, error in errors.items() if isinstance(error, InterruptRun)}
            raise Stop(Checkpoint.of(run, state, iteration, results, states)) from None
        finally:
            for event in held:
                run.emit(event)
            if run.keep is not None:
                run.keep((*state.messages, *(results[at] for at in sorted(results))))

        stopped = _interrupts(errors) if errors else {}
        if stopped or (opened and cancel_is_due(run, CancelMode.AFTER_TOOLS)):
            states = {at: error.state for at, error in stopped.items()}
            interrupts = [(calls[at].id, error) for at, error in stopped.items()]
            raise Stop(Checkpoint.of(run, state, iteration, results, states), interrupts)
        if direct is not None:
            run.answer_at = direct - len(calls)
        answers = [results[at] for at in sorted(results)]
        state = State((*state.messages, *answers), state.tools, state.deferred_tools)
        jump = taken_jump(run) if run.local else None
        return state, direct is not None or jump == "end"

    def _check_known(self, start: _Start, calls: Sequence[ToolCall]) -> None:
        """End the run before the first call if the agent lacks one of the tools (TOOLS-04)."""
        for call in calls:
            if call.name not in start.box.tools:
                raise UnknownToolError(f"the model called the tool {call.name!r}, which {self.name!r} does not have")

    async def _make_all(self, make: Callable[[int], Coroutine[Any, Any, None]], opened: Sequence[int]) -> None:
        """Make the calls, each in a context of its own (CTX-06). A single call has that of the step to itself."""
        if len(opened) == 1:
            await make(opened[0])
        elif opened and self._parallel:
            await asyncio.gather(*(make(at) for at in opened))
        else:
            for at in opened:
                await in_copied_context(make(at))


def _interrupts(errors: Mapping[int, Exception]) -> dict[int, InterruptRun]:
    """Return the interrupts of tool calls in the order of the calls. Raises the first error that is no interrupt."""
    found = {}
    for at, error in sorted(errors.items()):
        if not isinstance(error, InterruptRun):
            raise error
        found[at] = error
    return found


def _answer(call: ToolCall, data: Mapping[str, Json]) -> Json:
    """Return the caller's answer to an interrupted call; for a sub-agent, the answers to its own interrupts by id."""
    prefix = f"{call.id}/"
    inner = {key.removeprefix(prefix): value for key, value in data.items() if key.startswith(prefix)}
    return inner or data.get(call.id)
