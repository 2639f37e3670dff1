"""The rules of the role `backend` as a test class for a user's test module."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from types import SimpleNamespace

import pytest

from ..contract.capabilities import Capability
from ..engine.canary import canary_fails
from ..engine.deadlines import DEFAULT_DEADLINE
from ..engine.judge import judge
from ..engine.run import fails_run
from ..specification.cases import Case
from ..specification.features import compiled
from ..targets.python import PythonTarget
from .concluding import conclude, must_be_known, must_not_override

OpenBackend = Callable[[Mapping[str, bytes]], object]

_GENERATED = "test_generated_calls"  # the test that is no case, and has this name in `known`


class BackendConformance:
    """One test for each scenario about backends, and one with generated calls. A subclass needs only a `factory`.

    `factory` is called with the files of a scenario and returns an open backend; a coroutine function is awaited. The
    methods of the backend may be asynchronous. A subclass that needs other fixtures overrides the fixture
    `open_backend` in its place. `capabilities` are those of the backend: see `loopspec capabilities`; the fixture
    `backend_capabilities` can find them at run time.

    `known` has the names of the cases that the backend fails, each with a reason. A case in `known` that passes fails.
    Failing advisory rules are expected failures, unless `strict` is true. `generated_scenes` is the number of scenes
    with generated calls.
    """

    factory: OpenBackend | None = None
    capabilities: Sequence[Capability] = ()
    known: Mapping[str, str] = {}
    strict = False
    generated_scenes = 50

    def __init_subclass__(cls) -> None:
        """Raise `TypeError` for a subclass that overrides or deletes a test."""
        super().__init_subclass__()
        must_not_override(
            cls, BackendConformance, "a scenario that a backend is known to fail belongs in the attribute `known`"
        )

    @pytest.fixture
    def open_backend(self) -> OpenBackend:
        """Return the function that opens the backend under test with the given files: `factory`, unless overridden."""
        # a function in the body of a class would be bound to the test class
        factory = inspect.getattr_static(type(self), "factory")
        if isinstance(factory, staticmethod):
            factory = factory.__func__
        if factory is None:
            raise pytest.UsageError(
                f"{type(self).__name__} gives neither the attribute factory nor the fixture open_backend: "
                "see loopspec.testing"
            )
        opened: OpenBackend = factory
        return opened

    @pytest.fixture
    def backend_capabilities(self) -> Sequence[Capability]:
        """Return the capabilities of the backend: those of the class, unless overridden."""
        return self.capabilities

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Compile the cases when the class is collected. Raises `UsageError` for an entry of `known` without a case."""
        if "case" not in metafunc.fixturenames:
            return
        own = [case for case in compiled() if "backend" in case.roles]
        must_be_known(type(self).__name__, self.known, [*(case.id for case in own), _GENERATED])
        metafunc.parametrize("case", own, ids=[case.id for case in own])

    def test_the_suite_notices(self) -> None:
        """The canary fails."""
        assert canary_fails()

    def test_scenario(self, case: Case, open_backend: OpenBackend, backend_capabilities: Sequence[Capability]) -> None:
        """The backend passes the scenario."""
        with closing(self._target(open_backend, backend_capabilities)) as target:
            result = judge(case, target)
        conclude(case, result, strict=self.strict, known=self.known)

    def test_generated_calls(self, open_backend: OpenBackend, backend_capabilities: Sequence[Capability]) -> None:
        """The backend does what the reference does in generated calls. Needs the extra `loopspec[fuzz]`."""
        pytest.importorskip("hypothesis", reason="needs hypothesis: python -m pip install 'loopspec[fuzz]'")
        from ..fuzzing.generated_calls import difference_in_calls

        def difference(capabilities: Sequence[Capability]) -> str:
            with closing(self._target(open_backend, capabilities)) as target:
                return difference_in_calls(target, self.generated_scenes, 0, DEFAULT_DEADLINE)

        normative = [name for name in backend_capabilities if name in _normative()]
        counts = difference(backend_capabilities if self.strict else normative)
        found = counts or ("" if self.strict else difference(backend_capabilities))
        reason = self.known.get(_GENERATED)
        if found and reason:
            pytest.xfail(f"known: {reason}")
        if counts:
            pytest.fail(counts, pytrace=False)
        if reason:
            pytest.fail(f"no difference is found: remove {_GENERATED!r} from `known`", pytrace=False)
        if found:
            pytest.xfail(f"advisory, so it counts with `strict = True` only: {found}")

    def _target(self, open_backend: OpenBackend, capabilities: Sequence[Capability]) -> PythonTarget:
        name = type(self).__name__
        backend = SimpleNamespace(open=open_backend, capabilities=capabilities, name=name)
        return PythonTarget(lambda: backend, name)


def _normative() -> frozenset[Capability]:
    """The capabilities that a normative rule needs: a difference in calls with others is one of advisory rules."""
    cases = (case for case in compiled() if "backend" in case.roles and fails_run("failed", case.basis, strict=False))
    return frozenset(name for case in cases for name in case.needs)
