"""The rules of the role `handler` as a test class for a user's test module."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from typing import Any

import pytest

from loopspec_pytest import ADVISORY

from ..contract.agents import HandlerChange
from ..contract.faults import TargetUnusable
from ..contract.places import located
from ..engine.judge import Judging, Subject, canary_fails, judge
from ..engine.result import FAILURES, Result, Verdict
from ..engine.run import fails_run
from ..specification.cases import Case, area_of
from ..specification.features import compiled
from ..specification.sources import cases_in, forms
from ..targets.handlers import handler_target, handlers_of_frameworks
from ..targets.python import PythonTarget
from .concluding import must_fit, refuse
from .showing import paragraph

# Makes a new handler: its class, or a function.
MakeHandler = Callable[[], object]

_SHOWN = 3  # failing cases of one feature
# The verdicts of the cases without a handler, by framework: they are the same for every handler.
_WITHOUT: dict[str, dict[Subject, Verdict]] = {}


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
        """Raise `TypeError` for a subclass that overrides or deletes a test, or misspells an attribute."""
        super().__init_subclass__()
        must_fit(cls, HandlerConformance, "declare what the handler changes in `changes`")

    @pytest.fixture
    def make_handler(self) -> MakeHandler:
        """Return the function that makes a new handler, for example its class."""
        refuse(f"{type(self).__name__} gives no fixture make_handler: see loopspec.testing")

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
            judging = Judging(target, verdicts=without)
            judged = [(case, judging.judge(case)) for case in scenes]
        self._conclude(judged)

    @contextmanager
    def _judging(self, make_handler: MakeHandler) -> Iterator[tuple[PythonTarget, dict[Subject, Verdict]]]:
        """The target of the handler, and the verdicts of its framework without the handler."""

        def made() -> object:
            return handler_target(make_handler, make_handler(), self.changes, type(self).adapter)

        with closing(self._target(made, make_handler)) as target:
            framework = f"{type(target.shape).__module__}:{type(target.shape).__qualname__}"
            yield target, _WITHOUT.setdefault(framework, {})

    def _target(self, made: Callable[[], object], make_handler: MakeHandler) -> PythonTarget:
        of = f"make_handler of {type(self).__name__}"
        if not callable(make_handler):
            refuse(f"{of} returns {make_handler!r:.80}: return the class of the handler, or a function that makes one")
        try:
            handler = make_handler()
        except Exception as error:
            refuse(f"{of} fails: {located(error)}")
        if handler_target(make_handler, handler, self.changes, type(self).adapter) is handler:
            known = handlers_of_frameworks()
            refuse(f"{of} makes {handler!r:.80}: a handler is {known}; for another framework, set `adapter`")
        try:
            return PythonTarget(made, type(self).__name__)
        except TargetUnusable as error:
            refuse(str(error))

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
            reasons = {result.message for _, result in judged}
            pytest.skip(reasons.pop() if len(reasons) == 1 else "no scene of the feature applies to the framework")


@cache
def _own_cases() -> list[Case]:
    """The cases of the rules for handlers."""
    return [case for case in compiled() if case.roles == ("handler",)]


@cache
def _scenes() -> dict[str, list[Case]]:
    """The cases of agents with the handler under test, by feature and place of the handler."""
    places = [form for form, rule in forms().items() if area_of(rule) == "HANDLER"]
    found: dict[str, list[Case]] = {}
    for case in compiled():
        for placed in cases_in(case, places):
            found.setdefault(f"{case.file} {placed.form}", []).append(placed)
    return found
