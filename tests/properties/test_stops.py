"""Running, interrupting, cancelling and resuming an agent in any order, each time from bytes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import loopspec_reference as ref

M = ref.Message
CALLS = ("a", "b", "c")
INTERRUPTING = st.sets(st.sampled_from([f"{n}{name}" for n in range(3) for name in CALLS]), max_size=3)


@dataclass
class Script:
    """The plan of the tool calls: the remaining interrupts and the returned calls."""

    interrupts: dict[str, int] = field(default_factory=dict)
    returned: Counter[str] = field(default_factory=Counter)


class Tool:
    """A tool that interrupts as planned, and counts its returns."""

    info = ref.ToolInfo("work")

    def __init__(self, script: Script, canceller: ref.Canceller | None, mode: ref.CancelMode | None) -> None:
        self._script = script
        self._canceller = canceller
        self._mode = mode

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        """Return the id of the call."""
        if self._canceller is not None and self._mode is not None:
            self._canceller.cancel(self._mode)
        await asyncio.sleep(0)
        if self._script.interrupts.get(context.call_id, 0):
            self._script.interrupts[context.call_id] -= 1
            raise ref.InterruptRun(context.call_id)
        self._script.returned[context.call_id] += 1
        return f"of {context.call_id}"


class Model:
    """A model that calls the tools in a number of rounds, and then answers."""

    def __init__(self, rounds: int, width: int) -> None:
        self._rounds = rounds
        self._width = width

    async def generate(self, request: ref.ModelRequest[M]) -> M:
        """The answer depends on the number of earlier rounds."""
        asked = sum(bool(message.tool_calls) for message in request.messages)
        if asked == self._rounds:
            return M.assistant("done")
        return M.assistant("", [ref.ToolCall(f"{asked}{name}", "work") for name in CALLS[: self._width]])

    async def stream(self, request: ref.ModelRequest[M]) -> AsyncIterator[M]:
        """Return the answer in one chunk."""
        yield await self.generate(request)


class Stops(RuleBasedStateMachine):
    """One conversation, cut into any number of runs."""

    @initialize(
        rounds=st.integers(1, 3),
        width=st.integers(1, 3),
        interrupting=INTERRUPTING,
        parallel=st.booleans(),
        streaming=st.booleans(),
    )
    def begin(self, rounds: int, width: int, interrupting: set[str], parallel: bool, streaming: bool) -> None:
        """Start with an agent without a run."""
        self.rounds, self.width, self.parallel, self.streaming = rounds, width, parallel, streaming
        self.script = Script(dict.fromkeys(interrupting, 1))
        self.checkpoint: bytes | None = None
        self.answer: str | None = None

    @precondition(lambda self: self.answer is None)
    @rule(mode=st.none() | st.sampled_from([ref.CancelMode.AFTER_MODEL, ref.CancelMode.AFTER_TOOLS]))
    def continue_run(self, mode: ref.CancelMode | None) -> None:
        """Run, or resume in a new agent; a tool may cancel the run."""
        canceller = asyncio.run(self._piece(mode))
        assert canceller is None or mode is not None

    @precondition(lambda self: self.answer is not None)
    @rule(interrupting=INTERRUPTING)
    def begin_again(self, interrupting: set[str]) -> None:
        """Start another conversation with an agent of the same kind."""
        self.begin(self.rounds, self.width, interrupting, not self.parallel, not self.streaming)

    async def _piece(self, mode: ref.CancelMode | None) -> ref.Canceller | None:
        canceller = ref.Canceller() if mode is not None else None
        agent = ref.Agent(
            model=Model(self.rounds, self.width),
            message_type=M,
            tools=[Tool(self.script, canceller, mode)],
            parallel_tools=self.parallel,
        )
        if self.checkpoint is None:
            events = agent.run([M.user("go")], streaming=self.streaming, canceller=canceller)
        else:
            events = agent.resume(self.checkpoint, canceller=canceller)
        last: ref.Event | None = None
        async for event in events:
            last = event
        match last:
            case ref.InterruptEvent():
                self.checkpoint = last.checkpoint
            case ref.ErrorEvent(error=ref.CancelError() as error):
                self.checkpoint = error.checkpoint
            case ref.MessageEvent():
                self.answer = last.message.text
            case ref.StreamEvent():
                self.answer = "".join([chunk.text async for chunk in last.stream])
            case _:
                raise AssertionError(last)
        return canceller

    @invariant()
    def nothing_is_done_twice(self) -> None:
        """A call that returned is not repeated, wherever the run was cut."""
        assert all(count == 1 for count in self.script.returned.values())

    @invariant()
    def an_answer_comes_last(self) -> None:
        """Before the final answer, every call has returned."""
        if self.answer is not None:
            assert self.answer == "done"
            wanted = {f"{n}{name}" for n in range(self.rounds) for name in CALLS[: self.width]}
            assert set(self.script.returned) == wanted


TestStops = Stops.TestCase
