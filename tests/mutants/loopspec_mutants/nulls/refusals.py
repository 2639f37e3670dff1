"""Refusals with each kind of error: no rule about a rejection passes as a whole on a target that rejects everything."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import Literal, get_args

from loopspec import Stage
from loopspec.contract.errors import Reported
from loopspec.contract.roles import Role
from loopspec.contract.scene import Run
from loopspec.contract.values import Error, ErrorKind
from loopspec.engine.judge import judge
from loopspec.engine.result import by_rule
from loopspec.specification.cases import Case
from loopspec.targets.python import PythonTarget

from ..trial import DEADLINE
from .agents import EmptyAgent

At = Literal["build", "run"]
KINDS: tuple[ErrorKind, ...] = get_args(ErrorKind)


class RefusingWith(EmptyAgent):
    """Fails with one kind of error: when the agent is built, or in every run and every lookup."""

    def __init__(self, kind: ErrorKind, at: At, role: Role) -> None:
        self.roles = (role,)
        self._error = Reported(Error(kind=kind, message="everything is refused"))
        self._at = at

    async def perform(self, stage: Stage) -> None:
        """Perform the scene."""
        if self._at == "build" and stage.scene.act != "outside":
            stage.outcomes.build_failed(self._error)
        else:
            await super().perform(stage)

    def look_up(self, stage: Stage, provider: str) -> None:
        """Answer a lookup with the error."""
        stage.outcomes.look_up_failed(provider, self._error)

    def run(self, stage: Stage, run: Run) -> None:
        """Fail a run with the error."""
        stage.runs.event(stage.scene.agent.name, error=self._error)
        raise self._error


def whole_rules(kind: ErrorKind, at: At, role: Role, cases: Sequence[Case]) -> list[str]:
    """Return the rules that pass as a whole on a target that refuses everything with one kind of error."""
    with closing(PythonTarget(partial(RefusingWith, kind, at, role), f"{role} refusal {kind}")) as target:
        results = [judge(case, target, role, DEADLINE) for case in cases if role in case.roles]
    judged = [result for result in results if result.verdict != "inapplicable"]
    return sorted(rule for rule, found in by_rule(judged).items() if {one.verdict for one in found} == {"passed"})
