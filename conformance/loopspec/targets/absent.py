"""A target that is somewhere else, or was there once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from ..contract.capabilities import Capability, Role
from ..contract.faults import AdapterError
from ..contract.stage import Stage
from ..contract.target import Identity, Target


class AbsentTarget:
    """What a target has said of itself. It is judged by another process, so one that hangs costs nothing here."""

    isolated = True
    unusable = ""
    evidence: Mapping[str, str] = {}

    def __init__(self, identity: Identity, roles: Iterable[str], capabilities: Iterable[str]) -> None:
        self.identity = identity
        self.roles = cast("frozenset[Role]", frozenset(roles))
        self.capabilities = cast("frozenset[Capability]", frozenset(capabilities))

    @classmethod
    def of(cls, target: Target) -> AbsentTarget:
        """What is left of a target when it is gone."""
        return cls(target.identity, target.roles, target.capabilities)

    def perform(self, stage: Stage) -> None:
        """Raise `AdapterError`: nothing can be performed on it."""
        raise AdapterError(f"{self.identity.name} is judged elsewhere, and cannot be asked here")

    def close(self) -> None:
        """There is nothing to let go of."""

    def rebuilt(self) -> AbsentTarget:
        """There is nothing to forget."""
        return self
