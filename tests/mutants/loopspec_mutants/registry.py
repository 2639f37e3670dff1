"""Mutants: the reference with one bug each, which a patch or a change of its text makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal

from loopspec import Identity, Posture, Target
from loopspec.contract.axes import Postures, declared_dialect
from loopspec.contract.capabilities import Capability
from loopspec.contract.harness import HarnessStage
from loopspec.contract.roles import ROLES, Role
from loopspec.contract.target import InProcess
from loopspec.targets.python import PythonTarget
from loopspec_lab.variants.expanding import variants
from loopspec_reference_adapter import Memory, Reference

from .rewriting import Rewriting

Patch = Callable[[], AbstractContextManager[object]]
Store = Literal["memory", "local"]

_LAYER = ("XP-", "PLUGIN-")  # the prefixes of the rules of the plugin layer

_FACTORIES: dict[Store | None, type[Reference]] = {None: Reference, "memory": Memory, "local": Reference}


@dataclass(frozen=True)
class Mutant:
    """A wrong implementation, named by its bug.

    `rule` is the rule that the mutant breaks. `neighbors` are the other rules that fail with it, each with the reason.
    `postures` are the values that the mutant declares, by axis. A mutant with a `dialect` reads instruction files in
    this dialect, and is judged in the role workspace. `shown_by` are cases that show a bug which few others show.
    """

    name: str
    rule: str
    bug: Patch
    neighbors: Mapping[str, str] = field(default_factory=dict)
    backend: Store | None = None
    postures: Mapping[str, str] = field(default_factory=dict)
    dialect: str = ""
    shown_by: tuple[str, ...] = ()

    @property
    def roles(self) -> frozenset[Role]:
        """The roles in which the mutant is judged. The plugin layer judges only the bugs of its own rules."""
        if self.dialect:
            return frozenset({"workspace"})
        if self.backend:
            return frozenset({"backend"})
        unjudged: frozenset[Role] = frozenset({"backend"} if self._is_of_layer else {"backend", "plugins"})
        return frozenset(ROLES) - unjudged

    @property
    def _is_of_layer(self) -> bool:
        """Whether the rule belongs to the plugin layer, or is a variant that plugins are judged in."""
        return self.rule.startswith(_LAYER) or any(
            variant.rule == self.rule and "plugins" in variant.roles for variant in variants().values()
        )

    @property
    def sentence(self) -> str:
        """What the mutant does wrong: the docstring of a function that patches it."""
        return self.bug.sentence if isinstance(self.bug, Rewriting) else (self.bug.__doc__ or "").strip()

    def target(self) -> MutantTarget:
        """Return the mutant as a target."""
        return MutantTarget(self)


@dataclass(frozen=True)
class Bug(Mutant):
    """A realistic bug: one that a project had, or that a port would have. Each rule in `caught_by` fails.

    Other rules may fail too: a real bug is not made for one rule.
    """

    caught_by: tuple[str, ...] = ()

    @property
    def roles(self) -> frozenset[Role]:
        """The roles in which the bug is judged: every role of the reference, or its backend or its reader alone."""
        return super().roles if self.backend or self.dialect else frozenset(ROLES) - {"backend"}


class MutantTarget(InProcess):
    """The reference with a bug, which is active while the target performs."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        with mutant.bug():
            self._target = PythonTarget(_FACTORIES[mutant.backend], mutant.name, mutant.dialect)
        self.identity = Identity(name=mutant.name)
        self.roles: frozenset[Role] = self._target.roles & mutant.roles
        self.capabilities: frozenset[Capability] = self._target.capabilities
        self.postures: Postures = {axis: Posture(value, measured=True) for axis, value in mutant.postures.items()}
        if mutant.dialect:
            self.postures = declared_dialect(mutant.dialect)

    def perform(self, stage: HarnessStage) -> None:
        """Perform the scene with the bug."""
        with self._mutant.bug():
            self._target.perform(stage)

    def close(self) -> None:
        """Close the target."""
        self._target.close()

    def rebuilt(self) -> Target:
        """Return a new target of the same mutant, without any state."""
        return MutantTarget(self._mutant)


MUTANTS: dict[str, Mutant] = {}
BUGS: dict[str, Bug] = {}


def mutant(
    rule: str,
    *,
    backend: Store | None = None,
    neighbors: Mapping[str, str] | None = None,
    postures: Mapping[str, str] | None = None,
) -> Callable[[Patch], Patch]:
    """Register a mutant of a rule. The function gives its name, and the docstring its sentence.

    `backend` names the backend that the mutant patches: the one in memory, or the local one for unreadable files.
    `postures` are needed to break the rule of a posture.
    """

    def register(bug: Patch) -> Patch:
        enter(Mutant(_name(bug), rule, bug, neighbors or {}, backend, postures or {}))
        return bug

    return register


def enter(new: Mutant) -> None:
    """Register a mutant or a realistic bug."""
    if new.name in MUTANTS or new.name in BUGS:
        raise ValueError(f"two mutants have the name {new.name}")
    if isinstance(new, Bug):
        BUGS[new.name] = new
    else:
        MUTANTS[new.name] = new


def _name(patch: Patch) -> str:
    return patch.__name__.replace("_", "-")
