"""The pytest plugin, in other people's test runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loopspec.pytest_plugin.scenario import ScenarioRun
from loopspec.specification.features import compiled
from loopspec_steps.phrasebook import Kind

from .. import broken
from ..process import reported
from ..staging import fill_the_disk

LOADER = f"--loopspec-target=py:{broken.__name__}:Loader"
REFERENCE = "--loopspec-target=reference"
MINE = "from loopspec.suite import *\nLOOPSPEC_TARGET = {target!r}\n"


@pytest.fixture
def fresh(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """Runs pytest in an empty folder, in this process, as if the suite had never been imported; and not what else
    is installed, which would cost more than everything else."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_bdd.plugin,loopspec_pytest")
    monkeypatch.delitem(sys.modules, "loopspec.suite", raising=False)
    return pytester


def count(glob: str) -> int:
    """How many cases there are of these rules."""
    return sum(any(rule.startswith(glob) for rule in case.rule.ids) for case in compiled())


def bound(*globs: str) -> int:
    """How many cases there are in the feature files that have a case of these rules."""
    files = {case.file for case in compiled() if any(i.startswith(glob) for i in case.rule.ids for glob in globs)}
    return sum(case.file in files for case in compiled())


def test_a_target_on_the_command_line_is_judged_by_the_whole_suite(fresh: pytest.Pytester) -> None:
    """Without a test module of one's own; the canary comes on top."""
    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-area=AMD-CFG", "--strict-markers")

    ran.assert_outcomes(passed=count("AMD-CFG-") + 1, deselected=bound("AMD-CFG-") - count("AMD-CFG-"))
    ran.stdout.fnmatch_lines(
        ["loopspec reference: normative rules: * passed", "loopspec reference: advisory rules: none"]
    )
    assert ran.ret == pytest.ExitCode.OK


def test_a_test_module_can_name_its_target(fresh: pytest.Pytester) -> None:
    """It needs two lines. What is for other roles is deselected, and what is inapplicable is skipped and says why."""
    fresh.makepyfile(test_mine=MINE.format(target=f"py:{broken.__name__}:Backend"))

    rules = [f"--loopspec-rule={rule}" for rule in ("AMD-CFG-05", "AMD-BACKEND-05", "BACKEND-03")]
    ran = fresh.runpytest_inprocess("-rs", *rules)

    failed = count("AMD-BACKEND-05")
    left = bound("AMD-CFG-05", "AMD-BACKEND-05", "BACKEND-03") - failed - count("BACKEND-03")
    ran.assert_outcomes(passed=1, failed=failed, skipped=count("BACKEND-03"), deselected=left)
    ran.stdout.fnmatch_lines(["SKIPPED*: needs *"])


def test_marks_select_by_rule_and_basis(fresh: pytest.Pytester) -> None:
    """As pytest does it."""
    marker = "rule(id='AMD-CFG-01')"

    ran = fresh.runpytest_inprocess(REFERENCE, "-m", marker, "--strict-markers", "--collect-only", "-q")

    ran.stdout.fnmatch_lines(["*::test_amd_cfg_01_no_configuration_at_all"])
    assert ran.ret == pytest.ExitCode.OK


@pytest.mark.parametrize(
    ("option", "selected"),
    [
        ("-k=AMD-CFG-01", count("AMD-CFG-01")),
        ("-k=amd-cfg-01 or AMD-CFG-02", count("AMD-CFG-01") + count("AMD-CFG-02")),
        ("-m=documented", sum(case.rule.basis == "documented" for case in compiled() if "CFG" in case.rule.ids[0])),
        ("-m=advisory", sum(case.rule.basis == "clarified" for case in compiled() if "CFG" in case.rule.ids[0])),
        ("-m=normative", sum(case.rule.basis != "clarified" for case in compiled() if "CFG" in case.rule.ids[0])),
    ],
)
def test_options_of_pytest_select_by_rule_and_basis(option: str, selected: int, fresh: pytest.Pytester) -> None:
    """`-k` takes the ids of rules, in any case, and `-m` the bases; the markers are known."""
    ran = fresh.runpytest_inprocess(
        REFERENCE, "--loopspec-area=*CFG", option, "--strict-markers", "--collect-only", "-q"
    )

    names = [line for line in ran.outlines if "::test_" in line and "::test_canary" not in line]
    assert (ran.ret, len(names)) == (pytest.ExitCode.OK, selected)


def test_other_tests_are_left_alone(fresh: pytest.Pytester) -> None:
    """What the suite does not know it does not touch."""
    fresh.makepyfile(test_other="def test_other(): assert 1")

    both = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01")

    assert both.parseoutcomes()["passed"] == 3


@pytest.mark.parametrize("arguments", [("test_other.py",), ("-k", "test_other")])
def test_a_target_without_any_case_is_an_error(arguments: tuple[str, ...], fresh: pytest.Pytester) -> None:
    """The suite is not added where files are named: a run that judges nothing must not look like one that does."""
    fresh.makepyfile(test_other="def test_other(): assert 1")

    ran = fresh.runpytest_inprocess(REFERENCE, *arguments)

    ran.stderr.fnmatch_lines(
        ["ERROR: loopspec: --loopspec-target is given, and no conformance case is among the tests*"]
    )
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_a_failure_is_a_paragraph(fresh: pytest.Pytester) -> None:
    """The rule, the step, what was expected and seen: no traceback through the harness."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-case=AMD-DEPTH-01 :: * 0")

    ran.stdout.fnmatch_lines(
        [
            "failed: AMD-DEPTH-01: A chain is followed to level 5",
            "agentsmd/depth.feature:*  Then in any order, the files shown are /p/level0.md",
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
    """Known is shown as an expected failure, with its reason; stale is a failure."""
    stale = "AMD-DEPTH-03 :: A level that exists"
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
    ran.stdout.fnmatch_lines(["stale: AMD-DEPTH-03*", "passes, though the baseline says it fails", "XFAIL * not yet"])


@pytest.mark.parametrize(("strict", "shown"), [((), "xfailed"), (("--loopspec-strict",), "failed")])
def test_an_advisory_failure_counts_under_strict_only(
    strict: tuple[str, ...], shown: str, fresh: pytest.Pytester
) -> None:
    """Until then it is shown as one that was expected, and says why."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-rule=AMD-DEPTH-07", "--loopspec-report=r", "-rx", *strict)

    assert ran.parseoutcomes()[shown] == count("AMD-DEPTH-07")
    assert ran.ret == reported(fresh.path / "r").summary.exit_code == len(strict)
    assert ("advisory, so it counts under --loopspec-strict only: " in ran.stdout.str()) is (not strict)


def test_a_run_that_judges_nothing_is_no_success(fresh: pytest.Pytester) -> None:
    """Everything is for another role, and the run fails."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-rule=AMD-BACKEND-05", "--loopspec-report=r")

    ran.assert_outcomes(passed=1, deselected=bound("AMD-BACKEND-05"))
    assert set(reported(fresh.path / "r").verdicts.values()) == {"inapplicable"}
    assert (ran.ret, reported(fresh.path / "r").summary.exit_code) == (1, 5)


def test_a_hang_ends_the_judging(fresh: pytest.Pytester) -> None:
    """The case is timed out, and what comes after it fails as not run."""
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


def test_a_scenario_whose_steps_pytest_does_not_read_is_an_error(
    fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine has judged it, and yet it is no test that has passed."""
    take = ScenarioRun.take

    def look_away(self: ScenarioRun, kind: Kind, text: str) -> None:
        if kind != "then":
            take(self, kind, text)

    monkeypatch.setattr(ScenarioRun, "take", look_away)

    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01", "--loopspec-report=r")

    (case,) = reported(fresh.path / "r").cases
    assert (ran.ret, case.verdict) == (pytest.ExitCode.TESTS_FAILED, "errored")
    assert "pytest-bdd has not read all steps of 'No configuration at all'" in case.message


def test_a_skip_of_the_users_own_is_no_pass(fresh: pytest.Pytester) -> None:
    """A missing prerequisite is a failure: the case was not run."""
    fresh.makeconftest(
        "import pytest\n\n@pytest.fixture(autouse=True)\ndef needs_network():\n    pytest.skip('no network')\n"
    )

    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01", "--loopspec-report=r")

    (case,) = reported(fresh.path / "r").cases
    assert (ran.ret, case.verdict, case.message) == (1, "not-run", "it was skipped: no network")


def test_a_canary_that_passes_fails_the_run(fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its test does, and everything that passed is worth nothing."""
    monkeypatch.setattr("loopspec.engine.canary.Mute.perform", lambda self, stage: stage.environment.warn("/p/missing.md"))

    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01", "--loopspec-report=r")

    ran.stdout.fnmatch_lines(["the case that must fail did not fail"])
    assert (ran.ret, reported(fresh.path / "r").summary.exit_code) == (1, 5)


def test_a_seed_and_a_role_and_what_is_left_out_are_those_of_the_command_line(fresh: pytest.Pytester) -> None:
    """Under their long names."""
    ran = fresh.runpytest_inprocess(
        REFERENCE,
        "--loopspec-area=AMD-CFG",
        "--loopspec-deselect=AMD-CFG-04",
        "--loopspec-role=agent",
        "--loopspec-seed=7",
        "--loopspec-report=r",
    )

    report = reported(fresh.path / "r")
    assert ran.ret == 0
    assert (report.run.role, report.run.seed) == ("agent", 7)
    assert set(report.run.planned) == {
        case.id
        for case in compiled()
        if case.rule.ids[0].startswith("AMD-CFG") and case.rule.ids[0] != "AMD-CFG-04" and "agent" in case.roles
    }
    assert list(report.run.planned) != sorted(report.run.planned)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--loopspec-target=refrence", "there is no target 'refrence': did you mean 'reference'?"),
        ("--loopspec-target=reference --loopspec-rule=zzz", "there is no rule 'zzz': see `loopspec list`"),
        (
            "--loopspec-target=reference --loopspec-role=zzz",
            "there is no role 'zzz': the roles are backend, loader, middleware, agent",
        ),
        (
            "--loopspec-target=reference --loopspec-timeout=0",
            "--loopspec-timeout must be more than 0 seconds",
        ),
        ("--loopspec-target=reference --loopspec-baseline=b", "the baseline b cannot be read: No such file"),
        ("--loopspec-target=reference --loopspec-report=.", "the report . cannot be written: Is a directory"),
    ],
)
def test_a_wrong_option_is_a_usage_error(arguments: str, sentence: str, fresh: pytest.Pytester) -> None:
    """In pytest's way, and one sentence."""
    ran = fresh.runpytest_inprocess(*arguments.split())

    ran.stderr.fnmatch_lines([f"ERROR: loopspec: {sentence}*"])
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_an_unusable_target_is_a_usage_error(fresh: pytest.Pytester) -> None:
    """Nothing has run yet."""
    ran = fresh.runpytest_inprocess(f"--loopspec-target=py:{broken.__name__}:raises")

    ran.stderr.fnmatch_lines(["ERROR: loopspec: the factory * failed: ConnectionError: no database"])
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("def test_amd_cfg_01_no_configuration_at_all(): pass\n", "overrides test_amd_cfg_01_no_configuration_at_all"),
        ("del test_amd_cfg_01_no_configuration_at_all\n", "deletes test_amd_cfg_01_no_configuration_at_all"),
    ],
)
def test_a_test_of_the_suite_can_neither_be_overridden_nor_deleted(
    more: str, sentence: str, fresh: pytest.Pytester
) -> None:
    """What a target does differently belongs in a baseline."""
    fresh.makepyfile(test_mine=MINE.format(target="reference") + more)

    ran = fresh.runpytest_inprocess()

    ran.stderr.fnmatch_lines([f"ERROR: loopspec: *test_mine.py {sentence}: what a target is known to do differently*"])
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_a_module_without_a_target_is_told_how_to_name_one(fresh: pytest.Pytester) -> None:
    """In it, or on the command line."""
    fresh.makepyfile(test_mine="from loopspec.suite import *\n")

    ran = fresh.runpytest_inprocess()

    ran.stderr.fnmatch_lines(["ERROR: loopspec: *test_mine.py names no target: set LOOPSPEC_TARGET in it, or pass *"])
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_several_targets_are_judged_side_by_side(fresh: pytest.Pytester) -> None:
    """Each by its own module; a report is for one of them."""
    fresh.makepyfile(
        test_one=MINE.format(target="reference"), test_two=MINE.format(target="py:loopspec.targets.reference:Memory")
    )

    ran = fresh.runpytest_inprocess("--loopspec-rule=AMD-BACKEND-05")
    reporting = fresh.runpytest_inprocess("--loopspec-rule=AMD-BACKEND-05", "--loopspec-report=r")

    assert ran.parseoutcomes()["passed"] == 2 * (count("AMD-BACKEND-05") + 1)
    ran.stdout.fnmatch_lines(
        [
            "loopspec reference: normative rules: 1 passed",
            "loopspec py:loopspec.targets.reference:Memory: normative rules: 1 passed",
        ]
    )
    reporting.stderr.fnmatch_lines(["ERROR: loopspec: --loopspec-report is for one target, and this run has several"])


def test_collecting_judges_nothing(fresh: pytest.Pytester) -> None:
    """And reports nothing."""
    ran = fresh.runpytest_inprocess(REFERENCE, "--collect-only", "-q", "--loopspec-report=r")

    assert ran.ret == 0
    assert len((fresh.path / "r").read_text(encoding="utf-8").splitlines()) == 1


def test_the_suite_is_for_pytest_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imported anywhere else it says so."""
    monkeypatch.setattr("loopspec_pytest.configs", [])
    monkeypatch.delitem(sys.modules, "loopspec.suite", raising=False)

    with pytest.raises(RuntimeError, match=r"loopspec\.suite can only be imported by pytest"):
        __import__("loopspec.suite")


def test_a_failed_case_is_reported_with_its_scene_and_what_was_seen(fresh: pytest.Pytester) -> None:
    """So that it can be looked into without running it again; of what passed neither is kept."""
    fresh.runpytest_inprocess(LOADER, "--loopspec-area=AMD-DEPTH", "--loopspec-report=r")

    cases = reported(fresh.path / "r").cases
    assert {case.verdict for case in cases} == {"passed", "failed"}
    for case in cases:
        assert [case.scene is not None, case.observation is not None] == [case.verdict == "failed"] * 2


def test_a_worker_of_a_divided_run_writes_no_report(fresh: pytest.Pytester) -> None:
    """Nobody would add up: who divides this run has not loaded loopspec. Without a report that is fine."""
    fresh.makeconftest("def pytest_configure(config):\n    config.workerinput = {}\n")

    refused = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01", "--loopspec-report=r")
    worked = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01")

    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(
        ["ERROR: loopspec: --loopspec-report needs loopspec in the process that divides this run: *"]
    )
    assert (worked.ret, worked.parseoutcomes()["passed"]) == (pytest.ExitCode.OK, 2)
    worked.stdout.no_fnmatch_line("loopspec reference: *")


@pytest.mark.parametrize("target", [REFERENCE, LOADER])
def test_a_report_that_fails_in_mid_run_is_told_at_the_end(
    target: str, fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes on, and is as little of a success as one that was called wrongly."""
    fill_the_disk(monkeypatch)

    ran = fresh.runpytest_inprocess(target, "--loopspec-area=AMD-DEPTH", "--loopspec-report=r")

    assert ran.parseoutcomes()["passed"] > 0
    assert ran.ret == pytest.ExitCode.USAGE_ERROR
    ran.stdout.fnmatch_lines(["loopspec: the report r cannot be written: No space left on device"])
