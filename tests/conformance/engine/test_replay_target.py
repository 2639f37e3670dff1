"""`loopspec replay --target`: the Scene that a report recorded, performed on a target once more."""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from loopspec import Stage
from loopspec.cli import main
from loopspec.contract.scene import File, Scene
from loopspec.contract.specification import VERSION
from loopspec.contract.target import Identity
from loopspec.engine.result import CaseLine
from loopspec.reports.jsonl import read_report
from loopspec.specification.cases import Case
from loopspec.targets.absent import AbsentTarget

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
    """A report in which a case has failed with this scene."""
    recorded(Path("r.jsonl"), run_of([case]), [replace(failing(case), scene=scene, evidence={})])
    return "r.jsonl"


def said(capsys: Captured, *arguments: str, code: int) -> list[str]:
    """What the command prints."""
    assert main(["replay", *arguments]) == code
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out.splitlines()


def test_the_scene_is_performed_on_the_target(capsys: Captured) -> None:
    """The reference passes what another one failed: exit code 0."""
    lines = said(capsys, report_of(CASE, CASE.scene), CASE.id, "--target=reference", code=0)

    assert lines[:4] == [*ON_REFERENCE, CASE.id, "  then: failed, now: passed"]
    assert lines[-1] == "1 case judged again: 0 as then, 1 otherwise."


def test_it_is_the_recorded_scene_and_not_that_of_the_feature(capsys: Captured) -> None:
    """Without its files nothing is read, so nothing can be warned of."""
    scene = msgspec.structs.replace(CASE.scene, files={"/p/level0.md": File(text="alone")})

    lines = said(capsys, report_of(CASE, scene), CASE.id, "--target=reference", code=1)

    assert "  then: failed, now: failed" in lines
    assert any(line.startswith("      {") and "alone" in line for line in lines)


def test_a_breakdown_can_be_tried_again(capsys: Captured) -> None:
    """There was no Observation, and there is one now."""
    case = CASES["crashed"]
    recorded(Path("r.jsonl"), run_of([case]), [broken(case, "crashed")])

    assert said(capsys, "r.jsonl", case.id, "--target=reference", code=0)[3] == "  then: crashed, now: passed"


def test_what_the_target_cannot_is_inapplicable(tmp_path: Path) -> None:
    """A loader is no agent, so nothing was judged: exit code 5."""
    report = report_of(AGENT, AGENT.scene)

    ended = run_loopspec(tmp_path, "replay", report, AGENT.id, "--target=py:broken:Loader")

    assert ended.code == 5
    assert "then: failed, now: inapplicable\n" in ended.out
    assert "needs the role agent" in ended.out


def test_a_case_without_a_scene_says_so(capsys: Captured) -> None:
    """Of what passed there is none; of a failure it may be missing."""
    lines = said(capsys, report_of(CASE, None), CASE.id, "--target=reference", code=5)
    assert lines[3] == "  then: failed, now: not judged, its scene was not recorded"

    recorded(Path("r.jsonl"), run_of([CASE]), [result_of(CASE, "passed")])
    lines = said(capsys, "r.jsonl", CASE.id, "--target=reference", code=5)
    assert lines[3] == "  then: passed, now: not judged, it passed, so nothing was recorded of it"


def test_what_a_run_recorded_happens_again(tmp_path: Path) -> None:
    """From the command line: run, then replay on the same target and on the reference."""
    run = run_loopspec(tmp_path, "run", "py:broken:Loader", "--area=AMD-DEPTH", "-q", "--report=r.jsonl")
    again = run_loopspec(tmp_path, "replay", "r.jsonl", "*", "--target=py:broken:Loader")
    better = run_loopspec(tmp_path, "replay", "r.jsonl", "*", "--target=reference")

    failed = [
        line
        for line in read_report(tmp_path / "r.jsonl")
        if isinstance(line, CaseLine) and line.verdict not in ("passed", "inapplicable")
    ]
    count = len(failed)
    assert (run.code, again.code, better.code) == (1, 1, 0)
    assert again.said.splitlines()[-2] == f"{count} cases judged again: {count} as then, 0 otherwise."
    assert better.said.splitlines()[-2] == f"{count} cases judged again: 0 as then, {count} otherwise."


@pytest.mark.parametrize(("factory", "told"), [("Sleeps", True), ("Swallows", False)])
def test_a_target_that_hangs_ends_the_replay(factory: str, told: bool, tmp_path: Path) -> None:
    """In its own process it cannot be stopped: exit code 4, as of a run; even of one that nothing gets through to."""
    report = report_of(CASE, CASE.scene)

    ended = run_loopspec(tmp_path, "replay", report, CASE.id, f"--target=py:broken:{factory}", "--timeout=0.2")

    assert ended.code == 4
    assert ("  then: failed, now: timed-out\n" in ended.out) is told
    assert ended.said.splitlines()[-1].startswith(f"loopspec: py:broken:{factory} is unusable: ")
    assert ended.said.splitlines()[-1].endswith("did not come back within 0.2 s")


class Away(AbsentTarget):
    """A target in a process of its own that does not answer."""

    def __init__(self, unusable: str = "") -> None:
        super().__init__(Identity(name="Away"), ["loader"], [])
        self.unusable = unusable
        self.evidence = {"stderr": "it went"}
        self.closed = False

    def close(self) -> None:
        """Remember."""
        self.closed = True


def test_a_target_of_its_own_process_may_break_and_the_replay_goes_on(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its evidence is shown, and in the end it is closed."""
    away = Away()
    monkeypatch.setattr("loopspec.cli.commands.replay.resolve", lambda name: away)

    lines = said(capsys, report_of(CASE, CASE.scene), CASE.id, "--target=away", code=1)

    assert lines[3] == "  then: failed, now: errored"
    assert "  stderr: it went" in lines
    assert away.closed


def test_a_target_on_which_nothing_can_be_performed_any_more_ends_the_replay(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that does not start again: exit code 4, and the reason."""
    monkeypatch.setattr("loopspec.cli.commands.replay.resolve", lambda name: Away("it does not start again"))
    monkeypatch.setattr(os, "_exit", sys.exit)

    with pytest.raises(SystemExit) as ended:
        main(["replay", report_of(CASE, CASE.scene), CASE.id, "--target=away"])

    assert ended.value.code == 4
    assert capsys.readouterr().err == "loopspec: away is unusable: it does not start again\n"


def test_no_thread_of_ours_is_taken_for_one_of_the_target(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver waits for threads that may still do something, and would do so in each case."""
    names: list[str] = []
    others = threading.enumerate()

    def look_around(stage: Stage) -> None:
        names.extend(thread.name for thread in threading.enumerate() if thread not in others)

    monkeypatch.setattr("loopspec.cli.commands.replay.resolve", lambda name: Acting(look_around))

    said(capsys, report_of(CASE, CASE.scene), CASE.id, "--target=acting", code=1)

    assert names == ["loopspec-watchdog"]


def test_a_target_that_cannot_be_built_is_unusable(tmp_path: Path) -> None:
    """Exit code 4, too."""
    report = report_of(CASE, CASE.scene)
    (tmp_path / "bad.py").write_text("def build():\n    raise ValueError('no')\n", encoding="utf-8")

    ended = run_loopspec(tmp_path, "replay", report, CASE.id, "--target=py:bad:build")

    assert (ended.code, "no" in ended.said) == (4, True)
