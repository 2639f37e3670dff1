"""Calls of the methods of a backend under test, which may be synchronous or not."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from ..contract.faults import AdapterError
from ..contract.names import nearest
from ..contract.scene import ReadRequest
from ..contract.shapes import Content
from .declared import BACKEND_METHODS


async def close_store(store: object) -> None:
    """Close the backend if it has `close`."""
    if hasattr(store, "close"):
        await call_method(store, "close")


async def call_method(store: object, method: str, *args: object) -> object:
    """Call a required method of the backend."""
    if not hasattr(store, method):
        promises = " and ".join(one for one, promised in BACKEND_METHODS.items() if promised == method)
        why = f", which {promises} promises" if promises else ""
        raise AdapterError(f"what open() returned has no {method}(){why}: {store!r:.200}{instead(store, method)}")
    result = getattr(store, method)(*args)
    return await result if inspect.isawaitable(result) else result


def instead(store: object, method: str) -> str:
    """The end of a sentence about a missing method: a method with a similar name."""
    close = nearest(method, [name for name in dir(store) if not name.startswith("_")], 0.75)
    return f"; it has {close}(): did you mean {method}()?" if close else ""


async def read_from(
    store: Any, request: ReadRequest
) -> Content:  # Any: whatever open() returned, checked by calling it
    """One read; a synchronous `read` runs in a thread, so that reads are concurrent."""
    if inspect.iscoroutinefunction(store.read):
        content = await store.read(request)
    else:
        content = await asyncio.to_thread(store.read, request)
        if inspect.isawaitable(content):
            content = await content
    if content is not None and not isinstance(content, str | bytes):
        instead_of = (
            "raise the error" if isinstance(content, BaseException) else "return str or bytes, or raise an OSError"
        )
        raise AdapterError(f"read() returned {content!r:.200}: {instead_of}")
    return content
