"""`loopspec report --summary` writes a Markdown page for a CI job."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from loopspec.contract.target import Identity
from loopspec.engine.result import VERDICTS
from loopspec.reports.account import Account
from loopspec.reports.markdown import block, code, inline
from loopspec.reports.summary import write_summary
from loopspec.specification.features import compiled

from ..recorded import CASES, account_with, failing, run_of, whole_account
from ..staging import result_of

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


def parsed(account: Account, path: Path) -> list[Token]:
    """The parsed page."""
    write_summary(path, account)
    return PARSER.parse(path.read_text(encoding="utf-8"))


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


def test_the_summary_counts_every_verdict_and_names_every_failing_rule(tmp_path: Path) -> None:
    """Each failing rule has its sentence, case, place, and the expected and seen values."""
    tokens = parsed(whole_account(), tmp_path / "s.md")

    head, *counts = rows(tokens)[:6]
    assert sorted(head[1:]) == sorted(VERDICTS)
    assert counts[0] == ["cases", *["1"] * 9]
    assert [row[0] for row in counts[1:]] == ["normative cases", "advisory cases", "normative rules", "advisory rules"]
    for row in (counts[2], counts[4]):
        assert dict(zip(head, row, strict=True))["inapplicable"] == "1"
    failed = CASES["failed"]
    broken = ["crashed", "timed-out", "errored"]
    assert headings(tokens) == [
        "loopspec: Acting 1",
        "4 rules failed",
        *(f"{CASES[v].rule.ids[0]} {v}: {CASES[v].rule.sentence}" for v in broken),  # type: ignore[index]  # verdicts
        f"{failed.rule.ids[0]} failed: {failed.rule.sentence}",
        "1 stale entry of the baseline",
        "1 rule known to fail",
        "Inapplicable",
    ]
    shown = [text_of(token) for token in tokens if token.type == "inline"]
    step, _ = failed.checks[-1]
    assert f"{failed.id}, {failed.file}:{step.line}" in shown
    assert str(step) in shown
    assert CASES["stale"].id in shown
    assert f"{CASES['known'].rule.ids[0]}: {CASES['known'].rule.sentence}" in shown
    assert [token.content for token in tokens if token.type == "fence"] == [
        "it crashed\n",
        "it timed-out\n",
        "it errored\n",
        "a\n",
        "b\n",
    ]
    assert rows(tokens)[-1] == ["1", "needs edits"]


def test_the_summary_describes_the_run_and_its_end(tmp_path: Path) -> None:
    """The head has the target, the implementation, the suite, the features, and the options."""
    account = account_with(run_of([CASES["passed"]], strict=True), [result_of(CASES["passed"], "passed")])
    account = replace(account, run=msgspec.structs.replace(account.run, role="loader", seed=7, began=86400.0))

    shown = [text_of(token) for token in parsed(account, tmp_path / "s.md") if token.type == "inline"]

    assert shown[:8] == [
        "loopspec: Acting 1",
        "py:some:target is conformant.",
        "target: py:some:target, in the role loader",
        "implementation: Acting 1, python",
        f"suite: loopspec {account.run.suite}, features {account.run.features}",
        "begun: 1970-01-02 00:00:00 UTC",
        "run: only the role loader, strict, shuffled by 7",
        "planned: 1 case",
    ]


def test_a_report_that_was_cut_off_says_so_first(tmp_path: Path) -> None:
    """The remark precedes the verdicts."""
    account = replace(whole_account(), summary=None)

    shown = [text_of(token) for token in parsed(account, tmp_path / "s.md") if token.type == "inline"]

    assert shown[1] == "The report was cut off: 1 of 9 cases has no verdict."


def test_an_advisory_rule_is_marked(tmp_path: Path) -> None:
    """An advisory failure does not fail the run."""
    case = CASES["inapplicable"]
    tokens = parsed(account_with(run_of([case]), [failing(case)]), tmp_path / "s.md")

    assert headings(tokens)[2].endswith(f"{case.rule.sentence} (advisory: counts under --strict)")


@pytest.mark.parametrize("text", HOSTILE)
def test_names_and_messages_are_escaped(text: str, tmp_path: Path) -> None:
    """Names, messages and values contain no active markup."""
    case, other = CASES["failed"], CASES["inapplicable"]
    account = account_with(
        run_of([case, other]), [failing(case, text, text, text), result_of(other, "inapplicable", text)]
    )
    identity = Identity(name=text, version=text, language=text)
    account = replace(account, run=msgspec.structs.replace(account.run, target=text, identity=identity))

    path = tmp_path / "s.md"
    tokens = parsed(account, path)

    kinds = {token.type for token in flat(tokens)}
    assert kinds & {"html_block", "html_inline", "link_open", "image", "s_open", "em_open", "blockquote_open"} == set()
    assert len(headings(tokens)) == 4
    assert sum(token.type == "table_open" for token in tokens) == 2
    assert sum(token.type == "fence" for token in tokens) == 2
    assert len(rows(tokens)[-1]) == 2
    assert {len(row) for row in rows(tokens)[:6]} == {10}
    page = path.read_text(encoding="utf-8")
    assert [sign for sign in page if ord(sign) < 32 and sign != "\n"] == []
    assert "\u202e" not in page


def test_escaped_text_is_unchanged(tmp_path: Path) -> None:
    """Escaping preserves the text."""
    for text in HOSTILE[:7]:
        line = " ".join(text.split())
        assert text_of(PARSER.parse(inline(text))[1]) == line
        assert text_of(PARSER.parse(code(text))[1]) == line
        assert PARSER.parse(block(text, 1000))[0].content == f"{text}\n"
    table = PARSER.parse(f"| a |\n| - |\n| {code('x | y', in_table=True)} {inline('x | y')} |")
    assert rows(table) == [["a"], ["x | y x | y"]]


def test_long_values_and_long_lists_are_shortened(tmp_path: Path) -> None:
    """A job's summary has a limited size; the report has the whole value."""
    case = CASES["failed"]
    tokens = parsed(account_with(run_of([case]), [failing(case, expected="x" * 5000)]), tmp_path / "s.md")
    fence = next(token for token in tokens if token.type == "fence")

    assert fence.content == f"{'x' * 600} … (5000 characters)\n"


def test_a_run_in_which_everything_fails_fits_on_a_page(tmp_path: Path) -> None:
    """A hundred rules are shown, and the ids of the others; GitHub's limit is one mebibyte."""
    cases = compiled()
    tokens = parsed(account_with(run_of(cases), [failing(case, seen="y" * 9000) for case in cases]), tmp_path / "s.md")

    last = next(text_of(token) for token in tokens if text_of(token).startswith("And "))
    assert len(headings(tokens)) == 102
    assert last.startswith(
        f"And {len({id_ for case in cases for id_ in case.rule.ids}) - 100} more; the report has their evidence"
    )
    assert (tmp_path / "s.md").stat().st_size < 400_000
