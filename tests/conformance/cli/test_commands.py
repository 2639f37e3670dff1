"""Commands that read or test the suite: list, explain, phrases, capabilities, selftest."""

from __future__ import annotations

import os
import re
import runpy
import sys
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from loopspec import __version__
from loopspec.cli import main
from loopspec.specification.ledger import Entry, entries, ledger
from loopspec.specification.order import rules_in_order
from loopspec_docs.words import WORDS
from loopspec_steps import BOOK

from .. import broken
from .in_process import said

Captured = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_list_has_a_line_for_every_rule(capsys: Captured) -> None:
    """With the rule's sentence, in the order of the features: the snapshots have whole lines. The last line counts."""
    *lines, last = said(capsys, "list")

    sentences = {entry.id: entry.sentence for entry in entries()}
    judged = [entry for entry in entries() if not entry.excluded]
    assert last == f"{len(sentences)} rules: targets are judged by {len(judged)} of them"
    assert [line.split()[0] for line in lines] == list(rules_in_order())
    assert [rule for rule, line in zip(rules_in_order(), lines, strict=True) if sentences[rule] not in line] == []


@pytest.mark.parametrize(
    ("globs", "ids"),
    [
        (["AMD-DEPTH-0[12]"], ["AMD-DEPTH-01", "AMD-DEPTH-02"]),
        (["AMD-CYCLE"], [rule for rule in ledger().rules if rule.startswith("AMD-CYCLE-")]),
        (["AMD-DEPTH-01", "zzz"], ["AMD-DEPTH-01"]),
    ],
)
def test_list_takes_globs_of_rules_and_areas(globs: list[str], ids: list[str], capsys: Captured) -> None:
    """A rule is listed if any glob matches it."""
    assert [line.split()[0] for line in said(capsys, "list", *globs)] == ids


def test_list_prints_json_that_can_be_read_again(capsys: Captured) -> None:
    """`--json` prints one object for each rule."""
    lines = said(capsys, "list", "--json")

    by_id = {entry.id: entry for entry in entries()}
    assert [msgspec.json.decode(line, type=Entry) for line in lines] == [by_id[rule] for rule in rules_in_order()]


def test_explain_says_which_targets_pass(capsys: Captured) -> None:
    """The rule is printed first: see the snapshots."""
    targets = ("reference", f"py:{broken.__name__}:Loader", f"py:{broken.__name__}:Backend")

    lines = said(capsys, "explain", "AMD-DEPTH-02", *targets)

    assert [line.split() for line in lines[-3:]] == [
        ["passed", "reference"],
        ["failed", f"py:{broken.__name__}:Loader"],
        ["inapplicable", f"py:{broken.__name__}:Backend"],
    ]


def test_explain_lists_the_rules_of_an_area_and_of_a_glob(capsys: Captured) -> None:
    """Both are matched in upper and lower case, like a rule's id, and as in `list`."""
    area = said(capsys, "explain", "amd-cycle")

    assert area == said(capsys, "list", "AMD-CYCLE") == said(capsys, "explain", "AMD-CYCLE-*") != []
    assert said(capsys, "explain", "amd-depth-02") == said(capsys, "explain", "AMD-DEPTH-02")
    assert said(capsys, "explain", "loop-0?") == said(capsys, "list", "LOOP-0?")


def test_explain_and_phrases_print_the_meaning_of_a_word(capsys: Captured) -> None:
    """Upper and lower case alike, before an area, an axis or phrases of the same name."""
    dialect, chunk = (WORDS[group][word] for group, word in (("Files of instructions", "dialect"), ("Agents", "chunk")))

    assert said(capsys, "explain", "Chunk") == [f"chunk: {chunk}"]
    assert said(capsys, "explain", "dialect")[0] == f"dialect: {dialect}"
    assert said(capsys, "explain", "dialect")[1].startswith("the axis dialect: ")
    assert said(capsys, "explain", "retry")[1:] == said(capsys, "list", "RETRY")
    assert said(capsys, "phrases", "posture") == [f"posture: {WORDS['Rules and results']['posture']}"]
    assert said(capsys, "phrases", "chunk")[:2] == [f"chunk: {chunk}", "Tables: tools"]


def test_the_links_of_the_phrasebook_lead_to_headings(capsys: Captured) -> None:
    """As GitHub names them, or to the anchor of a type."""
    page = "\n".join(said(capsys, "phrases", "--markdown"))
    headings = [heading.lower() for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)]
    anchors = [re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in headings]
    anchors += re.findall(r'<a id="([^"]+)">', page)

    assert len(anchors) == len(set(anchors))
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= set(anchors)
    assert len(re.findall(r"\]\(#table-", page)) == sum(phrase.columns is not None for phrase in BOOK.phrases)


@pytest.mark.parametrize(
    ("word", "lines"),
    [
        ("ignores", ["Tables: tools", "    ignores cancellation"]),
        ("CRASH WITH", ["Actions: actions", '    crashes with "{code}"']),
        ("chunk {n}", ["Gates: gate", "    chunk {n} is emitted"]),
        ("not-a-directory", ["Closed lists: errors of reading", "    a not-a-directory error"]),
        ("the exit tool", ["Given: An agent, its model, its tools and its configuration", "  Given the exit tool"]),
    ],
)
def test_phrases_with_a_word_lists_what_contains_it(word: str, lines: list[str], capsys: Captured) -> None:
    """Sentences, columns, actions, gates and words, in capital letters or not."""
    found = [line for line in said(capsys, "phrases", word) if re.match(r"\w|  \w|    \w", line)]

    assert [line for line in found if not line.startswith("  ") or line in lines] == lines
    assert len(found) <= len(lines) + 1


def test_ctrl_c_in_a_command_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    """Ctrl-C has one message in every command."""

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("loopspec.cli.commands.listing.entries", interrupt)

    assert main(["list"]) == 130
    assert capsys.readouterr() == ("", "loopspec: interrupted\n")


def test_a_closed_output_pipe_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader such as `head` may close the pipe early."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as pipe:
        monkeypatch.setattr(sys, "stdout", pipe)
        assert main(["list"]) == 0


def test_the_version_is_that_of_the_package(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m loopspec` prints the version as well."""
    monkeypatch.setattr(sys, "argv", ["loopspec", "--version"])

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("loopspec", run_name="__main__")

    assert (ended.value.code, capsys.readouterr().out) == (0, f"loopspec {__version__}\n")
