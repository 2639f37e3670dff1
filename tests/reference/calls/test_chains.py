"""How wrappers nest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from loopspec_reference.calls.chains import nested

Endpoint = Callable[[str], Awaitable[str]]


def answer(endpoint: Endpoint, request: str) -> str:
    """What an endpoint answers."""

    async def call() -> str:
        return await endpoint(request)

    return asyncio.run(call())


async def _echo(request: str) -> str:
    return f"<{request}>"


def _around(name: str, asked: list[str]) -> Callable[[Endpoint], Endpoint]:
    """A wrapper that puts its name around the request and around the answer."""

    def wrap(endpoint: Endpoint) -> Endpoint:
        asked.append(name)

        async def around(request: str) -> str:
            return f"{name}({await endpoint(f'{name}[{request}]')})"

        return around

    return wrap


def test_without_wrappers_the_innermost_is_called() -> None:
    """It is the endpoint itself."""
    assert nested([], _echo) is _echo


def test_the_first_wrapper_is_outermost() -> None:
    """It sees the request first and the answer last."""
    endpoint = nested([_around("a", []), _around("b", [])], _echo)

    assert answer(endpoint, "2 + 2") == "a(b(<b[a[2 + 2]]>))"


def test_no_wrap_is_called_before_the_call() -> None:
    """Building the chain builds nothing inside it."""
    asked: list[str] = []
    nested([_around("a", asked), _around("b", asked)], _echo)

    assert asked == []


def test_a_wrapper_that_short_circuits_calls_no_inner_wrap() -> None:
    """They are not even built."""
    asked: list[str] = []

    async def answers(request: str) -> str:
        return "from outside"

    endpoint = nested([lambda inner: answers, _around("b", asked)], _echo)

    assert (answer(endpoint, "2 + 2"), asked) == ("from outside", [])


def test_a_wrapper_that_calls_twice_asks_the_inner_ones_twice() -> None:
    """Each call has a chain of its own, from the caller inwards."""
    asked: list[str] = []

    def twice(inner: Endpoint) -> Endpoint:
        async def again(request: str) -> str:
            return await inner(request) + await inner(request)

        return again

    endpoint = nested([_around("a", asked), twice, _around("b", asked)], _echo)

    assert answer(endpoint, "x") == "a(b(<b[a[x]]>)b(<b[a[x]]>))"
    assert asked == ["a", "b", "b"]
