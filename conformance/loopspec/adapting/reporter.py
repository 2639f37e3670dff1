"""The reporter: what an adapter reports of one run, as the caller of the framework sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Generic

from ..contract.scene import Run
from ..contract.stage import Stage
from ..contract.values import Json, Message
from .conversion import Conversion, M


class Reporter(Generic[M]):
    """Reports one run to the harness. An error that leaves `run` is reported by the toolkit."""

    def __init__(self, stage: Stage, run: Run, conversion: Conversion[M]) -> None:
        self._runs, self._run = stage.runs, run
        self._agent, self._conversion = stage.scene.agent.name, conversion

    @property
    def streaming(self) -> bool:
        """Whether the caller asks for a streaming run."""
        return self._run.streaming

    @property
    def run(self) -> Run:
        """The run of the scene, for what has no attribute here."""
        return self._run

    def message(self, message: M | Message) -> None:
        """Report a message that the framework emits. Answers and results are events, other messages are not."""
        wires = (message,) if isinstance(message, Message) else self._conversion.to_wire(message)
        for wire in wires:
            if wire.role in ("assistant", "tool"):
                self._runs.event(self._agent, wire)

    def custom(self, payload: Json) -> None:
        """Report a custom event."""
        self._runs.event(self._agent, custom=payload)

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        """Report that the run is interrupted: its checkpoint, and the id and the information of each interrupt."""
        self._runs.interrupted(checkpoint, interrupts)

    def session(self, values: dict[str, Json]) -> None:
        """Report the session values at the end of the run."""
        self._runs.ended_with(values)

    def failed(self, error: BaseException) -> None:
        """Report the error that ends the run."""
        self._runs.event(self._agent, error=error)

    @asynccontextmanager
    async def stream(self) -> AsyncIterator[Callable[[Message], None]]:
        """Report one event that is a stream: call the yielded function with each chunk.

        An error that leaves the block breaks the stream.
        """
        chunks: asyncio.Queue[Message | Exception | None] = asyncio.Queue()

        async def read() -> AsyncIterator[Message]:
            while (chunk := await chunks.get()) is not None:
                if isinstance(chunk, Exception):
                    raise chunk
                yield chunk

        reading = asyncio.create_task(self._runs.stream(self._agent, read()))
        broken: Exception | None = None
        try:
            yield chunks.put_nowait
        except Exception as error:
            broken = error
            raise
        finally:
            chunks.put_nowait(broken)
            await reading
