"""`loopspec report` makes other forms of reports: each is registered, those of the kit like any other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from loopspec.cli import main
from loopspec.contract.registered import registered
from loopspec.reports.forms import forms
from loopspec.reports.junit import as_xml

from .. import broken
from ..recorded import CASES, KNOWN, account_with, every_verdict, failing, recorded, run_of
from ..staging import case_of

Captured = pytest.CaptureFixture[str]
LOADER = f"py:{broken.__name__}:Loader"
OF_ONE = ("junit", "messages", "summary")
TOY = """\
from loopspec.reports.forms import ReportForm

TOY = ReportForm("toy", "write how many cases there are", "toy_report:written")


def written(account):
    return f"{account.name} has {len(account.results)} cases\\n"
"""


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


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An installed package that registers a form."""
    info = tmp_path / "site" / "toy_report-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-report\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[loopspec.reports]\ntoy = toy_report:TOY\n", encoding="utf-8")
    (tmp_path / "site" / "toy_report.py").write_text(TOY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    registered.cache_clear()
    yield
    registered.cache_clear()


@pytest.mark.usefixtures("toy")
def test_a_package_registers_a_form(report: Path, capsys: Captured) -> None:
    """The form is an option of the command with its help text, next to those of the kit, which are registered, too."""
    assert [form.name for form in forms()] == ["markdown", *sorted((*OF_ONE, "toy")), "html"]
    assert set(registered("reports")) == {form.name for form in forms()}

    with pytest.raises(SystemExit):
        main(["report", "--help"])
    assert "write how many cases there are" in capsys.readouterr().out

    assert main(["report", str(report), "--toy", "t.txt"]) == 0
    assert Path("t.txt").read_text(encoding="utf-8") == "Acting 1 has 9 cases\n"
    assert rejected(capsys, "r.jsonl", "r.jsonl", "--toy=t.txt") == (
        "--toy is about one run: name one report, and not 2"
    )


def test_a_report_is_converted_into_several_forms(report: Path, capsys: Captured) -> None:
    """Each form is written to its own file, and the table to the terminal."""
    options = [f"--{form.name}={form.name}.out" for form in forms() if not form.is_printed]

    assert main(["report", str(report), "--markdown", *options]) == 0

    assert capsys.readouterr().out.startswith("| | rules | Acting 1 |")
    texts = {form: Path(f"{form}.out").read_bytes() for form in (*OF_ONE, "html")}
    assert [form for form, text in texts.items() if not text.endswith((b"\n", b"</html>")) or b"\r" in text] == []
    assert ElementTree.fromstring(texts["junit"]).get("tests") == "9"
    assert texts["summary"].startswith(b"# loopspec: Acting 1\n")
    assert "meta" in json.loads(texts["messages"].splitlines()[0])
    assert texts["html"].startswith(b"<!DOCTYPE html>")


def test_a_form_is_required(report: Path, capsys: Captured) -> None:
    """The error lists the options."""
    assert rejected(capsys, str(report)) == (
        "name an output of the report: --diff, --markdown, --junit FILE, --messages FILE, --summary FILE, --html FILE, "
        "--merge FILE"
    )


@pytest.mark.parametrize("form", OF_ONE)
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


@pytest.mark.parametrize("form", [*OF_ONE, "html"])
def test_what_cannot_be_read_or_written_is_named(form: str, report: Path, capsys: Captured) -> None:
    """The error is one sentence; cases of other features may differ."""
    assert rejected(capsys, str(report), f"--{form}=no/such/folder") == (
        "no/such/folder cannot be written: No such file or directory"
    )
    assert "none.jsonl cannot be read" in rejected(capsys, "none.jsonl", f"--{form}=out")
    report.write_bytes(report.read_bytes().replace(b'"features":"', b'"features":"x', 1))
    assert "is about other features than these: use the loopspec that wrote it" in rejected(
        capsys, str(report), f"--{form}=out"
    )
    assert not Path("out").exists()


# -- JUnit -------------------------------------------------------------------------------------------------------------


def test_junit_is_the_same_from_the_run_and_from_its_report(tmp_path: Path, capsys: Captured) -> None:
    """The files are equal, with failures and with the last sentence of the run."""
    report, live, read = (str(tmp_path / name) for name in ("r.jsonl", "live.xml", "read.xml"))

    run = ["run", LOADER, "--area=AMD-DEPTH", "--variants=none", "-q"]
    assert main([*run, f"--report={report}", f"--junit={live}"]) == 1
    ending = capsys.readouterr().out.splitlines()[-1]
    assert main(["report", report, f"--junit={read}"]) == 0

    assert capsys.readouterr().out == ""
    assert Path(read).read_bytes() == Path(live).read_bytes()
    suites = ElementTree.parse(live).getroot()
    assert int(suites.get("failures", "")) > 0
    assert [suite.findtext("system-out") for suite in suites] == [ending]


def test_junit_failures_are_those_that_fail_the_run() -> None:
    """A failure of an advisory rule is skipped, like a known failure, except with `--strict`."""
    cases = [CASES["failed"], CASES["inapplicable"]]
    for strict, failures, skipped in ((False, "1", "1"), (True, "2", "0")):
        root = ElementTree.fromstring(as_xml(account_with(run_of(cases, strict=strict), map(failing, cases))))
        assert (root.get("failures"), root.get("skipped")) == (failures, skipped)
        messages = [node.get("message") for node in root.iter() if node.tag in ("failure", "skipped")]
        assert messages == (["so", "so"] if strict else ["so", "advisory, so it counts under --strict only: so"])


def test_junit_has_every_case_and_counts_that_add_up() -> None:
    """Each area is a suite; a case that was not run is an error, a known or inapplicable case is skipped."""
    lost = case_of("LOOP-01")
    crashed, *others = every_verdict()
    results = [replace(crashed, message="crashed\nand more \x00\ud800"), *others]

    root = ElementTree.fromstring(as_xml(account_with(run_of([*CASES.values(), lost], known=KNOWN), results)))

    sums = {"tests": 10, "failures": 2, "errors": 5, "skipped": 2}
    assert root.get("name") == "loopspec py:some:target"
    assert {name: int(root.get(name, "")) for name in sums} == sums
    assert {name: sum(int(suite.get(name, "")) for suite in root) for name in sums} == sums
    assert [(suite.get("name"), suite.get("tests"), suite.get("time")) for suite in root] == [
        ("AMD-CFG", "4", "1.500000"),
        ("AMD-CYCLE", "3", "0.625000"),
        ("AMD-ERROR", "1", "0.125000"),
        ("AMD-DEPTH", "1", "0.000000"),
        ("LOOP", "1", "0.000000"),
    ]
    first, case = root[0][0], CASES["crashed"]
    assert (first.get("classname"), first.get("line"), first.get("name")) == (case.file, str(case.line), case.id)
    assert [(child.tag, child.get("type"), child.get("message")) for child in first] == [
        ("error", "crashed", "crashed")
    ]
    assert (first[0].text or "").endswith("\ncrashed\nand more �\\ud800")
    assert [(child.tag, child.get("message")) for child in root[4][0]] == [("error", "no result")]
