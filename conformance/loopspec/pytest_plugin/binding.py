"""From compiled cases to test functions of pytest-bdd."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import pytest_bdd

from ..specification.cases import Case, compiled
from . import entry as plugin
from .scenario import Playing


def bind(root: Path, files: frozenset[str] | None = None) -> dict[str, Callable[..., None]]:
    """One test function for each scenario below a folder; an outline is one function with its rows as parameters.

    With `files`, of these only: pytest-bdd reads each file anew.
    """
    templates: dict[tuple[str, str], list[Case]] = {}
    for case in compiled(root):
        if files is not None and case.file not in files:
            continue
        templates.setdefault((case.file, case.template), []).append(case)
    with plugin.session().binding():
        return {_name(cases[0]): _function(cases, root) for cases in templates.values()}


def _name(case: Case) -> str:
    words = re.sub(r"\W+", "_", f"{case.rule.ids[0]} {case.template}").strip("_").lower()
    return f"test_{words}"


def _function(cases: list[Case], root: Path) -> Callable[..., None]:
    case = cases[0]

    @pytest_bdd.scenario(str(root / case.file), case.template, features_base_dir=str(root))
    def scenario() -> None:
        """Nothing is left to do when all steps are done."""

    vars(scenario)["loopspec_cases"] = {each.row: each for each in cases}
    pytest.mark.provenance(name=case.rule.provenance)(scenario)
    for rule in case.rule.ids:
        pytest.mark.rule(id=rule)(scenario)
    return scenario


@pytest.fixture
def loopspec_playing(request: pytest.FixtureRequest) -> Playing:
    """The running scenario, on its target."""
    return plugin.session().playing(request.node)
