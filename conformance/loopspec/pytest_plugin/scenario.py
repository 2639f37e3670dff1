"""One scenario under pytest-bdd: its steps, as they come."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec_steps import Drafting
from loopspec_steps.phrasebook import Kind

from ..contract.capabilities import Role
from ..contract.observation import Observation
from ..contract.scene import Scene
from ..contract.target import Target
from ..engine.judge import nothing_is_held
from ..engine.perform import DEFAULT_DEADLINE, perform


class Playing:
    """Drafts the Scene, performs it at the When, and lets each Then look at what was seen."""

    def __init__(self, target: Target, role: Role, deadline: float = DEFAULT_DEADLINE) -> None:
        self._drafting = Drafting()
        self._target = target
        self._role = role
        self._deadline = deadline
        self.observation: Observation | None = None

    @property
    def scene(self) -> Scene | None:
        """The Scene; None before the When."""
        return self._drafting.scene if self._drafting.acted else None

    def take(self, kind: Kind, text: str, table: Sequence[Sequence[str]] | None, docstring: str | None) -> None:
        """Take one step. Raises `Mismatch` where a Then says no, and what `perform` raises."""
        check = self._drafting.take(kind, text, table, docstring)
        if kind == "when":
            self.observation = perform(self._target, self._drafting.scene, self._role, self._deadline)
            nothing_is_held(self.observation)
        elif check is not None and self.observation is not None:
            check(self.observation)
