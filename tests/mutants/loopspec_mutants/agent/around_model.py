"""Mutants about model wrappers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")
Endpoint = Callable[[A], Awaitable[B]]
Wrap = Callable[[Endpoint[A, B]], Endpoint[A, B]]


def insisting(wrap: Wrap[A, B]) -> Wrap[A, B]:
    """Return the wrapper with a call of the inner endpoint added if the wrapper makes none."""

    def wraps(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
        reached: list[A] = []

        def inner(request: A) -> Awaitable[B]:
            reached.append(request)
            return endpoint(request)

        wrapped = wrap(inner)

        async def enter(request: A) -> B:
            answer = await wrapped(request)
            if not reached:
                await endpoint(request)
            return answer

        return enter

    return wraps


def once(endpoint: Endpoint[A, B]) -> Endpoint[A, B]:
    """Return the endpoint with its first answer repeated for every later call."""
    answers: list[B] = []

    async def remembers(request: A) -> B:
        if not answers:
            answers.append(await endpoint(request))
        return answers[0]

    return remembers
