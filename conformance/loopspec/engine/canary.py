"""The canary: a case that must fail in every run. If it passes, no verdict can be trusted."""

from __future__ import annotations

from ..contract.capabilities import Capability
from ..contract.roles import Role
from ..contract.stage import Stage
from ..contract.target import Identity, InProcess
from ..specification.features import canary
from .judge import judge


class Mute(InProcess):
    """The canary's target, which loads nothing. The load ends, so that only a Then can fail the canary."""

    identity = Identity(name="mute")
    roles: frozenset[Role] = frozenset({"loader"})
    capabilities: frozenset[Capability] = frozenset()

    def perform(self, stage: Stage) -> None:
        """Load nothing."""
        stage.outcomes.loaded()

    def close(self) -> None:
        """Do nothing."""

    def rebuilt(self) -> Mute:
        """Return the target itself."""
        return self


def canary_fails() -> bool:
    """Whether the canary fails as required."""
    return judge(canary(), Mute()).verdict == "failed"
