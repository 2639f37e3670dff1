"""The pytest plugin in users' test runs."""

from __future__ import annotations

import pytest

from loopspec import Stage
from loopspec.pytest_plugin.binding import ScenarioRun
from loopspec.specification.features import cases_of_rule
from loopspec_steps.phrasebook import Kind

from .. import broken
from ..process import reported
from ..staging import fill_the_disk
from .expected import LOADER, MINE, REFERENCE, bound, count


def test_a_target_on_the_command_line_is_judged(fresh: pytest.Pytester) -> None:
    """No test module is needed; the canary is an additional test."""
    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-area=AMD-INJECT", "--strict-markers")

    ran.assert_outcomes(passed=count("AMD-INJECT-") + 1, deselected=bound("AMD-INJECT-") - count("AMD-INJECT-"))
    ran.stdout.fnmatch_lines(
        ["loopspec reference: normative rules: * passed", "loopspec reference: advisory rules: * passed"]
    )
    assert ran.ret == pytest.ExitCode.OK


def test_a_test_module_can_name_its_target(fresh: pytest.Pytester) -> None:
    """Two lines name a target. Cases of other roles are deselected, and inapplicable cases skipped with a reason."""
    fresh.makepyfile(test_mine=MINE.format(target=f"py:{broken.__name__}:Backend"))

    rules = [f"--loopspec-rule={rule}" for rule in ("AMD-CFG-05", "AMD-BACKEND-05", "BACKEND-03")]
    ran = fresh.runpytest_inprocess("-rs", *rules)

    changed = sum("edits" in case.needs for case in cases_of_rule("AMD-BACKEND-05"))
    failed, skipped = count("AMD-BACKEND-05") - changed, count("BACKEND-03") + changed
    left = bound("AMD-CFG-05", "AMD-BACKEND-05", "BACKEND-03") - failed - skipped
    ran.assert_outcomes(passed=1, failed=failed, skipped=skipped, deselected=left)
    ran.stdout.fnmatch_lines(["SKIPPED*: needs *"])


def test_other_tests_are_not_changed(fresh: pytest.Pytester) -> None:
    """The user's other tests run unchanged."""
    fresh.makepyfile(test_other="def test_other(): assert 1")

    both = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CYCLE-01")

    assert both.parseoutcomes()["passed"] == 3


def test_a_failure_is_a_paragraph(fresh: pytest.Pytester) -> None:
    """The paragraph has the rule, the step, the expected and the seen value, without a traceback."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-case=AMD-DEPTH-01 :: * 0")

    ran.stdout.fnmatch_lines(
        [
            "AMD-DEPTH-01: Imports are followed up to five levels below a configured file",
            'agentsmd/loading/depth.feature:*  Then in any order, the loaded files are "/p/level0.md"',
            "*expected: *",
            "*seen: *",
            "why:   loopspec explain AMD-DEPTH-01",
            "again: loopspec run py:*:Loader --case 'AMD-DEPTH-01 :: A chain that reaches level 0'",
            "loopspec *:Loader: normative rules: 1 failed",
        ]
    )
    ran.stdout.no_fnmatch_line("*Traceback*")
    ran.stdout.no_fnmatch_line("*scenario.py*")
    assert ran.ret == pytest.ExitCode.TESTS_FAILED


def test_a_baseline_makes_failures_known_and_passes_stale(fresh: pytest.Pytester) -> None:
    """A known failure is an expected failure with its reason; a stale entry is a failure."""
    stale = "AMD-DEPTH-03 :: A readable file on level 6"
    entries = [("AMD-DEPTH-01", "not yet"), (stale, "no longer true")]
    text = "".join(f'[[known]]\ncase = "{case}"\nreason = "{reason}"\n' for case, reason in entries)
    (fresh.path / "b.toml").write_text(text, encoding="utf-8")

    chosen = ("--loopspec-rule=AMD-DEPTH-01", f"--loopspec-case={stale}")
    ran = fresh.runpytest_inprocess(LOADER, *chosen, "--loopspec-baseline=b.toml", "--loopspec-report=r", "-rx")

    verdicts = reported(fresh.path / "r").verdicts
    ran.assert_outcomes(
        passed=1, failed=1, xfailed=count("AMD-DEPTH-01"), deselected=bound("AMD-DEPTH-01") - len(verdicts)
    )
    assert {case: verdict for case, verdict in verdicts.items() if verdict != "known"} == {stale: "stale"}
    ran.stdout.fnmatch_lines(["stale: AMD-DEPTH-03*", "passes, although the baseline lists it", "XFAIL * not yet"])


@pytest.mark.parametrize(("strict", "shown"), [((), "xfailed"), (("--loopspec-strict",), "failed")])
def test_an_advisory_failure_counts_under_strict_only(
    strict: tuple[str, ...], shown: str, fresh: pytest.Pytester
) -> None:
    """Without `--loopspec-strict`, the failure is an expected one with a reason."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-rule=AMD-IMPORT-05", "--loopspec-report=r", "-rx", *strict)

    assert ran.parseoutcomes()[shown] == count("AMD-IMPORT-05")
    assert ran.ret == reported(fresh.path / "r").summary.exit_code == len(strict)
    assert ("advisory, so it counts under --loopspec-strict only: " in ran.stdout.str()) is (not strict)


def test_a_run_that_judges_nothing_is_no_success(fresh: pytest.Pytester) -> None:
    """If every case is for another role, the run fails."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-rule=AMD-BACKEND-05", "--loopspec-report=r")

    ran.assert_outcomes(passed=1, deselected=bound("AMD-BACKEND-05"))
    assert set(reported(fresh.path / "r").verdicts.values()) == {"inapplicable"}
    assert (ran.ret, reported(fresh.path / "r").summary.exit_code) == (1, 5)
    ran.stdout.fnmatch_lines(
        ["loopspec: Nothing was judged: of * none is applicable to py:*:Loader (needs the role backend)."]
    )


def test_an_area_with_rules_of_variants_has_its_examples_alone(fresh: pytest.Pytester) -> None:
    """`loopspec run` judges every case in the variants of the area HANDLER; pytest has no test of a variant."""
    ran = fresh.runpytest_inprocess("--loopspec-target=reference", "--loopspec-area=HANDLER", "--loopspec-report=r")

    assert ran.ret == 0
    assert set(reported(fresh.path / "r").verdicts.values()) == {"passed"}
    ran.stdout.fnmatch_lines(["loopspec: reference is conformant in * selected cases."])


@pytest.mark.parametrize(
    "option", ["--loopspec-rule=VARIANT-05", "--loopspec-case=LOOP-03 :: An empty result + calls-have-results"]
)
def test_a_selection_of_variants_or_invariants_alone_is_a_usage_error(option: str, fresh: pytest.Pytester) -> None:
    """Such a run would judge nothing."""
    ran = fresh.runpytest_inprocess("--loopspec-target=reference", option)

    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stderr.fnmatch_lines(
        ["ERROR: loopspec: only variants or invariants are selected, which `loopspec run` judges and pytest does not"]
    )


def test_a_hang_ends_the_judging(fresh: pytest.Pytester) -> None:
    """The case is timed out, and the remaining cases fail as not run."""
    target = f"--loopspec-target=py:{broken.__name__}:Sleeps"

    ran = fresh.runpytest_inprocess(
        target, "--loopspec-rule=AMD-DEPTH-01", "--loopspec-timeout=0.1", "--loopspec-report=r", "-rE"
    )

    report = reported(fresh.path / "r")
    assert list(report.verdicts.values()) == ["timed-out", "not-run", "not-run"]
    assert (ran.ret, report.summary.exit_code) == (1, 4)


def test_an_interrupted_run_says_so(fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report is complete."""

    def interrupt(self: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(broken.Loader, "do", interrupt)

    options = (LOADER, "--loopspec-rule=AMD-DEPTH-01", "--loopspec-report=r")
    ran = fresh.runpytest_inprocess(*options, no_reraise_ctrlc=True)

    assert (ran.ret, reported(fresh.path / "r").summary.exit_code) == (pytest.ExitCode.INTERRUPTED, 130)


def test_a_scenario_whose_steps_are_not_executed_is_an_error(
    fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine has judged the case, but the test does not pass."""
    take = ScenarioRun.take

    def look_away(self: ScenarioRun, kind: Kind, text: str) -> None:
        if kind != "then":
            take(self, kind, text)

    monkeypatch.setattr(ScenarioRun, "take", look_away)

    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CYCLE-01", "--loopspec-report=r")

    (case,) = reported(fresh.path / "r").cases
    assert (ran.ret, case.verdict) == (pytest.ExitCode.TESTS_FAILED, "errored")
    assert "pytest-bdd has not read all steps of 'A file that imports itself'" in case.message


def test_a_skip_by_the_user_is_no_pass(fresh: pytest.Pytester) -> None:
    """A missing prerequisite is a failure: the case was not run."""
    fresh.makeconftest(
        "import pytest\n\n@pytest.fixture(autouse=True)\ndef needs_network():\n    pytest.skip('no network')\n"
    )

    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CYCLE-01", "--loopspec-report=r")

    (case,) = reported(fresh.path / "r").cases
    assert (ran.ret, case.verdict, case.message) == (1, "not-run", "it was skipped: no network")


def test_a_canary_that_passes_fails_the_run(fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary's test fails, and the exit code invalidates the run."""

    def warn(self: object, stage: Stage) -> None:
        stage.environment.warn("/p/missing.md")
        stage.outcomes.loaded()

    monkeypatch.setattr("loopspec.engine.judge.Mute.perform", warn)

    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CYCLE-01", "--loopspec-report=r")

    ran.stdout.fnmatch_lines(["the case that must fail did not fail"])
    assert (ran.ret, reported(fresh.path / "r").summary.exit_code) == (1, 5)


def test_a_failed_case_is_reported_with_its_scene_and_observation(fresh: pytest.Pytester) -> None:
    """A failed case has its scene and observation in the report, and every other case has neither."""
    fresh.runpytest_inprocess(LOADER, "--loopspec-area=AMD-DEPTH", "--loopspec-report=r")

    cases = reported(fresh.path / "r").cases
    assert {case.verdict for case in cases} == {"passed", "failed", "inapplicable"}
    for case in cases:
        assert [case.scene is not None, case.observation is not None] == [case.verdict == "failed"] * 2


@pytest.mark.parametrize("target", [REFERENCE, LOADER])
def test_a_failed_report_is_reported_at_the_end(
    target: str, fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run continues, and ends with the exit code of a usage error."""
    fill_the_disk(monkeypatch)

    ran = fresh.runpytest_inprocess(target, "--loopspec-area=AMD-DEPTH", "--loopspec-report=r")

    assert ran.parseoutcomes()["passed"] > 0
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stdout.fnmatch_lines(["loopspec: the report r cannot be written: No space left on device"])
