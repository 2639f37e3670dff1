"""The registry of null targets: for each role, an implementation that does nothing, or the least, in each way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.dialects import dialect_names
from loopspec.contract.roles import Role
from loopspec.targets.python import PythonTarget

# The least that an implementation can do: return nothing; return an empty value; return its input; refuse everything;
# do nothing and report so.
Way = Literal["nothing", "empty", "input", "refusal", "report"]
WAYS: tuple[Way, ...] = ("nothing", "empty", "input", "refusal", "report")
T = TypeVar("T", bound=type)

# The ways that make no sense in a role.
OMITTED: dict[tuple[Role, Way], str] = {
    ("loader", "nothing"): "load() has to return a pair of lists: nothing is a fault of the adapter, not of the loader",
    ("middleware", "nothing"): "before_model() has to return messages: nothing is a fault of the adapter",
    (
        "handler",
        "input",
    ): "a handler that returns its input is the no-op handler, which follows every rule",
    ("workspace", "nothing"): "read_workspace() has to return a reading: nothing is a fault of the adapter",
    ("handler", "report"): "a handler has no way to report that it does nothing",
}


class Refusal(Exception):
    """Raised by a null target that refuses everything."""


class Everything:
    """The base of null targets. Each declares every capability, so that every case of the role is judged."""

    roles: Sequence[Role] = ()
    capabilities: frozenset[Capability] = frozenset(CAPABILITIES)

    @staticmethod
    def set_language(language: str | None) -> None:
        """Accept every language."""


@dataclass(frozen=True)
class Null:
    """A null target: what an implementation does in a role, as a sentence and as the factory of an object."""

    role: Role
    way: Way
    sentence: str
    factory: Callable[[], Any]  # Any: an object of the shape that the role has

    @property
    def name(self) -> str:
        """The name in `features/null_targets.toml`."""
        return f"{self.role} {self.way}"

    def targets(self) -> list[PythonTarget]:
        """Return the null target as a target, in the role workspace in each dialect."""
        dialects = dialect_names() if self.role == "workspace" else ("",)
        return [PythonTarget(self._made, self.name, dialect) for dialect in dialects]

    def _made(self) -> Any:  # Any: as above
        made = self.factory()
        if isinstance(made, Everything):  # a class may serve several roles
            made.roles = (self.role,)
        return made


NULLS: dict[str, Null] = {}


def enter(one: Null) -> None:
    """Register a null target."""
    NULLS[one.name] = one


def null(way: Way, *roles: Role) -> Callable[[T], T]:
    """Register a class as a null target of these roles. The docstring is its sentence."""

    def register(made: T) -> T:
        for role in roles:
            enter(Null(role, way, (made.__doc__ or "").strip(), made))
        return made

    return register
