"""One middleware of a stack, within whatever run is going on."""

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
from .state import UNFIT, OwnState

T = TypeVar("T")


async def settled(value: T | Awaitable[T]) -> T:
    """What a plain function has returned, or an `async` one will (XP-HOOK-16)."""
    return await value if isawaitable(value) else value


def present_run() -> Run:
    """The run that is going on. Raises `OutsideRunError` when none is."""
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

    def who(self, part: str) -> str:
        """How errors speak of a part of it."""
        return f"the {part} of the middleware {self.name!r}"

    def runtime(self, run: Run) -> Runtime:
        """What its hooks can read of the run. Raises `ContextError`, and `StrategyError` for a name twice in a run."""
        if run.named.setdefault(self.name, self.state) is not self.state:
            raise StrategyError(f"two middlewares of {run.agent!r} have the name {self.name!r}: rename one")
        return Runtime(run.agent, self.context(run))

    def context(self, run: Run) -> Own:
        """The declared part of the run's context, as a copy that cannot be assigned to. Raises `ContextError`."""
        if self._view is None:
            return None
        seen = {key: run.context[key] for key in self._declared if key in run.context}
        try:
            return msgspec.json.decode(msgspec.json.encode(seen), type=self._view)
        except UNFIT as error:
            raise ContextError(
                f"the context of this run of {run.agent!r} does not fit {self._view.__name__}, which the middleware "
                f"{self.name!r} reads: {error}; give it in the `context` of the run"
            ) from error

    def stamped(self, command: Command, part: str) -> Command:
        """The command as this middleware's own, unless it is another's that is passed on.

        Raises `HookError` and `JumpError` for one that cannot be carried out.
        """
        who = self.who(part)
        if not isinstance(command.update, Mapping):
            raise HookError(f"{who} has returned a command with the update {command.update!r:.80}: give a mapping")
        if not isinstance(command.result, ToolOutcome):
            raise HookError(f"{who} has returned a command with the result {command.result!r:.80}: give a ToolOutcome")
        if command.goto is not None and command.goto not in TARGETS:
            raise JumpError(f"{who} sends the run to {command.goto!r}: choose from {', '.join(TARGETS)}")
        if isinstance(command.owner, OwnState):
            return command
        if command.owner is not None:
            raise HookError(f"{who} has returned a command with the owner {command.owner!r:.80}: leave it out")
        return Command(command.update, command.goto, command.result, owner=self.state)


def _frozen(schema: type[Struct]) -> type[Struct]:
    """The schema with instances that cannot be assigned to (XP-CTX-03)."""
    if schema.__struct_config__.frozen:
        return schema
    return msgspec.defstruct(schema.__name__, [], bases=(schema,), frozen=True)
