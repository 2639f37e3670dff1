"""The rules of the role `handler` as a test class for a user's test module."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import pytest

from ..contract.agents import HandlerChange
from ..contract.faults import TargetUnusable
from ..contract.places import located
from ..engine.judge import Judging
from ..engine.verdict import Verdict
from ..specification.cases import Case, area_of
from ..specification.features import compiled
from ..specification.sources import cases_in, forms
from ..targets.handlers import handler_target, handlers_of_frameworks
from ..targets.python import PythonTarget
from .conformance import Conformance, OpenTarget, refuse

# Makes a new handler: its class, or a function.
MakeHandler = Callable[[], object]

# The verdicts of the cases without a handler, by framework: they are the same for every handler.
_WITHOUT: dict[str, dict[str, Verdict]] = {}


class HandlerConformance(Conformance):
    """Tests of one handler, in the loop of the framework that it is written for. A subclass needs only `make_handler`.

    `changes` are those that the handler makes on purpose: see `loopspec.contract.agents.HandlerChange`. None: those in
    the handler's attribute `loopspec_changes`. `adapter` is the adapter of a framework that loopspec does not know.
    With `strict` off, failing advisory rules are expected failures: nearly all rules for handlers are advisory. `known`
    and `flaky` have the names of the cases that the handler fails, or fails in some runs only, each with a reason.
    """

    changes: Sequence[HandlerChange] | None = None
    adapter: Callable[[], Any] | None = None  # Any: an adapter, which the kit knows by its methods
    strict = True
    _instead = "declare what the handler changes in `changes`"

    @pytest.fixture
    def make_handler(self) -> MakeHandler:
        """Return the function that makes a new handler, for example its class."""
        refuse(f"{type(self).__name__} gives no fixture make_handler: see loopspec.testing")

    @pytest.fixture
    def open_target(self, make_handler: MakeHandler) -> OpenTarget:
        """Return the function that makes a target of the handler."""
        return lambda: self._target(make_handler)

    def _target(self, make_handler: MakeHandler) -> PythonTarget:
        of, adapter = f"make_handler of {type(self).__name__}", type(self).adapter
        if not callable(make_handler):
            refuse(f"{of} returns {make_handler!r:.80}: return the class of the handler, or a function that makes one")
        try:
            handler = make_handler()
        except Exception as error:
            refuse(f"{of} fails: {located(error)}")
        if handler_target(make_handler, handler, self.changes, adapter) is handler:
            known = handlers_of_frameworks()
            refuse(f"{of} makes {handler!r:.80}: a handler is {known}; for another framework, set `adapter`")
        try:
            return PythonTarget(
                lambda: handler_target(make_handler, make_handler(), self.changes, adapter), type(self).__name__
            )
        except TargetUnusable as error:
            refuse(str(error))

    def _cases(self) -> Sequence[Case]:
        """The cases of the rules for handlers."""
        return [case for case in compiled() if case.roles == ("handler",)]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Compile the cases, and the scenes of agents, when the class is collected."""
        super().pytest_generate_tests(metafunc)
        if "scenes" in metafunc.fixturenames:
            found = _scenes()
            metafunc.parametrize("scenes", list(found.values()), ids=list(found))

    def test_agent_scenes(self, scenes: Sequence[Case], open_target: OpenTarget) -> None:
        """Each scenario of a feature that passes without the handler passes with the handler."""
        with closing(open_target()) as target:
            framework = f"{type(target.shape).__module__}:{type(target.shape).__qualname__}"
            judging = Judging(target, verdicts=_WITHOUT.setdefault(framework, {}))
            judged = [(case, judging.judge(case)) for case in scenes]
        self._conclude(judged)


@cache
def _scenes() -> dict[str, list[Case]]:
    """The cases of agents with the handler under test, by feature and place of the handler."""
    places = [form for form, rule in forms().items() if area_of(rule) == "HANDLER"]
    found: dict[str, list[Case]] = {}
    for case in compiled():
        for placed in cases_in(case, places):
            found.setdefault(f"{case.file} {placed.form}", []).append(placed)
    return found
