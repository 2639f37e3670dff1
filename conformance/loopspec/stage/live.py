"""The live Stage of one scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..contract.capabilities import Role
from ..contract.observation import Observation
from ..contract.scene import Scene
from ..contract.stage import Parking
from ..contract.values import ErrorKind
from .cast import Cast
from .doubles import LiveDoubles
from .middlewares import LiveMiddlewares
from .outcomes import LiveOutcomes
from .record import Record
from .recovery import LiveRecovery
from .runs import LiveRuns
from .world import LiveWorld


class LiveStage:
    """One scene, live: its doubles over one record. It knows no event loop: see `attach`."""

    def __init__(self, scene: Scene, role: Role, deadline: float = 10.0) -> None:
        self.scene = scene
        self.role = role
        self.deadline = deadline
        self.record = Record()
        self.world = LiveWorld(scene, self.record)
        cast = Cast(scene)
        self.doubles = LiveDoubles(cast, self.record)
        self.middlewares = LiveMiddlewares(cast, self.record)
        self.recovery = LiveRecovery(cast, self.record)
        self.runs = LiveRuns(scene, self.record)
        self.outcomes = LiveOutcomes(self.record)

    def attach(
        self, parking: Callable[[], Parking], kinds: Mapping[type[BaseException], ErrorKind]
    ) -> Callable[[], bool]:
        """Take a driver's way of waiting and the target's own exceptions; return what makes all waiting fail."""
        self.record.parking = parking
        self.record.kinds = kinds
        return self.record.gates.give_up

    def observation(self) -> Observation:
        """Everything the harness saw, and what came out."""
        return self.record.observation()
