"""The answer of a model or a tool, whole or in chunks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextvars import copy_context
from typing import Generic

from ..values.errors import StreamCancelledError
from ..values.messages import M
from .chains import in_context


class Output(Generic[M]):
    """An answer in either mode: one message, or a stream that any number of readers can read from its beginning.

    An answer that is one message has no stream: it costs no lock, no event and no copy of a context.
    """

    __slots__ = ("_message", "_stream")

    def __init__(self, chunks: AsyncIterator[M], concat: Callable[[Sequence[M]], M]) -> None:
        self._message: M | None = None
        self._stream: SharedStream[M] | None = SharedStream(chunks, concat)

    @classmethod
    def of(cls, message: M) -> Output[M]:
        """Return the output that is one message."""
        output = cls.__new__(cls)
        output._message = message
        output._stream = None
        return output

    async def message(self) -> M:
        """Return the complete answer. Raises the error of the stream; a second call gives the same."""
        if self._stream is not None:
            return await self._stream.message()
        assert self._message is not None, "an output without a stream is a message"
        return self._message

    async def opened(self) -> None:
        """Wait for the first chunk, or the end. Raises the error of a stream that cannot be opened."""
        if self._stream is not None:
            await self._stream.opened()

    def __aiter__(self) -> AsyncIterator[M]:
        """Yield the chunks from the first one on, and read on where no other reader does."""
        return self._whole() if self._stream is None else self._stream.read()

    def follow(self) -> AsyncIterator[M]:
        """Yield the chunks from the first one on, as other readers read them; such a reader cannot break the stream."""
        return self._whole() if self._stream is None else self._stream.follow()

    async def _whole(self) -> AsyncIterator[M]:
        yield await self.message()


class SharedStream(Generic[M]):
    """A stream with any number of readers. Nothing is read ahead.

    The reader that first needs a new chunk reads it for all readers, in the context in which the stream was made: a
    context variable that a wrapper sets reaches the stream that it wraps (CTX-05).
    """

    __slots__ = ("_chunks", "_concat", "_context", "_ended", "_error", "_moved", "_source", "_turn")

    def __init__(self, chunks: AsyncIterator[M], concat: Callable[[Sequence[M]], M]) -> None:
        self._source = chunks
        self._concat = concat
        self._context = copy_context()
        self._chunks: list[M] = []
        self._ended = False
        self._error: Exception | None = None
        self._moved = asyncio.Event()  # for the readers that follow
        self._turn = asyncio.Lock()  # for the readers that read on

    async def message(self) -> M:
        """Return the joined chunks, once the stream is complete."""
        return self._concat([chunk async for chunk in self.read()])

    async def opened(self) -> None:
        """Wait for the first chunk, or the end."""
        await self._read_past(0)
        if not self._chunks and self._error is not None:
            raise self._error

    async def read(self) -> AsyncIterator[M]:
        """Yield the chunks, and read on where no other reader does."""
        at = 0
        while at < len(self._chunks) or not self._ended:
            await self._read_past(at)
            for chunk in self._chunks[at:]:
                at += 1
                yield chunk
        if self._error is not None:
            raise self._error

    async def follow(self) -> AsyncIterator[M]:
        """Yield the chunks that other readers read."""
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

    async def _read_past(self, at: int) -> None:
        """Read until there are more than `at` chunks, or to the end."""
        if at == len(self._chunks):
            async with self._turn:
                while at == len(self._chunks) and not self._ended:
                    await self._advance()

    async def _advance(self) -> None:
        """Read one chunk, or the end."""
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
            self._moved.set()  # wakes the readers that wait; readers that come later wait for the next chunk
            self._moved.clear()


class EventStream(Generic[M]):
    """The chunks of an output as an event reports them. Its readers learn the end once the end is decided.

    A broken stream can end with its own error or, if another attempt follows, with `WillRetryError`.
    """

    __slots__ = ("_error", "_output", "_settled")

    def __init__(self, output: Output[M]) -> None:
        self._output = output
        self._settled = asyncio.Event()
        self._error: Exception | None = None

    def settle(self, error: Exception | None = None) -> None:
        """Let the readers end: with this error, or as the output itself ended. Only the first call counts."""
        if not self._settled.is_set():
            self._error = error
            self._settled.set()

    async def __aiter__(self) -> AsyncIterator[M]:
        """Yield the chunks from the first one on."""
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
