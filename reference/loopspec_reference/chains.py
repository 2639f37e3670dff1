"""How wrappers nest: lazily, one layer at a time, the first outermost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")


def nested(
    wraps: Sequence[Callable[[Callable[[A], Awaitable[B]]], Callable[[A], Awaitable[B]]]],
    innermost: Callable[[A], Awaitable[B]],
    layer: int = 0,
) -> Callable[[A], Awaitable[B]]:
    """Return an endpoint that goes through all wraps to `innermost`.

    A wrap is asked for its wrapper only when the layer outside it calls in, and again at each such call: a layer
    that answers by itself leaves everything inside it unasked.
    """
    if layer == len(wraps):
        return innermost

    def endpoint(request: A) -> Awaitable[B]:
        return wraps[layer](nested(wraps, innermost, layer + 1))(request)

    return endpoint
