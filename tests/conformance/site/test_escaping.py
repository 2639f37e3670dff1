"""The site of features and a ledger that want to be HTML: everything in them is text."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from loopspec_docs.site.guide import written
from loopspec_docs.site.markdown import coded, linked

from .conftest import Site

EVIL = "</script></p><script>alert(1)</script><img src=x onerror=alert(2)>&amp; {{ 7 * 7 }}"
FEATURES = Path(__file__).with_name("evil")  # features and a ledger, with a mark where each text wants to be HTML

OTHERS = "langchain xpert pydantic-ai openai-agents google-adk agent-framework strands-agents haystack".split()
OTHERS += ["llama-index"]
FRAMEWORKS = "".join(f"[frameworks.{key}]\nname = '{key}'\nversion = '1'\n" for key in OTHERS)
NONE = "".join(f"names.{key} = {{ name = 'none', link = 'https://x/' }}\n" for key in OTHERS)
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
names.eino = {{ name = 'g {EVIL}', link = 'https://x/"><img>', note = 'h {EVIL}' }}
{NONE}
"""

PROGRAM = """
import sys
from pathlib import Path
from loopspec.contract import specification
specification.features_root = lambda: Path(sys.argv[1])
from loopspec_docs.site import site, write_site
write_site(Path(sys.argv[2]), site())
"""


@pytest.fixture(scope="module")
def made_of_evil(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The site, written by a process that has these features instead of ours."""
    features, folder = tmp_path_factory.mktemp("features"), tmp_path_factory.mktemp("site")
    (features / "f").mkdir()
    for file in FEATURES.iterdir():
        to = features / ("f" if file.suffix == ".feature" else "") / file.name
        to.write_text(file.read_text(encoding="utf-8").replace("@evil@", EVIL), encoding="utf-8")
    (features / "names.toml").write_text(NAMES, encoding="utf-8")
    subprocess.run([sys.executable, "-c", PROGRAM, str(features), str(folder)], check=True)
    return Site(folder)


@pytest.mark.long
def test_no_text_becomes_an_element(made_of_evil: Site) -> None:
    """Neither in a page nor in its navigation, its table of contents and its title."""
    assert {"rules/EVIL.html", "documents/book.html", "uncovered.html"} <= {*made_of_evil.pages}
    for name in made_of_evil.pages:
        text = made_of_evil.read(name)
        assert [text[at.start() - 60 :][:100] for at in re.finditer("<script>alert|<img src=x", text)] == []
        assert made_of_evil.page(name).all("script") == made_of_evil.page(name).all("img") == []


@pytest.mark.long
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
def test_every_text_is_there_as_it_was_written(made_of_evil: Site, name: str, marks: str) -> None:
    """Title, prose, background, sentence, outline, text, cell, examples, word, reason, decision, section, document.

    And the area, and the addresses, with what is said there and why no rule covers it.
    """
    text = made_of_evil.text(name)

    assert [mark for mark in marks if f"{mark} {EVIL}" not in text] == []
    assert name != "rules/EVIL.html" or f"O {EVIL} <word>" in text  # an outline keeps its holes


def test_a_written_page_has_links_of_the_site_and_no_html() -> None:
    """Comments are left out; a link goes to a page of the site, to another site, or is text."""
    text = (
        "# T `c`\n\n<!-- a\ncomment -->\n\n## A `b` c\n\n<b> [in](x/y.md#z) [out](https://x/) [gone](../w.py) *e*\n"
        "- a `<i>`\n\n```sh\na <b [in](x/y.md)\n```\n"
    )

    assert written(text, {"f/x/y.md": "y.html"}, "f") == (
        "# T `c`\n\n\n## A `b` c\n\n&lt;b> [in](y.html#z) [out](https://x/) gone *e*\n\n- a `<i>`\n\n"
        "~~~~ sh\na <b [in](x/y.md)\n~~~~\n"
    )


def test_backticks_become_code_and_everything_else_stays() -> None:
    """In a line, in a cell and in a tag. A rule that exists becomes a link."""
    assert coded("<b> `<i>` ` &") == "&#60;b&#62; <code>&#60;i&#62;</code> <code> &amp;</code>"
    assert linked({"top": "../"}, "`LOOP-01` LOOP-01 NONE-01 a_b|c") == (
        '<code>LOOP-01</code> <a href="../rules/LOOP.html&#35;LOOP-01">LOOP-01</a> NONE-01 a&#95;b&#124;c'
    )
