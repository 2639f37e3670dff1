"""One scenario under pytest-bdd: the engine judges the case, and the failing step shows the result."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytest_bdd.parser import Feature, Scenario, Step

from ..contract.faults import SuiteError
from ..contract.roles import Role
from ..contract.target import Target
from ..engine.judge import judge
from ..engine.result import Result
from ..specification.cases import Case


class NotPassed(Exception):
    """Raised in the failing step, so that pytest shows the step. The result has all other details."""


class ScenarioRun:
    """Takes the steps of a case from pytest-bdd, and lets the engine judge the case at its When.

    Raises `SuiteError` if pytest-bdd reads other steps than the compiled ones.
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


def take_steps(
    scenario_run: ScenarioRun,
    steps: list[Step],
    request: pytest.FixtureRequest,
    feature: Feature,
    scenario: Scenario,
) -> Iterator[Step]:
    """Take each step, with pytest-bdd's hooks around each step. Yields nothing.

    Replaces the steps of a scenario until pytest-bdd iterates over them.

    No step has a function: sentences are resolved when the feature is compiled. Raises the errors of
    `ScenarioRun.take`.
    """
    scenario.steps = steps  # reporters read the steps
    hook = request.config.hook
    for step in steps:
        about = {"request": request, "feature": feature, "scenario": scenario, "step": step, "step_func": _no_function}
        hook.pytest_bdd_before_step(**about)
        try:
            hook.pytest_bdd_before_step_call(**about, step_func_args={})
            scenario_run.take(step.type, step.name)
        except Exception as error:
            hook.pytest_bdd_step_error(**about, step_func_args={}, exception=error)
            raise
        hook.pytest_bdd_after_step(**about, step_func_args={})
    yield from ()


def _no_function() -> None:
    """The function of every step for the hooks."""
