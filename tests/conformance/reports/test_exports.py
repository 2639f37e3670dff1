"""`loopspec report` converts a report into other forms."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec.cli import main
from loopspec.reports.account import Account
from loopspec.reports.badge import write_badge
from loopspec.reports.junit import write_junit
from loopspec.specification.features import compiled

from .. import broken
from ..recorded import CASES, KNOWN, account_with, every_verdict, failing, recorded, run_of, whole_account
from ..staging import case_of, result_of

Captured = pytest.CaptureFixture[str]
LOADER = f"py:{broken.__name__}:Loader"
WRITTEN = ("junit", "summary", "badge", "messages", "earl")


@pytest.fixture
def report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A report with every verdict, in the current folder."""
    monkeypatch.chdir(tmp_path)
    recorded(tmp_path / "r.jsonl", run_of(CASES.values(), known=KNOWN), every_verdict())
    return Path("r.jsonl")


def rejected(capsys: Captured, *arguments: str) -> str:
    """Call a wrong command and return its error message."""
    assert main(["report", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.removeprefix("loopspec: ").rstrip()


def test_junit_is_the_same_from_the_run_and_from_its_report(tmp_path: Path, capsys: Captured) -> None:
    """The files are equal, with failures and with the last sentence of the run."""
    report, live, read = (str(tmp_path / name) for name in ("r.jsonl", "live.xml", "read.xml"))

    assert main(["run", LOADER, "--area=AMD-DEPTH", "-q", f"--report={report}", f"--junit={live}"]) == 1
    ending = capsys.readouterr().out.splitlines()[-1]
    assert main(["report", report, f"--junit={read}"]) == 0

    assert capsys.readouterr().out == ""
    assert Path(read).read_bytes() == Path(live).read_bytes()
    suites = ElementTree.parse(live).getroot()
    assert int(suites.get("failures", "")) > 0
    assert [suite.findtext("system-out") for suite in suites] == [ending]


def test_junit_failures_are_those_that_fail_the_run(tmp_path: Path) -> None:
    """A failure of an advisory rule is skipped, like a known failure, except with `--strict`."""
    cases = [CASES["failed"], CASES["inapplicable"]]
    for strict, failures, skipped in ((False, "1", "1"), (True, "2", "0")):
        write_junit(tmp_path / "j", account_with(run_of(cases, strict=strict), [failing(case) for case in cases]))
        root = ElementTree.parse(tmp_path / "j").getroot()
        assert (root.get("failures"), root.get("skipped")) == (failures, skipped)
        messages = [node.get("message") for node in root.iter() if node.tag in ("failure", "skipped")]
        assert messages == (["so", "so"] if strict else ["so", "advisory, so it counts under --strict only: so"])


def test_a_report_is_converted_into_several_forms(report: Path, capsys: Captured) -> None:
    """Each form is written to its own file, and the table to the terminal."""
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


def test_a_form_is_required(report: Path, capsys: Captured) -> None:
    """The error lists the options."""
    said = rejected(capsys, str(report))

    assert said.startswith("name an output of the report: --diff, --markdown, ")
    assert all(f"--{form} FILE" in said for form in WRITTEN)


@pytest.mark.parametrize("form", ["junit", "summary", "badge", "messages"])
def test_a_form_for_one_run_takes_one_report(form: str, report: Path, capsys: Captured) -> None:
    """Several reports are rejected, and nothing is written."""
    said = rejected(capsys, str(report), str(report), f"--{form}=out", "--earl=earl.out")

    assert said == f"--{form} is about one run: name one report, and not 2"
    assert not Path("out").exists()
    assert not Path("earl.out").exists()


def test_two_forms_need_two_files(report: Path, capsys: Captured) -> None:
    """The report itself is no valid output either."""
    before = report.read_bytes()

    assert rejected(capsys, str(report), "--junit=x", "--badge=x") == (
        "--junit and --badge both name x: name a separate file for each"
    )
    assert rejected(capsys, str(report), "--badge=./r.jsonl") == (
        "the report and --badge both name r.jsonl: name a separate file for each"
    )
    assert report.read_bytes() == before


@pytest.mark.parametrize("form", WRITTEN)
def test_a_file_that_cannot_be_written_is_named(form: str, report: Path, capsys: Captured) -> None:
    """The error is one sentence."""
    assert rejected(capsys, str(report), f"--{form}=no/such/folder") == (
        "no/such/folder cannot be written: No such file or directory"
    )


@pytest.mark.parametrize("form", WRITTEN)
def test_a_report_about_other_features_is_rejected(form: str, report: Path, capsys: Captured) -> None:
    """Cases of other features may differ."""
    report.write_bytes(report.read_bytes().replace(b'"features":"', b'"features":"x', 1))

    assert "is about other features than these: use the loopspec that wrote it" in rejected(
        capsys, str(report), f"--{form}=out"
    )
    assert not Path("out").exists()


def badge_of(account: Account, path: Path) -> dict[str, object]:
    """The badge of a run, without the values that all badges share."""
    write_badge(path, account)
    badge: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    assert (badge.pop("schemaVersion"), badge.pop("label")) == (1, "loopspec")
    return badge


def test_a_badge_counts_the_normative_rules(tmp_path: Path) -> None:
    """An inapplicable rule is not judged and does not count."""
    everything = compiled()
    passing = account_with(run_of(everything), [result_of(case, "passed") for case in everything])
    poorer = account_with(
        run_of(everything),
        [result_of(case, "inapplicable" if case.file.startswith("agent/") else "passed") for case in everything],
    )
    normative = len(passing.of_basis(normative=True))
    of_agents = sum(rule.cases[0].case.file.startswith("agent/") for rule in passing.of_basis(normative=True))

    assert badge_of(passing, tmp_path / "b") == {"message": f"{normative}/{normative} rules", "color": "brightgreen"}
    left = normative - of_agents
    assert badge_of(poorer, tmp_path / "b") == {"message": f"{left}/{left} rules", "color": "brightgreen"}


def test_a_badge_says_how_the_run_ended(tmp_path: Path) -> None:
    """The badge is yellow for known failures, red for new ones, orange for a stale baseline, gray if unfinished."""
    good, bad = CASES["passed"], CASES["failed"]
    advisory = CASES["inapplicable"]
    passed, failed = result_of(good, "passed"), failing(bad)
    judged = {
        "known": account_with(run_of([good, bad], known=[bad]), [passed, failed]),
        "failed": account_with(run_of([good, bad]), [passed, failed]),
        "stale": account_with(run_of([good, bad], known=[good]), [passed, result_of(bad, "passed")]),
        "known advisory": account_with(run_of([good, advisory], known=[advisory]), [passed, failing(advisory)]),
        "advisory": account_with(run_of([good, advisory]), [passed, failing(advisory)]),
        "strict": account_with(run_of([good, advisory], strict=True), [passed, failing(advisory)]),
        "interrupted": account_with(run_of([good, bad]), [passed], interrupted=True),
        "nothing": account_with(run_of([good]), [result_of(good, "inapplicable")]),
        "cut off": replace(whole_account(), summary=None),
    }

    badges = {name: badge_of(account, tmp_path / "b") for name, account in judged.items()}

    part = ", of a selection"
    unknown = {"message": "not judged to the end", "color": "lightgrey", "isError": True}
    assert badges == {
        "known": {"message": f"1/2 rules{part}, 1 case known", "color": "yellow"},
        "failed": {"message": f"1/2 rules{part}", "color": "red", "isError": True},
        "stale": {"message": f"1/2 rules{part}", "color": "orange", "isError": True},
        "known advisory": {"message": f"1/1 rules{part}, 1 case known", "color": "yellow"},
        "advisory": {"message": f"1/1 rules{part}", "color": "brightgreen"},
        "strict": {"message": f"1/2 rules{part}", "color": "red", "isError": True},
        "interrupted": unknown,
        "nothing": unknown,
        "cut off": unknown,
    }


def test_a_rule_passes_when_all_of_its_cases_pass(tmp_path: Path) -> None:
    cases = [case_of("AMD-DEPTH-01", number) for number in range(3)]
    account = account_with(run_of(cases), [failing(cases[0]), *(result_of(case, "passed") for case in cases[1:])])

    assert badge_of(account, tmp_path / "b")["message"] == "0/1 rules, of a selection"
