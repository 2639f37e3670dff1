"""Many runs of one agent at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

import loopspec_reference as ref

M = ref.Message
PAUSES = st.lists(st.integers(0, 3), min_size=8, max_size=8)


class Keeping(ref.Handler[M]):
    """Keeps whose run it is in every place it can, and looks it up in all others, after a pause."""

    def __init__(self, pauses: list[int]) -> None:
        self._pauses = pauses
        self._at = 0
        self.strangers: list[tuple[str, object]] = []

    async def before_agent(self, context: ref.AgentContext) -> ref.AgentContext:
        """A name for the run, and nothing in it yet."""
        assert ref.get_run_local_value("whose") == (None, False)
        return context

    async def before_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        """Set it, or find it."""
        name = state.messages[0].content
        value, found = ref.get_run_local_value("whose")
        if found and value != name:
            self.strangers.append((name, value))
        await self._pause()
        ref.set_run_local_value("whose", name)
        return state

    async def after_model(self, state: ref.State[M], context: ref.ModelContext[M]) -> ref.State[M]:
        """Find it."""
        await self._pause()
        value, _ = ref.get_run_local_value("whose")
        if value != state.messages[0].content:
            self.strangers.append((state.messages[0].content, value))
        return state

    async def _pause(self) -> None:
        self._at += 1
        for _ in range(self._pauses[self._at % len(self._pauses)]):
            await asyncio.sleep(0)


class Asking:
    """Asks for the tool twice and then says whose run it is."""

    async def generate(self, request: ref.ModelRequest[M]) -> M:
        """By the length of the conversation."""
        await asyncio.sleep(0)
        if len(request.messages) < 5:
            return M.assistant("", [ref.ToolCall(f"c{len(request.messages)}", "whose")])
        return M.assistant(request.messages[-1].content)

    async def stream(self, request: ref.ModelRequest[M]) -> AsyncIterator[M]:
        """Not used."""
        yield await self.generate(request)


class Whose:
    """Returns the run-local value."""

    info = ref.ToolInfo("whose")

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        """After others had their turn."""
        await asyncio.sleep(0)
        return str(ref.get_run_local_value("whose")[0])


@given(st.integers(2, 30), PAUSES)
def test_run_local_values_never_cross_runs(count: int, pauses: list[int]) -> None:
    """Each of many interleaved runs finds its own value, and no other, in hooks and in tools."""
    handler = Keeping(pauses)
    agent = ref.Agent(model=Asking(), message_type=M, tools=[Whose()], handlers=[handler])

    async def run(name: str) -> str:
        texts = [e.message.text async for e in agent.run([M.user(name)]) if isinstance(e, ref.MessageEvent)]
        return texts[-1]

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(run(f"run {n}") for n in range(count)))

    assert asyncio.run(all_of_them()) == [f"run {n}" for n in range(count)]
    assert handler.strangers == []
