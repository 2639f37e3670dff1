"""The next handler of a scripted wrapper: what a wrapper calls, and the framework's answer that comes back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

from ..contract.doubles import Inner

A = TypeVar("A")  # what a call of the framework returns
Q = TypeVar("Q")  # the contract's request
W = TypeVar("W")  # the contract's answer


class NativeAnswer(Generic[A, W]):
    """The framework's own answer. The harness reads it only where the scene makes the wrapper look at it."""

    def __init__(self, native: A, read: Callable[[A], W]) -> None:
        self.native, self._read = native, read

    async def whole(self) -> W:
        """Return the contract's answer."""
        return self._read(self.native)


class NextHandler(Generic[Q, A, W]):
    """What a scripted wrapper may do: call the next handler, and everything that the adapter allows inside a run."""

    def __init__(self, inside: Inner, call: Callable[[Q], Awaitable[A]], read: Callable[[A], W]) -> None:
        self._inside, self._call, self._read = inside, call, read

    def __getattr__(self, name: str) -> Any:  # Any: the methods of `Inner`, which differ in their types
        return getattr(self._inside, name)

    async def _next(self, request: Q) -> NativeAnswer[A, W]:
        return NativeAnswer(await self._call(request), self._read)

    model = tool = _next  # the names in `InnerModel` and in `InnerTool`


def native_of(answer: object) -> Any:  # Any: the framework's own answer, which the wrapper passes on unchanged
    """Return the framework's answer inside a wrapper's answer; None if the wrapper returns nothing."""
    return answer.native if isinstance(answer, NativeAnswer) else None
