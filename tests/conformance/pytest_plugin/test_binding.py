"""Features are bound to test functions of pytest."""

from __future__ import annotations

from loopspec.pytest_plugin.binding import bind
from loopspec.specification.features import compiled


def test_only_the_given_cases_are_bound() -> None:
    """Each scenario is one function with its rows; pytest-bdd reads no other file."""
    [file] = {case.file for case in compiled() if case.rule.ids == ("AMD-CFG-01",)}
    given = [case for case in compiled() if case.file == file]

    bound = bind(given)

    rows = [case for function in bound.values() for case in vars(function)["loopspec_cases"].values()]
    assert sorted(case.id for case in rows) == sorted(case.id for case in given)
    assert len(bound) == len({case.template for case in given})
    assert bind([]) == {}
