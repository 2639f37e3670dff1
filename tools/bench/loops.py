"""The time of one iteration of the reference's loop, and of one idle hook."""

from __future__ import annotations

import asyncio
import json
import sys
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from functools import partial

import loopspec_reference as ref

from .measuring import Row, best_in_turns, best_of, run_silently, seconds

SHORT, LONG = 50, 200  # model calls of a run
HANDLERS = (0, 5, 20)
BUDGET = 10  # of an iteration without handlers
ROUNDS = 9

Run = Callable[[int, int], Coroutine[None, None, None]]


class Echo:
    """A tool that returns its argument."""

    info = ref.ToolInfo("echo", "Returns what it is given.")

    async def invoke(self, context: ref.ToolContext, request: ref.ToolRequest[str]) -> str:
        """Return the argument `x`."""
        return str(json.loads(request.arguments)["x"])


class CallsTool:
    """A model that calls the tool in every call except the last."""

    def __init__(self, calls: int) -> None:
        self._left = calls

    async def generate(self, request: ref.ModelRequest[ref.Message]) -> ref.Message:
        """Call the tool, or answer."""
        self._left -= 1
        if not self._left:
            return ref.Message.assistant("done")
        return ref.Message.assistant("", [ref.ToolCall(f"call {self._left}", "echo", '{"x": "1"}')])

    async def stream(self, request: ref.ModelRequest[ref.Message]) -> AsyncIterator[ref.Message]:
        """Not called."""
        yield await self.generate(request)


class Idle(ref.Handler[ref.Message]):
    """A handler whose before-model hook does nothing."""

    async def before_model(
        self, state: ref.State[ref.Message], context: ref.ModelContext[ref.Message]
    ) -> ref.State[ref.Message]:
        """Return the state."""
        return state


async def ours(calls: int, handlers: int) -> None:
    """Perform one run of the reference."""
    agent = ref.Agent(
        model=CallsTool(calls),
        message_type=ref.Message,
        tools=[Echo()],
        handlers=[Idle() for _ in range(handlers)],
        max_iterations=calls,
    )
    async for event in agent.run([ref.Message.user("go")]):
        assert not isinstance(event, ref.ErrorEvent), event


async def bare(calls: int, handlers: int) -> None:
    """Perform a minimal loop without events, context and checkpoints."""

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
    """Seconds of CPU per iteration, best of several runs on one event loop."""

    async def timed() -> float:
        began = time.process_time()
        await run(calls, handlers)
        return (time.process_time() - began) / calls

    with asyncio.Runner() as runner:
        runner.run(run(calls, handlers))
        return best_of(lambda: runner.run(timed()), rounds)


def per_hook(run: Run, calls: int = SHORT) -> float:
    """Seconds per call of an idle hook."""
    few, many = HANDLERS[0], HANDLERS[-1]
    return (per_call(run, calls, many) - per_call(run, calls, few)) / (many - few)


def peak(run: Run, calls: int) -> int:
    """The peak memory of one run in bytes."""
    asyncio.run(run(calls, 0))
    tracemalloc.start()
    try:
        asyncio.run(run(calls, 0))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def import_time(module: str, python: str = sys.executable, times: int = 3) -> float:
    """Seconds of an import, without the start of the interpreter and the import of asyncio."""
    start = partial(run_silently, python, "-c")
    whole, asyncio_alone = best_in_turns(
        times,
        lambda: seconds(partial(start, f"import asyncio, {module}")),
        lambda: seconds(partial(start, "import asyncio")),
    )
    return max(whole - asyncio_alone, 1e-4)


def rows(short: bool) -> Iterator[Row]:
    """Measure the reference against a minimal loop, and a long run against a short one."""
    rounds = 1 if short else ROUNDS

    def best(*loops: tuple[Run, int, int]) -> list[float]:
        return best_in_turns(rounds, *(partial(per_call, *loop, rounds=2) for loop in loops))

    for handlers in HANDLERS:
        mine, least = best((ours, SHORT, handlers), (bare, SHORT, handlers))
        budget = None if handlers else BUDGET
        yield Row(f"one iteration, {handlers} idle handlers", mine, least, "a bare asyncio loop", budget)
    long, little = best((ours, LONG, 0), (ours, SHORT, 0))
    yield Row(f"one iteration of {LONG}", long, little, f"one of {SHORT}", 1.25)
