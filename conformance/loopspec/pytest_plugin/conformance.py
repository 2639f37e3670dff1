"""The rules of one role as a test class for a user's test module."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from types import SimpleNamespace

import pytest

from ..contract.capabilities import Capability
from ..engine.canary import canary_fails
from ..engine.judge import judge
from ..engine.run import fails_run
from ..engine.verdict import FAILURES
from ..specification.cases import Case
from ..specification.features import compiled
from ..targets.python import PythonTarget
from .showing import paragraph

OpenBackend = Callable[[Mapping[str, bytes]], object]

_CASES = [case for case in compiled() if "backend" in case.roles]


def must_not_override(cls: type, suite: type, instead: str) -> None:
    """Raise `TypeError` for a subclass of a test class of ours that overrides or deletes one of its tests."""
    for name in vars(suite):
        if name.startswith("test_") and getattr(cls, name, None) is not vars(suite)[name]:
            raise TypeError(f"{cls.__name__} overrides {name}: {instead}")


class BackendConformance:
    """One test for each scenario about backends. A subclass needs only the fixture `open_backend`.

    `capabilities` are those of the backend: see `loopspec capabilities`. Failing advisory rules are expected failures,
    unless `strict` is true.
    """

    capabilities: Sequence[Capability] = ()
    strict = False

    def __init_subclass__(cls) -> None:
        """Raise `TypeError` for a subclass that overrides or deletes a test."""
        super().__init_subclass__()
        must_not_override(
            cls,
            BackendConformance,
            "a scenario that a backend is known to fail belongs in a baseline of `loopspec run`",
        )

    @pytest.fixture
    def open_backend(self) -> OpenBackend:
        """Return the function that opens the backend under test with the given files."""
        raise pytest.UsageError(f"{type(self).__name__} gives no fixture open_backend: see loopspec.testing")

    def test_the_suite_notices(self) -> None:
        """The canary fails."""
        assert canary_fails()

    @pytest.mark.parametrize("case", _CASES, ids=[case.id for case in _CASES])
    def test_scenario(self, case: Case, open_backend: OpenBackend) -> None:
        """The backend passes the scenario."""
        backend = SimpleNamespace(open=open_backend, capabilities=self.capabilities, name=type(self).__name__)
        target = PythonTarget(lambda: backend, type(self).__name__)
        with closing(target):
            result = judge(case, target)
        if result.verdict == "inapplicable":
            pytest.skip(result.message)
        if result.verdict in FAILURES and not fails_run(result.verdict, case.basis, self.strict):
            pytest.xfail(f"advisory, so it counts with `strict = True` only: {result.message}")
        if result.verdict != "passed":
            pytest.fail(paragraph(case, result, ""), pytrace=False)
