"""`loopspec report` makes other forms of reports: each is registered, those of the kit like any other."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace
from syrupy.assertion import SnapshotAssertion

from loopspec import __version__
from loopspec.cli import main
from loopspec.contract.faults import UsageError
from loopspec.contract.registered import registered
from loopspec.contract.specification import VERSION
from loopspec.contract.target import Identity
from loopspec.reports.account import Account, read_account
from loopspec.reports.forms import forms
from loopspec.reports.junit import as_xml
from loopspec.reports.markdown import block, code, inline
from loopspec.reports.matrix import Column, as_markdown, as_table
from loopspec.reports.summary import as_page
from loopspec.specification.features import compiled

from .. import broken
from ..recorded import CASES, KNOWN, account_with, every_verdict, failing, recorded, run_of, whole_account
from ..staging import case_of, result_of

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


BASE = Column("one 1.0", "same", {"AMD-CFG-01": "passed", "LOOP-01": "passed", "LOOP-02": "passed", "CFG-01": "passed"})


def test_an_area_that_is_judged_in_two_reports_has_a_row() -> None:
    """Only a pass counts, of the rules that are applicable."""
    other = Column("two", "same", {"LOOP-01": "known", "LOOP-02": "passed", "AMD-CFG-01": "inapplicable"})

    table = as_markdown([BASE, other]).splitlines()

    assert table[0] == "| | rules | one 1.0 | two |"
    assert "| LOOP | 2 · 0 | 2/2 · – | 1/2 · – |" in table
    assert "| **AgentsMD** | 1 · 0 | 1/1 · – | – · – |" in table
    assert not any(line.startswith(("| CFG ", "| AMD-CFG ")) for line in table)


def test_normative_and_advisory_rules_are_counted_separately() -> None:
    one = Column("one", "same", {"LOOP-01": "passed", "LOOP-13": "passed", "CFG-01": "passed"})
    other = Column("two", "same", {"LOOP-01": "passed", "LOOP-13": "known"})
    assert "| LOOP | 1 · 1 | 1/1 · 1/1 | 1/1 · 0/1 |" in as_markdown([one, other])


def test_reports_about_different_features_are_rejected() -> None:
    with pytest.raises(UsageError, match="different features"):
        as_markdown([BASE, Column("two", "other", {})])


@pytest.mark.parametrize("finished", [True, False])
def test_a_report_is_a_column(finished: bool, tmp_path: Path) -> None:
    """With the name of the implementation; a truncated report cannot be compared."""
    recorded(tmp_path / "r", run_of(CASES.values(), version=VERSION), every_verdict(), finished=finished)
    account = read_account(tmp_path / "r")

    if finished:
        assert as_table([account, account]).startswith(f"| | rules | Acting {VERSION} | Acting {VERSION} |\n")
    else:
        with pytest.raises(UsageError, match="was cut off"):
            as_table([account])


HOSTILE = [
    "<script>alert(1)</script>",
    "[a](https://example.org) ![b](https://example.org/c.png)",
    "| a | b |\n| - | - |",
    "# no heading\n- no list\n> no quote",
    "`` ` ``` ````",
    "*not* _emphasized_ ~~text~~ &amp; &lt;",
    "https://example.org www.example.org <mailto:a@example.org>",
    "\x1b[31mred\x1b[0m \u202eturned\u202c \ud800 a\x00b",
    "``` \n</details>\n```",
]
PARSER = MarkdownIt("gfm-like", {"html": True, "linkify": False})


def flat(tokens: list[Token]) -> list[Token]:
    """The tokens and their children."""
    return [each for token in tokens for each in (token, *(token.children or []))]


def headings(tokens: list[Token]) -> list[str]:
    """The visible headings."""
    return [text_of(tokens[at + 1]) for at, token in enumerate(tokens) if token.type == "heading_open"]


def text_of(token: Token) -> str:
    """The visible text of an inline token."""
    return "".join(child.content for child in token.children or [])


def rows(tokens: list[Token]) -> list[list[str]]:
    """The rows of all tables."""
    found: list[list[str]] = []
    for at, token in enumerate(tokens):
        if token.type == "tr_open":
            found.append([])
        elif token.type in ("th_open", "td_open"):
            found[-1].append(text_of(tokens[at + 1]))
    return found


def _every_verdict() -> Account:
    """A run with each verdict, a failing advisory rule, and every option."""
    case = CASES["inapplicable"]
    account = account_with(run_of([case], strict=True), [failing(case)])
    run = replace(account.run, role="loader", seed=7, began=86400.0)
    return dataclasses.replace(account, run=run)


@pytest.mark.parametrize(
    "account",
    [whole_account(), _every_verdict(), dataclasses.replace(whole_account(), summary=None)],
    ids=["every verdict", "an advisory failure and options", "cut off"],
)
def test_the_page_of_a_run(account: Account, snapshot: SnapshotAssertion) -> None:
    """The last sentence, the run, the counts of every verdict, and each failing rule with its evidence."""
    page = as_page(account).replace(inline(__version__), "VERSION").replace(account.run.features, "FEATURES")
    assert re.sub(r"begun: (?!1970).* UTC", "begun: NOW", page) == snapshot


@pytest.mark.parametrize("text", HOSTILE)
def test_names_and_messages_are_escaped(text: str) -> None:
    """Names, messages and values contain no active markup."""
    case, other = CASES["failed"], CASES["inapplicable"]
    account = account_with(
        run_of([case, other]), [failing(case, text, text, text), result_of(other, "inapplicable", text)]
    )
    identity = Identity(name=text, version=text, language=text)
    account = dataclasses.replace(account, run=replace(account.run, target=text, identity=identity))

    page = as_page(account)
    tokens = PARSER.parse(page)

    kinds = {token.type for token in flat(tokens)}
    assert kinds & {"html_block", "html_inline", "link_open", "image", "s_open", "em_open", "blockquote_open"} == set()
    assert len(headings(tokens)) == 4
    assert sum(token.type == "table_open" for token in tokens) == 2
    assert sum(token.type == "fence" for token in tokens) == 2
    assert len(rows(tokens)[-1]) == 2
    assert {len(row) for row in rows(tokens)[:6]} == {10}
    assert [sign for sign in page if ord(sign) < 32 and sign != "\n"] == []
    assert "\u202e" not in page


def test_escaped_text_is_unchanged() -> None:
    """Escaping preserves the text."""
    for text in HOSTILE[:7]:
        line = " ".join(text.split())
        assert text_of(PARSER.parse(inline(text))[1]) == line
        assert text_of(PARSER.parse(code(text))[1]) == line
        assert PARSER.parse(block(text, 1000))[0].content == f"{text}\n"
    table = PARSER.parse(f"| a |\n| - |\n| {code('x | y', in_table=True)} {inline('x | y')} |")
    assert rows(table) == [["a"], ["x | y x | y"]]


def test_a_run_in_which_everything_fails_fits_on_a_page() -> None:
    """Long values are cut; a hundred rules are shown, and the ids of the others; GitHub's limit is one mebibyte."""
    cases = compiled()
    page = as_page(account_with(run_of(cases), [failing(case, seen="y" * 9000) for case in cases]))
    tokens = PARSER.parse(page)

    last = next(text_of(token) for token in tokens if text_of(token).startswith("And "))
    assert f"{'y' * 600} … (9000 characters)\n" in [token.content for token in tokens if token.type == "fence"]
    assert len(headings(tokens)) == 102
    assert last.startswith(
        f"And {len({id_ for case in cases for id_ in case.rule.ids}) - 100} more; the report has their evidence"
    )
    assert len(page.encode()) < 400_000
