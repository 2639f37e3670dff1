"""The pytest plugin, in other people's test runs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loopspec.cli import main
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
    monkeypatch.setenv("PYTEST_PLUGINS", "pytest_bdd.plugin,loopspec.pytest_plugin.entry")
    monkeypatch.delitem(sys.modules, "loopspec.suite", raising=False)
    return pytester


def count(glob: str) -> int:
    """How many cases there are of these rules."""
    return sum(any(rule.startswith(glob) for rule in case.rule.ids) for case in compiled())


def test_a_target_on_the_command_line_is_judged_by_the_whole_suite(fresh: pytest.Pytester) -> None:
    """Without a test module of one's own; the canary comes on top."""
    ran = fresh.runpytest_inprocess(REFERENCE, "--loopspec-area=AMD-CFG", "--strict-markers")

    ran.assert_outcomes(passed=count("AMD-CFG-") + 1, deselected=len(compiled()) - count("AMD-CFG-"))
    ran.stdout.fnmatch_lines(["loopspec reference: rules: * passed", "loopspec reference: clarified rules: none"])
    assert ran.ret == pytest.ExitCode.OK


def test_a_test_module_can_name_its_target(fresh: pytest.Pytester) -> None:
    """It needs two lines; what is inapplicable is skipped and says why, and the rest is marked by its rules."""
    fresh.makepyfile(test_mine=MINE.format(target=f"py:{broken.__name__}:Backend"))

    ran = fresh.runpytest_inprocess("-rs", "--loopspec-rule=AMD-CFG-05", "--loopspec-rule=AMD-BACKEND-05")

    ran.assert_outcomes(
        passed=1, failed=count("AMD-BACKEND-05"), skipped=1, deselected=len(compiled()) - count("AMD-BACKEND-05") - 1
    )
    ran.stdout.fnmatch_lines(["SKIPPED*: needs the role middleware or agent"])


def test_marks_select_by_rule_and_basis(fresh: pytest.Pytester) -> None:
    """As pytest does it."""
    marker = "rule(id='AMD-CFG-01')"

    ran = fresh.runpytest_inprocess(REFERENCE, "-m", marker, "--strict-markers", "--collect-only", "-q")

    ran.stdout.fnmatch_lines(["*::test_amd_cfg_01_no_configuration_at_all"])
    assert ran.ret == pytest.ExitCode.OK


def test_other_tests_are_left_alone(fresh: pytest.Pytester) -> None:
    """The suite is not added where files are named, and what it does not know it does not touch."""
    fresh.makepyfile(test_other="def test_other(): assert 1")

    named = fresh.runpytest_inprocess(REFERENCE, "test_other.py")
    both = fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01")

    named.assert_outcomes(passed=1)
    assert both.parseoutcomes()["passed"] == 3


def test_a_failure_is_a_paragraph(fresh: pytest.Pytester) -> None:
    """The rule, the step, what was expected and seen: no traceback through the harness."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-case=AMD-DEPTH-01 :: * 0")

    ran.stdout.fnmatch_lines(
        [
            "failed: AMD-DEPTH-01: A chain is followed to level 5",
            "agentsmd/depth.feature:*  Then in any order, the files shown are /p/level0.md",
            "*expected: *",
            "*seen: *",
            "loopspec *:Loader: rules: 1 failed",
        ]
    )
    ran.stdout.no_fnmatch_line("*Traceback*")
    ran.stdout.no_fnmatch_line("*playing.py*")
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
    ran.assert_outcomes(passed=1, failed=1, xfailed=count("AMD-DEPTH-01"), deselected=len(compiled()) - len(verdicts))
    assert {case: verdict for case, verdict in verdicts.items() if verdict != "known"} == {stale: "stale"}
    ran.stdout.fnmatch_lines(["stale: AMD-DEPTH-03*", "passes, though the baseline says it fails", "XFAIL * not yet"])


@pytest.mark.parametrize(("strict", "shown"), [((), "xfailed"), (("--loopspec-strict",), "failed")])
def test_a_clarified_failure_decides_under_strict_only(
    strict: tuple[str, ...], shown: str, fresh: pytest.Pytester
) -> None:
    """Until then it is shown as one that was expected, and says why."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-rule=AMD-DEPTH-07", "--loopspec-report=r", "-rx", *strict)

    assert ran.parseoutcomes()[shown] == count("AMD-DEPTH-07")
    assert ran.ret == reported(fresh.path / "r").summary.exit_code == len(strict)
    assert ("clarified, so it decides under --loopspec-strict only: " in ran.stdout.str()) is (not strict)


def test_a_run_that_judges_nothing_is_no_success(fresh: pytest.Pytester) -> None:
    """Everything is skipped, and the run fails."""
    ran = fresh.runpytest_inprocess(LOADER, "--loopspec-rule=AMD-BACKEND-05", "--loopspec-report=r")

    assert ran.parseoutcomes()["skipped"] == count("AMD-BACKEND-05")
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


def test_a_canary_is_asked_on_the_path_of_the_others(fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """When pytest's path no longer looks at what was seen, it does not help that another path does."""

    def look_away(self: ScenarioRun, kind: Kind, text: str, table: object, docstring: object) -> None:
        if kind != "then":
            take(self, kind, text, None, None)

    take = ScenarioRun.take
    monkeypatch.setattr(ScenarioRun, "take", look_away)

    assert main(["run", "reference", "--rule=AMD-CFG-01", "-q"]) == 5
    assert fresh.runpytest_inprocess(REFERENCE, "--loopspec-rule=AMD-CFG-01").ret == pytest.ExitCode.TESTS_FAILED


def test_a_canary_that_passes_fails_the_run(fresh: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its test does, and everything that passed is worth nothing."""
    monkeypatch.setattr("loopspec.engine.canary.Mute.perform", lambda self, stage: stage.world.warn("/p/missing.md"))

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
        ("--loopspec-target=refrence", "there is no target 'refrence': say `reference`, `py:"),
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
    """What a target does differently belongs into a baseline."""
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
        ["loopspec reference: rules: 1 passed", "loopspec py:loopspec.targets.reference:Memory: rules: 1 passed"]
    )
    reporting.stderr.fnmatch_lines(["ERROR: loopspec: --loopspec-report is for one target, and this run has several"])


def test_collecting_judges_nothing(fresh: pytest.Pytester) -> None:
    """And reports nothing."""
    ran = fresh.runpytest_inprocess(REFERENCE, "--collect-only", "-q", "--loopspec-report=r")

    assert ran.ret == 0
    assert len((fresh.path / "r").read_text(encoding="utf-8").splitlines()) == 1


def test_the_suite_is_for_pytest_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Imported anywhere else it says so."""
    monkeypatch.setattr("loopspec.pytest_plugin.entry._configs", [])
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
