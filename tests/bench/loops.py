"""The reference's loop: what one iteration, and one hook of a handler that does nothing, costs."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from functools import partial

import loopspec_reference as ref

from .measuring import Row, best_of

SHORT, LONG = 50, 200  # model calls of a run
HANDLERS = (0, 5, 20)
BUDGET = 10  # of an iteration without handlers
ROUNDS = 9

Run = Callable[[int, int], Coroutine[None, None, None]]


class Echo:
    """A tool that returns what it is given."""

    info = ref.ToolInfo("echo", "Returns what it is given.")

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        """The argument `x`."""
        return str(json.loads(request.arguments)["x"])


class Asking:
    """A model that asks for the tool at every call but the last."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    async def generate(self, request: ref.ModelRequest[ref.Message]) -> ref.Message:
        """Ask, or answer."""
        self._left -= 1
        if not self._left:
            return ref.Message.assistant("done")
        return ref.Message.assistant("", [ref.ToolCall(f"call {self._left}", "echo", '{"x": "1"}')])

    async def stream(self, request: ref.ModelRequest[ref.Message]) -> AsyncIterator[ref.Message]:
        """Not used here."""
        yield await self.generate(request)


class Idle(ref.Handler[ref.Message]):
    """Implements the hook before the model call, to do nothing in it."""

    async def before_model(
        self, state: ref.State[ref.Message], context: ref.ModelContext[ref.Message]
    ) -> ref.State[ref.Message]:
        """Nothing."""
        return state


async def ours(calls: int, handlers: int) -> None:
    """One run of the reference."""
    agent = ref.Agent(
        model=Asking(calls),
        message_type=ref.Message,
        tools=[Echo()],
        handlers=[Idle() for _ in range(handlers)],
        max_iterations=calls,
    )
    async for event in agent.run([ref.Message.user("go")]):
        assert not isinstance(event, ref.ErrorEvent), event


async def bare(calls: int, handlers: int) -> None:
    """The least that could be called a loop: no events, no context, no checkpoints."""

    async def model(messages: Sequence[dict[str, str]]) -> dict[str, str]:
        if len(messages) // 2 == calls - 1:
            return {"content": "done"}
        return {"call": "echo", "arguments": '{"x": "1"}'}

    async def echo(x: str) -> str:
        return x

    async def hook(messages: Sequence[dict[str, str]]) -> Sequence[dict[str, str]]:
        return messages

    messages: list[dict[str, str]] = [{"content": "go"}]
    while True:
        for _ in range(handlers):
            await hook(messages)
        answer = await model(messages)
        messages.append(answer)
        if "call" not in answer:
            return
        messages.append({"content": await echo(**json.loads(answer["arguments"]))})


def per_call(run: Run, calls: int, handlers: int, rounds: int = ROUNDS) -> float:
    """Seconds per iteration, best of several runs on one event loop; of this process alone, since nothing waits."""

    async def timed() -> float:
        began = time.process_time()
        await run(calls, handlers)
        return (time.process_time() - began) / calls

    with asyncio.Runner() as runner:
        runner.run(run(calls, handlers))
        return best_of(lambda: runner.run(timed()), rounds)


def per_hook(run: Run, calls: int = SHORT) -> float:
    """Seconds per call of a hook that does nothing."""
    few, many = HANDLERS[0], HANDLERS[-1]
    return (per_call(run, calls, many) - per_call(run, calls, few)) / (many - few)


def peak(run: Run, calls: int) -> int:
    """Bytes that one run holds at its peak."""
    asyncio.run(run(calls, 0))
    tracemalloc.start()
    try:
        asyncio.run(run(calls, 0))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def import_time(module: str, python: str = sys.executable, times: int = 3) -> float:
    """Seconds that importing takes beyond starting the interpreter with an event loop."""

    def started(code: str) -> float:
        began = time.perf_counter()
        subprocess.run([python, "-c", code], check=True)
        return time.perf_counter() - began

    whole = best_of(partial(started, f"import asyncio, {module}"), times)
    return max(whole - best_of(partial(started, "import asyncio"), times), 1e-4)


def rows() -> list[Row]:
    """The reference against a bare loop, and a long run against a short one."""
    found = []
    for handlers in HANDLERS:
        mine, least = _in_turns((ours, SHORT, handlers), (bare, SHORT, handlers))
        budget = None if handlers else BUDGET
        found.append(Row(f"one iteration, {handlers} idle handlers", mine, least, "a bare asyncio loop", budget))
    long, short = _in_turns((ours, LONG, 0), (ours, SHORT, 0))
    found.append(Row(f"one iteration of {LONG}", long, short, f"one of {SHORT}", 1.25))
    return found


def _in_turns(*loops: tuple[Run, int, int]) -> list[float]:
    """Seconds per iteration of each loop, best of several, in turns: a disturbance hits all alike."""
    rounds = [[per_call(*loop, rounds=2) for loop in loops] for _ in range(ROUNDS)]
    return [min(seconds) for seconds in zip(*rounds, strict=True)]
