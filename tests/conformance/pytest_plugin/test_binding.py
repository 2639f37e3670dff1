"""Which features become tests of pytest."""

from __future__ import annotations

from loopspec.contract.specification import features_root
from loopspec.pytest_plugin.binding import bind
from loopspec.specification.features import compiled


def test_only_the_files_asked_for_are_bound() -> None:
    """pytest-bdd reads a file anew for its tests: of a run of one rule that would be most of the time."""
    [file] = {case.file for case in compiled() if case.rule.ids == ("AMD-CFG-01",)}
    bound = bind(features_root(), frozenset({file}))

    assert {case.file for function in bound.values() for case in vars(function)["loopspec_cases"].values()} == {file}
    assert len(bound) == len({case.template for case in compiled() if case.file == file})
    assert bind(features_root(), frozenset()) == {}
