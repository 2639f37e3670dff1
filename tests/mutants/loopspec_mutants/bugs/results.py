"""Realistic bugs about the results of tools."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run, current_run
from loopspec_reference.tools.kinds import InterruptRun
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


@bug("LOOP-03")
def leaves_out_empty_results() -> AbstractContextManager[object]:
    """Leaves an empty tool result out of the conversation."""

    def state(messages: tuple[AnyMessage, ...], *rest: Any) -> State[AnyMessage]:  # Any: passed on
        return State(tuple(one for one in messages if one.role != "tool" or one.outcome), *rest)

    return patch.object(agents, "State", state)


@bug("LOOP-13")
@contextmanager
def cancels_the_other_calls_after_an_error() -> Iterator[None]:
    """Cancels the other tool calls of an answer when one of them fails."""
    call, make_all = ToolCalls.call, agents.Agent._make_all
    tasks: dict[Run | None, list[asyncio.Task[None]]] = {}

    async def calls(self: ToolCalls[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        try:
            return await call(self, run, *rest)
        except InterruptRun:
            raise
        except Exception:
            for task in tasks.get(run, ()):
                if task is not asyncio.current_task():
                    task.cancel()
            raise

    async def makes(
        self: agents.Agent[AnyMessage], make: Callable[[int], Coroutine[Any, Any, None]], opened: Sequence[int]
    ) -> None:
        if len(opened) < 2 or not self._parallel:
            return await make_all(self, make, opened)
        under_way = tasks[current_run.get()] = [asyncio.create_task(make(at)) for at in opened]
        await asyncio.wait(under_way)
        return None

    with patch.object(ToolCalls, "call", calls), patch.object(agents.Agent, "_make_all", makes):
        yield
