"""Given, When and Then for pytest-bdd: one definition each, which fits every sentence.

pytest-bdd's cost grows with the number of step definitions that a module can see, and of two that fit a sentence it
takes one without a word. What the sentences mean was found out when the features were compiled.
"""

from __future__ import annotations

import pytest_bdd
from pytest_bdd.parsers import StepParser

from .scenario import ScenarioRun


class _Anything(StepParser):
    """Fits every sentence; that there is a phrase for it was found out before."""

    def is_matching(self, name: str) -> bool:
        return True

    def parse_arguments(self, name: str) -> dict[str, str]:
        return {"sentence": name}


@pytest_bdd.given(_Anything("given"))
def given_step(
    loopspec_scenario: ScenarioRun, sentence: str, datatable: object = None, docstring: object = None
) -> None:
    """A Given."""
    loopspec_scenario.take("given", sentence)


@pytest_bdd.when(_Anything("when"))
def when_step(
    loopspec_scenario: ScenarioRun, sentence: str, datatable: object = None, docstring: object = None
) -> None:
    """The When."""
    loopspec_scenario.take("when", sentence)


@pytest_bdd.then(_Anything("then"))
def then_step(
    loopspec_scenario: ScenarioRun, sentence: str, datatable: object = None, docstring: object = None
) -> None:
    """A Then."""
    loopspec_scenario.take("then", sentence)


# What a suite module must have in its namespace for pytest to find the steps.
FIXTURES = {name: value for name, value in globals().items() if name.startswith("pytestbdd_stepdef")}
