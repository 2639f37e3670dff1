"""The scripted handlers and middlewares, the factories that make middlewares, and the functions of a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from ..contract import actions as do
from ..contract.acting import Hook
from ..contract.actions import Action
from ..contract.agents import Plugin
from ..contract.calls import (
    AgentStart,
    Edited,
    InvalidValue,
    ModelContext,
    ModelRequest,
    Resumed,
    State,
    ToolAnswer,
    ToolRequest,
    View,
)
from ..contract.doubles import (
    BegunAnswer,
    Inner,
    InnerModel,
    InnerTool,
    Interruption,
    ScriptedError,
    StateHook,
    info_of,
)
from ..contract.observation import Creation, Executed, Handled, HookCall, Outside, Question
from ..contract.plugins import Strategy, use_up
from ..contract.scene import OutsideAction
from ..contract.values import Json, Message
from .doubles import SceneDoubles
from .index import SceneIndex, fail_if_scripted
from .record import Record, current_run
from .scripts import Findings, act, act_all, actions_of, edit, joined, split_edited, start
from .wrapping import A, Cache, ModelWrapping, ToolWrapping, Wrapping


@dataclass
class HookUnderWay:
    """A call of a hook under way. `number` counts the calls of the hook in the run."""

    number: int
    entry: HookCall
    actions: tuple[Action, ...]
    findings: Findings = field(default_factory=Findings)

    def interrupt(self) -> None:
        """Interrupt the run, unless the caller has answered. Raises `Interruption`, without a state: tools save one."""
        if self.entry.resumed is None:
            raise Interruption(info_of(self.entry.handler, self.entry.call_id or self.entry.hook), None)


class LiveHandlers(SceneDoubles):
    """Does in each hook what the scene says."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        super().__init__(index, record)
        self._caches: dict[str, Cache] = {}

    # -- hooks ---------------------------------------------------------------------------------------------------------

    async def before_agent(self, handler: str, given: AgentStart, inner: Inner) -> AgentStart | None:
        with self._call(
            handler,
            "before agent",
            tools=given.tools,
            instruction=given.instruction,
            return_directly=given.return_directly,
        ) as call:
            await self._record.hold(f"before agent {handler}", call.number)
            await act_all(call.actions, inner, self._record, call.findings)
            return None if do.ReturnNothing() in call.actions else start(given, call.actions)

    async def edit(
        self,
        hook: StateHook,
        handler: str,
        given: State,
        inner: Inner,
        model_context: ModelContext | None = None,
        view: View | None = None,
        resumed: Resumed | None = None,
    ) -> Edited | InvalidValue | None:
        state = joined(given)
        if hook != "after agent":
            model_context = _with_tools(model_context, state.tools, view)
        # an agent may call the hooks around a model call inside its wrappers
        family = "model" if hook in ("before model", "after model") and view is None else None
        with self._call(
            handler,
            hook,
            family,
            encloses=False,
            messages=state.messages,
            tools=state.tools,
            deferred_tools=state.deferred_tools,
            model_context=model_context,
            view=view,
            resumed=resumed,
        ) as call:
            await self._record.hold(f"{hook} {handler}", call.number)
            own, jump = await self._own_changes(call, view or View(), inner)
            if do.UseInvalidValue() in call.actions:
                return InvalidValue()
            if do.ReturnNothing() in call.actions:
                return None
            edited = replace(split_edited(edit(state, call.actions, self._index.scene), given), own=own, jump=jump)
            invalid = do.UseInvalidValue(place="messages") in call.actions
            return replace(edited, invalid=InvalidValue()) if invalid else edited

    async def _own_changes(self, call: HookUnderWay, view: View, inner: Inner) -> tuple[dict[str, Json], str | None]:
        """Do the actions of a hook that receives the state; return the new values of its own state, and its jump."""
        own: dict[str, Json] = {}
        jump = None
        for action in call.actions:
            match action:
                case do.SetState():
                    own[action.key] = action.value
                case do.Count():
                    own[action.key] = int(own.get(action.key, view.own.get(action.key)) or 0) + 1
                case do.AssignContext():
                    self._assign(call, action, inner)
                case do.Jump():
                    jump = action.target
                case do.InterruptOnce():
                    call.interrupt()
                case _:
                    await act(action, inner, self._record, call.findings)
        return own, jump

    def _assign(self, call: HookUnderWay, action: do.AssignContext, inner: Inner) -> None:
        try:
            inner.assign(action.key, action.value)
        except Exception as error:
            call.findings.refused[f"assign {action.key}"] = self._record.describe(error)

    async def around_model(
        self,
        handler: str,
        given: ModelRequest,
        inner: InnerModel,
        model_context: ModelContext | None = None,
        view: View | None = None,
        resumed: Resumed | None = None,
    ) -> BegunAnswer[Message] | Message | InvalidValue | None:
        request = joined(given)
        names = tuple(tool.name for tool in request.tools)
        shown = _with_tools(model_context, names, view)
        with self._call(
            handler,
            "around model",
            "model",
            messages=request.messages,
            tools=names,
            model_context=shown,
            view=view,
            resumed=resumed,
        ) as call:
            cache = self._caches.setdefault(handler, {})
            return await self._wrapped(call, ModelWrapping(request, given, inner, call.findings, cache), inner)

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool, view: View | None = None
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | InvalidValue | None:
        with self._call(
            handler,
            "around tool",
            request.call_id or "",
            tools=(request.tool,),
            tool=request.tool,
            call_id=request.call_id,
            kind=request.kind if view is None else None,
            args=request.args,
            options=request.options,
            view=view,
            resumed=request.resumed,
        ) as call:
            return await self._wrapped(call, ToolWrapping(request, inner, call.findings), inner)

    async def _wrapped(
        self, call: HookUnderWay, wrapping: Wrapping[A], inner: Inner
    ) -> BegunAnswer[A] | A | InvalidValue | None:
        """Do the actions of a wrapper; return its answer."""
        wrapping.passes_on_invalid = do.UseInvalidValue(place="request") in call.actions
        for action in call.actions:
            if action == do.InterruptOnce():
                call.interrupt()
            elif not await wrapping.act(action):
                await act(action, inner, self._record, call.findings)
        answer = await wrapping.answer()
        if do.UseInvalidValue() in call.actions:
            return InvalidValue()
        return None if do.ReturnNothing() in call.actions else answer

    @contextmanager
    def _call(
        self,
        handler: str,
        hook: Hook,
        family: str | None = None,
        *,
        encloses: bool = True,
        **received: Any,  # further fields of a `HookCall`
    ) -> Iterator[HookUnderWay]:
        """Record a call of a hook with what it received, and what it found once it is over.

        `family` names the call that the hook is about, a model call or a tool call; wrappers enclose what they call.
        """
        record, index, run = self._record, self._index, current_run.get()
        name, agent = f"{hook} {handler}", index.owner(handler)
        around = (run, agent, family) if family is not None else None
        count = record.gates.called(name, run)
        with record.span(name, agent, around, encloses=encloses and family is not None):
            entry = record.enter(HookCall, handler=handler, hook=hook, **received)
            call = HookUnderWay(count, entry, actions_of(index.script(handler), hook, count, entry.tool, run))
            try:
                yield call
            finally:
                record.update(replace(entry, **vars(call.findings)))

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        self._record.enter(Handled, hook=hook, kept=kept, returned=returned, changes=changes)

    # -- what is configured --------------------------------------------------------------------------------------------

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        record, own = self._record, self._index.agent(agent).make_input
        assert own is not None, "the scene configures no input generation"
        with record.span("input", agent):
            record.enter(Question, what="input", agent=agent, instruction=instruction, messages=tuple(messages))
            fail_if_scripted(own.error)
        return [*own.messages, *messages]

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        record = self._record
        with record.span(f"create {node}", agent):
            record.enter(Creation, provider=strategy.provider, node=node, agent=agent, options=deepcopy(dict(options)))
            if strategy.slow:
                await record.gates.sleep(1.0, record.new_waiter)
            if missing := [option for option in strategy.requires if option not in options]:
                raise ScriptedError(f"without {missing[0]}")
            if strategy.uses_up:
                use_up(options)
        if strategy.invalid:
            return InvalidValue()
        return self._index.add_made(strategy.makes or Plugin(name=node), node, agent)

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """How many tokens a conversation has: the words in its texts, each counted as the scene says."""
        return self._index.scene.tokens_per_word * sum(len(message.content.split()) for message in messages)

    def executed(
        self, node: str, inputs: Sequence[Message], output: str | None = None, error: str | None = None
    ) -> None:
        self._record.enter(Executed, node=node, inputs=tuple(inputs), output=output, error=error)

    def outside(self, inner: Inner) -> None:
        actions: dict[OutsideAction, Callable[[], object]] = {
            "set": lambda: inner.set_local("key", "value"),
            "get": lambda: inner.get_local("key"),
            "delete": lambda: inner.delete_local("key"),
            "send event": lambda: inner.send_event("event"),
        }
        for what in self._index.scene.tried:
            error = None
            try:
                actions[what]()
            except Exception as raised:
                error = self._record.describe(raised)
            self._record.add(Outside(what=what, error=error))


def _with_tools(context: ModelContext | None, tools: tuple[str, ...] | None, view: View | None) -> ModelContext | None:
    """The context of a model call with the tools of its state or request, where the context does not report any.

    A middleware of the plugin layer has a `view`, and no such context.
    """
    if view is not None or tools is None or (context is not None and context.tools is not None):
        return context
    return replace(context or ModelContext(), tools=tools)
