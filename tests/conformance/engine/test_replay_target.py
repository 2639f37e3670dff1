"""`loopspec replay --target` performs the recorded scene again on a target."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest
from msgspec.structs import replace

from loopspec import Stage
from loopspec.cli import main
from loopspec.contract.scene import File, Scene
from loopspec.contract.specification import VERSION
from loopspec.contract.target import Identity
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import read_report
from loopspec.specification.cases import Case
from loopspec.targets.resolve import AbsentTarget

from ..cli.in_process import said
from ..process import run_loopspec
from ..recorded import CASES, broken, failing, recorded, run_of
from ..staging import Acting, case_of, result_of

Captured = pytest.CaptureFixture[str]
CASE = case_of("AMD-DEPTH-02")
AGENT = case_of("LOOP-01")
ON_REFERENCE = [f"The scenes of the report are performed on loopspec reference {VERSION}", ""]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report_of(case: Case, scene: Scene | None) -> str:
    """Write a report in which a case failed with this scene."""
    recorded(Path("r.jsonl"), run_of([case]), [replace(failing(case), scene=scene, evidence={})])
    return "r.jsonl"


def test_the_scene_is_performed_on_the_target(capsys: Captured) -> None:
    """The reference passes a case that another target failed, so the exit code is 0."""
    lines = said(capsys, "replay", report_of(CASE, CASE.scene), CASE.id, "--target=reference", code=0)

    assert lines[:4] == [*ON_REFERENCE, CASE.id, "  then: failed, now: passed"]
    assert lines[-1] == "1 case judged again: 0 unchanged, 1 changed."


def test_the_recorded_scene_is_performed_instead_of_the_features(capsys: Captured) -> None:
    """Without its files the scene reads nothing and causes no warning."""
    scene = replace(CASE.scene, files={"/p/level0.md": File(text="alone")})

    lines = said(capsys, "replay", report_of(CASE, scene), CASE.id, "--target=reference", code=1)

    assert "  then: failed, now: failed" in lines
    assert any(line.startswith("      {") and "alone" in line for line in lines)


def test_a_crash_can_be_performed_again(capsys: Captured) -> None:
    """A crash has no observation; the new performance has one."""
    case = CASES["crashed"]
    recorded(Path("r.jsonl"), run_of([case]), [broken(case, "crashed")])

    assert said(capsys, "replay", "r.jsonl", case.id, "--target=reference", code=0)[3] == "  then: crashed, now: passed"


def test_a_case_that_the_target_cannot_perform_is_inapplicable(tmp_path: Path) -> None:
    """A loader cannot perform a scene of an agent, so the exit code is 5."""
    report = report_of(AGENT, AGENT.scene)

    ended = run_loopspec(tmp_path, "replay", report, AGENT.id, "--target=py:broken:Loader")

    assert ended.code == 5
    assert "then: failed, now: inapplicable\n" in ended.out
    assert "needs the role agent" in ended.out


def test_a_case_without_a_scene_says_so(capsys: Captured) -> None:
    """A passed case has no scene; a failed case may lack one."""
    lines = said(capsys, "replay", report_of(CASE, None), CASE.id, "--target=reference", code=5)
    assert lines[3] == "  then: failed, now: not judged, its scene was not recorded"

    recorded(Path("r.jsonl"), run_of([CASE]), [result_of(CASE, "passed")])
    lines = said(capsys, "replay", "r.jsonl", CASE.id, "--target=reference", code=5)
    assert lines[3] == "  then: passed, now: not judged, it passed, so nothing was recorded"


def test_a_recorded_run_can_be_replayed(tmp_path: Path) -> None:
    """A report written by `run` is replayed on the same target."""
    run = run_loopspec(
        tmp_path, "run", "py:broken:Loader", "--area=AMD-DEPTH", "-q", "--report=r.jsonl", "--variants=none"
    )
    again = run_loopspec(tmp_path, "replay", "r.jsonl", "*", "--target=py:broken:Loader")

    count = sum(
        isinstance(line, CaseLine) and line.verdict not in ("passed", "inapplicable")
        for line in read_report(tmp_path / "r.jsonl")
    )
    assert (run.code, again.code) == (1, 1)
    assert f"{count} cases judged again: {count} unchanged, 0 changed." in again.said.splitlines()


@pytest.mark.parametrize(("factory", "reported"), [("Sleeps", True), ("Swallows", False)])
def test_a_target_that_hangs_ends_the_replay(factory: str, reported: bool, tmp_path: Path) -> None:
    """A hanging target cannot be stopped in its own process, so the exit code is 4, as in a run."""
    report = report_of(CASE, CASE.scene)

    ended = run_loopspec(tmp_path, "replay", report, CASE.id, f"--target=py:broken:{factory}", "--timeout=0.2")

    assert ended.code == 4
    assert ("  then: failed, now: timed-out\n" in ended.out) is reported
    assert ended.said.splitlines()[-1].startswith(f"loopspec: py:broken:{factory} is unusable: ")
    assert ended.said.splitlines()[-1].endswith("did not return within 0.2 s")


class Away(AbsentTarget):
    """A target in a separate process that does not answer."""

    def __init__(self, unusable: str = "") -> None:
        super().__init__(Identity(name="Away"), ["loader"], [])
        self.unusable = unusable
        self.evidence = {"stderr": "it went"}
        self.closed = False

    def close(self) -> None:
        """Record the call."""
        self.closed = True


def test_a_replay_continues_after_an_error_of_a_separate_process(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The evidence is shown, and the target is closed."""
    away = Away()
    monkeypatch.setattr("loopspec.cli.commands.replay.resolve", lambda name: away)

    lines = said(capsys, "replay", report_of(CASE, CASE.scene), CASE.id, "--target=away", code=1)

    assert lines[3] == "  then: failed, now: errored"
    assert "  stderr: it went" in lines
    assert away.closed


def test_an_unusable_target_ends_the_replay(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target that does not start again gives exit code 4 and the reason."""
    monkeypatch.setattr("loopspec.cli.commands.replay.resolve", lambda name: Away("it does not start again"))
    monkeypatch.setattr(os, "_exit", sys.exit)

    with pytest.raises(SystemExit) as ended:
        main(["replay", report_of(CASE, CASE.scene), CASE.id, "--target=away"])

    assert ended.value.code == 4
    assert capsys.readouterr().err == "loopspec: away is unusable: it does not start again\n"


def test_the_watchdog_is_not_a_thread_of_the_target(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver waits for threads of the target in each case, and the watchdog is not one."""
    names: list[str] = []
    others = threading.enumerate()

    def look_around(stage: Stage) -> None:
        names.extend(thread.name for thread in threading.enumerate() if thread not in others)

    monkeypatch.setattr("loopspec.cli.commands.replay.resolve", lambda name: Acting(look_around))

    said(capsys, "replay", report_of(CASE, CASE.scene), CASE.id, "--target=acting", code=1)

    assert names == ["loopspec-watchdog"]
