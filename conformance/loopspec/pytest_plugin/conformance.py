"""The rules of a role as a test class for a user's test module; the classes of backends and of readers."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar, NoReturn

import pytest

from loopspec_pytest import ADVISORY

from ..contract.axes import Posture, Postures, declared_dialect, must_be_dialect
from ..contract.capabilities import Capability
from ..contract.faults import TargetUnusable
from ..contract.names import near_misses, nearest, refused
from ..contract.registered import loaded
from ..contract.shapes import WorkspaceReading
from ..contract.target import Identity, Target
from ..engine.baseline import Baseline
from ..engine.baseline_text import Known
from ..engine.deadlines import DEFAULT_DEADLINE
from ..engine.judge import another_posture, canary_fails, judge
from ..engine.result import FAILURES, Result
from ..engine.run import fails_run
from ..specification.cases import Case
from ..specification.features import compiled
from ..specification.ledger import in_dialect
from ..targets.python import PythonTarget
from ..targets.resolve import AbsentTarget
from .showing import paragraph

Reasons = Mapping[str, str]
# Opens a store with the files of a scenario.
OpenBackend = Callable[[Mapping[str, bytes]], object]
# Makes a target of what is tested. A test calls it, and no fixture does: a mistake in the class fails the test.
OpenTarget = Callable[[], PythonTarget]
# Reads the instruction files for a working folder and a home folder.
ReadWorkspace = Callable[[Path, Path], WorkspaceReading | Awaitable[WorkspaceReading]]
# Generates scenes on a target from a number of scenes, a seed and a deadline, and returns the first difference from the
# reference; empty if there is none. The entry point `loopspec.searches` registers one for a role.
Search = Callable[[Target, int, int, float], str]

_ALIKE = 0.6  # of a case's name, so that a title with a typing error is recognized
_SHOWN = 3  # failing cases of one test
_GENERATED = "test_generated_calls"  # the test that is no case, and has this name in `known`


def refuse(sentence: str) -> NoReturn:
    """Fail a test because of a mistake in its class: pytest prints the sentence of another error with a traceback."""
    pytest.fail(sentence, pytrace=False)


class Conformance:
    """One test for each case of a role: what the test classes of all roles share.

    `known` has the names of the cases that fail, each with a reason. A case in `known` that passes fails. `flaky` has
    those that fail in some runs only. Failing advisory rules are expected failures, unless `strict` is true.
    """

    known: Reasons = {}
    flaky: Reasons = {}
    strict = False
    _instead: ClassVar[str]  # what to do instead of overriding a test
    _others: ClassVar[Sequence[str]] = ()  # the tests that `known` can name as well

    def __init_subclass__(cls) -> None:
        """Raise `TypeError` for a user's subclass that overrides or deletes a test, or misspells an attribute."""
        super().__init_subclass__()
        if cls.__module__.startswith(f"{__package__}."):
            return
        ours = [one for one in cls.__mro__ if one.__module__.startswith(f"{__package__}.")]
        names = {name: value for one in reversed(ours) for name, value in vars(one).items()}
        inherited = {name for name, value in names.items() if inspect.getattr_static(cls, name, None) is value}
        for name in names:
            if name.startswith("test_") and name not in inherited:
                raise TypeError(f"{cls.__name__} overrides {name}: {cls._instead}")
        attributes = [name for name in inherited if not name.startswith(("_", "test_"))]
        for name, meant in near_misses(vars(cls), attributes):
            raise TypeError(f"{cls.__name__} {refused(name, meant)}")

    def _cases(self) -> Sequence[Case]:
        """The cases of the class. Raises `CollectError` for a mistake in its attributes."""
        raise NotImplementedError

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Compile the cases when the class is collected, and not when it is imported.

        Raises `CollectError` for an entry of `known` or `flaky` that is no case, or has no reason: pytest prints the
        sentence of a `CollectError` alone, and a `UsageError` of this hook with a traceback.
        """
        if "case" not in metafunc.fixturenames:
            return
        own = self._cases()
        tests = [*(case.id for case in own), *self._others]
        for attribute in ("known", "flaky"):
            for name, reason in getattr(self, attribute).items():
                where = f"{type(self).__name__}.{attribute}"
                if name not in tests:
                    close = nearest(name, tests, _ALIKE)
                    hint = (
                        f": did you mean {close!r}?" if close else "; pytest prints the name of each case in brackets"
                    )
                    raise pytest.Collector.CollectError(f"{where} names {name!r}, and there is no such case{hint}")
                if not reason.strip():
                    raise pytest.Collector.CollectError(f"{where} has no reason for {name!r}: say why the case fails")
        metafunc.parametrize("case", own, ids=[case.id for case in own])

    def test_the_suite_notices(self) -> None:
        """The canary fails."""
        assert canary_fails()

    def test_scenario(self, case: Case, open_target: OpenTarget) -> None:
        """The implementation passes the scenario."""
        with closing(open_target()) as target:
            result = judge(case, target)
        self._conclude([(case, result)])

    def _conclude(self, judged: Sequence[tuple[Case, Result]]) -> None:
        """End a test: with the failures that count, with those that are expected, or with the reason to skip it."""
        listed = ((name, why, of is self.flaky) for of in (self.known, self.flaky) for name, why in of.items())
        baseline = Baseline(tuple(Known(case=name, reason=why, flaky=flaky) for name, why, flaky in listed))
        wrong, expected, applies = [], [], False
        for case, result in judged:
            verdict = baseline.judged(result).verdict
            applies = applies or verdict != "inapplicable"
            if verdict == "stale":
                wrong.append(f"the case passes: remove {case.id!r} from `known`")
            elif verdict == "known":
                expected.append(f"known: {self.known.get(case.id) or self.flaky[case.id]}")
            elif verdict in FAILURES and not fails_run(verdict, case.basis, self.strict):
                expected.append(ADVISORY + result.message)
            elif verdict in FAILURES:
                wrong.append(f"{case.id}\n" * (len(judged) > 1) + paragraph(case, result, ""))
        if wrong:
            more = [f"and {len(wrong) - _SHOWN} more"] if len(wrong) > _SHOWN else []
            pytest.fail("\n\n".join([*wrong[:_SHOWN], *more]), pytrace=False)
        if expected:
            pytest.xfail(expected[0])
        if not applies:
            reasons = {result.message for _, result in judged}
            pytest.skip(reasons.pop() if len(judged) == 1 else "no scene of the feature applies to the framework")


class BackendConformance(Conformance):
    """One test for each scenario about backends, and one with generated calls. A subclass needs only a `factory`.

    `factory` is called with the files of a scenario and returns an open backend; a coroutine function is awaited. The
    methods of the backend may be asynchronous. A subclass that needs other fixtures overrides the fixture
    `open_backend` in its place. `capabilities` are those of the backend: see `loopspec capabilities`; the fixture
    `backend_capabilities` can find them at run time. `postures` are the backend's own, by axis; the fixture
    `backend_postures` can find them at run time. `generated_scenes` is the number of scenes with generated calls. See
    `Conformance` for `known`, `flaky` and `strict`.
    """

    factory: OpenBackend | None = None
    capabilities: Sequence[Capability] = ()
    postures: Mapping[str, Posture] = {}
    generated_scenes = 50
    _instead = "a scenario that a backend is known to fail belongs in the attribute `known`"
    _others = (_GENERATED,)

    @pytest.fixture
    def open_backend(self) -> OpenBackend:
        """Return the function that opens the backend under test with the given files: `factory`, unless overridden."""
        # a function in the body of a class would be bound to the test class
        factory = inspect.getattr_static(type(self), "factory")
        if isinstance(factory, staticmethod):
            factory = factory.__func__
        if factory is None:
            refuse(
                f"{type(self).__name__} gives neither the attribute factory nor the fixture open_backend: set "
                "factory to the class of the store, or to a function that opens one"
            )
        opened: OpenBackend = factory
        return opened

    @pytest.fixture
    def backend_capabilities(self) -> Sequence[Capability]:
        """Return the capabilities of the backend: those of the class, unless overridden."""
        return self.capabilities

    @pytest.fixture
    def backend_postures(self) -> Postures:
        """Return the postures of the backend: those of the class, unless overridden."""
        return self.postures

    @pytest.fixture
    def open_target(
        self, open_backend: OpenBackend, backend_capabilities: Sequence[Capability], backend_postures: Postures
    ) -> OpenTarget:
        """Return the function that makes a target of the backend."""
        return lambda: self._target(open_backend, backend_capabilities, backend_postures)

    def _cases(self) -> Sequence[Case]:
        """Raises `CollectError` for an unknown capability or posture."""
        try:
            self._target(dict, self.capabilities, self.postures).close()
        except TargetUnusable as error:
            raise pytest.Collector.CollectError(str(error)) from None
        return [case for case in compiled() if "backend" in case.roles]

    def test_generated_calls(
        self, open_backend: OpenBackend, backend_capabilities: Sequence[Capability], backend_postures: Postures
    ) -> None:
        """The backend does what the reference does in generated calls. Needs the extra `loopspec[fuzz]`."""
        pytest.importorskip("hypothesis", reason="needs hypothesis: python -m pip install 'loopspec[fuzz]'")
        search = loaded("searches", "backend")
        if search is None:
            pytest.skip("needs the lab, which generates the calls")
        difference_in_calls: Search = search

        def difference(capabilities: Sequence[Capability]) -> str:
            with closing(self._target(open_backend, capabilities, backend_postures)) as target:
                return difference_in_calls(target, self.generated_scenes, 0, DEFAULT_DEADLINE)

        normative = [name for name in backend_capabilities if name in _normative()]
        counts = difference(backend_capabilities if self.strict else normative)
        found = counts or ("" if self.strict else difference(backend_capabilities))
        reason = self.known.get(_GENERATED)
        if found and (why := reason or self.flaky.get(_GENERATED)):
            pytest.xfail(f"known: {why}")
        if counts:
            pytest.fail(counts, pytrace=False)
        if reason:
            pytest.fail(f"no difference is found: remove {_GENERATED!r} from `known`", pytrace=False)
        if found:
            pytest.xfail(ADVISORY + found)

    def _target(
        self, open_backend: OpenBackend, capabilities: Sequence[Capability], postures: Postures
    ) -> PythonTarget:
        name = type(self).__name__
        if not callable(open_backend):
            refuse(
                f"the fixture open_backend of {name} returned {open_backend!r:.80}: return the factory itself, which "
                "is called with the files of each scenario"
            )
        backend = SimpleNamespace(open=open_backend, capabilities=capabilities, postures=postures, name=name)
        return PythonTarget(lambda: backend, name)


def _normative() -> frozenset[Capability]:
    """The capabilities that a normative rule needs: a difference in calls with others is one of advisory rules."""
    cases = (case for case in compiled() if "backend" in case.roles and fails_run("failed", case.basis, strict=False))
    return frozenset(name for case in cases for name in case.needs)


class WorkspaceConformance(Conformance):
    """One test for each scenario that the dialect of a reader has. A subclass needs `dialect` and `read_workspace`.

    `dialect` is the name of a dialect: see `loopspec capabilities`. A rule whose value the document of the dialect's
    tool does not state is advisory. See `Conformance` for `known`, `flaky` and `strict`.
    """

    dialect = ""
    _instead = "a scenario that a reader is known to fail belongs in the attribute `known`"

    @pytest.fixture
    def read_workspace(self) -> ReadWorkspace:
        """Return the function that reads a workspace: see `loopspec.WorkspaceReader`."""
        refuse(f"{type(self).__name__} gives no fixture read_workspace: see loopspec.testing")

    @pytest.fixture
    def open_target(self, read_workspace: ReadWorkspace) -> OpenTarget:
        """Return the function that makes a target of the reader."""
        name = type(self).__name__
        reader = SimpleNamespace(read_workspace=read_workspace, dialect=self.dialect, name=name)
        return lambda: PythonTarget(lambda: reader, name)

    def _cases(self) -> Sequence[Case]:
        """The cases of the dialect. Raises `CollectError` for an unknown one."""
        try:
            must_be_dialect(self.dialect, type(self).__name__)
        except TargetUnusable as error:
            raise pytest.Collector.CollectError(str(error)) from None
        return _cases_in(self.dialect)


@cache
def _cases_in(dialect: str) -> tuple[Case, ...]:
    """The cases of the values that a dialect has, with the basis of their rules in the dialect."""
    postures = declared_dialect(dialect)
    reader = AbsentTarget(Identity(name=dialect), ("workspace",), (), postures)
    of_role = (case for case in compiled() if case.roles == ("workspace",))
    return tuple(in_dialect((case for case in of_role if not another_posture(case.postures, reader)), postures))
