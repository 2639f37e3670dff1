"""`loopspec report` converts a report into other forms."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from loopspec.cli import main
from loopspec.reports.junit import write_junit

from .. import broken
from ..recorded import CASES, KNOWN, account_with, every_verdict, failing, recorded, run_of

Captured = pytest.CaptureFixture[str]
LOADER = f"py:{broken.__name__}:Loader"
WRITTEN = ("junit", "summary", "messages")


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
    assert "meta" in json.loads(sizes["messages"].splitlines()[0])


def test_a_form_is_required(report: Path, capsys: Captured) -> None:
    """The error lists the options."""
    said = rejected(capsys, str(report))

    assert said.startswith("name an output of the report: --diff, --markdown, ")
    assert all(f"--{form} FILE" in said for form in WRITTEN)


@pytest.mark.parametrize("form", WRITTEN)
def test_a_form_for_one_run_takes_one_report(form: str, report: Path, capsys: Captured) -> None:
    """Several reports are rejected, and nothing is written."""
    said = rejected(capsys, str(report), str(report), f"--{form}=out", "--html=page.html")

    assert said == f"--{form} is about one run: name one report, and not 2"
    assert not Path("out").exists()
    assert not Path("page.html").exists()


def test_two_forms_need_two_files(report: Path, capsys: Captured) -> None:
    """The report itself is no valid output either."""
    before = report.read_bytes()

    assert rejected(capsys, str(report), "--junit=x", "--summary=x") == (
        "--junit and --summary both name x: name a separate file for each"
    )
    assert rejected(capsys, str(report), "--summary=./r.jsonl") == (
        "the report and --summary both name r.jsonl: name a separate file for each"
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
