"""What a model or a tool answers, whole or in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import copy_context
from typing import Generic

from ..values.errors import StreamCancelledError
from ..values.messages import M
from .chains import in_context


class Output(Generic[M]):
    """An answer in either mode: a stream that any number of readers can read from its beginning, or one message.

    Nothing is read ahead. Whichever reader comes first to the end of what is known reads on for all of them, in the
    context in which the output was made, so that what a wrapper set reaches the stream it wraps (CTX-05).
    """

    __slots__ = ("_chunks", "_concat", "_context", "_ended", "_error", "_moved", "_source", "_turn")

    def __init__(self, chunks: AsyncIterator[M] | None, concat: Callable[[Sequence[M]], M]) -> None:
        self._source = chunks
        self._concat = concat
        self._context = None if chunks is None else copy_context()
        self._chunks: list[M] = []
        self._ended = chunks is None
        self._error: Exception | None = None
        self._moved = asyncio.Event()  # what those wait for who follow
        self._turn = asyncio.Lock()  # of those who read on

    @classmethod
    def of(cls, message: M) -> Output[M]:
        """An answer that is there already."""
        output = cls(None, _only)
        output._chunks.append(message)
        return output

    async def message(self) -> M:
        """The whole answer, once it is complete. Raises the stream's error; asking again gives the same."""
        return self._concat([chunk async for chunk in self])

    async def opened(self) -> None:
        """Wait until there is a chunk, or the end. Raises the error of a stream that could not be opened."""
        await self._further(0)
        if not self._chunks and self._error is not None:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[M]:
        """The chunks from the first one on; reads on when nobody else does."""
        at = 0
        while at < len(self._chunks) or not self._ended:
            await self._further(at)
            for chunk in self._chunks[at:]:
                at += 1
                yield chunk
        if self._error is not None:
            raise self._error

    async def follow(self) -> AsyncIterator[M]:
        """The chunks from the first one on, as others read them: such a reader can neither drive nor break it."""
        at = 0
        while True:
            if at < len(self._chunks):
                at += 1
                yield self._chunks[at - 1]
            elif self._ended:
                break
            else:
                await self._moved.wait()
        if self._error is not None:
            raise self._error

    async def _further(self, at: int) -> None:
        """Read on until there are more than so many chunks, or all."""
        if at == len(self._chunks):
            async with self._turn:
                while at == len(self._chunks) and not self._ended:
                    await self._advance()

    async def _advance(self) -> None:
        """One chunk more, or the end, by whoever reads."""
        assert self._source is not None
        assert self._context is not None
        try:
            self._chunks.append(await in_context(self._context, self._source.__anext__()))
        except StopAsyncIteration:
            self._ended = True
        except Exception as error:
            self._ended, self._error = True, error
        except BaseException:
            self._ended, self._error = True, StreamCancelledError("the reader of this stream was cancelled")
            raise
        finally:
            self._moved.set()  # who waits goes on; who comes later waits for the next one
            self._moved.clear()


def _only(chunks: Sequence[M]) -> M:
    return chunks[0]


class EventStream(Generic[M]):
    """The chunks of an output as an event tells them: its readers learn how it ends once that is decided.

    A broken stream may end with its own error or, when another attempt follows, with `WillRetryError`.
    """

    __slots__ = ("_error", "_output", "_settled")

    def __init__(self, output: Output[M]) -> None:
        self._output = output
        self._settled = asyncio.Event()
        self._error: Exception | None = None

    def settle(self, error: Exception | None = None) -> None:
        """Let the readers end: with this error, or as the output itself ended. What is said first holds."""
        if not self._settled.is_set():
            self._error = error
            self._settled.set()

    async def __aiter__(self) -> AsyncIterator[M]:
        """The chunks from the first one on."""
        broken: Exception | None = None
        try:
            async for chunk in self._output.follow():
                yield chunk
        except Exception as error:
            broken = error
        await self._settled.wait()
        if self._error is not None:
            raise self._error
        if broken is not None:
            raise broken
