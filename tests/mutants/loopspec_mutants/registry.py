"""What a mutant is: the reference with one bug, made by patching one thing in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal

from loopspec import Identity, Target
from loopspec.contract.capabilities import ROLES, Capability, Role
from loopspec.contract.harness import HarnessStage
from loopspec.contract.target import InProcess
from loopspec.targets.python import PythonTarget
from loopspec.targets.reference import Memory, Reference

Bug = Callable[[], AbstractContextManager[object]]
Store = Literal["memory", "local"]

_LAYER = ("XP-", "PLUGIN-")  # the rules of the layer that stands on the loop

_FACTORIES: dict[Store | None, type[Reference]] = {None: Reference, "memory": Memory, "local": Reference}


@dataclass(frozen=True)
class Mutant:
    """A wrong implementation, named by its bug.

    `rule` is the one it breaks; `neighbors` are other rules that cannot but turn red with it, each with the reason.
    """

    name: str
    rule: str
    bug: Bug
    neighbors: Mapping[str, str] = field(default_factory=dict)
    backend: Store | None = None

    @property
    def roles(self) -> frozenset[Role]:
        """What it is judged as. A fault of the loop shows through the layer on it, where it says nothing new."""
        if self.backend:
            return frozenset({"backend"})
        above: frozenset[Role] = frozenset({"backend"} if self.rule.startswith(_LAYER) else {"backend", "plugins"})
        return frozenset(ROLES) - above

    @property
    def sentence(self) -> str:
        """What it does wrong."""
        return (self.bug.__doc__ or "").strip()

    def target(self) -> MutantTarget:
        """The mutant, ready to be judged."""
        return MutantTarget(self)


class MutantTarget(InProcess):
    """The reference, under its bug for as long as it performs."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        with mutant.bug():
            self._target = PythonTarget(_FACTORIES[mutant.backend], mutant.name)
        self.identity = Identity(name=mutant.name)
        self.roles: frozenset[Role] = self._target.roles & mutant.roles
        self.capabilities: frozenset[Capability] = self._target.capabilities

    def perform(self, stage: HarnessStage) -> None:
        """Perform, wrongly."""
        with self._mutant.bug():
            self._target.perform(stage)

    def close(self) -> None:
        """Let go of everything."""
        self._target.close()

    def rebuilt(self) -> Target:
        """The same mutant, having forgotten everything."""
        return MutantTarget(self._mutant)


MUTANTS: dict[str, Mutant] = {}


def mutant(
    rule: str, *, backend: Store | None = None, neighbors: Mapping[str, str] | None = None
) -> Callable[[Bug], Bug]:
    """Enter a mutant against a rule. Its name is that of the function, its sentence the function's docstring.

    `backend` mutants are backends that lie: a `MemoryBackend`, or a `LocalBackend` where a file has to refuse.
    """

    def enter(bug: Bug) -> Bug:
        name = bug.__name__.replace("_", "-")
        if name in MUTANTS:
            raise ValueError(f"two mutants are called {name}")
        MUTANTS[name] = Mutant(name, rule, bug, neighbors or {}, backend)
        return bug

    return enter
