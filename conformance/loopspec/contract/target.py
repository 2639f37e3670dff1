"""A Target: an implementation under test and its adapter."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from .axes import NO_POSTURES, Postures
from .capabilities import Capability
from .harness import HarnessStage
from .roles import Role
from .values import Value


class Identity(Value, frozen=True):
    """The identity of an implementation. It must not change between cases."""

    name: str
    version: str = ""
    language: str = "python"

    def __str__(self) -> str:
        """The name, and the version if there is one."""
        return f"{self.name} {self.version}".strip()


class InProcess:
    """The properties of a target in the harness's process, which is not isolated."""

    isolated = False
    unusable = ""
    evidence: Mapping[str, str] = MappingProxyType({})
    postures = NO_POSTURES


class Target(Protocol):
    """A target for scenes."""

    @property
    def identity(self) -> Identity:
        """The identity of the implementation."""

    @property
    def roles(self) -> frozenset[Role]:
        """The roles of the target."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The capabilities of the target."""

    @property
    def postures(self) -> Postures:
        """The declared postures by axis. A target has the default value of an axis that is missing here."""

    @property
    def isolated(self) -> bool:
        """Whether the target is a separate process, which keeps its own deadlines and can crash alone.

        `TargetTimedOut` and `TargetCrashed` are then raised by `perform`, and others can be performed after that.
        """

    @property
    def unusable(self) -> str:
        """The reason why no scene can be performed, as a part of a sentence; empty otherwise."""

    @property
    def evidence(self) -> Mapping[str, str]:
        """The evidence of the last scene: texts by kind."""

    def perform(self, stage: HarnessStage) -> None:
        """Build the implementation from the stage's doubles in the stage's role, and perform the scene.

        Results of the implementation, failures included, go to the stage. An exception of `perform` means that the
        adapter is broken.
        """

    def close(self) -> None:
        """Release all resources. No scene is performed afterward."""

    def rebuilt(self) -> Target:
        """Return the target in the state of a new process."""
