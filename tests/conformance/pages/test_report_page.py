"""`loopspec report --html`: one file that loads nothing, in which everything from a report stays text."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markupsafe import Markup
from msgspec import structs

from loopspec.cli import main
from loopspec.contract.observation import ModelCall, Observation, Read
from loopspec.contract.target import Identity
from loopspec.engine.result import CaseLine
from loopspec.pages.report.evidence import LIMIT, TOTAL, as_json, cut, limit_for, parts_of
from loopspec.pages.report.page import page_of as render_page
from loopspec.pages.report.page import visible
from loopspec.pages.rules import rules
from loopspec.pages.theme import breakable
from loopspec.reports.jsonl import write_report
from loopspec.reports.junit import as_xml
from loopspec.specification.features import cases_of_rule
from loopspec.specification.ledger import ledger

from ..parsed_page import Element, Page
from ..reported import cases_of, line_of, page_of, passing, report_of

RULE = "AMD-DEPTH-03"
NASTY = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "<!-- <script> -->",
    '" onmouseover="alert(3)',
    "{{ 7 * 7 }}{% raw %}",
    "a\u2028b\u2029c",
    "\x00\x1b[31m\x07\x7f\x9b",
    "abc\u202edcba\u2066x",
    "half \ud800 of one",
    "\ufeff\u200b\ufffe",
)
EVERYTHING = "\n".join(NASTY)


def opened_of(html: str) -> dict[str, str]:
    """The details of each rule, as the page unpacks them."""
    (packed,) = Page(html).all("script", id="details")
    found: dict[str, str] = json.loads(zlib.decompress(b64decode(packed.text)))
    return found


def nasty() -> CaseLine:
    """A case with the worst texts everywhere."""
    seen = Observation(
        model_calls=(ModelCall(n=1, model=EVERYTHING, run=EVERYTHING),),
        reads=(Read(n=2, path=EVERYTHING, offset=1, limit=0),),
        log=NASTY,
    )
    return line_of(
        cases_of(RULE)[0],
        "failed",
        message=f"{EVERYTHING}\n  expected: …",
        step=EVERYTHING,
        expected=EVERYTHING,
        seen=f"\n{EVERYTHING}\n{EVERYTHING}",
        location=EVERYTHING,
        observation=seen,
        evidence={EVERYTHING: EVERYTHING},
    )


def nasty_page() -> str:
    """A page with the worst texts everywhere that an adapter or a report can put one."""
    first, second = cases_of(RULE)
    lines = [nasty(), line_of(second, "inapplicable", message=EVERYTHING)]
    said = {"target": EVERYTHING, "role": EVERYTHING, "suite": EVERYTHING}
    who = Identity(name=EVERYTHING, version=EVERYTHING, language=EVERYTHING)
    report = report_of(lines, identity=who, exit_code=4, aborted=EVERYTHING, **said)  # type: ignore[arg-type]  # texts
    not_run = report_of([line_of(first, "not-run", message=EVERYTHING), line_of(second)], EVERYTHING)
    return page_of(report, not_run)


def elements_of(html: str) -> list[tuple[str, list[str]]]:
    """Each element with the names of its attributes."""
    return [(element.tag, sorted(element.attributes)) for element in Page(html).elements]


def test_the_page_loads_nothing_and_runs_only_its_own() -> None:
    html = page_of(passing())
    page = Page(html)
    (policy,) = page.all("meta", http_equiv="Content-Security-Policy")
    content = policy.attributes["content"] or ""

    assert content.startswith("default-src 'none'; style-src 'sha256-")
    assert "script-src 'sha256-" in content
    assert "unsafe" not in content
    assert "http" not in content
    for element in page.elements:
        assert not {"src", "srcset", "action", "style", "onclick", "data"} & element.attributes.keys()
        assert (element.attributes.get("href") or "#").startswith("#")
    assert len(page.all("style")) == 1
    assert [script.attributes.get("type") for script in page.all("script")] == ["application/octet-stream", None]


def test_a_text_makes_no_elements_and_no_attributes() -> None:
    """The page has the same attributes as one with harmless texts."""
    html = nasty_page()
    known = {name for _, names in elements_of(page_of(passing())) for name in names}
    opened = opened_of(html)[RULE]

    assert {name for _, names in elements_of(html) for name in names} <= known
    for text in (html, opened):
        assert not Page(text).all("img")
        assert not any(name.startswith("on") for _, names in elements_of(text) for name in names)
    assert len(Page(html).all("script")) == 2
    assert not Page(opened).all("script")
    assert "<!--" not in html
    assert "<!--" not in opened


def test_a_text_can_be_read_as_it_is() -> None:
    opened = opened_of(nasty_page())[RULE]
    text = Page(f"<body>{opened}</body>").all("body")[0].text
    for said in ("<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "{{ 7 * 7 }}{% raw %}"):
        assert said in text
    assert "abc\\u202edcba\\u2066x" in text
    assert "half \\ud800 of one" in text


def test_a_failure_that_may_be_a_choice_says_so() -> None:
    """A case with the tag of an axis names the axis."""
    failing = [line_of(case, "failed", message="so") for case in cases_of("LOOP-14", "LOOP-03")]
    opened = opened_of(page_of(report_of(failing)))

    sentence = "If your implementation documents another choice, declare a posture on the axis tool-failure (reported)."
    assert opened["LOOP-14"].count(sentence) == len(cases_of("LOOP-14"))
    assert "declare a posture" not in opened["LOOP-03"]


def test_an_opened_rule_has_its_address() -> None:
    """The address and the statement follow the sections. A rule without an address has neither."""
    bare = structs.replace(rules()[RULE], where="", says="", decision="")
    row = structs.replace(bare, where="Resolution <2>, item 2", says="Level 6 is too deep.")
    opened = {}
    for rule in (bare, row):
        html = render_page([passing(RULE)], {**rules(), RULE: rule})
        facts = Page(f"<body>{opened_of(html)[RULE]}</body>").all("dl")[0]
        opened[rule.where] = " ".join(facts.text.split())
    before, said, after = opened[row.where].partition("WhereResolution <2>, item 2 SaysLevel 6 is too deep.")

    assert said
    assert before.rstrip().endswith(row.found_in[-1].title)
    assert (before + after).split() == opened[""].split()


def test_nothing_that_cannot_be_seen_is_on_the_page() -> None:
    """No control characters, nothing that turns the direction of a text, no halves of UTF-16."""
    html = nasty_page()
    for text in (html, opened_of(html)[RULE]):
        text.encode()
        assert not {char for char in text if ord(char) < 32 and char != "\n"}
        assert not set("\x7f\x9b\u2028\u2029\u202e\u2066\ufeff\u200b\ufffe") & set(text)


def test_what_can_be_seen_stays_as_it_is() -> None:
    for text in ("Ünïcödé 漢字 עברית \N{ZERO WIDTH JOINER}", "tab\tand\nline", "👩‍💻", ""):
        assert visible(text) == text


def test_the_same_reports_make_the_same_page() -> None:
    assert nasty_page() == nasty_page()


def test_a_long_text_is_cut_and_says_how_long_it_was() -> None:
    assert cut("stderr", "x" * LIMIT) == ("stderr", "x" * LIMIT, 0)
    assert cut("stderr", "x" * (LIMIT + 1)) == ("stderr", "x" * LIMIT, LIMIT + 1)
    line = line_of(cases_of(RULE)[0], "crashed", message="gone", evidence={"stderr": "e" * 10_000})
    opened = opened_of(page_of(report_of([line])))[RULE]
    assert "Cut after 4,096 characters: in the report it has 10,000." in opened
    assert "e" * LIMIT in opened
    assert "e" * (LIMIT + 1) not in opened


def test_json_is_cut_too_and_never_made_whole_for_that() -> None:
    value = [{"n": number, "text": "x" * 100} for number in range(1000)]
    part = as_json("events", value)
    assert len(part.text) == LIMIT
    assert part.length == len(json.dumps(value))
    assert part.text.startswith('[\n  {\n    "n": 0,\n    "text": "xxx')


def test_json_is_broken_only_where_a_line_is_full() -> None:
    assert as_json("x", {"a": [1, 2], "b": ()}).text == '{"a": [1, 2], "b": []}'
    long = {"a": ["x" * 40, "y" * 40]}
    text = as_json("x", long).text
    assert text == '{{\n  "a": [\n    "{}",\n    "{}"\n  ]\n}}'.format("x" * 40, "y" * 40)
    deep: object = "x" * 100
    for _ in range(400):
        deep = [deep]
    assert json.loads(as_json("x", deep, 10_000).text) == deep


def test_each_source_that_has_something_is_a_part() -> None:
    seen = Observation(log=("one",), reads=(Read(n=1, path="/p", offset=1, limit=0),))
    line = line_of(cases_of(RULE)[0], "failed", observation=seen, evidence={"stderr": "oops", "messages": "[]"})
    assert [part.name for part in parts_of(line)] == ["reads", "log", "stderr", "messages"]


def test_so_much_evidence_that_no_page_holds_it_gets_less_room_each() -> None:
    line = line_of(cases_of(RULE)[0], "failed", evidence={"stderr": "e" * 5000})
    assert limit_for([line] * 1000) == LIMIT
    few = limit_for([line] * 40_000)
    assert few < LIMIT
    assert few * 40_000 <= TOTAL


def test_only_what_did_not_pass_has_evidence() -> None:
    first, second = cases_of(RULE)
    seen = Observation(log=("that",))
    passed = line_of(first, observation=seen, scene=first.scene, evidence={"stderr": "words"})
    opened = opened_of(page_of(report_of([passed, line_of(second)])))[RULE]
    assert "What did not pass" not in opened
    assert "words" not in opened


def test_a_known_failure_has_its_cause() -> None:
    case = cases_of(RULE)[0]
    line = line_of(case, "known", cause="is-slow", kind="defect", message="it was slow")
    assert "is-slow (defect)" in opened_of(page_of(report_of([line])))[RULE]
    (skipped,) = ElementTree.fromstring(as_xml(report_of([line]))).iter("skipped")
    assert skipped.get("message") == "known (defect): is-slow: it was slow"


def test_a_rule_opens_with_all_there_is_about_it() -> None:
    case, row = cases_of_rule(RULE)[0], ledger().rules[RULE]
    opened = Page(f"<body>{opened_of(page_of(passing()))[RULE]}</body>").all("body")[0].text
    for said in (
        RULE,
        row.basis,
        case.rule.sentence,
        *row.sections,
        row.decision,
        row.mutant,
        case.title,
        f"{case.file}:{case.rule.line}",
    ):
        assert said in opened


def test_the_background_of_a_feature_is_shown_with_its_rules() -> None:
    """The steps of the feature's, then of the rule's own, before the first example."""
    found = next(rule for rule in rules().values() if rule.feature and rule.feature.background)
    assert found.written
    page = Page(f"<body>{opened_of(page_of(passing(found.id)))[found.id]}</body>")
    (background,) = page.all("div", class_="background")

    assert found.background == (*found.feature.background, *found.written.background)  # type: ignore[union-attr]  # it has one
    assert [e.text.strip() for e in page.all("span", class_="text") if _is_in(e, background)] == [
        step.text for step in found.background
    ]
    assert background.begin < page.all("section", class_="scenario")[0].begin


def _is_in(element: Element, around: Element) -> bool:
    within: Element | None = element
    while within is not None and within is not around:
        within = within.within
    return within is around


def test_rules_that_no_implementation_was_judged_by_are_marked() -> None:
    """There is a switch for them, with their number; without such rules there is none."""
    first, second = cases_of(RULE)
    left_out = report_of([line_of(first, "inapplicable"), line_of(second, "inapplicable")])
    page = Page(page_of(left_out))
    (switch,) = page.all("input", type="checkbox")
    assert switch.within
    assert switch.within.text == "Show 1 rule inapplicable to it"
    assert [row.attributes["id"] for row in page.all("tr", class_="not-judged")] == [RULE]

    page = Page(page_of(left_out, passing(RULE)))
    assert page.all("tr", class_="not-judged") == page.all("input", type="checkbox") == []


def test_a_name_may_break_between_its_parts_only() -> None:
    """After a colon, a slash and a dot; and its text stays the same."""
    assert breakable("py:mine.a:Loader") == Markup("py:<wbr>mine.<wbr>a:<wbr>Loader")
    assert breakable("a 1.4.7") == Markup("a 1.4.7")
    assert breakable("cmd:./a b: </wbr>") == Markup("cmd:./<wbr>a b: &lt;/<wbr>wbr&gt;")
    page = Page(page_of(passing(name="a.b/c:d")))
    assert {element.text for element in page.all("span", class_="name")} == {"a.b/c:d 1.0"}
    assert len(page.all("wbr")) > 3


def _written(path: Path, *rules: str, finished: bool = True) -> Path:
    report = passing(*rules, name=path.stem)
    write_report(path, report.written if finished else report.written[:-2])
    return path


def test_the_command_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of several reports, one of which was cut off; and together with another form."""
    one, other = _written(tmp_path / "one.jsonl"), _written(tmp_path / "other.jsonl", finished=False)
    page = tmp_path / "page.html"

    assert main(["report", str(one), str(other), "--html", str(page)]) == 0
    assert capsys.readouterr() == ("", "")
    words = Page(page.read_text(encoding="utf-8")).all("main")[0].text
    assert "one 1.0" in words
    assert "The report was cut off" in words
    assert main(["report", str(one), "--html", str(page), "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("| | rules | one 1.0 |")


def test_the_command_says_what_is_wrong_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, nothing = tmp_path / "page.html", tmp_path / "none.jsonl"
    assert main(["report", str(nothing), "--html", str(page)]) == 2
    assert "none.jsonl cannot be read" in capsys.readouterr().err
    report = _written(tmp_path / "one.jsonl")
    assert main(["report", str(report), "--html", str(tmp_path / "no" / "page.html")]) == 2
    assert "page.html cannot be written" in capsys.readouterr().err
    assert main(["report", str(report)]) == 2
    assert "--html FILE" in capsys.readouterr().err
    assert not page.exists()
