"""What the wrappers of an interrupted call have received, so that the resumed call does not make inner calls again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ..tools.kinds import InterruptRun, Resumed
from ..values.messages import Json
from .outputs import Output, SharedStream

A = TypeVar("A")
B = TypeVar("B")

Endpoint = Callable[[A], Awaitable[B]]
StreamEndpoint = Callable[[A], AsyncIterator[B]]


class Replay(Struct, frozen=True):
    """How far a call through wrappers came. `depth` is that of the wrapper that interrupted; None: the inmost call did.

    `answers` are those of the completed inner calls of this wrapper and of each one around it, the outermost first. The
    key is the place of an inner call among those of its wrapper.
    """

    depth: int | None = None
    answers: tuple[Mapping[int, Json], ...] = ()

    @classmethod
    async def of(cls, interrupt: InterruptRun) -> Replay:
        """Wait for the end of the answers that have begun. Raises the error of a broken stream."""
        answers = [{at: await _whole(answer) for at, answer in known.items()} for known in interrupt.answers]
        return cls(interrupt.depth, tuple(msgspec.to_builtins(answers)))


class Resumption:
    """What the wrappers of one call resume with. `keep` receives how far they have come, if the call interrupts."""

    def __init__(self, replay: Replay, resumed: Resumed | None, keep: Callable[[Replay], None]) -> None:
        self._replay = replay
        self._resumed = resumed
        self._keep = keep

    def around(
        self, wraps: Sequence[Callable[..., Endpoint[A, B]]], convert: Callable[[Json], B]
    ) -> list[Callable[..., Endpoint[A, B]]]:
        """Return the wraps so that each one receives its answers instead of making the inner calls again.

        The second argument of a wrap is what it resumes with.
        """
        return [
            partial(_answered, wrap, self._resumed_at(depth), self._layer(depth, convert))
            for depth, wrap in enumerate(wraps)
        ]

    def around_streams(
        self, wraps: Sequence[Callable[..., StreamEndpoint[A, B]]], convert: Callable[[Json], B]
    ) -> list[Callable[..., StreamEndpoint[A, B]]]:
        """Return the wraps as `around` does, for endpoints that answer with a stream."""

        def stream(chunks: Json) -> SharedStream[Any]:
            return SharedStream(_each(map(convert, chunks)), list)

        return [
            partial(_streamed, wrap, self._resumed_at(depth), self._layer(depth, stream))
            for depth, wrap in enumerate(wraps)
        ]

    def _resumed_at(self, depth: int) -> Resumed | None:
        return self._resumed if depth == self._replay.depth else None

    def _layer(self, depth: int, convert: Callable[[Json], object]) -> Callable[[], _Layer]:
        answers = self._replay.answers[depth] if depth < len(self._replay.answers) else {}
        known = {at: convert(answer) for at, answer in answers.items()}
        return partial(_Layer, depth, known, self._keep)


class _Layer:
    """One call of a wrapper: the answers that it knows, and the place of its next inner call."""

    def __init__(self, depth: int, known: dict[int, Any], keep: Callable[[Replay], None]) -> None:
        self.known = dict(known)
        known.clear()  # another call of the wrapper makes other inner calls
        self.places = count()
        self._depth = depth
        self._keep = keep
        self._passed: InterruptRun | None = None

    def pass_on(self, interrupt: InterruptRun) -> None:
        """Notice the interrupt of an inner call."""
        self._passed = interrupt

    async def add_answers(self, interrupt: InterruptRun) -> None:
        """Add the answers to the interrupt of the call. An interrupt of the wrapper itself names it."""
        if interrupt is not self._passed:
            interrupt.depth, interrupt.answers = self._depth, []
        interrupt.answers.insert(0, self.known)
        if self._depth == 0:
            self._keep(await Replay.of(interrupt))


def _answered(
    wrap: Callable[..., Endpoint[A, B]],
    resumed: Resumed | None,
    new_layer: Callable[[], _Layer],
    endpoint: Endpoint[A, B],
) -> Endpoint[A, B]:
    layer = new_layer()

    async def inner(request: A) -> B:
        place = next(layer.places)
        if place not in layer.known:
            try:
                layer.known[place] = await endpoint(request)
            except InterruptRun as interrupt:
                layer.pass_on(interrupt)
                raise
        answer: B = layer.known[place]
        return answer

    wrapped = wrap(inner, resumed)

    async def outer(request: A) -> B:
        try:
            return await wrapped(request)
        except InterruptRun as interrupt:
            await layer.add_answers(interrupt)
            raise

    return outer


def _streamed(
    wrap: Callable[..., StreamEndpoint[A, B]],
    resumed: Resumed | None,
    new_layer: Callable[[], _Layer],
    endpoint: StreamEndpoint[A, B],
) -> StreamEndpoint[A, B]:
    layer = new_layer()

    async def inner(request: A) -> AsyncIterator[B]:
        place = next(layer.places)
        if place not in layer.known:
            layer.known[place] = SharedStream(endpoint(request), list)
        try:
            async for chunk in layer.known[place].read():
                yield chunk
        except Exception as error:
            if isinstance(error, InterruptRun):
                layer.pass_on(error)
            del layer.known[place]
            raise

    wrapped = wrap(inner, resumed)

    async def outer(request: A) -> AsyncIterator[B]:
        stream = wrapped(request)
        try:
            async for chunk in stream:
                yield chunk
        except InterruptRun as interrupt:
            await layer.add_answers(interrupt)
            raise
        finally:
            close = getattr(stream, "aclose", None)
            if close is not None:
                await close()

    return outer


async def _each(chunks: Iterable[B]) -> AsyncIterator[B]:
    for chunk in chunks:
        yield chunk


async def _whole(answer: object) -> object:
    """Return an answer that can be stored: a stream as all of its chunks."""
    return await answer.message() if isinstance(answer, Output | SharedStream) else answer
