"""Cases are bound to test functions of pytest-bdd."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import pytest_bdd
from pytest_bdd.scenario import scenario_wrapper_template_registry

import loopspec_pytest

from ..contract.specification import feature_path
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
