"""The rules of the role `backend` as a test class for a user's test module."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from types import SimpleNamespace

import pytest

from loopspec_pytest import ADVISORY

from ..contract.axes import Posture, Postures
from ..contract.capabilities import Capability
from ..contract.faults import TargetUnusable
from ..contract.registered import loaded
from ..contract.target import Target
from ..engine.deadlines import DEFAULT_DEADLINE
from ..engine.judge import canary_fails, judge
from ..engine.run import fails_run
from ..specification.cases import Case
from ..specification.features import compiled
from ..targets.python import PythonTarget
from .concluding import conclude, must_be_known, must_fit, refuse

# Opens a store with the files of a scenario.
OpenBackend = Callable[[Mapping[str, bytes]], object]

_GENERATED = "test_generated_calls"  # the test that is no case, and has this name in `known`


# Generates scenes on a target from a number of scenes, a seed and a deadline, and returns the first difference from the
# reference; empty if there is none. The entry point `loopspec.searches` registers one for a role.
Search = Callable[[Target, int, int, float], str]


class BackendConformance:
    """One test for each scenario about backends, and one with generated calls. A subclass needs only a `factory`.

    `factory` is called with the files of a scenario and returns an open backend; a coroutine function is awaited. The
    methods of the backend may be asynchronous. A subclass that needs other fixtures overrides the fixture
    `open_backend` in its place. `capabilities` are those of the backend: see `loopspec capabilities`; the fixture
    `backend_capabilities` can find them at run time. `postures` are the backend's own, by axis; the fixture
    `backend_postures` can find them at run time.

    `known` has the names of the cases that the backend fails, each with a reason. A case in `known` that passes fails.
    `flaky` has those that the backend fails in some runs only. Failing advisory rules are expected failures, unless
    `strict` is true. `generated_scenes` is the number of scenes with generated calls.
    """

    factory: OpenBackend | None = None
    capabilities: Sequence[Capability] = ()
    postures: Mapping[str, Posture] = {}
    known: Mapping[str, str] = {}
    flaky: Mapping[str, str] = {}
    strict = False
    generated_scenes = 50

    def __init_subclass__(cls) -> None:
        """Raise `TypeError` for a subclass that overrides or deletes a test, or misspells an attribute."""
        super().__init_subclass__()
        must_fit(cls, BackendConformance, "a scenario that a backend is known to fail belongs in the attribute `known`")

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

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Compile the cases when the class is collected.

        Raises `CollectError` for an unknown capability or posture, and for an entry of `known` or `flaky` that is no
        case.
        """
        if "case" not in metafunc.fixturenames:
            return
        own = [case for case in compiled() if "backend" in case.roles]
        tests = [*(case.id for case in own), _GENERATED]
        must_be_known(f"{type(self).__name__}.known", self.known, tests)
        must_be_known(f"{type(self).__name__}.flaky", self.flaky, tests)
        try:
            self._target(dict, self.capabilities, self.postures).close()
        except TargetUnusable as error:
            raise pytest.Collector.CollectError(str(error)) from None
        metafunc.parametrize("case", own, ids=[case.id for case in own])

    def test_the_suite_notices(self) -> None:
        """The canary fails."""
        assert canary_fails()

    def test_scenario(
        self,
        case: Case,
        open_backend: OpenBackend,
        backend_capabilities: Sequence[Capability],
        backend_postures: Postures,
    ) -> None:
        """The backend passes the scenario."""
        with closing(self._target(open_backend, backend_capabilities, backend_postures)) as target:
            result = judge(case, target)
        conclude(case, result, strict=self.strict, known=self.known, flaky=self.flaky)

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
