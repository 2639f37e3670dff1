"""The scripted handlers of agents, and the functions that their configuration is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from ..contract.agents import Hook
from ..contract.calls import AgentStart, Edited, ModelContext, ModelRequest, State, ToolAnswer, ToolRequest
from ..contract.doubles import BegunAnswer, Inner, InnerModel, InnerTool
from ..contract.observation import Handled, Outside, Question
from ..contract.scene import OutsideAction
from ..contract.values import Message
from .acting import act_all
from .hooks import HookCalls
from .index import scripted_failure
from .record import current_context, current_run
from .scripts import edit, start
from .system import SplitEndpoint, joined, split_edited
from .wrapping import ModelWrapping, ToolWrapping


class LiveHandlers(HookCalls):
    """Does in each hook what the scene says."""

    async def before_agent(self, handler: str, given: AgentStart, inner: Inner) -> AgentStart | None:
        """Return what a handler wants the run to start with."""
        entry = self.entry(handler, "before agent", tools=given.tools)
        entry = replace(entry, instruction=given.instruction, return_directly=given.return_directly)
        with self.call(entry) as call:
            await self.hold(call)
            await act_all(call.actions, inner, self._record, call.findings)
            return None if call.returns_nothing else start(given, call.actions)

    async def before_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state a handler wants."""
        return await self._edited(handler, "before model", state, context, inner)

    async def after_model(
        self, handler: str, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        """Return the state a handler wants after the call."""
        return await self._edited(handler, "after model", state, context, inner)

    async def after_agent(self, handler: str, state: State, inner: Inner) -> Edited | None:
        """Call a handler's hook after a run that succeeded."""
        return await self._edited(handler, "after agent", state, None, inner)

    async def _edited(
        self, handler: str, hook: Hook, state: State, context: ModelContext | None, inner: Inner
    ) -> Edited | None:
        given, state = state, joined(state)
        entry = self.entry(handler, hook, state.messages, state.tools)
        if hook != "after agent":
            context = _with_tools(context, state.tools)
        entry = replace(entry, deferred_tools=state.deferred_tools, model_context=context)
        family = None if hook == "after agent" else "model"  # an agent may call the hooks inside its wrappers
        with self.call(entry, family, encloses=False) as call:
            await self.hold(call)
            await act_all(call.actions, inner, self._record, call.findings)
            if call.returns_nothing:
                return None
            return split_edited(edit(state, call.actions, self._index.scene), given)

    async def around_model(
        self, handler: str, request: ModelRequest, context: ModelContext | None, inner: InnerModel
    ) -> BegunAnswer[Message] | Message | None:
        """Return a handler's answer around a model call."""
        given, request = request, joined(request)
        names = tuple(tool.name for tool in request.tools)
        entry = self.entry(handler, "around model", request.messages, names)
        with self.call(replace(entry, model_context=_with_tools(context, names)), "model") as call:
            return await self.wrapped(call, ModelWrapping(request, SplitEndpoint(inner, given), call.findings), inner)

    async def around_tool(
        self, handler: str, request: ToolRequest, inner: InnerTool
    ) -> BegunAnswer[ToolAnswer] | ToolAnswer | None:
        """Return a handler's answer around a tool call."""
        entry = replace(
            self.entry(handler, "around tool", tools=(request.tool,)),
            tool=request.tool,
            call_id=request.call_id,
            kind=request.kind,
            args=request.args,
            options=request.options,
        )
        with self.call(entry, request.call_id or "") as call:
            return await self.wrapped(call, ToolWrapping(request, inner, call.findings), inner)

    async def make_input(self, agent: str, instruction: str, messages: Sequence[Message]) -> list[Message]:
        """Make the first conversation of a run."""
        record, own = self._record, self._index.agent(agent).make_input
        assert own is not None, "the scene configures no input generation"
        with record.span("input", agent):
            record.add(
                Question(
                    n=record.n,
                    what="input",
                    run=current_run.get(),
                    agent=agent,
                    instruction=instruction,
                    messages=tuple(messages),
                    context=dict(current_context.get({})),
                )
            )
            if own.error:
                raise scripted_failure(own.error, False)
        return [*own.messages, *messages]

    def handled(self, hook: str, kept: bool, returned: bool, changes: bool | None = None) -> None:
        """Record a call of a hook of the handler under test."""
        record, run = self._record, current_run.get()
        record.add(Handled(n=record.n, hook=hook, run=run, kept=kept, returned=returned, changes=changes))

    def outside(self, inner: Inner) -> None:
        """Try outside any run what the scene says, of the things that belong inside runs."""
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


def _with_tools(context: ModelContext | None, tools: tuple[str, ...] | None) -> ModelContext | None:
    """The context of a model call with the tools of its state or request, where the context does not report any."""
    if tools is None or (context is not None and context.tools is not None):
        return context
    return replace(context or ModelContext(), tools=tools)
