"""`loopspec report OLD NEW --diff` prints the changes between two reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion

from loopspec.cli import main
from loopspec.contract.target import Identity
from loopspec.engine.result import VERDICTS, CaseLine, Verdict
from loopspec.reports.diff import Change
from loopspec.reports.jsonl import RunLine, read_report, write_report

NAMES = [f"AMD-CFG-0{n} :: A case" for n in range(1, 10)]
A, B, C, *_ = NAMES


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Writes a report with these verdicts; `details` replace values of its first line."""
    monkeypatch.chdir(tmp_path)

    def written(name: str, verdicts: Mapping[str, Verdict], **details: object) -> str:
        run = RunLine(
            features="f00d",
            target="py:some:target",
            identity=Identity(name="Acting", version="1"),
            roles=("loader",),
            capabilities=("edits",),
            role=None,
            strict=False,
            seed=0,
            planned=tuple(verdicts),
        )
        lines = [
            CaseLine(case=c, rules=("AMD-CFG-01",), verdict=v, seconds=0.0, location="", message=f"it {v}\nmore of it")
            for c, v in verdicts.items()
        ]
        write_report(tmp_path / name, [replace(run, **details), *lines])
        return name

    return written


def said(capsys: pytest.CaptureFixture[str], old: str, new: str) -> tuple[int, list[str]]:
    """The exit code and the printed lines, without the remark that the reports were cut off."""
    code = main(["report", old, new, "--diff"])
    lines = capsys.readouterr().out.splitlines()
    return code, [line for line in lines if "report was cut off" not in line]


def test_nothing_changed(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    """The output is one line."""
    same: dict[str, Verdict] = {A: "passed", B: "failed"}

    assert said(capsys, write("old", same), write("new", same)) == (
        0,
        ["Nothing changed: 2 cases compared, 0 better, 0 worse."],
    )


def test_changes_are_grouped_and_worse_cases_are_first(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """Each case has both verdicts and the first line of its current message."""
    old = write("old", dict(zip(NAMES, ("passed", "failed", "failed", "passed", "passed", "known"), strict=False)))
    now: tuple[Verdict, ...] = ("failed", "passed", "crashed", "inapplicable")
    new = write(
        "new", {**dict(zip(NAMES, now, strict=False)), NAMES[5]: "stale", NAMES[6]: "failed", NAMES[7]: "passed"}
    )

    code, lines = said(capsys, old, new)
    assert code == 1
    assert lines == snapshot


@pytest.mark.parametrize("before", [*VERDICTS, None])
@pytest.mark.parametrize("after", [*VERDICTS, None])
def test_worse_is_lower_in_the_order_of_verdicts(before: Verdict | None, after: Verdict | None) -> None:
    """A case is worse if its verdict is lower in `VERDICTS`, inapplicable or missing, or if it is new and fails."""
    order: list[Verdict] = [verdict for verdict in VERDICTS if verdict != "inapplicable"]
    if after is None:
        expected = True
    elif before in (None, "inapplicable"):
        expected = after in ("crashed", "timed-out", "errored", "not-run", "failed")
    elif after == "inapplicable":
        expected = True
    else:
        expected = order.index(after) < order.index(before)

    assert Change("x", before, after).is_worse is expected


@pytest.mark.parametrize(
    ("details", "remark"),
    [
        (
            {"features": "beef", "suite": "9.9"},
            "other features: f00d (loopspec {suite}) before, beef (loopspec 9.9) now",
        ),
        ({"target": "reference"}, "other target: py:some:target before, reference now"),
        ({"identity": Identity(name="Acting", version="2")}, "other implementation: Acting 1 before, Acting 2 now"),
        ({"roles": ("agent", "loader")}, "other roles: loader before, agent, loader now"),
        ({"capabilities": ("jump",)}, "other capabilities: +jump, -edits"),
        ({"role": "loader"}, "other role: any before, loader now"),
    ],
)
def test_differences_between_the_runs_are_printed_first(
    details: dict[str, object], remark: str, write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The remark precedes all verdicts and is no failure by itself."""
    from loopspec import __version__

    old, new = write("old", {A: "passed"}), write("new", {A: "passed"}, **details)

    code, lines = said(capsys, old, new)

    assert (code, lines[0]) == (0, remark.format(suite=__version__))


def test_cases_missing_from_a_truncated_report_are_worse(
    write: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A case after the end of a truncated report was not run."""
    verdicts: dict[str, Verdict] = {A: "passed", B: "passed"}
    old, new = write("old", verdicts), write("new", verdicts)
    lines = (tmp_path / new).read_bytes().splitlines(keepends=True)
    (tmp_path / new).write_bytes(b"".join(lines[:2]))

    assert main(["report", old, new, "--diff"]) == 1
    out = capsys.readouterr().out
    assert "the new report was cut off: a case that it does not have was not run\n" in out
    assert f"  {B}: passed → not-run: the report was cut off before it\n" in out


HELD, BROKEN = f"{A} + finished-calls-stay-finished", "INVARIANT-07"


@pytest.mark.parametrize(
    ("before", "now", "code"),
    [
        pytest.param(("passed", True), ("passed", False), 1, id="fails-now"),
        pytest.param(("passed", False), ("passed", True), 0, id="holds-now"),
        pytest.param(("passed", False), ("crashed", None), 1, id="not-judged-now"),
        pytest.param(None, ("passed", False), 1, id="new-case"),
        pytest.param(("passed", False), ("passed", False), 0, id="fails-in-both"),
    ],
)
def test_failures_of_invariants_are_compared(
    before: tuple[Verdict, bool | None] | None,
    now: tuple[Verdict, bool | None],
    code: int,
    snapshot: SnapshotAssertion,
    tmp_path: Path,
    write: Callable[..., str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """An invariant has a line where it fails; where it holds, its rule is in the line of its case."""
    for name, judged in (("old", before), ("new", now)):
        verdict, holds = judged or ("passed", None)
        report = tmp_path / write(name, {A: verdict} if judged else {})
        run, *written = read_report(report)
        for line in list(written):
            assert isinstance(line, CaseLine)
            written = [replace(line, holds=(BROKEN,) if holds else ())]
            if holds is False:
                written.append(replace(line, case=HELD, rules=(BROKEN,), verdict="failed", message="no id"))
        write_report(report, [run, *written])

    ended, lines = said(capsys, "old", "new")
    assert ended == code
    assert lines == snapshot


@pytest.mark.parametrize("count", [1, 3])
def test_diff_compares_two_reports(count: int, write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    """Another number of reports is an error with exit code 2."""
    reports = [write(str(n), {A: "passed"}) for n in range(count)]

    assert main(["report", *reports, "--diff"]) == 2
    assert capsys.readouterr().err.startswith("loopspec: --diff compares two reports, the old one first: given are ")


def test_a_report_that_cannot_be_read_is_one_sentence(
    write: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither a report of an earlier format nor another file can be compared."""
    good = write("good", {A: "passed"})
    Path("old").write_bytes(msgspec.json.encode({"type": "run", "schema": 1, "suite": "0.1.0"}) + b"\n")

    assert main(["report", "old", good, "--diff"]) == 2
    assert capsys.readouterr().err == (
        "loopspec: the report old was written by an earlier loopspec, 0.1.0: run the suite again\n"
    )
    assert main(["report", good, "nothing", "--diff"]) == 2
    assert capsys.readouterr().err == "loopspec: the report nothing cannot be read: No such file or directory\n"


def test_control_characters_are_escaped(write: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    """Control characters of a case or a message do not reach the terminal."""
    old, new = write("old", {}), write("new", {"X :: \x1b[31m": "failed"})

    main(["report", old, new, "--diff"])

    assert "\x1b" not in capsys.readouterr().out
