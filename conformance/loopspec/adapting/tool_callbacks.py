"""Tool wrappers in a framework that has callbacks before and after a tool call, and no wrapper."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from .conversion import M
from .hooks import HookDouble


@dataclass
class EnteredTool:
    """A tool call between `enter_tool` and `leave_tool`.

    `args` are the arguments that the tool is to be called with. `result` is set if the wrapper short-circuits the call:
    the framework's callback returns it, and `leave_tool` is not needed.
    """

    args: str
    result: str | None = None


class _Parked(EnteredTool):
    """A call whose wrapper waits for the tool's result."""

    def __init__(self, args: str, wrapper: asyncio.Task[str | None], outcome: asyncio.Future[str]) -> None:
        super().__init__(args)
        self.wrapper, self.outcome = wrapper, outcome


async def enter_tool(hook: HookDouble[M], tool: str, call_id: str, args: object) -> EnteredTool:
    """Begin a tool call in the callback before it: the scripted wrapper runs until it calls the next handler.

    The framework calls the tool itself, so a wrapper cannot call it twice: leave `wrap-again` undeclared.
    """
    loop = asyncio.get_running_loop()
    called: asyncio.Future[str | None] = loop.create_future()
    outcome: asyncio.Future[str] = loop.create_future()

    async def call(wanted: str) -> str:
        if called.done():
            raise RuntimeError("a framework with callbacks around tools calls a tool once")
        called.set_result(wanted)
        return await outcome

    wrapper = asyncio.ensure_future(hook.around_tool(tool, call_id, args, call))
    await asyncio.wait({wrapper, called}, return_when=asyncio.FIRST_COMPLETED)
    if called.done():
        return _Parked(called.result() or "", wrapper, outcome)
    return EnteredTool("", (await wrapper) or "")


async def leave_tool(entered: EnteredTool, result: str | BaseException) -> str | None:
    """End a tool call in the callback after it, and return the wrapper's result. Raises the wrapper's error.

    `result` is the text that the tool returned, or the error that it raised.
    """
    if not isinstance(entered, _Parked):
        return entered.result
    if isinstance(result, BaseException):
        entered.outcome.set_exception(result)
    else:
        entered.outcome.set_result(result)
    return await entered.wrapper
