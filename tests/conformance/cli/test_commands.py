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
from msgspec import structs

from loopspec import CAPABILITIES, ROLES, __version__
from loopspec.cli import main
from loopspec.contract.axes import axes
from loopspec.contract.dialects import (
    dialect,
    dialect_names,
    observed_dialect_names,
    value_of_rule,
)
from loopspec.specification.ledger import Entry, entries, ledger
from loopspec.specification.order import rules_in_order
from loopspec_instructions.linting import rules as lint_rules
from loopspec_mutants import MUTANTS
from loopspec_steps import BOOK, vocabulary

from .. import broken
from .in_process import said

Captured = pytest.CaptureFixture[str]
MUTANT = next(mutant for mutant in MUTANTS.values() if mutant.rule == "AMD-DEPTH-02")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_list_has_a_line_for_every_rule(capsys: Captured) -> None:
    """Each line has the rule's sentence, and its number of scenarios or the reason for having none."""
    lines = said(capsys, "list")

    by_id = {entry.id: entry for entry in entries()}
    assert [line.split()[0] for line in lines] == list(rules_in_order())
    for line, entry in zip(lines, map(by_id.get, rules_in_order()), strict=True):
        assert entry
        assert entry.sentence in line
        count, row = len(entry.scenarios), ledger().rules[entry.id]
        if row.status == "variant":
            assert line.endswith(f"[variant {row.variant}]")
        elif row.status == "scenario" or entry.excluded:
            judged = "1 scenario" if count == 1 else f"{count} scenarios"
            assert line.endswith(f"[{entry.excluded or judged + in_dialects(entry.id)}]")


def has(name: str, axis: str) -> str | None:
    """The value by which a target of a dialect is judged; None where the axis does not concern the dialect."""
    known = dialect(name)
    return known.axes[axis].judged if axis in known.axes else None


def in_dialects(rule: str) -> str:
    """The dialects, also as observed, in which a target has the value that the rule judges."""
    if rule not in value_of_rule():
        return ""
    axis, value = value_of_rule()[rule]
    names = {name for name in dialect_names() if value == has(name, axis)}
    names |= {
        name
        for name in observed_dialect_names()
        if value == has(name, axis) and value != has(name.removesuffix("-observed"), axis)
    }
    return f" in the dialect{'s' if len(names) > 1 else ''} {', '.join(sorted(names))}"


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


def test_explain_says_where_the_document_says_it(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    """The address and the statement follow the sections. A rule without an address has neither line."""
    book, rule = ledger(), "AMD-DEPTH-02"
    bare = structs.replace(book.rules[rule], where="", says="", digest="")
    row = structs.replace(bare, where="Resolution, item 2", says="Level 6 is too deep.", digest="0123456789ab")
    printed = {}
    for each in (bare, row):
        changed = structs.replace(book, rules={**book.rules, rule: each})
        monkeypatch.setattr("loopspec.cli.commands.explain.ledger", lambda changed=changed: changed)
        printed[each.where] = said(capsys, "explain", rule)

    at = 3 + len(row.sections)
    without, lines = printed[""], printed[row.where]
    assert lines[at : at + 2] == ["  where: Resolution, item 2", "  says, in our words: Level 6 is too deep."]
    assert lines[:at] + lines[at + 2 :] == without


def test_a_listed_rule_has_its_address_and_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A listed rule also has the statement at its address."""
    book, rule = ledger(), "AMD-DEPTH-02"
    row = structs.replace(book.rules[rule], where="Resolution, item 2", says="Level 6 is too deep.")
    changed = structs.replace(book, rules={rule: row, "AMD-DEPTH-03": structs.replace(row, where="", says="")})
    monkeypatch.setattr("loopspec.specification.ledger.ledger", lambda: changed)

    assert [(entry.where, entry.says) for entry in entries()] == [(row.where, row.says), ("", "")]


def test_explain_lists_the_rules_of_an_area_and_of_a_glob(capsys: Captured) -> None:
    """Both are matched in upper and lower case, like a rule's id, and as in `list`."""
    area = said(capsys, "explain", "amd-cycle")

    assert area == said(capsys, "list", "AMD-CYCLE") == said(capsys, "explain", "AMD-CYCLE-*") != []
    assert said(capsys, "explain", "amd-depth-02") == said(capsys, "explain", "AMD-DEPTH-02")
    assert said(capsys, "explain", "loop-0?") == said(capsys, "list", "LOOP-0?")


def test_explain_prints_a_rule_of_lint(capsys: Captured) -> None:
    """With what to do; `LINT` lists all of them, and an unknown one is a wrong command."""
    for rule in lint_rules().values():
        found = "\n".join(said(capsys, "explain", rule.id.lower()))
        assert found.startswith(f"{rule.id}: {rule.title}\n")
        assert f"{rule.severity} of `loopspec lint`: {rule.why}\n" in found
        assert f"what to do: {rule.fix}\n" in found
    assert [line.split()[0] for line in said(capsys, "explain", "lint")] == list(lint_rules())

    assert main(["explain", "LINT-99"]) == 2
    assert capsys.readouterr().err.startswith("loopspec: there is no rule 'LINT-99'")


def test_explain_says_why_a_rule_has_no_scenario(capsys: Captured) -> None:
    """A rule without a scenario has no verdicts."""
    entry = next(entry for entry in entries() if entry.excluded)

    lines = said(capsys, "explain", entry.id)

    assert lines[0] == f"{entry.id}: {entry.sentence}"
    assert f"  no scenario: {entry.excluded}" in lines
    assert not [line for line in lines if line.endswith(" reference")]


def test_phrases_lists_all_that_a_feature_can_say(capsys: Captured) -> None:
    """Plainly, or as a page: every sentence, column, action, gate, word and type, each with its meaning."""
    plain, page = said(capsys, "phrases"), said(capsys, "phrases", "--markdown")
    groups = [group for section in vocabulary.sections() for group in section.groups]

    for phrase in BOOK.phrases:
        at = plain.index(f"  {phrase.kind.capitalize()} {phrase.readable}")
        assert plain[at + 1] == f"      {phrase.meaning}"
        assert any(
            line.startswith(f"| `{phrase.plain}` | ") and line.endswith(f" | {phrase.meaning} |") for line in page
        )
    for group in groups:
        at = next(n for n, line in enumerate(plain) if line.endswith(f": {group.name}") and not line.startswith(" "))
        lines = plain[at : at + 4 * len(group.items)]
        for item in group.items:
            assert lines[lines.index(f"    {item.text}") + 1] == f"        {item.meaning}"
            assert any(item.text in line and line.endswith(f" | {item.meaning} |") for line in page)
    assert not [line for line in plain + page if ":Times}" in line or ":d}" in line]
    assert [line for line in page if line.startswith("## ")] == [
        *("## Given", "## When", "## Then"),
        *("## Defaults", "## Tables", "## Actions", "## Gates", "## Closed lists", "## Types"),
    ]


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


def test_phrases_with_an_unknown_word_is_a_wrong_command(capsys: Captured) -> None:
    """With the name that was probably meant."""
    assert main(["phrases", "echos"]) == 2
    said = capsys.readouterr().err
    assert said == "loopspec: nothing in the phrasebook contains 'echos': did you mean 'echoes'?\n"


def test_capabilities_lists_roles_capabilities_postures_and_dialects(capsys: Captured) -> None:
    """With a target, `capabilities` marks what the target declares, and no dialect without the role workspace."""
    lines = said(capsys, "capabilities")
    marked = said(capsys, "capabilities", "py:loopspec_reference_adapter:Memory")

    postures = {name: axis.values for name, axis in axes().items() if axis.kind != "dialect"}
    values = [word for name, known in postures.items() for word in (f"{name}:", *known)]
    assert [line.split()[0] for line in lines] == [
        "Roles:",
        *ROLES,
        "Capabilities:",
        *CAPABILITIES,
        "Postures,",
        *values,
        "Dialects",
        *dialect_names(),
        "`loopspec",
    ]
    assert [line.split()[1] for line in marked if line.startswith("  yes")] == [
        "backend",
        "cancel-read",
        "closes",
        "confined",
        "deletes",
        "directories",
        "edits",
        "fault-container",
        "fault-gone",
        "fault-refused",
        "fault-timeout",
        "line-ranges",
        "resources",
    ]


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
