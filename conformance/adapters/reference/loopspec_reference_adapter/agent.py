"""The reference's agent, built from the harness's doubles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import loopspec_reference as ref
from loopspec.contract import agents as spec
from loopspec.contract.doubles import Doubles, info_of
from loopspec.contract.scene import Cancel, Run
from loopspec.contract.stage import CancelHandle, Stage
from loopspec.contract.values import Json, Message

from .handlers import AdditionalTools, ScriptedHandler, ToolWraps, kinds_in, legacy_of, wrapping
from .recovery import failover_of, retry_of
from .tools import tool_of
from .wire import MESSAGE_TYPES, from_wire, request_to_wire, to_wire

if TYPE_CHECKING:
    from .attachments import Attachments

S = TypeVar("S")
T = TypeVar("T")

_POINTS = {"after model": ref.CancelMode.AFTER_MODEL, "after tools": ref.CancelMode.AFTER_TOOLS}


class Agents:
    """The agents of one scene and their runs. A handler that several agents name is one handler in all of them.

    `own` is the handler under test, in the role `handler`.
    """

    def __init__(self, stage: Stage, own: ref.Handler[ref.AnyMessage] | None = None) -> None:
        self._stage = stage
        self._doubles = stage.doubles
        self._type = MESSAGE_TYPES[stage.scene.message_type]
        self._kinds = kinds_in(stage.scene.agent)
        self._own = own
        self._handlers: dict[str, ref.Handler[ref.AnyMessage]] = {}
        self._attached: Attachments | None = None
        self._threads: dict[str, dict[str, Json]] = {}
        self._stored: dict[str, ref.Conversation[ref.AnyMessage]] = {}
        self._conversations: list[tuple[list[Message], list[ref.AnyMessage], list[ref.AnyMessage]]] = []
        self._lists: list[tuple[Sequence[object], list[Any]]] = []  # Any: handlers, or tools

    async def prepare(self) -> None:
        """Make the middlewares of the plugin layer. Raises `PluginError`, and the exceptions of factories."""
        scene = self._stage.scene
        if scene.workflow is not None or _has_middlewares(scene.agent):
            from .attachments import Attachments  # imports the plugin layer, which most scenes of agents do not need

            self._attached = Attachments(self._stage, self.model)
            await self._attached.attach(scene.agent)

    def build(self, agent: spec.Agent) -> ref.Agent[ref.AnyMessage]:
        """Build an agent and its sub-agents."""
        # An option that the scene omits is omitted here as well, so that the reference's defaults are judged.
        return ref.Agent(model=self.model(agent.model), message_type=self._type, **_given(self._options(agent)))

    def _options(self, agent: spec.Agent) -> dict[str, object]:
        doubles = self._doubles
        return {
            "name": agent.name,
            "description": agent.description,
            "instruction": agent.instruction,
            "make_input": self._input_of(agent) if agent.make_input else None,
            "tools": self._shared(agent.tools, self._tools_of),
            "return_directly": agent.return_directly,
            "exit_tool": ref.ExitTool() if agent.exit_tool else None,
            "output_key": agent.output_key,
            "max_iterations": agent.max_iterations,
            "handlers": self._shared(agent.handlers, lambda _: self._handlers_of(agent)),
            "legacy": [
                legacy_of(legacy, [self._tool(tool) for tool in legacy.tools], doubles, self._type, self._kinds)
                for legacy in agent.legacy
            ],
            "tool_middlewares": [
                wrapping(ToolWraps, self._kinds)(one.name, one.hooks, doubles) for one in agent.tool_middlewares
            ],
            "retry": retry_of(agent, self._stage.recovery) if agent.retry else None,
            "failover": failover_of(agent, self._stage.recovery, self.model, self._type) if agent.failover else None,
            "callbacks": _Callbacks(agent.model.name if agent.model else "", doubles) if agent.callbacks else None,
            "parallel_tools": False if agent.sequential else None,
            "emit_internal_events": agent.internal_events or None,
        }

    def _shared(self, specs: Sequence[S], build: Callable[[Sequence[S]], list[T]]) -> list[T]:
        """Return what is built; with `Scene.shared_lists`, the list that was built for equal ones."""
        for known, built in self._lists if self._stage.scene.shared_lists else ():
            if known and known == specs:
                return built
        made = build(specs)
        self._lists.append((specs, made))
        return made

    def _tools_of(self, tools: Sequence[spec.Tool]) -> list[ref.AnyTool]:
        return [self._tool(tool) for tool in tools]

    def model(self, model: spec.Model | None) -> ref.Model[ref.AnyMessage] | None:
        """Build a model."""
        return None if model is None else _Model(model, self._doubles, self._type)

    def _input_of(self, agent: spec.Agent) -> ref.MakeInput[ref.AnyMessage]:
        async def make(instruction: str, messages: Sequence[ref.AnyMessage]) -> Sequence[ref.AnyMessage]:
            wire = [to_wire(message) for message in messages]
            made = await self._doubles.make_input(agent.name, instruction, wire)
            return [from_wire(message, self._type) for message in made]

        return make

    def _handlers_of(self, agent: spec.Agent) -> list[ref.Handler[ref.AnyMessage]]:
        asking = [tool.name for tool in agent.tools if tool.approval]
        first = [ref.Approvals[ref.AnyMessage](*asking)] if asking else []
        if self._attached is None:
            return [*first, *(self._handler(handler, agent) for handler in agent.handlers)]
        return [*first, *self._attached.handlers(agent, lambda handler: self._handler(handler, agent))]

    def _handler(self, handler: spec.Handler, agent: spec.Agent) -> ref.Handler[ref.AnyMessage]:
        if handler.name not in self._handlers:
            built = self._built(handler, agent)
            self._handlers[handler.name] = _as_falsy(built) if self._stage.scene.falsy else built
        return self._handlers[handler.name]

    def _built(self, handler: spec.Handler, agent: spec.Agent) -> ref.Handler[ref.AnyMessage]:
        match handler:
            case spec.AgentsMD():
                from .middleware import agentsmd_of  # imports the AgentsMD side, which most scenes do not need

                return agentsmd_of(handler.config, self._stage)
            case spec.Own():
                from .handler_role import ObservedHandler  # only for the role `handler`

                assert self._own is not None, "a scene with a handler under test is for the role `handler`"
                return ObservedHandler(self._own, self._doubles, handler.again)
            case spec.Scripted(scripts=()):
                return ref.Handler()
            case spec.Scripted():
                additional: AdditionalTools = {tool.name: partial(self._tool, tool) for tool in agent.additional_tools}
                made: type[ScriptedHandler] = wrapping(ScriptedHandler, self._kinds)
                return made(handler, self._doubles, self._type, additional)
            case _:
                raise AssertionError("`prepare` makes the middlewares of the plugin layer")

    def _tool(self, tool: spec.Tool) -> ref.AnyTool:
        if tool.agent:
            return ref.AgentTool(self.build(tool.agent), tool.full_history, tool.schema)
        made = tool_of(tool.name, tool.kinds, self._doubles)
        return _as_falsy(made) if self._stage.scene.falsy else made

    def _conversation(self, run: Run) -> list[ref.AnyMessage]:
        """Return the caller's list as messages of the reference: the same list for the same list of the stage."""
        messages = self._stage.runs.messages(run)
        for passed, converted, _ in self._conversations:
            if passed is messages:
                return converted
        converted = [from_wire(message, self._type) for message in messages]
        self._conversations.append((messages, converted, [*converted]))
        return converted

    def _copy_changes(self) -> None:
        """Make the changes of the callers' converted lists in the stage's lists. Messages themselves are immutable."""
        for passed, converted, copy in self._conversations:
            if converted != copy:
                passed[:] = [to_wire(message) for message in converted]

    async def run(self, agent: ref.Agent[ref.AnyMessage], run: Run) -> None:
        """Perform one run and report what its caller receives."""
        runs, session = self._stage.runs, self._session(run)
        canceller = None
        if run.cancellable or run.cancels:
            canceller = ref.Canceller(self._stage.recovery.sleep)
            runs.cancels(run, partial(_cancel, canceller))
        save = runs.saved if run.saves else None
        waiting = asyncio.create_task(runs.waiting(run)) if run.cancels else None
        conversation = self._stored.setdefault(run.conversation, ref.Conversation()) if run.conversation else None
        with runs.running(run):
            if run.resume:
                answers = runs.answers(run)
                events = agent.resume(
                    runs.checkpoint(run),
                    answers,
                    session=session,
                    canceller=canceller,
                    context=run.context,
                    conversation=conversation,
                    save=save,
                )
            else:
                events = agent.run(
                    self._conversation(run),
                    session,
                    streaming=run.streaming,
                    canceller=canceller,
                    context=run.context,
                    conversation=conversation,
                    save=save,
                )
            try:
                await self._report(events)
            finally:
                runs.ended_with(session, _state_in(session))
                self._copy_changes()
        if waiting is not None:
            await waiting

    def _session(self, run: Run) -> dict[str, Json]:
        """Return the session of the run: that of its thread, if it has one."""
        session = self._threads.setdefault(run.thread, {}) if run.thread else {}
        session.update(run.session)
        return session

    async def _report(self, events: AsyncIterator[ref.Event]) -> None:
        runs, error = self._stage.runs, None
        answer: list[Message] = []  # the last message, or the chunks of it: what a caller of the reference returns
        async for event in events:
            match event:
                case ref.MessageEvent():
                    answer = [to_wire(event.message)]
                    runs.event(event.agent, answer[0], path=event.path, exits=event.exits)
                case ref.StreamEvent():
                    answer = []
                    chunks = _collected(event.stream, answer)
                    await runs.stream(event.agent, chunks, path=event.path, exits=event.exits)
                case ref.CustomEvent():
                    runs.event(event.agent, custom=event.payload, path=event.path)
                case ref.InterruptEvent():
                    answer = []
                    runs.interrupted(event.checkpoint, [(one.call_id, _shown(one.info)) for one in event.interrupts])
                case ref.ErrorEvent():
                    error = event.error
                    runs.event(event.agent, error=error, path=event.path)
        if isinstance(error, ref.CancelError):
            modes = [name for name, point in _POINTS.items() if point in error.mode]
            runs.cancelled(error.checkpoint, modes, error.escalated, error.timed_out)
        if error is not None:
            raise error
        if answer:
            runs.final("".join(message.text for message in answer))


async def _collected(stream: AsyncIterable[ref.AnyMessage], read: list[Message]) -> AsyncIterator[Message]:
    """Yield the chunks of a stream as messages of the contract, and append them to a list."""
    async for chunk in stream:
        read.append(to_wire(chunk))
        yield read[-1]


def _shown(info: Json) -> Json:
    """Return what a caller is shown of an interrupt: of a call that needs approval, the tool and the id."""
    return info_of(info["tool"], info["call"]) if isinstance(info, dict) else info


def _given(options: dict[str, object]) -> dict[str, Any]:  # Any: the types of the parameters they are passed as
    """Return the options with a value."""
    return {name: value for name, value in options.items() if value is not None and value not in ("", (), [], {})}


def _as_falsy(made: T) -> T:
    """Return the object with the length zero. A class made at runtime serves every class of tools and handlers."""
    made.__class__ = type(type(made).__name__, (type(made),), {"__bool__": lambda _: False, "__len__": lambda _: 0})
    return made


def _has_middlewares(agent: spec.Agent) -> bool:
    """Return whether the agent, or one of its sub-agents, has a middleware of the plugin layer."""
    return any(isinstance(one, spec.Plugin | spec.Summarization | spec.TodoList) for one in agent.handlers) or any(
        _has_middlewares(tool.agent) for tool in agent.tools if tool.agent
    )


def _state_in(session: Mapping[str, Json]) -> dict[str, Json]:
    """Return the state fields of all middlewares that the session holds."""
    by_agent: Mapping[str, Mapping[str, Mapping[str, Json]]] = session.get("plugins", {})
    return {
        key: value
        for states in by_agent.values()
        for fields in states.values()
        for key, value in (fields or {}).items()
    }


def _cancel(canceller: ref.Canceller, request: Cancel) -> CancelHandle:
    mode = ref.CancelMode.IMMEDIATE
    for point in request.modes:
        mode |= _POINTS[point]
    return canceller.cancel(mode, timeout=request.timeout, recursive=request.recursive)


class _Model:
    def __init__(self, model: spec.Model, doubles: Doubles, message_type: type[ref.AnyMessage]) -> None:
        if not model.takes_tools:  # other models do not have the attribute at all, as most real models
            self.takes_tools = False
        if model.reports:
            self.reports_callbacks = True
        if model.max_input_tokens is not None:
            from loopspec_reference.plugins import ModelProfile  # only the plugin layer reads it

            self.profile = ModelProfile(max_input_tokens=model.max_input_tokens)
        self._name = model.name
        self._doubles = doubles
        self._type = message_type

    async def generate(self, request: ref.ModelRequest[ref.AnyMessage]) -> ref.AnyMessage:
        answer = await self._doubles.generate(self._name, request_to_wire(request))
        return None if answer is None else from_wire(answer, self._type)  # type: ignore[return-value]  # a model's mistake

    async def stream(self, request: ref.ModelRequest[ref.AnyMessage]) -> AsyncIterator[ref.AnyMessage]:
        async for chunk in self._doubles.stream(self._name, request_to_wire(request)):
            yield from_wire(chunk, self._type)


class _Callbacks:
    def __init__(self, model: str, doubles: Doubles) -> None:
        self._model = model
        self._doubles = doubles

    def model_start(self, request: ref.ModelRequest[ref.AnyMessage]) -> None:
        self._doubles.called_back("model start", self._model)

    def model_end(self, message: ref.AnyMessage) -> None:
        self._doubles.called_back("model end", self._model)

    def tool_start(self, context: ref.ToolContext, request: object) -> None:
        self._doubles.called_back("tool start", context.name, context.call_id)

    def tool_end(self, context: ref.ToolContext, result: object) -> None:
        self._doubles.called_back("tool end", context.name, context.call_id)
