"""The role `handler`: a handler for the reference's loop, judged by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import msgspec

import loopspec_reference as ref
from loopspec.contract.agents import KEEPS
from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.doubles import Doubles
from loopspec.contract.roles import Role
from loopspec.targets.handlers import changes_of

M = ref.AnyMessage

# The capabilities that a handler declares itself; the reference, which runs the handler, has all others.
_OWN: frozenset[Capability] = frozenset({"agentic-messages", "idempotent", "language-zh", "no-op", *KEEPS.values()})


class HandlerFactory:
    """A target with the role `handler`. The handler's optional attribute `capabilities` declares its capabilities.

    Its optional attribute `loopspec_changes` declares its changes.
    """

    roles: Sequence[Role] = ("handler",)

    def __init__(self, factory: Callable[[], object], handler: ref.Handler[M]) -> None:
        self.name = type(handler).__name__
        self.capabilities = (CAPABILITIES.keys() - _OWN) | set(getattr(handler, "capabilities", ()))
        self.changes = changes_of(handler)
        self.handler = factory


class ObservedHandler(ref.Handler[M]):
    """Calls the handler under test and records what it does with its arguments."""

    def __init__(self, handler: ref.Handler[M], doubles: Doubles, again: bool) -> None:
        self._handler = handler
        self._doubles = doubles
        self._again = again
        self.wrap_tool = handler.wrap_tool  # type: ignore[method-assign]  # texts cannot be changed in place
        self.wrap_streaming_tool = handler.wrap_streaming_tool  # type: ignore[method-assign]  # likewise
        self.wrap_enhanced_tool = handler.wrap_enhanced_tool  # type: ignore[method-assign]  # likewise
        self.wrap_enhanced_streaming_tool = handler.wrap_enhanced_streaming_tool  # type: ignore[method-assign]  # likewise

    async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
        before = _start(context)
        returned = await self._handler.before_agent(context)
        self._doubles.handled("before agent", _start(context) == before, isinstance(returned, ref.AgentContext))
        return returned

    async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        return await self._around_a_state("before model", self._handler.before_model, state, context)

    async def after_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        return await self._around_a_state("after model", self._handler.after_model, state, context)

    def wrap_model(self, endpoint: ref.ModelEndpoint[M], context: ref.ModelContext[M]) -> ref.ModelEndpoint[M]:
        wrapped = self._handler.wrap_model(endpoint, context)
        if wrapped is endpoint or not callable(wrapped):
            self._doubles.handled("around model", True, callable(wrapped))
            return wrapped

        async def around(request: ref.ModelRequest[M]) -> ref.Output[M]:
            before = msgspec.json.encode(request.messages)
            output = await wrapped(request)
            kept = msgspec.json.encode(request.messages) == before
            self._doubles.handled("around model", kept, isinstance(output, ref.Output))
            return output

        return around

    async def after_agent(self, state: ref.State[M]) -> None:
        before = _state(state)
        await self._handler.after_agent(state)
        self._doubles.handled("after agent", _state(state) == before, True)

    async def _around_a_state(
        self,
        name: str,
        hook: Callable[[ref.State[M], ref.ModelContext[M]], Awaitable[ref.State[M]]],
        state: ref.State[M],
        context: ref.ModelContext[M],
    ) -> ref.State[M]:
        before = _state(state)
        returned = await hook(state, context)
        answers = isinstance(returned, ref.State)
        changes = None
        if self._again and answers:
            changes = _state(await hook(returned, context)) != _state(returned)
        self._doubles.handled(name, _state(state) == before, answers, changes)
        return returned


def _state(state: ref.State[M]) -> bytes:
    return msgspec.json.encode((state.messages, state.tools, state.deferred_tools))


def _start(context: ref.AgentContext) -> tuple[object, ...]:
    tools = tuple(tool.info.name for tool in context.tools)
    return context.instruction, tools, frozenset(context.return_directly), context.tool_search
