"""The live Stage of one scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from ..contract.harness import Waiter
from ..contract.observation import Observation
from ..contract.roles import Role
from ..contract.scene import Scene, first_parts
from ..contract.values import ErrorKind
from .doubles import LiveModels, LiveTools
from .environment import LiveEnvironment
from .handlers import LiveHandlers
from .index import SceneIndex
from .outcomes import LiveOutcomes
from .record import Record
from .recovery import LiveRecovery
from .runs import LiveRuns


class LiveDoubles(LiveModels, LiveTools, LiveHandlers):
    """The scripted models, tools and handlers of the scene's agents, by name. The contract's `Doubles`."""


class LiveStage:
    """One scene, live: its doubles over one record. The contract's `HarnessStage`; it knows no event loop."""

    def __init__(self, scene: Scene, role: Role, deadline: float = 10.0) -> None:
        self.scene = scene
        self.role = role
        self.deadline = deadline
        self.record = Record(scene.held)
        self.record.gates.first_parts = first_parts(scene.runs)
        self.environment = LiveEnvironment(scene, self.record)
        index = self._index = SceneIndex(scene)
        self.doubles = LiveDoubles(index, self.record)
        self.recovery = LiveRecovery(index, self.record)
        self.runs = LiveRuns(scene, self.record)
        self.outcomes = LiveOutcomes(self.record)

    def attach(
        self, new_waiter: Callable[[], Waiter], kinds: Mapping[type[BaseException], ErrorKind]
    ) -> Callable[[], bool]:
        self.record.new_waiter = new_waiter
        self.record.kinds = kinds
        return self.record.gates.give_up

    def observation(self) -> Observation:
        """Return everything that the harness saw, and what came out. Raises `AdapterError` for an unknown name."""
        if self._index.fault is not None:
            raise self._index.fault
        return replace(self.record.observation(), missed=self.environment.missed + self.runs.missed)
