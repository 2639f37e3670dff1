"""Runs and failures for the tests of reports."""

from __future__ import annotations

from loopspec.contract.calls import ModelRequest
from loopspec.contract.observation import ModelCall, Observation
from loopspec.contract.values import Message
from loopspec.engine.baseline import Baseline
from loopspec.engine.result import Result
from loopspec.engine.run import SuiteRun
from loopspec.specification.cases import Case

from ..staging import Acting, case_of

DEPTH = [case_of("AMD-DEPTH-01", number) for number in range(3)]
ADVISORY = case_of("AMD-DEPTH-07")
OTHER = case_of("AMD-CFG-01")
ASKED = ModelRequest(messages=(Message(role="user"),))
SEEN = Observation(model_calls=(ModelCall(n=0, model="m", run="1", request=ASKED),))


def suite_run_of(*cases: Case, baseline: Baseline | None = None) -> SuiteRun:
    """A run of these cases on a target that is never called."""
    run = SuiteRun(Acting(capabilities=["edits"]), "py:some:target", cases, baseline=baseline, seed=3)
    run.canary = True
    return run


def failed(case: Case) -> Result:
    """A failure with every field."""
    return Result(
        case.id,
        case.rule.ids,
        "failed",
        1.25,
        "agentsmd/loading/depth.feature:12",
        "Then it is so",
        "so\n  expected: a\n  seen:     b",
        "a",
        "b",
        case.scene,
        SEEN,
    )
