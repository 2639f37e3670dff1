"""Given, When and Then for pytest-bdd: one definition each, which fits every sentence and does nothing.

pytest-bdd's cost grows with the number of step definitions that a module can see and with the arguments that each has,
and of two definitions that fit a sentence it takes one without a word. What the sentences mean was found out when the
features were compiled; that a step is reached is known by a hook, see `Session.pytest_bdd_before_step_call`.
"""

from __future__ import annotations

import pytest_bdd
from pytest_bdd.parsers import StepParser


class _Anything(StepParser):
    """Fits every sentence; that there is a phrase for it was found out before."""

    def is_matching(self, name: str) -> bool:
        return True

    def parse_arguments(self, name: str) -> dict[str, str]:
        return {}


@pytest_bdd.given(_Anything("given"))
def given_step() -> None:
    """A Given."""


@pytest_bdd.when(_Anything("when"))
def when_step() -> None:
    """The When."""


@pytest_bdd.then(_Anything("then"))
def then_step() -> None:
    """A Then."""


# What a suite module must have in its namespace for pytest to find the steps.
FIXTURES = {name: value for name, value in globals().items() if name.startswith("pytestbdd_stepdef")}
