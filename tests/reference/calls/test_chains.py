"""The nesting of wrappers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from loopspec_reference.calls.chains import nested

Endpoint = Callable[[str], Awaitable[str]]


def answer(endpoint: Endpoint, request: str) -> str:
    """The answer of an endpoint."""

    async def call() -> str:
        return await endpoint(request)

    return asyncio.run(call())


async def _echo(request: str) -> str:
    return f"<{request}>"


def _around(name: str, called: list[str]) -> Callable[[Endpoint], Endpoint]:
    """A wrapper that adds its name to the request and to the answer."""

    def wrap(endpoint: Endpoint) -> Endpoint:
        called.append(name)

        async def around(request: str) -> str:
            return f"{name}({await endpoint(f'{name}[{request}]')})"

        return around

    return wrap


def test_without_wrappers_the_innermost_is_called() -> None:
    """The chain is the endpoint itself."""
    assert nested([], _echo) is _echo


def test_the_first_wrapper_is_outermost() -> None:
    """The first wrapper receives the request first and the answer last."""
    endpoint = nested([_around("a", []), _around("b", [])], _echo)

    assert answer(endpoint, "2 + 2") == "a(b(<b[a[2 + 2]]>))"


def test_no_wrapper_is_called_before_the_call() -> None:
    """Building the chain calls no inner wrapper."""
    called: list[str] = []
    nested([_around("a", called), _around("b", called)], _echo)

    assert called == []


def test_a_short_circuit_skips_the_inner_wrappers() -> None:
    """Inner wrappers are not called."""
    called: list[str] = []

    async def answers(request: str) -> str:
        return "from outside"

    endpoint = nested([lambda inner: answers, _around("b", called)], _echo)

    assert (answer(endpoint, "2 + 2"), called) == ("from outside", [])


def test_a_wrapper_that_calls_twice_calls_the_inner_wrappers_twice() -> None:
    """Each call builds its own inner chain."""
    called: list[str] = []

    def twice(inner: Endpoint) -> Endpoint:
        async def again(request: str) -> str:
            return await inner(request) + await inner(request)

        return again

    endpoint = nested([_around("a", called), twice, _around("b", called)], _echo)

    assert answer(endpoint, "x") == "a(b(<b[a[x]]>)b(<b[a[x]]>))"
    assert called == ["a", "b", "b"]
