"""A run that is interrupted, stored as bytes and resumed by an agent built anew is the run it would have been."""

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
    """Asks for the tool so many times before it answers, and remembers what it was given."""

    def __init__(self, message_type: type[AnyMessage], rounds: int) -> None:
        self._type = message_type
        self._rounds = rounds
        self.given: list[list[AnyMessage]] = []

    async def generate(self, request: ModelRequest[AnyMessage]) -> AnyMessage:
        """Ask or answer."""
        self.given.append(list(request.messages))
        if len(self.given) > self._rounds:
            return self._type.assistant("4")
        return self._type.assistant("", [ToolCall(f"call-{len(self.given)}", "calculate")])

    async def stream(self, request: ModelRequest[AnyMessage]) -> AsyncIterator[AnyMessage]:
        """Likewise, in one chunk."""
        yield await self.generate(request)


class _Calculator:
    """Interrupts the run in each of the rounds it is told to, and then calculates."""

    info = ToolInfo("calculate")

    def __init__(self, interrupting: Sequence[bool]) -> None:
        self._interrupting = interrupting

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Calculate, or ask for time to."""
        number = int(context.call_id.removeprefix("call-"))
        if self._interrupting[number - 1] and context.resumed is None:
            raise InterruptRun(state=number)
        return f"result {number}"


class _Remover(Handler[AnyMessage]):
    """Takes the instructions out of the conversation before every call."""

    async def before_model(self, state: State[AnyMessage], context: ModelContext[AnyMessage]) -> State[AnyMessage]:
        """Leave what is not marked."""
        return replace(state, messages=tuple(message for message in state.messages if MARKER not in message.extra))


async def _last(events: AsyncIterator[Event]) -> Event:
    return [event async for event in events][-1]


def _conversations(
    message_type: type[AnyMessage], start: Sequence[AnyMessage], interrupting: Sequence[bool], removed: bool
) -> tuple[list[list[AnyMessage]], list[ReadRequest]]:
    """What the model was given in one run, resumed as often as it takes, and what was read for it."""
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
            backend.tree = Tree({"/p/a.md": "Edited while nobody ran."}, ("/p/a.md",))
            last = await _last(agent().resume(last.checkpoint))
        return last

    last = asyncio.run(run())
    assert not isinstance(last, ErrorEvent), last.error
    return model.given, backend.requests


@given(TYPES, st.lists(st.booleans(), max_size=3), st.booleans(), st.data())
def test_a_resumed_run_gives_the_model_what_an_unbroken_one_gives(
    message_type: type[AnyMessage], interrupting: list[bool], removed: bool, data: st.DataObject
) -> None:
    """The same messages in every call, and the files read once, whether or not the handler meets its own message."""
    start = data.draw(st.lists(messages(message_type, EXTRAS), max_size=3))
    broken = _conversations(message_type, start, interrupting, removed)

    assert broken == _conversations(message_type, start, [False] * len(interrupting), removed)
    assert [request.file_path for request in broken[1]] == ["/p/a.md", "/p/b.md"]
    assert [sum(MARKER in message.extra for message in given) for given in broken[0]] == [1] * len(broken[0])
