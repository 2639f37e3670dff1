"""The trace of work that middlewares do by themselves."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from ..values.messages import AnyMessage


class Execution(Struct, frozen=True):
    """One piece of work of a middleware: its inputs, and either its output or its error.

    `node` is the name of the middleware, which is the key of its node.
    """

    agent: str
    node: str
    inputs: tuple[AnyMessage, ...]
    output: str | None = None
    error: str | None = None


class ExecutionTrace(Protocol):
    """Receives the work of middlewares (XP-SUM-15)."""

    def executed(self, execution: Execution) -> None:
        """Record a piece of work that is done or has failed."""
