"""The one step that pytest-bdd needs: it fits every sentence and does nothing.

pytest-bdd looks at every fixture that a module can see for each step, twice, and of two definitions that fit a sentence
it takes one without a word. So it gets one definition, without arguments. What the sentences mean was found out when
the features were compiled; that a step is reached is known by a hook, see `Session.pytest_bdd_before_step_call`.
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


@pytest_bdd.step(_Anything("anything"))
def any_step() -> None:
    """A Given, a When or a Then."""


# What a suite module must have in its namespace for pytest to find the step.
FIXTURES = {name: value for name, value in globals().items() if name.startswith("pytestbdd_stepdef")}
