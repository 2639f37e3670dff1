"""The rules of the role `workspace` as a test class for a user's test module."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from ..contract.axes import declared_dialect, must_be_dialect
from ..contract.faults import TargetUnusable
from ..contract.shapes import WorkspaceReading
from ..contract.target import Identity
from ..engine.judge import another_posture, canary_fails, judge
from ..specification.cases import Case
from ..specification.features import compiled
from ..specification.ledger import in_dialect
from ..targets.absent import AbsentTarget
from ..targets.python import PythonTarget
from .concluding import Reasons, conclude, must_be_known, must_fit, refuse

# Reads the instruction files for a working folder and a home folder.
ReadWorkspace = Callable[[Path, Path], WorkspaceReading | Awaitable[WorkspaceReading]]


class WorkspaceConformance:
    """One test for each scenario that the dialect of a reader has. A subclass needs `dialect` and `read_workspace`.

    `dialect` is the name of a dialect: see `loopspec capabilities`. A rule whose value the document of the dialect's
    tool does not state is advisory; failing advisory rules are expected failures, unless `strict` is true. `known` has
    the names of the cases that the reader fails, each with a reason. A case in `known` that passes fails.
    """

    dialect = ""
    known: Reasons = {}
    strict = False

    def __init_subclass__(cls) -> None:
        """Raise `TypeError` for a subclass that overrides or deletes a test, or misspells an attribute."""
        super().__init_subclass__()
        must_fit(
            cls,
            WorkspaceConformance,
            "a scenario that a reader is known to fail belongs in the attribute `known`",
        )

    @pytest.fixture
    def read_workspace(self) -> ReadWorkspace:
        """Return the function that reads a workspace: see `loopspec.WorkspaceReader`."""
        refuse(f"{type(self).__name__} gives no fixture read_workspace: see loopspec.testing")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Compile the cases of the dialect when the class is collected. Raises `CollectError` for an unknown one."""
        if "case" not in metafunc.fixturenames:
            return
        name = type(self).__name__
        try:
            must_be_dialect(self.dialect, name)
        except TargetUnusable as error:
            raise pytest.Collector.CollectError(str(error)) from None
        own = _cases(self.dialect)
        must_be_known(f"{name}.known", self.known, [case.id for case in own])
        metafunc.parametrize("case", own, ids=[case.id for case in own])

    def test_the_suite_notices(self) -> None:
        """The canary fails."""
        assert canary_fails()

    def test_scenario(self, case: Case, read_workspace: ReadWorkspace) -> None:
        """The reader passes the scenario."""
        name = type(self).__name__
        reader = SimpleNamespace(read_workspace=read_workspace, dialect=self.dialect, name=name)
        with closing(PythonTarget(lambda: reader, name)) as target:
            result = judge(case, target)
        conclude(case, result, strict=self.strict, known=self.known)


@cache
def _cases(dialect: str) -> tuple[Case, ...]:
    """The cases of the values that a dialect has, with the basis of their rules in the dialect."""
    postures = declared_dialect(dialect)
    reader = AbsentTarget(Identity(name=dialect), ("workspace",), (), postures)
    of_role = (case for case in compiled() if case.roles == ("workspace",))
    return tuple(in_dialect((case for case in of_role if not another_posture(case.postures, reader)), postures))
