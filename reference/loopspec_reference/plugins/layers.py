"""One middleware of a stack, with its state and its view of a run's context."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from inspect import isawaitable
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from ..runs.run import Run, current_run
from ..values.errors import OutsideRunError
from .errors import ContextError, HookError, JumpError, StrategyError
from .middleware import TARGETS, Command, Middleware, Own, Runtime, ToolOutcome
from .state import INVALID, OwnState

T = TypeVar("T")


async def awaited(value: T | Awaitable[T]) -> T:
    """Return the result of a plain or an `async` function (XP-HOOK-16)."""
    return await value if isawaitable(value) else value


def active_run() -> Run:
    """Return the current run. Raises `OutsideRunError` outside a run."""
    run = current_run.get()
    if run is None:
        raise OutsideRunError("middlewares have a state and a context only while an agent runs")
    return run


class Layer:
    """A middleware with its own state and its own view of the run's context."""

    def __init__(self, middleware: Middleware) -> None:
        self.middleware = middleware
        self.name = middleware.name
        self.state = OwnState(middleware.name, middleware.own_schema)
        schema = middleware.context_schema
        self._view = None if schema is None else _frozen(schema)
        self._declared = () if schema is None else tuple(field.encode_name for field in fields(schema))

    def name_of(self, part: str) -> str:
        """Return the name of a part of the middleware for error messages."""
        return f"the {part} of the middleware {self.name!r}"

    def runtime(self, run: Run) -> Runtime:
        """Return what its hooks can read of the run.

        Raises `ContextError`, and `StrategyError` if another middleware of the run has the same name.
        """
        if run.named.setdefault(self.name, self.state) is not self.state:
            raise StrategyError(f"two middlewares of {run.agent!r} have the name {self.name!r}: rename one")
        return Runtime(run.agent, self.context(run))

    def context(self, run: Run) -> Own:
        """Return the declared part of the run's context as a frozen copy. Raises `ContextError`."""
        if self._view is None:
            return None
        seen = {key: run.context[key] for key in self._declared if key in run.context}
        try:
            return msgspec.json.decode(msgspec.json.encode(seen), type=self._view)
        except INVALID as error:
            raise ContextError(
                f"the context of this run of {run.agent!r} does not fit {self._view.__name__}, which the middleware "
                f"{self.name!r} reads: {error}; pass it in the `context` of the run"
            ) from error

    def owned(self, command: Command, part: str) -> Command:
        """Return the command with this middleware as its owner; a passed-on command keeps its owner.

        Raises `HookError` and `JumpError` for a command that cannot be carried out.
        """
        source = self.name_of(part)
        if not isinstance(command.update, Mapping):
            raise HookError(f"{source} has returned a command with the update {command.update!r:.80}: give a mapping")
        if not isinstance(command.result, ToolOutcome):
            raise HookError(
                f"{source} has returned a command with the result {command.result!r:.80}: give a ToolOutcome"
            )
        if command.goto is not None and command.goto not in TARGETS:
            raise JumpError(f"{source} sends the run to {command.goto!r}: choose from {', '.join(TARGETS)}")
        if isinstance(command.owner, OwnState):
            return command
        if command.owner is not None:
            raise HookError(f"{source} has returned a command with the owner {command.owner!r:.80}: leave it out")
        return Command(command.update, command.goto, command.result, owner=self.state)


def _frozen(schema: type[Struct]) -> type[Struct]:
    """Return the schema with frozen instances (XP-CTX-03)."""
    return msgspec.defstruct(schema.__name__, [], bases=(schema,), frozen=True)
