"""One scenario under pytest-bdd: the engine judges its case, and the step that failed shows it."""

from __future__ import annotations

from ..contract.capabilities import Role
from ..contract.faults import SuiteError
from ..contract.target import Target
from ..engine.judge import judge
from ..engine.result import Result
from ..specification.cases import Case


class NotPassed(Exception):
    """Raised by the step that failed, so that pytest shows it there. The result says everything else."""


class ScenarioRun:
    """Takes the steps of a case as pytest-bdd reads them, and lets the engine judge the case at its When.

    Raises `SuiteError` where pytest-bdd reads other steps than were compiled.
    """

    def __init__(self, case: Case, target: Target, role: Role | None, deadline: float) -> None:
        self.result: Result | None = None
        self._case = case
        self._target = target
        self._role = role
        self._deadline = deadline
        self._taken = 0

    @property
    def is_complete(self) -> bool:
        """Whether pytest-bdd has read every step of the case."""
        return self._taken == len(self._case.steps)

    def take(self, kind: str, text: str) -> None:
        """Take one step. Raises `NotPassed` at the step where the case failed."""
        steps = self._case.steps
        if self.is_complete or (steps[self._taken].kind, steps[self._taken].text) != (kind, text):
            raise SuiteError(f"{self._case.file}: pytest-bdd reads a step that was not compiled: {kind} {text}")
        step = steps[self._taken]
        self._taken += 1
        if kind == "when":
            self.result = judge(self._case, self._target, self._role, self._deadline)
        if self.result and self.result.location == f"{self._case.file}:{step.line}":
            raise NotPassed(self.result.message)
