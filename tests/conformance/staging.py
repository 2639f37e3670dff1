"""Cases to speak of, and targets that do what a test wants."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from functools import cache
from types import SimpleNamespace
from typing import Any

from loopspec import Identity, Observation, Stage
from loopspec.cases import Case, compiled
from loopspec.contract.capabilities import Capability, Role
from loopspec.contract.scene import Scene
from loopspec.judging import Result
from loopspec.performing import perform
from loopspec.stage import LiveStage
from loopspec.targets.drivers import AsyncioDriver
from loopspec.targets.python import PythonTarget
from loopspec.verdict import Verdict


@cache
def case_of(rule: str, number: int = 0) -> Case:
    """A case of a rule."""
    return [case for case in compiled() if rule in case.rule.ids][number]


def result_of(case: Case, verdict: Verdict, message: str = "", seconds: float = 0.0) -> Result:
    """A result for a case."""
    return Result(case.id, case.rule.ids, verdict, seconds, message=message)


class Acting:
    """A target whose one act is a function."""

    identity = Identity(name="acting", version="1")

    def __init__(
        self,
        act: Callable[[Stage], None] = lambda stage: None,
        roles: Iterable[Role] = ("loader",),
        capabilities: Iterable[Capability] = (),
    ) -> None:
        self.act = act
        self.roles = frozenset(roles)
        self.capabilities = frozenset(capabilities)
        self.closed = 0

    def perform(self, stage: Stage) -> None:
        """Do it."""
        self.act(stage)

    def close(self) -> None:
        """Count."""
        self.closed += 1

    def rebuilt(self) -> Acting:
        """The same."""
        return self


def staged(scene: Scene, course: Callable[[LiveStage], Coroutine[Any, Any, None]], role: Role = "agent") -> Observation:
    """What the stage saw while a coroutine played with it."""
    stage = LiveStage(scene, role)
    driver = AsyncioDriver()
    try:
        driver.run(stage, course(stage), {})
    finally:
        driver.close()
    return stage.observation()


def target_of(**members: object) -> PythonTarget:
    """The target that an object with these members is."""
    return PythonTarget(lambda: SimpleNamespace(**members), "made here")


def performed(scene: Scene, role: Role, **members: object) -> Observation:
    """What is seen of a scene on a target with these members."""
    target = target_of(**members)
    try:
        return perform(target, scene, role, 5.0)
    finally:
        target.close()
