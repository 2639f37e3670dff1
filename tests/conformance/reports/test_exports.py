"""`loopspec report`: what it makes of one report, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec.cli import main
from loopspec.reports.account import Account
from loopspec.reports.badge import write_badge
from loopspec.specification.features import compiled

from ..process import run_loopspec
from ..recorded import CASES, KNOWN, account, every_verdict, failing, recorded, run_of, whole_account
from ..staging import case_of, result_of

Captured = pytest.CaptureFixture[str]
WRITTEN = ("junit", "summary", "badge", "messages", "earl")


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that has every verdict in it, in the folder that is worked in."""
    monkeypatch.chdir(tmp_path)
    recorded(tmp_path / "r.jsonl", run_of(CASES.values(), known=KNOWN), every_verdict())
    return Path("r.jsonl")


def refused(capsys: Captured, *arguments: str) -> str:
    """What is said of a command that is wrong; it prints nothing."""
    assert main(["report", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.removeprefix("loopspec: ").rstrip()


def test_junit_is_the_same_from_the_run_and_from_its_report(tmp_path: Path) -> None:
    """Byte for byte, with failures in it."""
    run = run_loopspec(
        tmp_path, "run", "py:broken:Loader", "--area=AMD-DEPTH", "-q", "--report=r.jsonl", "--junit=live.xml"
    )
    told = run_loopspec(tmp_path, "report", "r.jsonl", "--junit=told.xml")

    live = (tmp_path / "live.xml").read_bytes()
    assert (run.code, told.code, told.said) == (1, 0, "")
    assert (tmp_path / "told.xml").read_bytes() == live
    assert int(ElementTree.fromstring(live).get("failures", "")) > 0


def test_several_things_are_made_of_a_report_at_once(report: Path, capsys: Captured) -> None:
    """Each in the file that it was asked for in, and a table on the terminal."""
    options = [f"--{form}={form}.out" for form in WRITTEN]

    assert main(["report", str(report), "--markdown", *options]) == 0

    assert capsys.readouterr().out.startswith("| | rules | Acting 1 |")
    sizes = {form: Path(f"{form}.out").read_bytes() for form in WRITTEN}
    assert all(text.endswith(b"\n") and b"\r" not in text for text in sizes.values())
    assert ElementTree.fromstring(sizes["junit"]).get("tests") == "9"
    assert sizes["summary"].startswith(b"# loopspec: Acting 1\n")
    assert json.loads(sizes["badge"])["schemaVersion"] == 1
    assert "meta" in json.loads(sizes["messages"].splitlines()[0])
    assert "@graph" in json.loads(sizes["earl"])


def test_something_must_be_asked_for(report: Path, capsys: Captured) -> None:
    """What there is stands in the sentence."""
    said = refused(capsys, str(report))

    assert said.startswith("say what to make of the report: --markdown, ")
    assert all(f"--{form} FILE" in said for form in WRITTEN)


@pytest.mark.parametrize("form", ["junit", "summary", "badge", "messages"])
def test_what_is_about_one_run_takes_one_report(form: str, report: Path, capsys: Captured) -> None:
    """Several would have to be mixed; nothing is written."""
    said = refused(capsys, str(report), str(report), f"--{form}=out", "--earl=earl.out")

    assert said == f"--{form} is about one run: name one report, and not 2"
    assert not Path("out").exists()
    assert not Path("earl.out").exists()


def test_two_things_do_not_go_into_one_file(report: Path, capsys: Captured) -> None:
    """Nor does one into the report."""
    before = report.read_bytes()

    assert refused(capsys, str(report), "--junit=x", "--badge=x") == (
        "--junit and --badge both name x: give each a file of its own"
    )
    assert refused(capsys, str(report), "--badge=./r.jsonl") == (
        "the report and --badge both name r.jsonl: give each a file of its own"
    )
    assert report.read_bytes() == before


@pytest.mark.parametrize("form", WRITTEN)
def test_a_file_that_cannot_be_written_is_named(form: str, report: Path, capsys: Captured) -> None:
    """In one sentence."""
    assert refused(capsys, str(report), f"--{form}=no/such/folder") == (
        "no/such/folder cannot be written: No such file or directory"
    )


@pytest.mark.parametrize("form", WRITTEN)
def test_a_report_about_other_features_is_refused(form: str, report: Path, capsys: Captured) -> None:
    """Its cases may not mean what they say here."""
    report.write_bytes(report.read_bytes().replace(b'"features":"', b'"features":"x', 1))

    assert "speaks of other features than these: take the loopspec that wrote it" in refused(
        capsys, str(report), f"--{form}=out"
    )
    assert not Path("out").exists()


def badge_of(told: Account, path: Path) -> dict[str, object]:
    """The badge of a run, without what they all have."""
    write_badge(path, told)
    badge: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    assert (badge.pop("schemaVersion"), badge.pop("label")) == (1, "loopspec")
    return badge


def test_a_badge_counts_the_rules_that_decide(tmp_path: Path) -> None:
    """All of them, when all are kept; what is inapplicable is not judged."""
    everything = compiled()
    passing = account(run_of(everything), [result_of(case, "passed") for case in everything])
    poorer = account(
        run_of(everything),
        [result_of(case, "inapplicable" if case.file.startswith("agent/") else "passed") for case in everything],
    )
    normative = len(passing.of_basis(normative=True))
    of_agents = sum(rule.cases[0].case.file.startswith("agent/") for rule in passing.of_basis(normative=True))

    assert badge_of(passing, tmp_path / "b") == {"message": f"{normative}/{normative} rules", "color": "brightgreen"}
    left = normative - of_agents
    assert badge_of(poorer, tmp_path / "b") == {"message": f"{left}/{left} rules", "color": "brightgreen"}


def test_a_badge_says_how_the_run_ended(tmp_path: Path) -> None:
    """Yellow for what is known, red for a failure, orange for a stale baseline; grey where nobody knows."""
    good, bad = CASES["passed"], CASES["failed"]
    clarified = CASES["inapplicable"]
    passed, failed = result_of(good, "passed"), failing(bad)
    judged = {
        "known": account(run_of([good, bad], known=[bad]), [passed, failed]),
        "failed": account(run_of([good, bad]), [passed, failed]),
        "stale": account(run_of([good, bad], known=[good]), [passed, result_of(bad, "passed")]),
        "clarified": account(run_of([good, clarified]), [passed, failing(clarified)]),
        "strict": account(run_of([good, clarified], strict=True), [passed, failing(clarified)]),
        "interrupted": account(run_of([good, bad]), [passed], interrupted=True),
        "nothing": account(run_of([good]), [result_of(good, "inapplicable")]),
        "cut off": replace(whole_account(), summary=None),
    }

    badges = {name: badge_of(told, tmp_path / "b") for name, told in judged.items()}

    part = ", of a selection"
    unknown = {"message": "not judged to the end", "color": "lightgrey", "isError": True}
    assert badges == {
        "known": {"message": f"1/2 rules{part}", "color": "yellow"},
        "failed": {"message": f"1/2 rules{part}", "color": "red", "isError": True},
        "stale": {"message": f"1/2 rules{part}", "color": "orange", "isError": True},
        "clarified": {"message": f"1/1 rules{part}", "color": "brightgreen"},
        "strict": {"message": f"1/2 rules{part}", "color": "red", "isError": True},
        "interrupted": unknown,
        "nothing": unknown,
        "cut off": unknown,
    }


def test_a_rule_with_several_cases_is_kept_when_all_are(tmp_path: Path) -> None:
    """As everywhere."""
    cases = [case_of("AMD-DEPTH-01", number) for number in range(3)]
    told = account(run_of(cases), [failing(cases[0]), *(result_of(case, "passed") for case in cases[1:])])

    assert badge_of(told, tmp_path / "b")["message"] == "0/1 rules, of a selection"
