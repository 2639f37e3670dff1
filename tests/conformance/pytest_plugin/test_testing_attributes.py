"""The attributes of `BackendConformance`: their errors, flaky cases, and what a run says of advisory rules."""

from __future__ import annotations

import re

import pytest

from loopspec.testing import BackendConformance, HandlerConformance, WorkspaceConformance

from .conftest import Judged
from .test_testing import CASES, HEAD


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "    capabilities = ('edit',)\n",
            "TestMine declares the capability 'edit', which is none: did you mean 'edits'[?]",
        ),
        ("    postures = {'case-of-name': Posture('one-name', measured=True)}\n", "*'case-of-name'*case-of-names*"),
        (
            "    flaky = {'BACKEND-999 :: No such title': 'why'}\n",
            "TestMine.flaky names 'BACKEND-999 :: No such title'*",
        ),
    ],
    ids=["capability", "posture", "flaky"],
)
def test_a_wrong_attribute_is_one_error_of_the_collection(body: str, sentence: str, judged: Judged) -> None:
    """And not one of each test."""
    ran = judged("from loopspec import Posture\n" + HEAD + "    factory = Store\n" + body)

    assert ran.parseoutcomes().keys() <= {"errors", "error", "warnings", "warning"}
    ran.stdout.fnmatch_lines([f"{sentence}"])
    assert "Traceback" not in ran.stdout.str()


@pytest.mark.parametrize(
    ("suite", "name", "meant"),
    [
        (BackendConformance, "capability", "capabilities"),
        (BackendConformance, "knwon", "known"),
        (BackendConformance, "open_backed", "open_backend"),
        (HandlerConformance, "change", "changes"),
        (WorkspaceConformance, "dialects", "dialect"),
    ],
)
def test_a_misspelled_attribute_is_an_error_of_the_class(suite: type, name: str, meant: str) -> None:
    """It would have no effect: a case of a capability that is not declared is not judged."""
    sentence = f"TestMine has `{name}`, which nothing reads: did you mean `{meant}`? (a name of your own is `_{name}`)"

    with pytest.raises(TypeError, match=f"^{re.escape(sentence)}$"):
        type("TestMine", (suite,), {name: ("edits",)})


@pytest.mark.parametrize(
    ("suite", "name", "instead"),
    [
        (BackendConformance, "test_scenario", "a scenario that a backend is known to fail belongs in the attrib"),
        (BackendConformance, "test_the_suite_notices", "a scenario that a backend is known to fail"),
        (BackendConformance, "test_generated_calls", "a scenario that a backend is known to fail"),
        (WorkspaceConformance, "test_scenario", "a scenario that a reader is known to fail belongs in the attrib"),
        (HandlerConformance, "test_agent_scenes", "declare what the handler changes in `changes`"),
    ],
)
@pytest.mark.parametrize("value", [None, lambda self: None])
def test_a_test_can_neither_be_overridden_nor_deleted(suite: type, name: str, instead: str, value: object) -> None:
    """Overriding a test is an error at class definition; additional tests are allowed."""
    with pytest.raises(TypeError, match=f"Mine overrides {name}: {instead}"):
        type("Mine", (suite,), {name: value})
    with pytest.raises(TypeError, match=f"Mine overrides {name}"):
        type("Mine", (type("Mixin", (), {name: value}), suite), {})
    assert issubclass(type("Mine", (suite,), {"test_more": value}), suite)


def test_an_attribute_of_the_authors_own_is_accepted() -> None:
    """It resembles no attribute of the class, or one that the author has as well."""
    for members in ({"folder": "/tmp"}, {"_capability": ()}, {"factory": dict, "factories": {}}):
        assert issubclass(type("TestMine", (BackendConformance,), members), BackendConformance)


def test_a_flaky_case_may_fail_or_pass(alone: pytest.Pytester) -> None:
    """A failure has its reason; the generated calls can be flaky, too."""
    cases = [case.id for case in CASES if "AMD-BACKEND-10" in case.rule.ids]
    flaky = dict.fromkeys([*cases, "test_generated_calls"], "a race")
    body = f"    capabilities = ('directories',)\n    generated_scenes = 10\n    flaky = {flaky!r}\n"
    for name in ("Empty", "Store"):
        alone.makepyfile(**{f"test_{name.lower()}": HEAD + f"    factory = {name}\n" + body})

    ran = {
        name: alone.runpytest_inprocess("-k", "AMD-BACKEND-10 or generated", "-rx", f"test_{name}.py")
        for name in ("empty", "store")
    }

    ran["empty"].assert_outcomes(xfailed=len(flaky), deselected=len(CASES) + 2 - len(flaky))
    ran["empty"].stdout.fnmatch_lines_random(["XFAIL *known: a race"])
    ran["store"].assert_outcomes(passed=len(flaky), deselected=len(CASES) + 2 - len(flaky))


def test_a_run_says_that_advisory_rules_fail(fresh: pytest.Pytester) -> None:
    """pytest fresh prints an x for each, and the exit code is 0."""
    forbidding = "class Forbids(Store):\n    async def read(self, request):\n        raise PermissionError('no')\n\n\n"
    fresh.makepyfile(HEAD.replace("class TestMine", forbidding + "class TestMine") + "    factory = Forbids\n")

    ran = fresh.runpytest_inprocess("-q", "-k", "BACKEND-36 or BACKEND-47 or BACKEND-49")

    assert ran.ret == 0
    ran.stdout.fnmatch_lines(
        ["loopspec: advisory rules fail (BACKEND-*, BACKEND-*, BACKEND-*). Their * strict = True; -rx prints *"]
    )
    assert "advisory rules fail" not in fresh.runpytest_inprocess("-q", "-k", "notices").stdout.str()


def test_a_fixture_that_returns_a_store_is_an_error(judged: Judged) -> None:
    """The fixture returns the factory."""
    body = "    @pytest.fixture\n    def open_backend(self):\n        return Store({})\n"
    ran = judged(HEAD + body, "-k", "BACKEND-47")

    ran.stdout.fnmatch_lines(
        ["*the fixture open_backend of TestMine returned <*: return the factory itself, which is *"]
    )
