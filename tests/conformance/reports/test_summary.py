"""`loopspec report --summary` writes a Markdown page for a CI job."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from syrupy.assertion import SnapshotAssertion

from loopspec import __version__
from loopspec.contract.target import Identity
from loopspec.reports.account import Account
from loopspec.reports.markdown import block, code, inline
from loopspec.reports.summary import as_page
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
    run = msgspec.structs.replace(account.run, role="loader", seed=7, began=86400.0)
    return replace(account, run=run)


@pytest.mark.parametrize(
    "account",
    [whole_account(), _every_verdict(), replace(whole_account(), summary=None)],
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
    account = replace(account, run=msgspec.structs.replace(account.run, target=text, identity=identity))

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
