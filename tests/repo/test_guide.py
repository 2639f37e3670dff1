"""The guide is true: each snippet runs when it is copied, in the order of its page, in an empty folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from loopspec import CAPABILITIES, ROLES
from loopspec.engine.result import VERDICTS
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec_docs.site.guide import PAGES
from loopspec_known.results import results

from .repository import texts

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "conformance" / "loopspec" / "guide"
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(GUIDE.glob("*.md")) if path.stem != "README"}
QUOTED = ("gherkin", "diff")  # are in the repository, line by line
# The lines of a shell snippet that end with another exit code than 0 say so.
_CODE = re.compile(r"# exit code (\d+)$")


class Snippet(NamedTuple):
    """A block of a page: its language and its text."""

    language: str
    text: str


def snippets(page: str) -> list[Snippet]:
    """The blocks of a page, in their order."""
    return [Snippet(*found) for found in re.findall(r"^```(\w+)\n(.*?)^```$", TEXTS[page], re.MULTILINE | re.DOTALL)]


def script_of(snippet: Snippet) -> str:
    """The commands, each with the exit code that the page promises."""
    lines = ["trap 'echo; echo stopped at line $LINENO' EXIT"]
    for line in snippet.text.splitlines():
        promised = _CODE.search(line)
        lines.append(line)
        lines.append(f"code=$?; [ $code = {promised[1] if promised else 0} ] || exit 99")
    return "\n".join([*lines, "trap - EXIT", "exit 0"])


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script with this Python's commands first."""
    own = str(Path(sys.executable).parent)
    env = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        ["bash", "-c", script], cwd=folder, env=env, capture_output=True, text=True, timeout=600, check=False
    )


def copied(page: str, folder: Path, needs: Callable[[str], None]) -> Iterator[tuple[Snippet, str]]:
    """Copy the snippets of a page; yield those that did not end as the page says, with the output."""
    for snippet in snippets(page):
        if snippet.language in ("python", "js"):
            name = re.match(r"(?:#|//) ([\w/-]+\.(?:py|mjs))\n", snippet.text)
            assert name, f"a snippet names its file: {snippet.text:.60}"
            (folder / name[1]).write_text(snippet.text, encoding="utf-8")
        elif snippet.language == "sh":
            for words in re.findall(r"^loopspec init (\w+)", snippet.text, re.MULTILINE):
                needs(words)
            ran = run(script_of(snippet), folder)
            if ran.returncode:
                yield snippet, ran.stdout[-2000:] + ran.stderr[-2000:]
        elif snippet.language == "toml":
            assert tomllib.loads(snippet.text)
        else:
            assert snippet.language in QUOTED


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.long
def test_every_snippet_runs_when_copied(page: str, tmp_path: Path, do_without: Callable[[str, str], NoReturn]) -> None:
    """Each command with the exit code in its comment, or 0."""

    def needs(language: str) -> None:
        if language in ("go", "node") and not shutil.which(language):
            do_without(language, f"{language} is not installed")

    assert list(copied(page, tmp_path, needs)) == []


def test_a_wrong_snippet_is_noticed(tmp_path: Path) -> None:
    """A command that ends with another code than its line says, at any place of a block."""
    right = Snippet("sh", "true\nfalse # exit code 1\ntrue\n")

    assert run(script_of(right), tmp_path).returncode == 0
    for text in ("false\ntrue\n", "true # exit code 1\ntrue\n", "true\nnothing-like-it\ntrue\n"):
        assert run(script_of(Snippet("sh", text)), tmp_path).returncode == 99


def test_the_pages_are_those_on_the_site() -> None:
    """Every page has snippets, and one title."""
    assert set(TEXTS) == set(PAGES)
    assert [page for page in PAGES if not snippets(page)] == []
    blocks = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    assert {blocks.sub("", text).count("\n# ") for text in TEXTS.values()} == {0}
    assert all(text.startswith("# ") for text in TEXTS.values())


def test_what_a_page_quotes_is_in_the_repository() -> None:
    """An example of a rule, and the two texts of a mutant, are those of today."""
    quoted = [one for page in PAGES for one in snippets(page) if one.language in QUOTED]
    kept = "\n".join(text for name, text in texts().items() if name.startswith(("features/", "tests/mutants/")))

    assert quoted
    for snippet in quoted:
        text = re.sub(r"^[-+ ]", "", snippet.text, flags=re.MULTILINE) if snippet.language == "diff" else snippet.text
        parts = text.splitlines() if snippet.language == "diff" else [text]
        assert [part for part in parts if part.strip("\n") not in kept] == []


def test_explanations_are_short() -> None:
    """At most 900 words each."""
    explanations = [page for page in PAGES if page.startswith(("why-", "what-conformant", "how-"))]

    assert len(explanations) == 4
    assert {page: count for page in explanations if (count := len(TEXTS[page].split())) > 900} == {}


def test_every_role_verdict_and_exit_code_is_explained() -> None:
    """The tables are whole, and the capabilities that the guide names exist."""
    verdicts = TEXTS["verdicts-and-baselines"]

    assert re.findall(r"^\| `([a-z-]+)` \|", verdicts, re.MULTILINE)[: len(VERDICTS)] == list(VERDICTS)
    assert re.findall(r"^\| (\d+) \|", verdicts, re.MULTILINE) == re.findall(
        r"^\| (\d+) \|", texts()["docs/loopspec_docs/site/templates/command-line.md.jinja"], re.MULTILINE
    )
    assert set(re.findall(r"^\| `([a-z]+)` \|", TEXTS["write-an-adapter-in-python"], re.MULTILINE)) == set(ROLES)
    declared = re.findall(r'capabilities = \("([a-z-]+)"', "".join(TEXTS.values()))
    assert declared
    assert set(declared) <= set(CAPABILITIES)


def test_the_adapters_that_the_guide_names_have_results() -> None:
    """Their folders exist."""
    named = set(re.findall(r"`(conformance/adapters/\w+)`", "".join(TEXTS.values())))

    assert named
    assert named <= {one.adapter for one in results().implementations}


def test_every_case_that_the_guide_names_exists() -> None:
    """The entries of a baseline on the pages name cases of the features, or rules."""
    named = [name for text in TEXTS.values() for name in re.findall(r'^case = "(.*)"$', text, re.MULTILINE)]

    assert named
    assert {name for name in named if "::" in name} <= {case.id for case in compiled()}
    assert {name for name in named if "::" not in name} <= set(ledger().rules)
