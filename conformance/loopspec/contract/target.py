"""A Target: an implementation under test and its adapter."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from .capabilities import Capability, Role
from .harness import HarnessStage
from .values import Value


class Identity(Value, frozen=True):
    """Which implementation this is. It must not change between cases."""

    name: str
    version: str = ""
    language: str = "python"

    def __str__(self) -> str:
        """The name, and the version where there is one."""
        return f"{self.name} {self.version}".strip()


class InProcess:
    """What a target in the harness's own process says of itself: nothing holds it but its adapter."""

    isolated = False
    unusable = ""
    evidence: Mapping[str, str] = MappingProxyType({})


class Target(Protocol):
    """What the harness performs scenes on."""

    @property
    def identity(self) -> Identity:
        """Which implementation this is."""
        ...

    @property
    def roles(self) -> frozenset[Role]:
        """What it can be."""
        ...

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What else it can do."""
        ...

    @property
    def isolated(self) -> bool:
        """Whether it is a process of its own: it keeps deadlines by itself, and what it does to itself stays there.

        `TargetTimedOut` and `TargetCrashed` are then raised by `perform`, and others can be performed after that.
        """
        ...

    @property
    def unusable(self) -> str:
        """Why nothing can be performed from now on, as a part of a sentence; empty while something can."""
        ...

    @property
    def evidence(self) -> Mapping[str, str]:
        """What else there is to look at of what was performed last, as texts by what they are."""
        ...

    def perform(self, stage: HarnessStage) -> None:
        """Build the implementation out of the stage's doubles, in the stage's role, and let the scene happen.

        What the implementation does, failures included, goes into the stage. An exception that leaves `perform`
        means that the adapter is broken.
        """
        ...

    def close(self) -> None:
        """Let go of everything. Nothing is performed afterwards."""
        ...

    def rebuilt(self) -> Target:
        """Return the target as a new process would have it: nothing remembered."""
        ...
