"""What middlewares do besides, for those who want to know."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ..values.messages import AnyMessage


class Execution(Struct, frozen=True):
    """One piece of work a middleware did by itself: what went in, and either what came out or what went wrong.

    `node` is the name of the middleware, which is the key of its node.
    """

    agent: str
    node: str
    inputs: tuple[AnyMessage, ...]
    output: str | None = None
    error: str | None = None


class ExecutionTrace(Protocol):
    """Who is told (XP-SUM-15)."""

    def executed(self, execution: Execution) -> None:
        """Take note of a piece of work that is done, or has failed."""
        ...
