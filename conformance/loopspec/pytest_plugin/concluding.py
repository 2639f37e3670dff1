"""How a test of a test class ends: with the verdict on a case, the known failures of the class, and its strictness."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from inspect import getattr_static
from types import MappingProxyType
from typing import NoReturn

import pytest

from loopspec_pytest import ADVISORY

from ..contract.names import near_misses, nearest, refused
from ..engine.baseline import Baseline, Known
from ..engine.result import FAILURES, Result
from ..engine.run import fails_run
from ..specification.cases import Case
from .showing import paragraph

Reasons = Mapping[str, str]

_ALIKE = 0.6  # of a case's name, so that a title with a typing error is recognized


def must_fit(cls: type, suite: type, instead: str) -> None:
    """Raise `TypeError` for a subclass of a test class of ours that overrides a test, or misspells an attribute."""
    inherited = {name for name in vars(suite) if getattr_static(cls, name, None) is vars(suite)[name]}
    for name in vars(suite):
        if name.startswith("test_") and name not in inherited:
            raise TypeError(f"{cls.__name__} overrides {name}: {instead}")
    attributes = [name for name in inherited if not name.startswith(("_", "test_"))]
    for name, meant in near_misses(vars(cls), attributes):
        raise TypeError(f"{cls.__name__} {refused(name, meant)}")


def must_be_known(attribute: str, known: Reasons, cases: Collection[str]) -> None:
    """Raise `CollectError` for an entry of the attribute, such as `TestIt.known`, that is no case, or has no reason.

    pytest prints the sentence of a `CollectError` alone, and a `UsageError` of this hook with a traceback.
    """
    for case, reason in known.items():
        if case not in cases:
            close = nearest(case, cases, _ALIKE)
            hint = f": did you mean {close!r}?" if close else "; pytest prints the name of each case in brackets"
            raise pytest.Collector.CollectError(f"{attribute} names {case!r}, and there is no such case{hint}")
        if not reason.strip():
            raise pytest.Collector.CollectError(f"{attribute} has no reason for {case!r}: say why the case fails")


def refuse(sentence: str) -> NoReturn:
    """Fail a test because of a mistake in its class: pytest prints the sentence of another error with a traceback."""
    pytest.fail(sentence, pytrace=False)


def conclude(
    case: Case, result: Result, *, strict: bool, known: Reasons, flaky: Reasons = MappingProxyType[str, str]({})
) -> None:
    """End a test. A failure in `known` or `flaky` is expected, and a case in `known` that passes fails.

    An advisory rule that fails is an expected failure unless the class is strict.
    """
    baseline = Baseline(
        tuple(Known(name, reason, flaky=of is flaky) for of in (known, flaky) for name, reason in of.items())
    )
    match baseline.judge(result):
        case "passed":
            return
        case "inapplicable":
            pytest.skip(result.message)
        case "known":
            pytest.xfail(f"known: {known.get(result.case) or flaky[result.case]}")
        case "stale":
            pytest.fail(f"the case passes: remove {result.case!r} from `known`", pytrace=False)
        case verdict if verdict in FAILURES and not fails_run(verdict, case.basis, strict):
            pytest.xfail(ADVISORY + result.message)
        case _:
            pytest.fail(paragraph(case, result, ""), pytrace=False)
