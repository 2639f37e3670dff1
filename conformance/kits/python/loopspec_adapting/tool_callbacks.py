"""Tool wrappers in a framework that has callbacks before and after a tool call, and no wrapper.

A scripted wrapper is a task that waits for the result between the two callbacks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass

# A scripted wrapper around one tool call: it receives the next handler, and returns the result.
Wrapper = Callable[[Callable[[str], Awaitable[str]]], Coroutine[object, object, str | None]]
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EnteredTool:
    """What a callback before a tool call does: call the tool with `args`, or return `result` instead."""

    args: str
    result: str | None = None


@dataclass(frozen=True)
class _Waiting:
    tool: str
    task: asyncio.Task[str | None]
    result: asyncio.Future[str]


# The wrappers of the current run that wait, by handler and tool call.
_waiting: ContextVar[dict[tuple[str, str], _Waiting]] = ContextVar("loopspec_waiting_wrappers")


@asynccontextmanager
async def waiting_wrappers() -> AsyncIterator[None]:
    """Perform one run. At the end, cancel each wrapper that still waits, and log a warning about it.

    The record of the run then has the call of the wrapper without an end.
    """
    waiting: dict[tuple[str, str], _Waiting] = {}
    outer = _waiting.set(waiting)
    try:
        yield
    finally:
        _waiting.reset(outer)
        for (handler, call_id), one in waiting.items():
            one.task.cancel()
            call = f"{one.tool} (call {call_id!r})"
            _log.warning("no callback after the tool %s was called: the wrapper of %s is cancelled", call, handler)
        await asyncio.gather(*(one.task for one in waiting.values()), return_exceptions=True)


async def enter(handler: str, tool: str, call_id: str, args: str, wrapper: Wrapper) -> EnteredTool:
    """Start a wrapper, and wait until it calls the next handler or ends."""
    loop = asyncio.get_running_loop()
    called: asyncio.Future[str | None] = loop.create_future()
    result: asyncio.Future[str] = loop.create_future()

    async def next_handler(wanted: str) -> str:
        if called.done():
            raise RuntimeError("a framework with callbacks around tools calls a tool once")
        called.set_result(wanted)
        return await result

    task = asyncio.create_task(wrapper(next_handler))
    waiting = _waiting.get()
    waiting[handler, call_id] = _Waiting(tool, task, result)  # from here on, the end of the run ends the task
    await asyncio.wait({task, called}, return_when=asyncio.FIRST_COMPLETED)
    if called.done():
        return EnteredTool(called.result() or "")
    del waiting[handler, call_id]
    return EnteredTool(args, task.result())


async def leave(handler: str, call_id: str, result: str | BaseException) -> str | None:
    """Pass a result or an error to the wrapper that waits for it, and return what the wrapper returns."""
    waiting = _waiting.get().pop((handler, call_id), None)
    if isinstance(result, BaseException):
        if waiting is None:
            raise result
        waiting.result.set_exception(result)
    else:
        if waiting is None:
            return result
        waiting.result.set_result(result)
    return await waiting.task
