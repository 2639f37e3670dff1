"""The rules of the role `handler` as a test class for a user's test module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from typing import Any

import pytest

from loopspec_pytest import ADVISORY

from ..contract.agents import HandlerChange
from ..engine.canary import canary_fails
from ..engine.judge import judge
from ..engine.result import Result
from ..engine.run import fails_run
from ..engine.verdict import FAILURES, Verdict
from ..specification.cases import Case
from ..specification.features import compiled
from ..specification.variants import variants, varied_cases
from ..targets.handlers import handler_target
from ..targets.python import PythonTarget
from .concluding import must_not_override
from .showing import paragraph

MakeHandler = Callable[[], object]

_SHOWN = 3  # failing cases of one feature
# The verdicts of the cases without a handler, by framework: they are the same for every handler.
_WITHOUT: dict[str, dict[str, Verdict]] = {}


class HandlerConformance:
    """Tests of one handler, in the loop of the framework that it is written for. A subclass needs only `make_handler`.

    `changes` are those that the handler makes on purpose: see `loopspec.contract.agents.HandlerChange`. None: those in
    the handler's attribute `loopspec_changes`. `adapter` is the adapter of a framework that loopspec does not know.
    With `strict` off, failing advisory rules are expected failures: nearly all rules for handlers are advisory.
    """

    changes: Sequence[HandlerChange] | None = None
    adapter: Callable[[], Any] | None = None  # Any: an adapter, which the kit knows by its methods
    strict = True

    def __init_subclass__(cls) -> None:
        """Raise `TypeError` for a subclass that overrides or deletes a test."""
        super().__init_subclass__()
        must_not_override(cls, HandlerConformance, "declare what the handler changes in `changes`")

    @pytest.fixture
    def make_handler(self) -> MakeHandler:
        """Return the function that makes a new handler, for example its class."""
        raise pytest.UsageError(f"{type(self).__name__} gives no fixture make_handler: see loopspec.testing")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Compile the cases when the class is collected, and not when it is imported."""
        if "case" in metafunc.fixturenames:
            metafunc.parametrize("case", own := _own_cases(), ids=[case.id for case in own])
        if "scenes" in metafunc.fixturenames:
            found = _scenes()
            metafunc.parametrize("scenes", list(found.values()), ids=list(found))

    def test_the_suite_notices(self) -> None:
        """The canary fails."""
        assert canary_fails()

    def test_scenario(self, case: Case, make_handler: MakeHandler) -> None:
        """The handler passes a scenario about handlers."""
        with self._judging(make_handler) as (target, _):
            result = judge(case, target)
        self._conclude([(case, result)])

    def test_agent_scenes(self, scenes: Sequence[Case], make_handler: MakeHandler) -> None:
        """Each scenario of a feature that passes without the handler passes with the handler."""
        with self._judging(make_handler) as (target, without):
            judged = [(case, judge(case, target, verdicts=without)) for case in scenes]
        self._conclude(judged)

    @contextmanager
    def _judging(self, make_handler: MakeHandler) -> Iterator[tuple[PythonTarget, dict[str, Verdict]]]:
        """The target of the handler, and the verdicts of its framework without the handler."""

        def made() -> object:
            return handler_target(make_handler, make_handler(), self.changes, type(self).adapter)

        with closing(PythonTarget(made, type(self).__name__)) as target:
            if "handler" not in target.roles:
                raise pytest.UsageError(
                    f"make_handler of {type(self).__name__} returns no handler of a known framework"
                )
            framework = f"{type(target.shape).__module__}:{type(target.shape).__qualname__}"
            yield target, _WITHOUT.setdefault(framework, {})

    def _conclude(self, judged: Iterable[tuple[Case, Result]]) -> None:
        """Fail with the failures that count, or skip if no case applies."""
        applicable = [(case, result) for case, result in judged if result.verdict != "inapplicable"]
        failed = [(case, result) for case, result in applicable if result.verdict != "passed"]
        counting = [
            f"{case.id}\n{paragraph(case, result, '')}"
            for case, result in failed
            if result.verdict not in FAILURES or fails_run(result.verdict, case.basis, self.strict)
        ]
        if counting:
            more = [f"and {len(counting) - _SHOWN} more"] if len(counting) > _SHOWN else []
            pytest.fail("\n\n".join([*counting[:_SHOWN], *more]), pytrace=False)
        if failed:
            pytest.xfail(ADVISORY + failed[0][1].message)
        if not applicable:
            pytest.skip("; ".join(dict.fromkeys(result.message for _, result in judged)))


@cache
def _own_cases() -> list[Case]:
    """The cases of the rules for handlers."""
    return [case for case in compiled() if case.roles == ("handler",)]


@cache
def _scenes() -> dict[str, list[Case]]:
    """The cases of agents with the handler under test, by feature and variant."""
    judged = [variant for variant in variants().values() if variant.judged_in == "handler"]
    found: dict[str, list[Case]] = {}
    for case in compiled():
        for varied in varied_cases(case, judged):
            found.setdefault(f"{case.file} {varied.variant.name}", []).append(varied)
    return found
