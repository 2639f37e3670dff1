"""The nesting of wrappers: lazy, one layer at a time, the first wrapper outermost.

Each layer runs in a copy of the context of the layer outside it. A context variable that a wrapper sets is visible
inside this wrapper, and nowhere else (CTX-05, CTX-06).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Sequence
from contextvars import Context, copy_context
from types import coroutine
from typing import Any, TypeVar

A = TypeVar("A")
B = TypeVar("B")


@coroutine
def in_context(context: Context, awaitable: Awaitable[B]) -> Generator[Any, Any, B]:
    """Await something and run all of its steps in `context`, without a task of its own."""
    steps = awaitable.__await__()
    try:
        pending = context.run(steps.send, None)
        while True:
            try:
                sent = yield pending
            except BaseException as error:
                pending = context.run(steps.throw, error)
            else:
                pending = context.run(steps.send, sent)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]  # a StopIteration does not know its type


async def in_copied_context(awaitable: Awaitable[B]) -> B:
    """Await something in a copy of the current context: variables that it sets are not visible outside."""
    return await in_context(copy_context(), awaitable)


async def stream_in_context(context: Context, begin: Callable[[], AsyncIterator[B]]) -> AsyncIterator[B]:
    """Start a stream and read it to its end; all of its steps run in `context`."""
    stream = context.run(begin)
    try:
        while True:
            try:
                item = await in_context(context, stream.__anext__())
            except StopAsyncIteration:
                return
            yield item
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await in_context(context, close())


def nested(
    wraps: Sequence[Callable[[Callable[[A], Awaitable[B]]], Callable[[A], Awaitable[B]]]],
    innermost: Callable[[A], Awaitable[B]],
    layer: int = 0,
) -> Callable[[A], Awaitable[B]]:
    """Return an endpoint that goes through all wraps to `innermost`.

    Each call of an endpoint calls its wrap for a new wrapper. If a wrapper short-circuits, no wrap inside it is called.
    """
    if layer == len(wraps):
        return innermost

    async def enter(request: A) -> B:
        return await wraps[layer](nested(wraps, innermost, layer + 1))(request)

    def endpoint(request: A) -> Awaitable[B]:
        return in_copied_context(enter(request))

    return endpoint


def nested_streams(
    wraps: Sequence[Callable[[Callable[[A], AsyncIterator[B]]], Callable[[A], AsyncIterator[B]]]],
    innermost: Callable[[A], AsyncIterator[B]],
    layer: int = 0,
) -> Callable[[A], AsyncIterator[B]]:
    """Return an endpoint as `nested` does, for endpoints that answer with a stream."""
    if layer == len(wraps):
        return innermost

    def endpoint(request: A) -> AsyncIterator[B]:
        def enter() -> AsyncIterator[B]:
            return wraps[layer](nested_streams(wraps, innermost, layer + 1))(request)

        return stream_in_context(copy_context(), enter)

    return endpoint
