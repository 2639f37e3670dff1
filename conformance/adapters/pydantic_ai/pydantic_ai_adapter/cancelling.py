"""Cancelled runs: the messages that a run leaves, from which it is resumed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pydantic_ai.exceptions import RunCancelled
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter

from loopspec.contract.values import ErrorKind
from loopspec_adapting import Reporter

CANCEL_KINDS: dict[type[BaseException], ErrorKind] = {
    RunCancelled: "cancel",
    asyncio.CancelledError: "stream_cancelled",
}


@asynccontextmanager
async def cancelled_runs(report: Reporter[ModelMessage]) -> AsyncIterator[None]:
    """Perform a run. If it is cancelled, report the messages that its error has as the checkpoint."""
    try:
        yield
    except RunCancelled as error:
        messages = ModelMessagesTypeAdapter.dump_python(error.all_messages(), mode="json")
        stored = {"messages": messages, "metadata": {}, "calls": error.usage.requests}
        report.cancelled(json.dumps(stored).encode())
        raise
