"""Calls of the methods of a backend under test, which may be synchronous or not."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

from ..contract.faults import AdapterError
from ..contract.names import nearest, short_name
from ..contract.scene import ReadRequest
from ..contract.shapes import Content
from .declared import BACKEND_METHODS
from .signatures import called_with

_CALLS = {
    "close": "close()",
    "delete": "delete(path)",
    "fail": "fail(kind)",
    "fault": "fault(path, kind)",
    "link": "link(path, target)",
    "write": "write(path, content)",
}


async def close_store(store: object) -> None:
    """Close the backend if it has `close`."""
    if hasattr(store, "close"):
        await call_method(store, "close")


async def call_method(store: object, method: str, *args: object) -> object:
    """Call a required method of the backend."""
    if not callable(getattr(store, method, None)):
        why = f", which the capability {needing} requires" if (needing := _needing(method, args)) else ""
        raise AdapterError(f"the opened backend has no {method}(){why}: {store!r:.200}{instead(store, method)}")
    called = getattr(store, method)
    with called_with(called, _CALLS[method], *args):
        result = called(*args)
        return await result if inspect.isawaitable(result) else result


def _needing(method: str, args: tuple[object, ...]) -> str:
    """The capability that requires the method in this call; nothing for a method that every backend has."""
    if method in ("fault", "fail"):
        return f"fault-{args[-1]}"
    return next((one for one, required in BACKEND_METHODS.items() if required == method), "")


def instead(store: object, method: str) -> str:
    """The end of a sentence about a missing method: a method with a similar name."""
    close = nearest(method, [name for name in dir(store) if not name.startswith("_")], 0.75)
    return f"; it has {close}(): did you mean {method}()?" if close else ""


async def read_from(
    store: Any, request: ReadRequest
) -> Content:  # Any: whatever open() returned, checked by calling it
    """One read; a synchronous `read` runs in a thread, so that reads are concurrent."""
    with called_with(store.read, "read(request)", request):
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
        raise AdapterError(f"read() of {short_name(request.file_path)} returned {content!r:.200}: {instead_of}")
    return content
