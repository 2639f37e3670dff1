"""Properties that are computed on first use."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar, overload

T = TypeVar("T", covariant=True)


class once(cached_property[T]):  # noqa: N801  # a decorator
    """A `cached_property` without a lock, for an object of one thread.

    The lock of Python 3.11 takes as long as most of the facts that a run computes about each scene.
    """

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> once[T]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> once[T] | T:
        if instance is None:
            return self
        value = instance.__dict__[self.func.__name__] = self.func(instance)
        return value
