"""A target in another process, or from a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import cast

from ..contract.axes import Posture, Postures
from ..contract.capabilities import Capability
from ..contract.faults import AdapterError
from ..contract.roles import Role
from ..contract.stage import Stage
from ..contract.target import Identity, Target


class AbsentTarget:
    """The declarations of a target that another process judges."""

    isolated = True
    unusable = ""
    evidence: Mapping[str, str] = {}

    def __init__(
        self,
        identity: Identity,
        roles: Iterable[str],
        capabilities: Iterable[str],
        postures: Postures = MappingProxyType[str, Posture]({}),
    ) -> None:
        self.identity = identity
        self.roles = cast("frozenset[Role]", frozenset(roles))
        self.capabilities = cast("frozenset[Capability]", frozenset(capabilities))
        self.postures = postures

    @classmethod
    def of(cls, target: Target) -> AbsentTarget:
        """The declarations of a target."""
        return cls(target.identity, target.roles, target.capabilities, target.postures)

    def perform(self, stage: Stage) -> None:
        """Raise `AdapterError`: nothing can be performed on it."""
        raise AdapterError(f"{self.identity.name} is judged in another process")

    def close(self) -> None:
        """Do nothing."""

    def rebuilt(self) -> AbsentTarget:
        """Return the target itself."""
        return self
