"""Realistic bugs about zero, empty texts and names that begin alike: `value or default`, `if value`, `startswith`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference.calls.chains import nested
from loopspec_reference.calls.failovers import failing_over
from loopspec_reference.calls.outputs import SharedStream
from loopspec_reference.calls.retries import retrying
from loopspec_reference.loop import model_calls, tool_calls
from loopspec_reference.loop.agents import Agent
from loopspec_reference.plugins.state import OwnState
from loopspec_reference.runs.cancels import CancelHandle, Canceller
from loopspec_reference.runs.run import Run
from loopspec_reference.values.errors import CancelMode
from loopspec_reference.values.messages import AnyMessage, Json

from ..registry import bug


@bug("RETRY-26")
def takes_zero_retries_for_the_default() -> AbstractContextManager[object]:
    """Retries as often as by default if the configuration says zero times."""

    async def retries(call: Any, config: Any, model: Any, request: Any) -> Any:  # Any: passed on
        return await retrying(call, replace(config, max_retries=config.max_retries or 3), model, request)

    return patch.object(model_calls, "retrying", retries)


@bug("FAILOVER-19")
def takes_zero_failovers_for_the_default() -> AbstractContextManager[object]:
    """Fails over once if the configuration says zero times."""

    async def fails_over(call: Any, config: Any, model: Any, request: Any) -> Any:  # Any: passed on
        return await failing_over(call, replace(config, max_failovers=config.max_failovers or 1), model, request)

    return patch.object(model_calls, "failing_over", fails_over)


@bug("CANCEL-12")
def takes_a_timeout_of_zero_for_none() -> AbstractContextManager[object]:
    """Waits for the safe point without a limit if the timeout of the cancel request is zero."""
    cancel = Canceller.cancel

    def cancels(
        self: Canceller,
        mode: CancelMode = CancelMode.IMMEDIATE,
        *,
        timeout: float | None = None,
        recursive: bool = False,
    ) -> CancelHandle:
        return cancel(self, mode, timeout=timeout or None, recursive=recursive)

    return patch.object(Canceller, "cancel", cancels)


@bug("HOOK-WT-07")
def calls_the_tool_after_an_empty_result() -> AbstractContextManager[object]:
    """Takes an empty text that a tool wrapper returns for no result, and calls the tool."""

    def layers(wraps: Any, innermost: Any) -> Any:  # Any: endpoints of either kind of tools
        async def outer(request: Any) -> Any:
            return await nested(wraps, innermost)(request) or await innermost(request)

        return outer

    return patch.object(tool_calls, "nested", layers)


@bug("EVENT-02")
def ends_a_stream_at_an_empty_chunk() -> AbstractContextManager[object]:
    """Takes an empty chunk for the end of a stream."""
    init = SharedStream.__init__

    async def until_empty(chunks: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for chunk in chunks:
            if not (getattr(chunk, "text", "") or chunk.tool_calls or getattr(chunk, "parts", ())):
                return
            yield chunk

    def begins(self: SharedStream[AnyMessage], chunks: AsyncIterator[AnyMessage], concat: Any) -> None:
        init(self, until_empty(chunks), concat)

    return patch.object(SharedStream, "__init__", begins)


@bug("OUTKEY-01")
def stores_no_empty_answer() -> AbstractContextManager[object]:
    """Stores nothing under the output key if the final answer is empty."""
    end = Agent._end

    async def ends(self: Agent[AnyMessage], run: Run, *rest: Any) -> AnyMessage:  # Any: passed on
        key = self._output_key
        before = run.session.get(key) if key is not None else None
        answer: AnyMessage = await end(self, run, *rest)
        if key is not None and not answer.outcome:
            run.session[key] = before
        return answer

    return patch.object(Agent, "_end", ends)


@bug("XP-STATE-03")
def takes_an_empty_default_for_none() -> AbstractContextManager[object]:
    """Takes a default that is zero, false or empty for no default, and reads null."""
    read = OwnState.read

    def reads(self: OwnState, run: Run) -> Any:  # Any: an instance of the schema
        found, stored = read(self, run), self._stored(run)
        empty = {name: None for name in self._fields if name not in stored and not getattr(found, name)}
        return replace(found, **empty) if empty else found

    return patch.object(OwnState, "read", reads)


@bug("RUNLOCAL-04")
def deletes_values_whose_keys_begin_alike() -> AbstractContextManager[object]:
    """Deletes all run-local values whose keys begin with the key that is deleted."""

    class Local(dict[str, Json]):
        def pop(self, key: str, *default: Any) -> Any:  # Any: as `dict.pop`
            for other in [one for one in self if one != key and one.startswith(key)]:
                del self[other]
            return super().pop(key, *default)

    init = Run.__init__

    def begins(self: Run, *rest: Any, local: Mapping[str, Json] | None = None, **more: Any) -> None:  # Any: passed on
        init(self, *rest, local=Local(local or {}), **more)

    return patch.object(Run, "__init__", begins)


@bug("CALLER-02")
def adds_legacy_tools_to_the_callers_tools() -> AbstractContextManager[object]:
    """Appends the tools of legacy middlewares to the caller's own list of tools."""
    build = Agent.__init__

    def init(self: Agent[AnyMessage], *, tools: Any = (), legacy: Any = (), **rest: Any) -> None:  # Any: passed on
        build(self, tools=tuple(tools), legacy=legacy, **rest)
        if isinstance(tools, list):
            tools += [tool for one in legacy for tool in one.additional_tools]

    return patch.object(Agent, "__init__", init)
