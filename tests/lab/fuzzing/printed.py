"""A finding is printed as a scenario that can be pasted into a feature."""

from __future__ import annotations

from loopspec.contract.target import Target
from loopspec.engine.judge import judge
from loopspec.specification.compiling import compile_feature
from loopspec.specification.store import cases_of
from loopspec_lab.fuzzing.printing import scenario_of
from loopspec_lab.fuzzing.search import Finding

_HEAD = "Feature: F\n\n  @X-01 @clarified\n  Rule: R\n\n"


def scenario_that_shows(finding: Finding, ours: Target, theirs: Target) -> str:
    """The printed scenario, which compiles to the scene of the finding, fails on ours, and passes on theirs."""
    printed = scenario_of(finding, "A difference")
    assert printed.is_shown
    [case] = cases_of(compile_feature("f.feature", (_HEAD + printed.scenario).encode()))
    assert case.scene == finding.performed.scene
    assert (judge(case, ours).verdict, judge(case, theirs).verdict) == ("failed", "passed")
    return printed.scenario
