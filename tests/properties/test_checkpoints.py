"""An interrupted run, resumed from bytes by a new agent, is equal to an uninterrupted run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec_reference import (
    Agent,
    AnyMessage,
    ErrorEvent,
    Event,
    Handler,
    InterruptEvent,
    InterruptRun,
    ModelContext,
    ModelRequest,
    ReadRequest,
    State,
    ToolCall,
    ToolContext,
    ToolInfo,
    ToolRequest,
)
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config

from .talk import EXTRAS, TYPES, messages
from .trees import Recorded, Tree


class _Model:
    """A model that calls the tool a number of times before it answers, and records the conversations."""

    def __init__(self, message_type: type[AnyMessage], rounds: int) -> None:
        self._type = message_type
        self._rounds = rounds
        self.given: list[list[AnyMessage]] = []

    async def generate(self, request: ModelRequest[AnyMessage]) -> AnyMessage:
        """Call the tool, or answer."""
        self.given.append(list(request.messages))
        if len(self.given) > self._rounds:
            return self._type.assistant("4")
        return self._type.assistant("", [ToolCall(f"call-{len(self.given)}", "calculate")])

    async def stream(self, request: ModelRequest[AnyMessage]) -> AsyncIterator[AnyMessage]:
        """Call the tool, or answer, in one chunk."""
        yield await self.generate(request)


class _Calculator:
    """A tool that interrupts the configured calls."""

    info = ToolInfo("calculate")

    def __init__(self, interrupting: Sequence[bool]) -> None:
        self._interrupting = interrupting

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Interrupt or return a result."""
        number = int(context.call_id.removeprefix("call-"))
        if self._interrupting[number - 1] and context.resumed is None:
            raise InterruptRun(state=number)
        return f"result {number}"


class _Remover(Handler[AnyMessage]):
    """A handler that removes the instructions before every model call."""

    async def before_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> State[AnyMessage]:
        """Remove the marked messages."""
        return replace(state, messages=tuple(message for message in state.messages if MARKER not in message.extra))


async def _last(events: AsyncIterator[Event]) -> Event:
    return [event async for event in events][-1]


def _conversations(
    message_type: type[AnyMessage], start: Sequence[AnyMessage], interrupting: Sequence[bool], removed: bool
) -> tuple[list[list[AnyMessage]], list[ReadRequest]]:
    """The conversations of the model in one run with all its resumptions, and the reads."""
    model = _Model(message_type, len(interrupting))
    backend = Recorded(Tree({"/p/a.md": "Answer in French. @b.md"}, ("/p/a.md",)))

    def agent() -> Agent[AnyMessage]:
        agentsmd = AgentsMD(Config(backend=backend, files=["/p/a.md"], on_warning=lambda _: None), message_type)
        return Agent(
            name="agent",
            model=model,
            message_type=message_type,
            tools=[_Calculator(interrupting)],
            handlers=[_Remover(), agentsmd] if removed else [agentsmd],
        )

    async def run() -> Event:
        last = await _last(agent().run(start))
        while isinstance(last, InterruptEvent):
            backend.tree = Tree({"/p/a.md": "Edited between two runs."}, ("/p/a.md",))
            last = await _last(agent().resume(last.checkpoint))
        return last

    last = asyncio.run(run())
    assert not isinstance(last, ErrorEvent), last.error
    return model.given, backend.requests


@given(TYPES, st.lists(st.booleans(), max_size=3), st.booleans(), st.data())
def test_a_resumed_run_sends_the_same_messages(
    message_type: type[AnyMessage], interrupting: list[bool], removed: bool, data: st.DataObject
) -> None:
    """Each model call receives the same messages, and the files are read once, also if the instructions are removed."""
    start = data.draw(st.lists(messages(message_type, EXTRAS), max_size=3))
    broken = _conversations(message_type, start, interrupting, removed)

    assert broken == _conversations(message_type, start, [False] * len(interrupting), removed)
    assert [request.file_path for request in broken[1]] == ["/p/a.md", "/p/b.md"]
    assert [sum(MARKER in message.extra for message in given) for given in broken[0]] == [1] * len(broken[0])
