"""The site of features and a ledger that want to be HTML: everything in them is text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from markupsafe import Markup

from loopspec.pages.theme import coded
from loopspec_docs.site.markdown import written as html_of

from ..parsed_page import Page
from .conftest import Site

EVIL = "</script></p><script>alert(1)</script><img src=x onerror=alert(2)>&amp; {{ 7 * 7 }}"

FEATURE = f"""
Feature: T {EVIL}
  P {EVIL}

  Background:
    Given the instruction file "/p/b.md" containing "B {EVIL}"

  @EVIL-01 @documented
  Rule: S {EVIL}

    Scenario Outline: O {EVIL} <word>
      Given the instruction file "/p/a.md"
        \"\"\"
        D {EVIL}
        \"\"\"
      And the conversation
        | role | content |
        | user | C {EVIL} |
      When the agent runs
      Then no warning is given

      Examples: E {EVIL}
        | word     |
        | W {EVIL} |
"""

LEDGER = f"""
schema = 1
[documents]
book = 'N {EVIL}'
[reasons]
accident = 'R {EVIL}'
[sections.book]
'H {EVIL}' = ''
'G {EVIL}' = 'Q {EVIL}'
[[not_covered]]
document = "book"
section = 'G {EVIL}'
where = 'X {EVIL}'
digest = "0123456789ab"
says = 'Y {EVIL}'
why = 'Z {EVIL}'
[rules.EVIL-01]
basis = "documented"
document = "book"
sections = ['H {EVIL}']
where = 'A {EVIL}'
says = 'V {EVIL}'
digest = "0123456789ab"
decision = 'K {EVIL} EVIL-02'
[rules.EVIL-02]
basis = "clarified"
document = "book"
status = "quirk"
reason = "accident"
sentence = 'L {EVIL}'
"""

OTHERS = ("langchain", "xpert", "pydantic-ai", "openai-agents", "google-adk", "agent-framework", "strands")
FRAMEWORKS = "".join(f"[frameworks.{key}]\nname = '{key}'\nversion = '1'\n" for key in OTHERS)
NONE = "".join(f"{key} = {{ name = 'none', link = 'https://x/' }}\n" for key in OTHERS)
NAMES = f"""
schema = 1
[frameworks.eino]
name = 'c {EVIL}'
version = 'd {EVIL}'
{FRAMEWORKS}
[concepts.evil]
name = 'e {EVIL}'
says = 'f {EVIL}'
areas = ["EVIL"]
eino = {{ name = 'g {EVIL}', link = 'https://x/"><img>', note = 'h {EVIL}' }}
{NONE}
"""

ORDER = f"""
schema = 1
[[folders]]
path = "f"
title = 'F {EVIL}'
says = 'I {EVIL}'
features = ["evil"]
[areas]
EVIL = 'M {EVIL}'
"""

PROGRAM = """
import sys
from pathlib import Path
from loopspec.contract import specification
specification.features_root = lambda: Path(sys.argv[1])
from loopspec_docs.manual import manual
from loopspec_docs.site import site, write_site
write_site(Path(sys.argv[2]), site("1.2.3", manual()))
"""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, written by a process that has these features instead of ours."""
    features, folder = tmp_path_factory.mktemp("features"), tmp_path_factory.mktemp("site")
    (features / "f").mkdir()
    (features / "f/evil.feature").write_text(FEATURE, encoding="utf-8")
    (features / "names.toml").write_text(NAMES, encoding="utf-8")
    (features / "order.toml").write_text(ORDER, encoding="utf-8")
    (features / "ledger.toml").write_text(LEDGER, encoding="utf-8")
    subprocess.run([sys.executable, "-c", PROGRAM, str(features), str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def pages(written: Path) -> dict[str, Page]:
    """Every page, well formed."""
    return {
        path.relative_to(written).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in sorted(written.rglob("*.html"))
    }


def test_no_text_becomes_an_element(pages: dict[str, Page]) -> None:
    """The only scripts are ours, and there are neither pictures nor attributes that could do something."""
    assert {"rules/EVIL.html", "documents/book.html", "uncovered.html"} <= pages.keys()
    for page in pages.values():
        assert [script for script in page.all("script") if script.text or not script.attributes.get("src")] == []
        assert page.all("img") == []
        assert {name for e in page.elements for name in e.attributes if name.startswith("on")} == set()


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("rules/EVIL.html", "TPBSODCEWRLKHAVM"),
        ("documents/book.html", "NHGQSL"),
        ("uncovered.html", "RLGQXYZ"),
        ("decisions.html", "SK"),
        ("index.html", "NM"),
        ("topics.html", "FIT"),
        ("names/eino.html", "cdefgh"),
    ],
)
def test_every_text_is_there_as_it_was_written(pages: dict[str, Page], name: str, marks: str) -> None:
    """Title, prose, background, sentence, outline, text, cell, examples, word, reason, decision, section, document.

    And the area, and the addresses, with what is said there and why no rule covers it.
    """
    text = pages[name].all("body")[0].text

    assert [mark for mark in marks if f"{mark} {EVIL}" not in text] == []
    assert name != "rules/EVIL.html" or f"O {EVIL} <word>" in text  # an outline keeps its holes


def test_the_index_is_data(written: Path) -> None:
    """A script of nothing but one value."""
    script = (written / "index.js").read_text(encoding="utf-8")

    entries = json.loads(script.removeprefix("window.loopspecIndex = ").removesuffix(";\n"))

    assert f"S {EVIL}" in [entry[2] for entry in entries]


def test_markdown_becomes_html_and_html_stays_text() -> None:
    """Comments are left out; a link goes to a page of the site, to another site, or is text."""
    page = html_of(
        "# T `c`\n\n<!-- a\ncomment -->\n\n## A `b` c\n\n<b> [in](x/y.md#z) [out](https://x/) [gone](../w.py) *e*\n\n"
        "| a |\n| --- |\n| <i> |\n\n```sh\na <b\n```\n",
        {"f/x/y.md": "y.html"},
        "f",
    )

    assert page.title == "T `c`"
    assert [(heading.title, heading.anchor) for heading in page.headings] == [("A b c", "a-b-c")]
    assert page.body == Markup(
        '<h2 id="a-b-c">A <code>b</code> c</h2>\n'
        '<p>&lt;b&gt; <a href="y.html#z">in</a> <a href="https://x/">out</a> gone <em>e</em></p>\n'
        '<div class="scrolls" data-label="Table"><table class="cells words">\n'
        "<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>&lt;i&gt;</td>\n</tr>\n</tbody>\n</table></div>\n"
        '<div class="scrolls" data-label="Code: sh"><pre class="code">a &lt;b\n</pre></div>\n'
    )


def test_backticks_become_code_and_nothing_else(made: Site) -> None:
    """In decisions, and in the meanings of phrases."""
    assert [name for name in ("decisions.html", "phrases.html") if "`" in made.page(name).all("main")[0].text] == []
    assert coded("<b> `<i>` ` &") == Markup("&lt;b&gt; <code>&lt;i&gt;</code> ` &amp;")
