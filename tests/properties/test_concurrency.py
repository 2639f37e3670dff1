"""Many concurrent runs of one agent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

import loopspec_reference as ref

M = ref.Message
PAUSES = st.lists(st.integers(0, 3), min_size=8, max_size=8)


class Keeping(ref.Handler[M]):
    """A handler that sets the run's name in one hook, and reads it in the others after a pause."""

    def __init__(self, pauses: list[int]) -> None:
        self._pauses = pauses
        self._at = 0
        self.mixed_up: list[tuple[str, object]] = []

    async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
        """A new run has no value."""
        assert ref.get_run_local_value("whose") == (None, False)
        return context

    async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        """Set the name, or compare it."""
        name = state.messages[0].content
        value, found = ref.get_run_local_value("whose")
        if found and value != name:
            self.mixed_up.append((name, value))
        await self._pause()
        ref.set_run_local_value("whose", name)
        return state

    async def after_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        """Compare the name."""
        await self._pause()
        value, _ = ref.get_run_local_value("whose")
        if value != state.messages[0].content:
            self.mixed_up.append((state.messages[0].content, value))
        return state

    async def _pause(self) -> None:
        self._at += 1
        for _ in range(self._pauses[self._at % len(self._pauses)]):
            await asyncio.sleep(0)


class CallsTool:
    """A model that calls the tool twice and then answers with the run's name."""

    async def generate(self, request: ref.ModelRequest[M]) -> M:
        """The answer depends on the length of the conversation."""
        await asyncio.sleep(0)
        if len(request.messages) < 5:
            return M.assistant("", [ref.ToolCall(f"c{len(request.messages)}", "whose")])
        return M.assistant(request.messages[-1].content)

    async def stream(self, request: ref.ModelRequest[M]) -> AsyncIterator[M]:
        """Not called."""
        yield await self.generate(request)


class Whose:
    """Returns the run-local value."""

    info = ref.ToolInfo("whose")

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        """Return the value after a pause."""
        await asyncio.sleep(0)
        return str(ref.get_run_local_value("whose")[0])


@given(st.integers(2, 30), PAUSES)
def test_run_local_values_never_cross_runs(count: int, pauses: list[int]) -> None:
    """Each of many interleaved runs reads only its own value, in hooks and in tools."""
    handler = Keeping(pauses)
    agent = ref.Agent(model=CallsTool(), message_type=M, tools=[Whose()], handlers=[handler])

    async def run(name: str) -> str:
        texts = [e.message.text async for e in agent.run([M.user(name)]) if isinstance(e, ref.MessageEvent)]
        return texts[-1]

    async def run_all() -> list[str]:
        return await asyncio.gather(*(run(f"run {n}") for n in range(count)))

    assert asyncio.run(run_all()) == [f"run {n}" for n in range(count)]
    assert handler.mixed_up == []
