"""Each bug of an adapter gets a verdict, and the report accounts for every case."""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest

from ..process import Ended, Reported, reported, run_loopspec

RunHere = Callable[..., Ended]
# a small part of the suite in which every role has a case
PART = ["--area=AMD-CFG", "--area=AMD-DEPTH", "--rule=AMD-BACKEND-05", "--report=r.jsonl"]


def judged(folder: Path, run: RunHere, factory: str, *options: str) -> tuple[Ended, Reported]:
    """Run a broken adapter on a part of the suite."""
    ended = run("run", f"py:broken:{factory}", *PART, *options)
    return ended, reported(folder / "r.jsonl")


@pytest.mark.parametrize(
    ("factory", "limit"),
    [
        ("Sleeps", 0.5),
        ("SleepsAsync", 0.5),
        ("WaitsForEver", 0.5),
        ("Spins", 0.5),
        ("SleepsInThread", 0.5),
        pytest.param("Swallows", 3.5, marks=pytest.mark.long),
    ],
)
def test_an_adapter_that_hangs_ends_the_run(factory: str, limit: float, tmp_path: Path) -> None:
    """The case is timed out and the rest is not run; an adapter that catches every exception takes a little longer."""
    run = partial(run_loopspec, tmp_path)
    ended, report = judged(tmp_path, run, factory, "--timeout=0.5", "--junit=j.xml")

    counts = {verdict: count for verdict, count in report.summary.cases.items() if count}
    judged_ones = [case for case in report.cases if case.verdict in ("timed-out", "not-run")]
    sentence = f"py:broken:{factory} did not return within {limit:g} s"
    assert ended.code == report.summary.exit_code == 4
    assert (counts["timed-out"], set(counts)) == (1, {"timed-out", "not-run", "inapplicable"})
    assert judged_ones[0].verdict == "timed-out"
    assert judged_ones[0].message == sentence
    assert {case.message for case in judged_ones[1:]} == {report.summary.aborted}
    last = f"py:broken:{factory} is unusable: {report.summary.aborted}. The rest was not run."
    assert ended.said.splitlines()[-1] == last
    assert ended.said.count(sentence) == 2  # with the case, and in the last sentence
    assert (tmp_path / "j.xml").exists()


@pytest.mark.parametrize(
    ("factory", "verdict", "message"),
    [
        (
            "LoadsNumber",
            "errored",
            "load() returned 7: return a pair of lists, (path, text) of each section and the paths warned about",
        ),
        ("ReadsNumber", "errored", "read() of * returned 7: return str or bytes, or raise an OSError"),
        ("OpensNothing", "errored", "open() returned None: return an object with read()"),
        ("MakesNumber", "errored", "middleware() returned 7: return an object with before_model()"),
        ("HooksNumber", "errored", "before_model() returned 7: return a list of loopspec.Message"),
        ("PerformsNow", "errored", "py:broken:PerformsNow: perform() must be an async def"),
        ("Exits", "crashed", "py:broken:Exits raised SystemExit(3)"),
        ("ExitsAsync", "crashed", "py:broken:ExitsAsync raised SystemExit(3)"),
        ("ExitsInThread", "crashed", "py:broken:ExitsInThread raised SystemExit(3)"),
        ("Cancels", "errored", "the adapter of py:broken:Cancels failed: CancelledError:"),
        ("Skips", "errored", "the adapter of py:broken:Skips failed: Skipped: not today"),
    ],
)
def test_a_broken_adapter_is_named_and_the_run_continues(
    factory: str, verdict: str, message: str, tmp_path: Path, run_here: RunHere
) -> None:
    """A broken adapter passes nothing, and a case that could not be judged is neither failed nor inapplicable."""
    ended, report = judged(tmp_path, run_here, factory)

    broken = [case for case in report.cases if case.verdict == verdict]
    assert ended.code == report.summary.exit_code == 1
    assert len(broken) > 1
    assert [case.message for case in broken if not fnmatchcase(case.message, f"{message}*")] == []
    assert report.summary.cases["not-run"] == 0
    assert fnmatchcase(ended.said, f"*{message}*")


def test_a_factory_that_fails_the_second_time_is_no_bug_of_the_suite(tmp_path: Path, run_here: RunHere) -> None:
    """A target that cannot be built again for a resumed run is errored with the factory's message."""
    (tmp_path / "once.py").write_text(
        "from loopspec_reference_adapter import Reference\n"
        "class Once(Reference):\n"
        "    built = 0\n"
        "    def __init__(self):\n"
        "        Once.built += 1\n"
        "        if Once.built > 1:\n"
        "            raise ConnectionError('no second database')\n",
        encoding="utf-8",
    )

    ended = run_here("run", "py:once:Once", "--rule=AMD-CACHE-01", "--rule=AMD-CACHE-11", "--report=r.jsonl")

    report = reported(tmp_path / "r.jsonl")
    errored = {case.message for case in report.cases if case.verdict == "errored"}
    assert ended.code == 1
    place = "(once.py:7 in Once.__init__)"
    assert errored == {f"the factory py:once:Once failed: ConnectionError: no second database {place}"}
    assert report.summary.cases["passed"] > 0


CHATTY = """\
import os, subprocess, sys
from loopspec_reference_adapter import Reference

class Chatty(Reference):
    def open(self, files):
        print("print")
        print("to standard error", file=sys.stderr)
        os.write(1, b"below Python\\n")
        subprocess.run([sys.executable, "-c", "print('a child')"])
        return super().open(files)

class Failing(Chatty):
    def open(self, files):
        return super().open({})
"""


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_output_of_an_adapter_is_evidence_and_is_hidden(workers: tuple[str, ...], tmp_path: Path) -> None:
    """Output of a passing case is hidden; output of a failing case is in the report, however it is printed."""
    (tmp_path / "chatty.py").write_text(CHATTY, encoding="utf-8")

    quiet = run_loopspec(tmp_path, "run", "py:chatty:Chatty", "--rule=AMD-BACKEND-05", "--quiet", *workers)
    failing = run_loopspec(
        tmp_path, "run", "py:chatty:Failing", "--role=backend", "--rule=AMD-BACKEND-10", "-q", "--report=r", *workers
    )

    assert (quiet.code, quiet.out, quiet.err) == (0, "py:chatty:Chatty is conformant in 9 selected cases.\n", "")
    evidence = [case.evidence for case in reported(tmp_path / "r").cases if case.verdict == "failed"]
    assert evidence
    for texts in evidence:
        assert sorted(texts["standard output"].splitlines()) == ["a child", "below Python", "print"]
        assert texts["standard error"] == "to standard error\n"
    assert (failing.code, failing.err) == (1, "")
    assert "  standard error:\n" in failing.out or "  standard error: to standard error\n" in failing.out
