"""The parameters of an author's methods: a wrong number of them is no outcome of the implementation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..contract.faults import AdapterError


@contextmanager
def called_with(method: Callable[..., Any], call: str, *args: object) -> Iterator[None]:  # Any: what it returns
    """Raise `AdapterError` in place of the `TypeError` of a method that does not take these arguments.

    `call` is the call as an author writes it, such as `read(request)`.
    """
    try:
        yield
    except TypeError:
        try:
            inspect.signature(method).bind(*args)
        except TypeError as no:
            raise AdapterError(f"the call is {call}, and the method has other parameters: {no}") from None
        except ValueError:  # a method without a readable signature
            pass
        raise
