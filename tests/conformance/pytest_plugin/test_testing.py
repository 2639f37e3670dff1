"""The backend rules as a class for a user's test module."""

from __future__ import annotations

import pytest

from loopspec.contract.capabilities import Capability
from loopspec.specification.features import compiled
from loopspec.testing import BackendConformance

HEAD = """
import pytest
from loopspec import CannotStore
from loopspec.testing import BackendConformance
from loopspec_reference import MemoryBackend, ReadRequest


class Store:
    def __init__(self, files):
        self.backend = MemoryBackend(files)

    def write(self, path, content):
        try:
            self.backend.write(path, content)
        except OSError as error:
            raise CannotStore(path) from error

    async def read(self, request):
        return await self.backend.read(ReadRequest(request.file_path, request.offset, request.limit))


class Empty(Store):
    def __init__(self, files):
        super().__init__({})


class TestMine(BackendConformance):
"""
OPEN = """
    @pytest.fixture
    def open_backend(self, tmp_path):
        return %s
"""
CASES = [case for case in compiled() if "backend" in case.roles]


@pytest.fixture
def alone(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Runs pytest without any plugin, which the class does not need."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return pytester


def applicable(*capabilities: Capability) -> int:
    """The number of scenarios that apply to a backend with these capabilities, and with that of every Python target."""
    return sum(case.needs <= {*capabilities, "resources"} for case in CASES)


def test_a_backend_is_judged_by_a_class_and_a_fixture(alone: pytest.Pytester) -> None:
    """Each scenario is a test, plus one for the suite itself; scenarios with undeclared capabilities are skipped."""
    alone.makepyfile(HEAD + "    capabilities = ('directories', 'edits', 'line-ranges')\n" + OPEN % "Store")

    ran = alone.runpytest_inprocess("-rs", "-p", "no:cacheprovider")

    passed = applicable("directories", "edits", "line-ranges")
    ran.assert_outcomes(passed=passed + 1, skipped=len(CASES) - passed)
    ran.stdout.fnmatch_lines(["SKIPPED*: needs fault-*"])


def test_a_failure_is_a_paragraph(alone: pytest.Pytester) -> None:
    """The paragraph has the rule, the step, the expected and the seen value."""
    alone.makepyfile(HEAD + "    capabilities = ('directories',)\n" + OPEN % "Empty")

    ran = alone.runpytest_inprocess("-k", "AMD-BACKEND-10 or notices")

    cases = sum("AMD-BACKEND-10" in case.rule.ids for case in CASES)
    lines = ["AMD-BACKEND-10: *", "backend/*.feature:* Then *", "why:   loopspec explain AMD-BACKEND-10"]
    ran.stdout.fnmatch_lines(lines)
    ran.stdout.no_fnmatch_line("*Traceback*")
    ran.assert_outcomes(failed=cases, passed=1, deselected=len(CASES) - cases)


@pytest.mark.parametrize(("strict", "outcome"), [("", "xfailed"), ("    strict = True\n", "failed")])
def test_an_advisory_rule_that_fails_is_expected_unless_the_class_is_strict(
    strict: str, outcome: str, alone: pytest.Pytester
) -> None:
    """The expected failure has a reason."""
    alone.makepyfile(HEAD + "    capabilities = ('directories',)\n" + strict + OPEN % "Empty")

    ran = alone.runpytest_inprocess("-k", "BACKEND-01 and not AMD", "-rx")

    assert ran.parseoutcomes()[outcome] == sum("BACKEND-01" in case.rule.ids for case in CASES)
    if not strict:
        ran.stdout.fnmatch_lines(["XFAIL * advisory, so it counts with `strict = True` only: *"])


def test_a_class_without_the_fixture_is_an_error(alone: pytest.Pytester) -> None:
    """The message names the missing fixture."""
    alone.makepyfile(HEAD + "    pass\n")

    ran = alone.runpytest_inprocess("-k", "BACKEND-05")

    ran.stdout.fnmatch_lines(["*UsageError: TestMine gives no fixture open_backend: see loopspec.testing"])
    assert "passed" not in ran.parseoutcomes()


@pytest.mark.parametrize("name", ["test_scenario", "test_the_suite_notices"])
@pytest.mark.parametrize("value", [None, lambda self: None])
def test_a_test_can_neither_be_overridden_nor_deleted(name: str, value: object) -> None:
    """Overriding a scenario is an error at class definition; additional tests are allowed."""
    with pytest.raises(TypeError, match=f"Mine overrides {name}: a scenario that a backend is known to fail belongs"):
        type("Mine", (BackendConformance,), {name: value})

    with pytest.raises(TypeError, match=f"Mine overrides {name}"):
        type("Mine", (type("Mixin", (), {name: value}), BackendConformance), {})

    assert issubclass(type("Mine", (BackendConformance,), {"test_more": value}), BackendConformance)
