"""What a model or a tool answers, whole or in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import copy_context
from typing import Generic

from .chains import in_context
from .errors import NothingReturnedError, StreamCancelledError
from .messages import M


class Output(Generic[M]):
    """An answer in either mode: a stream that any number of readers can read from its beginning, or one message.

    Nothing is read ahead. Whichever reader comes first to the end of what is known reads on for all of them, in the
    context in which the output was made, so that what a wrapper set reaches the stream it wraps (CTX-05).
    """

    __slots__ = ("_chunks", "_concat", "_context", "_ended", "_error", "_message", "_moved", "_reading", "_source")

    def __init__(self, chunks: AsyncIterator[M] | None, concat: Callable[[Sequence[M]], M]) -> None:
        self._source = chunks
        self._concat = concat
        self._context = None if chunks is None else copy_context()
        self._chunks: list[M] = []
        self._ended = chunks is None
        self._error: Exception | None = None
        self._message: M | None = None
        self._moved: asyncio.Event | None = None  # what the readers wait for who are not reading
        self._reading = False

    @classmethod
    def of(cls, message: M) -> Output[M]:
        """An answer that is there already."""
        output = cls(None, _only)
        output._message = message
        output._chunks.append(message)
        return output

    @property
    def streaming(self) -> bool:
        """Whether the answer comes in chunks."""
        return self._source is not None

    async def message(self) -> M:
        """The whole answer, once it is complete. Raises the stream's error; asking again gives the same."""
        if self._message is None:
            while not self._ended:
                await self._advance()
            if self._error is not None:
                raise self._error
            if not self._chunks:
                raise NothingReturnedError("a stream has ended without a chunk")
            self._message = self._concat(self._chunks)
        return self._message

    async def opened(self) -> None:
        """Wait until there is a chunk, or the end. Raises the error of a stream that could not be opened."""
        while not (self._chunks or self._ended):
            await self._advance()
        if not self._chunks and self._error is not None:
            raise self._error

    async def __aiter__(self) -> AsyncIterator[M]:
        """The chunks from the first one on; reads on when nobody else does."""
        at = 0
        while True:
            if at < len(self._chunks):
                at += 1
                yield self._chunks[at - 1]
            elif self._ended:
                break
            else:
                await self._advance()
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
                await self._wait()
        if self._error is not None:
            raise self._error

    async def _wait(self) -> None:
        if self._moved is None:
            self._moved = asyncio.Event()
        await self._moved.wait()

    async def _advance(self) -> None:
        """One chunk more, or the end, by whoever reads."""
        if self._reading:
            await self._wait()
            return
        assert self._source is not None
        assert self._context is not None
        self._reading = True
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
            self._reading = False
            moved, self._moved = self._moved, None
            if moved is not None:
                moved.set()


def _only(chunks: Sequence[M]) -> M:
    return chunks[0]


class ToldStream(Generic[M]):
    """The chunks of an output as an event tells them: its readers learn how it ends once that is decided.

    A broken stream may end with its own error or, when another attempt follows, with `WillRetryError`.
    """

    __slots__ = ("_error", "_output", "_settled")

    def __init__(self, output: Output[M]) -> None:
        self._output = output
        self._settled = asyncio.Event()
        self._error: Exception | None = None

    def settle(self, error: Exception | None = None) -> None:
        """Let the readers end: with this error, or as the output itself ended."""
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
