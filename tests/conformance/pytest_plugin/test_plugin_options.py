"""The plugin's options and its usage errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loopspec.specification.features import compiled

from .. import broken
from ..process import reported
from .expected import MINE, REFERENCE, count


def test_marks_select_by_rule_and_basis(fresh: pytest.Pytester) -> None:
    """A marker selects the tests of a rule."""
    marker = "rule(id='AMD-CFG-01')"

    ran = fresh.runpytest_inprocess(REFERENCE, "-m", marker, "--strict-markers", "--collect-only", "-q")

    ran.stdout.fnmatch_lines(["*::test_amd_cfg_01_no_configuration"])
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
    """`-k` accepts the ids of rules in any case, and `-m` the bases; the markers are registered."""
    ran = fresh.runpytest_inprocess(
        REFERENCE, "--loopspec-area=*CFG", option, "--strict-markers", "--collect-only", "-q"
    )

    names = [line for line in ran.outlines if "::test_" in line and "::test_canary" not in line]
    assert (ran.ret, len(names)) == (pytest.ExitCode.OK, selected)


@pytest.mark.parametrize("arguments", [("test_other.py",), ("-k", "test_other")])
def test_a_target_without_any_case_is_an_error(arguments: tuple[str, ...], fresh: pytest.Pytester) -> None:
    """The suite is not added if files are named, and a run without conformance cases is an error."""
    fresh.makepyfile(test_other="def test_other(): assert 1")

    ran = fresh.runpytest_inprocess(REFERENCE, *arguments)

    ran.stderr.fnmatch_lines(
        ["ERROR: loopspec: --loopspec-target is given, and no conformance case is among the tests*"]
    )
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_seed_role_and_deselect_work_as_on_the_command_line(fresh: pytest.Pytester) -> None:
    """The plugin's options are the long options of the command line."""
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
        ("--loopspec-target=reference --loopspec-timeout=0", "--loopspec-timeout must be more than 0 seconds"),
        ("--loopspec-target=reference --loopspec-baseline=b", "the baseline b cannot be read: No such file"),
        ("--loopspec-target=reference --loopspec-report=.", "the report . cannot be written: Is a directory"),
        (
            f"--loopspec-target=py:{broken.__name__}:raises",
            "the factory * failed: ConnectionError: no database (*broken.py:246 in raises)",
        ),
    ],
)
def test_a_wrong_option_is_a_usage_error(arguments: str, sentence: str, fresh: pytest.Pytester) -> None:
    """The error is one sentence in pytest's form."""
    ran = fresh.runpytest_inprocess(*arguments.split())

    ran.stderr.fnmatch_lines([f"ERROR: loopspec: {sentence}*"])
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ("def test_amd_cfg_01_no_configuration(): pass\n", "overrides test_amd_cfg_01_no_configuration"),
        ("del test_amd_cfg_01_no_configuration\n", "deletes test_amd_cfg_01_no_configuration"),
    ],
)
def test_a_test_of_the_suite_can_neither_be_overridden_nor_deleted(
    more: str, sentence: str, fresh: pytest.Pytester
) -> None:
    """Known differences of a target belong in a baseline."""
    fresh.makepyfile(test_mine=MINE.format(target="reference") + more)

    ran = fresh.runpytest_inprocess()

    ran.stderr.fnmatch_lines(
        [f"ERROR: loopspec: *test_mine.py {sentence}: known differences of a target belong in a baseline*"]
    )
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_a_module_without_a_target_is_a_usage_error(fresh: pytest.Pytester) -> None:
    """The message names the variable and the option."""
    fresh.makepyfile(test_mine="from loopspec.suite import *\n")

    ran = fresh.runpytest_inprocess()

    ran.stderr.fnmatch_lines(["ERROR: loopspec: *test_mine.py names no target: set LOOPSPEC_TARGET in it, or pass *"])
    assert ran.ret == pytest.ExitCode.USAGE_ERROR


def test_several_targets_are_judged_in_one_run(fresh: pytest.Pytester) -> None:
    """Each module judges its own target; a report is for one target."""
    fresh.makepyfile(
        test_one=MINE.format(target="reference"), test_two=MINE.format(target="py:loopspec_reference_adapter:Memory")
    )

    ran = fresh.runpytest_inprocess("--loopspec-rule=AMD-BACKEND-05")
    reporting = fresh.runpytest_inprocess("--loopspec-rule=AMD-BACKEND-05", "--loopspec-report=r")

    assert ran.parseoutcomes()["passed"] == 2 * (count("AMD-BACKEND-05") + 1)
    ran.stdout.fnmatch_lines(
        [
            "loopspec reference: normative rules: 1 passed",
            "loopspec py:loopspec_reference_adapter:Memory: normative rules: 1 passed",
        ]
    )
    reporting.stderr.fnmatch_lines(["ERROR: loopspec: --loopspec-report is for one target, and this run has several"])


def test_collecting_judges_nothing(fresh: pytest.Pytester) -> None:
    """The report has only its first line."""
    ran = fresh.runpytest_inprocess(REFERENCE, "--collect-only", "-q", "--loopspec-report=r")

    assert ran.ret == 0
    assert len((fresh.path / "r").read_text(encoding="utf-8").splitlines()) == 1


def test_the_suite_is_for_pytest_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An import outside pytest is an error."""
    monkeypatch.setattr("loopspec_pytest.configs", [])
    monkeypatch.delitem(sys.modules, "loopspec.suite", raising=False)

    with pytest.raises(RuntimeError, match=r"loopspec\.suite can only be imported by pytest"):
        __import__("loopspec.suite")
