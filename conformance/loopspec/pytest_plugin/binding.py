"""Cases under pytest-bdd: bound to test functions, and judged by the engine at their When."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
import pytest_bdd
from pytest_bdd.parser import Feature, Scenario, Step
from pytest_bdd.scenario import scenario_wrapper_template_registry

import loopspec_pytest

from ..contract.faults import SuiteError
from ..contract.roles import Role
from ..contract.specification import feature_path
from ..contract.target import Target
from ..engine.judge import judge
from ..engine.result import Result
from ..specification.cases import Case
from ..specification.ledger import NORMATIVE
from . import activate


def bind(cases: Iterable[Case], path_of: Callable[[str], Path] = feature_path) -> dict[str, Callable[..., None]]:
    """One test function for each scenario; an outline is one function with its rows as parameters.

    pytest-bdd reads each feature again, at its path.
    """
    templates: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        templates.setdefault((case.file, case.template), []).append(case)
    activate()
    manager, tags = loopspec_pytest.configs[-1].pluginmanager, IgnoresTags()
    manager.register(tags)
    try:
        return {_name(rows[0]): _function(rows, path_of(rows[0].file)) for rows in templates.values()}
    finally:
        manager.unregister(tags)


class IgnoresTags:
    """Keeps pytest-bdd from turning the tags of loopspec's features into markers: each would have to be registered."""

    @pytest.hookimpl(tryfirst=True, optionalhook=True)
    def pytest_bdd_apply_tag(self) -> bool:
        """Ignore a tag. Without `tryfirst`, pytest-bdd does not call this hook."""
        return True


def _name(case: Case) -> str:
    words = re.sub(r"\W+", "_", f"{case.rule.ids[0]} {case.template}").strip("_").lower()
    return f"test_{words}"


def _function(rows: list[Case], path: Path) -> Callable[..., None]:
    case = rows[0]

    @pytest_bdd.scenario(str(path), case.template, features_base_dir=str(path.parent))
    def scenario() -> None:
        """Do nothing: the steps do everything."""

    template = scenario_wrapper_template_registry[scenario]
    for step in template.steps:  # the case has the steps already, and pytest-bdd would copy them for each row
        step.datatable = step.docstring = None
    vars(scenario)["loopspec_cases"] = {each.row: each for each in rows}
    for name in (case.rule.basis, "normative" if case.basis in NORMATIVE else "advisory"):
        getattr(pytest.mark, name)(scenario)
    for rule in case.rule.ids:
        pytest.mark.rule(id=rule)(scenario)
    return scenario


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
