"""Whole and streamed answers, and their readers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from loopspec_reference import Message, NothingReturnedError, Output, StreamCancelledError
from loopspec_reference.calls.outputs import EventStream


async def chunks(*texts: str | Exception) -> AsyncIterator[Message]:
    """A stream of texts, and errors to raise."""
    for text in texts:
        await asyncio.sleep(0)
        if isinstance(text, Exception):
            raise text
        yield Message.assistant(text)


def output(*texts: str | Exception) -> Output[Message]:
    """The output of a stream."""
    return Output(chunks(*texts), Message.concat)


async def texts(stream: AsyncIterator[Message]) -> list[str]:
    """The texts that a reader receives."""
    return [chunk.text async for chunk in stream]


def test_a_message_is_an_output_of_one_chunk() -> None:
    """A message can be read as a stream of one chunk."""

    async def read() -> None:
        one = Output.of(Message.assistant("4"))
        assert (await one.message(), await texts(one.__aiter__())) == (Message.assistant("4"), ["4"])

    asyncio.run(read())


def test_any_number_of_readers_read_everything() -> None:
    """Concurrent and later readers receive all chunks, and the whole message can be read twice."""

    async def read() -> None:
        one = output("a", "b", "c")
        many = await asyncio.gather(*(texts(one.__aiter__()) for _ in range(3)), texts(one.follow()), one.message())
        assert many[:-1] == [["a", "b", "c"]] * 4
        assert many[-1] == await one.message() == Message.assistant("abc")
        assert await texts(one.__aiter__()) == ["a", "b", "c"]

    asyncio.run(read())


def test_a_broken_stream_breaks_for_every_reader() -> None:
    """Each reader receives the chunks before the error."""
    error = RuntimeError("broken")

    async def read() -> None:
        one = output("a", error)
        await one.opened()
        for _ in range(2):
            with pytest.raises(RuntimeError) as caught:
                await one.message()
            assert caught.value is error
        reading = one.__aiter__()
        assert (await anext(reading)).text == "a"
        with pytest.raises(RuntimeError):
            await anext(reading)

    asyncio.run(read())


def test_a_stream_that_fails_to_open_is_an_error() -> None:
    """A stream without a chunk has no message."""

    async def read() -> None:
        with pytest.raises(RuntimeError):
            await output(RuntimeError("broken")).opened()
        with pytest.raises(NothingReturnedError):
            await output().message()

    asyncio.run(read())


def test_cancelling_the_driving_reader_ends_the_others() -> None:
    """The other readers receive an error."""

    async def endless() -> AsyncIterator[Message]:
        yield Message.assistant("a")
        await asyncio.Event().wait()

    async def read() -> None:
        one = Output(endless(), Message.concat)
        driver = asyncio.create_task(one.message())
        follower = asyncio.create_task(texts(one.follow()))
        await asyncio.sleep(0.01)
        driver.cancel()
        with pytest.raises(StreamCancelledError):
            await asyncio.wait_for(follower, 10)

    asyncio.run(read())


def test_a_reported_stream_ends_with_the_decided_error() -> None:
    """The error is the given one, or the stream's own."""
    own, other = RuntimeError("own"), RuntimeError("other")

    async def read() -> list[object]:
        ends: list[object] = []
        for decided in (None, other):
            one = output("a", own)
            reported = EventStream(one)
            reader = asyncio.create_task(texts(reported.__aiter__()))
            await asyncio.gather(one.message(), return_exceptions=True)
            await asyncio.sleep(0.001)
            assert not reader.done()
            reported.settle(decided)
            ends += await asyncio.gather(reader, return_exceptions=True)
        return ends

    assert asyncio.run(read()) == [own, other]
