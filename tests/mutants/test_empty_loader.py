"""A loader that loads nothing fails every rule about loading."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from unittest.mock import patch

from loopspec.engine.judge import judge
from loopspec.specification.features import compiled
from loopspec_mutants import Mutant
from loopspec_reference import agentsmd
from loopspec_reference.agentsmd import Section


@contextmanager
def loads_nothing() -> Iterator[None]:
    """Reads no files, gives no warnings and returns no sections."""

    async def load(*args: object) -> list[Section]:
        return []

    with patch.object(agentsmd, "load", load):
        yield


def test_a_loader_that_loads_nothing_passes_no_rule() -> None:
    """Each rule has an example in which a file is loaded or read, a warning is given, or the load fails."""
    cases = [case for case in compiled() if "loader" in case.roles]

    with closing(Mutant("loads-nothing", "AMD-ERROR-01", loads_nothing).target()) as target:
        results = [judge(case, target, "loader") for case in cases]

    failed = {rule for result in results if result.verdict == "failed" for rule in result.rules}
    assert {rule for case in cases for rule in case.rule.ids} - failed == set()
    assert {result.case for result in results if result.verdict == "passed"} == {
        # The rule does not say whether the second file is loaded.
        "AMD-BUDGET-15 :: An empty first file and a second file above the limit",
        "AMD-BUDGET-15 :: A missing first file and a second file above the limit",
        "AMD-DEPTH-03 :: A readable file on level 6",  # the other example of the rule loads a file
    }
