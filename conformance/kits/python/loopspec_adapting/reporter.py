"""The reporter: what an adapter reports of one run, as the framework's caller receives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Generic

from loopspec.contract.scene import Run
from loopspec.contract.stage import Stage
from loopspec.contract.values import Json, Message

from .cancelling import Cancels, cut_off_by
from .conversion import Conversion, M
from .threads import HomeThread


class Reporter(Generic[M]):
    """Reports one run, which `run` describes. The toolkit reports an error that leaves `AgentAdapter.run`.

    A method that is no coroutine may be called in any thread, and returns when the event loop has taken the report.
    `cancels` are the requests to cancel the run.
    """

    def __init__(self, stage: Stage, run: Run, conversion: Conversion[M], cancels: Cancels) -> None:
        self._report = HomeThread().call
        self.run, self.conversion, self.cancels = run, conversion, cancels
        self._runs, self._agent = stage.runs, stage.scene.agent.name

    def message(self, message: M | Message, agent: str | None = None) -> None:
        """Report a message that the framework emits. Answers and results are events, other messages are not.

        `agent` names the sub-agent whose message the framework forwards.
        """
        wires = (message,) if isinstance(message, Message) else self.conversion.to_wire(message)
        for wire in wires:
            if wire.role in ("assistant", "tool"):
                self._report(partial(self._runs.event, agent or self._agent, wire))

    def final(self, answer: Message | str) -> None:
        """Report the final answer that the framework returns to its caller."""
        self._report(partial(self._runs.final, answer))

    def custom(self, payload: Json) -> None:
        """Report a custom event."""
        self._report(partial(self._runs.event, self._agent, custom=payload))

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        """Report that the run is interrupted: its checkpoint, and the id and the information of each interrupt."""
        self._report(partial(self._runs.interrupted, checkpoint, interrupts))

    def saved(self, checkpoint: bytes) -> None:
        """Report what the run has saved, before it continues: of a run with `run.saves`."""
        self._report(partial(self._runs.saved, checkpoint))

    def cancelled(self, checkpoint: bytes | None, points: Iterable[str] = ()) -> None:
        """Report that the framework has cancelled the run: its checkpoint, and the safe points that its error names.

        The error itself leaves `AgentAdapter.run`.
        """
        self.cancels.cancelled = True
        self._report(partial(self._runs.cancelled, checkpoint, tuple(points)))

    def session(self, values: Mapping[str, Json], state: Mapping[str, Json] | None = None) -> None:
        """Report the session values at the end of the run, and the states of the middlewares of the plugin layer."""
        self._report(partial(self._runs.ended_with, values, state))

    @asynccontextmanager
    async def stream(self) -> AsyncIterator[Callable[[Message], None]]:
        """Report one event that is a stream: pass each chunk to the function that this context manager yields.

        The event begins with the first chunk. An error or a cancellation that leaves the block breaks the stream.
        """
        chunks: asyncio.Queue[Message | Exception | None] = asyncio.Queue()
        reading: list[asyncio.Task[None]] = []

        async def read() -> AsyncIterator[Message]:
            while (chunk := await chunks.get()) is not None:
                if isinstance(chunk, Exception):
                    raise chunk
                yield chunk

        def push(chunk: Message) -> None:
            if not reading:
                reading.append(asyncio.create_task(self._runs.stream(self._agent, read())))
            chunks.put_nowait(chunk)

        end: Exception | None = None
        try:
            yield push
        except (Exception, asyncio.CancelledError) as error:
            end = error if isinstance(error, Exception) else cut_off_by(error)
            raise
        finally:
            chunks.put_nowait(end)
            for task in reading:
                await task
