"""For adapters whose implementation does not await."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:  # Any: what a coroutine yields to its driver is their own business
    """Run a coroutine of doubles that nothing holds to its end. Raises `RuntimeError` where the scene holds it."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]  # StopIteration is not generic
    coroutine.close()
    raise RuntimeError("the scene holds this call, and an implementation that does not await cannot be held")
