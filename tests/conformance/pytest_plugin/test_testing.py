"""The backend rules as a class for a user's test module."""

from __future__ import annotations

import pytest

# pytester removes the modules that a run imports, and a phrase is entered once
import loopspec_lab.fuzzing.generated_calls  # noqa: F401  # imported before each run
from loopspec.contract.capabilities import Capability
from loopspec.specification.features import compiled

from .conftest import Judged

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


def applicable(*capabilities: Capability) -> int:
    """The number of scenarios that apply to a backend with these capabilities, and with that of every Python target.

    The backend has no posture.
    """
    return sum(case.needs <= {*capabilities, "resources"} and "BACKEND-22" not in case.rule.ids for case in CASES)


def test_a_backend_is_judged_by_a_class_and_a_fixture(judged: Judged) -> None:
    """Each scenario is a test, and there are two more; scenarios with undeclared capabilities are skipped."""
    ran = judged(HEAD + "    capabilities = ('directories', 'edits', 'line-ranges')\n" + OPEN % "Store", "-rs")

    passed = applicable("directories", "edits", "line-ranges", "resources")
    ran.assert_outcomes(passed=passed + 2, skipped=len(CASES) - passed)
    ran.stdout.fnmatch_lines(["SKIPPED*: needs fault-*"])


def test_a_failure_is_a_paragraph(judged: Judged) -> None:
    """The paragraph has the rule, the step, the expected and the seen value."""
    ran = judged(HEAD + "    capabilities = ('directories',)\n" + OPEN % "Empty", "-k", "AMD-BACKEND-10 or notices")

    cases = sum("AMD-BACKEND-10" in case.rule.ids for case in CASES)
    lines = ["AMD-BACKEND-10: *", "backend/*.feature:* Then *", "why:   loopspec explain AMD-BACKEND-10"]
    ran.stdout.fnmatch_lines(lines)
    ran.stdout.no_fnmatch_line("*Traceback*")
    ran.assert_outcomes(failed=cases, passed=1, deselected=len(CASES) + 1 - cases)


@pytest.mark.parametrize(("strict", "outcome"), [("", "xfailed"), ("    strict = True\n", "failed")])
def test_an_advisory_rule_that_fails_is_expected_unless_the_class_is_strict(
    strict: str, outcome: str, judged: Judged
) -> None:
    """The expected failure has a reason."""
    ran = judged(
        HEAD + "    capabilities = ('directories',)\n" + strict + OPEN % "Empty", "-k", "BACKEND-01 and not AMD", "-rx"
    )

    assert ran.parseoutcomes()[outcome] == sum("BACKEND-01" in case.rule.ids for case in CASES)
    if not strict:
        ran.stdout.fnmatch_lines(["XFAIL * advisory, so it counts with `strict = True` only: *"])


def test_a_class_without_the_fixture_is_an_error(judged: Judged) -> None:
    """The message names the attribute and the fixture."""
    ran = judged(HEAD + "    pass\n", "-k", "BACKEND-05")

    ran.stdout.fnmatch_lines(
        ["TestMine gives neither the attribute factory nor the fixture open_backend: set factory to *"]
    )
    assert "passed" not in ran.parseoutcomes()


@pytest.mark.parametrize(
    ("factory", "store"),
    [
        ("Store", ""),
        ("lambda files: Store(files)", ""),
        ("staticmethod(lambda files: Store(files))", ""),
        ("opened", "async def opened(files):\n    return Store(files)\n"),
        (
            "Plain",
            "class Plain(Store):\n    def read(self, request):\n        return asyncio.run(super().read(request))\n",
        ),
    ],
)
def test_a_backend_is_judged_by_a_class_and_a_factory(factory: str, store: str, judged: Judged) -> None:
    """A class, a function or a coroutine function; of stores with synchronous and asynchronous methods."""
    body = f"    factory = {factory}\n    capabilities = ('directories', 'edits')\n    generated_scenes = 20\n"
    ran = judged(
        "import asyncio\n" + HEAD.replace("class TestMine", f"{store}\nclass TestMine") + body,
        "-k",
        "AMD-BACKEND or generated",
    )

    cases = [case for case in CASES if any(rule.startswith("AMD-BACKEND") for rule in case.rule.ids)]
    passed = sum(case.needs <= {"directories", "edits", "resources"} for case in cases)
    assert passed > 15
    ran.assert_outcomes(passed=passed + 1, skipped=len(cases) - passed, deselected=len(CASES) + 2 - len(cases) - 1)


def test_capabilities_can_come_from_a_fixture(judged: Judged) -> None:
    """Which can ask the disk what it can do."""
    fixture = """
    @pytest.fixture
    def backend_capabilities(self, request):
        return ('edits',)
"""
    ran = judged(HEAD + "    factory = Store\n" + fixture, "-k", "BACKEND-39")

    cases = [case for case in CASES if "BACKEND-39" in case.rule.ids]
    assert cases
    ran.assert_outcomes(passed=len(cases), deselected=len(CASES) + 2 - len(cases))


IGNORES_CASE = """
class IgnoresCase(Store):
    def __init__(self, files):
        self.own = {}
        super().__init__({})
        for path, content in files.items():
            self.write(path, content)

    def write(self, path, content):
        super().write(self.own.setdefault(path.lower(), path), content)

    async def read(self, request):
        path = self.own.get(request.file_path.lower(), request.file_path)
        return await super().read(ReadRequest(file_path=path, offset=request.offset, limit=request.limit))


"""
ONE_NAME = "{'case-of-names': Posture('one-name', measured=True)}"
BY_FIXTURE = f"""
    @pytest.fixture
    def backend_postures(self):
        return {ONE_NAME}
"""


@pytest.mark.parametrize("declared", [f"    postures = {ONE_NAME}\n", BY_FIXTURE], ids=["attribute", "fixture"])
def test_a_store_that_ignores_case_declares_a_posture(declared: str, alone: pytest.Pytester) -> None:
    """The rule of the posture counts without `strict`, and the rule of the default value does not apply."""
    head = "from loopspec import Posture\n" + HEAD.replace("class TestMine", IGNORES_CASE + "class TestMine")
    body = "    capabilities = ('edits',)\n"
    rules = {rule: sum(rule in case.rule.ids for case in CASES) for rule in ("BACKEND-21", "BACKEND-22")}
    alone.makepyfile(
        test_declared=head + "    factory = IgnoresCase\n" + body + declared,
        test_undeclared=head + "    factory = IgnoresCase\n" + body,
        test_falsely=head + "    factory = Store\n" + body + declared,
    )

    ran = {
        one: alone.runpytest_inprocess("-k", "BACKEND-21 or BACKEND-22", f"test_{one}.py").parseoutcomes()
        for one in ("declared", "undeclared", "falsely")
    }

    assert rules["BACKEND-21"] > 0
    assert rules["BACKEND-22"] > 0
    assert (ran["declared"]["passed"], ran["declared"]["skipped"]) == (rules["BACKEND-22"], rules["BACKEND-21"])
    assert (ran["undeclared"]["xfailed"], ran["undeclared"]["skipped"]) == (rules["BACKEND-21"], rules["BACKEND-22"])
    assert (ran["falsely"]["failed"], ran["falsely"]["skipped"]) == (rules["BACKEND-22"], rules["BACKEND-21"])


def test_a_known_failure_is_expected_with_its_reason(judged: Judged) -> None:
    """The other cases of the rule fail."""
    first, *others = [case.id for case in CASES if "AMD-BACKEND-10" in case.rule.ids]
    known = {first: "the store is empty", "test_generated_calls": "also empty"}
    ran = judged(
        HEAD + f"    factory = Empty\n    capabilities = ('directories',)\n    known = {known!r}\n",
        "-k",
        "AMD-BACKEND-10 or generated",
        "-rx",
    )

    assert ran.parseoutcomes()["xfailed"] == 2
    assert ran.parseoutcomes()["failed"] == len(others)
    ran.stdout.fnmatch_lines_random(["XFAIL *known: the store is empty", "XFAIL *known: also empty"])


def test_a_known_failure_that_passes_fails(judged: Judged) -> None:
    """The sentence says what to remove; the same holds for the generated calls."""
    first = next(case.id for case in CASES if "AMD-BACKEND-10" in case.rule.ids)
    known = {first: "it was empty", "test_generated_calls": "it was empty"}
    ran = judged(
        HEAD + f"    factory = Store\n    generated_scenes = 10\n    known = {known!r}\n",
        "-k",
        "AMD-BACKEND-10 or generated",
    )

    assert ran.parseoutcomes()["failed"] == 2
    ran.stdout.fnmatch_lines_random(
        [f"the case passes: remove '{first}' from `known`", "no difference is found: remove 'test_gen*' from `known`"]
    )


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ({"BACKEND-999 :: No such title": "why"}, "TestMine.known names 'BACKEND-999 :: No such title', and there is*"),
        ({"test_generated_cals": "why"}, "*there is no such case: did you mean 'test_generated_calls'?"),
        ({"test_generated_calls": " "}, "*TestMine.known has no reason for 'test_generated_calls': say why *"),
    ],
)
def test_a_known_case_that_is_none_or_has_no_reason_is_an_error(
    known: dict[str, str], sentence: str, judged: Judged
) -> None:
    """In one sentence, without a traceback."""
    ran = judged(HEAD + f"    factory = Store\n    known = {known!r}\n")

    assert ran.parseoutcomes().keys() <= {"errors", "error"}
    (ran.stdout if "errors" in ran.parseoutcomes() else ran.stderr).fnmatch_lines([f"*{sentence}"])
    assert "Traceback" not in ran.stdout.str()


def test_a_bug_in_an_order_of_calls_is_a_scenario(alone: pytest.Pytester) -> None:
    """The failure is a scenario of the phrasebook. A store without the capability of the bug is not judged by it."""
    forgetful = """
class Forgetful(Store):
    def __init__(self, files):
        super().__init__(files)
        self.missing = set()

    async def read(self, request):
        try:
            content = await super().read(request)
        except FileNotFoundError:
            self.missing.add(request.file_path)
            raise
        if request.file_path in self.missing:
            raise FileNotFoundError(request.file_path)
        return content


class TestMine"""
    body = "    factory = Forgetful\n    strict = True\n    generated_scenes = 100\n"
    alone.makepyfile(
        HEAD.replace("\nclass TestMine", forgetful)
        + body
        + "    capabilities = ('edits',)\n\n\nclass TestWithoutEdits(BackendConformance):\n"
        + body
    )

    ran = alone.runpytest_inprocess("-k", "test_generated_calls")

    ran.assert_outcomes(passed=1, failed=1, deselected=2 * len(CASES) + 2)
    ran.stdout.fnmatch_lines(
        [
            "The backend differs from the reference in generated calls.",
            "    Scenario: Generated calls",
            "      When calls of the backend are made in order",
            "      Then read 2 returns *",
            "ours is the backend, theirs is the reference:",
        ]
    )


@pytest.mark.parametrize(("strict", "outcome"), [("", "xfailed"), ("    strict = True\n", "failed")])
def test_a_difference_of_an_advisory_rule_counts_in_a_strict_class_only(
    strict: str, outcome: str, judged: Judged
) -> None:
    """Only advisory rules say what a closed backend does."""
    closing = """
class Open(Store):
    def close(self):
        pass


class TestMine"""
    body = "    factory = Open\n    capabilities = ('closes',)\n"
    ran = judged(HEAD.replace("\nclass TestMine", closing) + body + strict, "-k", "test_generated_calls")

    assert ran.parseoutcomes()[outcome] == 1


def test_an_error_of_another_kind_names_what_to_raise_instead(judged: Judged) -> None:
    """The message has the exception that was raised, and the one for a missing file."""
    raising = """
class Raising(Store):
    async def read(self, request):
        raise KeyError(request.file_path)


class TestMine"""
    ran = judged(HEAD.replace("\nclass TestMine", raising) + "    factory = Raising\n", "-k", "AMD-BACKEND-05")

    ran.stdout.fnmatch_lines(
        ["*: KeyError: 'missing.md' was raised; in Python, raise FileNotFoundError for a missing file"]
    )
