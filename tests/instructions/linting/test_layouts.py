"""Layouts of real repositories: what `loopspec lint` finds in them, and where it is quiet."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from loopspec.contract.workspaces import Entry
from loopspec_instructions.linting import lint

from .judged import on_disk

RULES = "# Rules\n\nUse tabs. Run the tests before a commit.\n"
STUB = "@AGENTS.md\n"
SECTION = "@AGENTS.md\n\n## Claude Code\n\nUse plan mode for a change of the database.\n"


def text(text: str) -> Entry:
    return Entry(text=text)


def link(target: str) -> Entry:
    return Entry(kind="link", target=target)


# Tools count the path of the folder too: a line is much longer than one.
LONG = Entry(text="One more rule for everything. " * 40 + "\n", repeat=30)


def found(entries: Mapping[str, Entry], *tools: str, below: str = "") -> list[tuple[str, str, int]]:
    """The findings in a repository with these entries."""
    with on_disk({f"project/{path}": entry for path, entry in entries.items()}) as tree:
        report = lint(tree.base / "project" / below, tools)
    return [(one.rule, one.path, one.line) for one in report.findings]


# The layouts in which all is well, as their maintainers mean them.
QUIET: dict[str, dict[str, Entry]] = {
    "r1: CLAUDE.md imports AGENTS.md": {"AGENTS.md": text(RULES), "CLAUDE.md": text(STUB)},
    "r1: CLAUDE.md imports AGENTS.md and adds a section": {"AGENTS.md": text(RULES), "CLAUDE.md": text(SECTION)},
    "r1: a file imports the other one and adds a section before": {
        "AGENTS.md": text(RULES),
        "CLAUDE.md": text("# Claude\n\nRead @./AGENTS.md first.\n"),
        "GEMINI.md": text("@./AGENTS.md\n"),
    },
    "r2: links": {"AGENTS.md": text(RULES), "CLAUDE.md": link("AGENTS.md"), "GEMINI.md": link("AGENTS.md")},
    "r3: words with an at sign": {
        "CLAUDE.md": text(
            "Import from `@/components/button`. Aliases such as @/components/button. are ours.\n"
            "Mark with @pytest.fixture, ask @octocat, install @types/node and @scope/package.\n"
        )
    },
    "r4: a hub of files with links": {
        ".agents/AGENTS.md": text("# Hub\n\nSee @rules/style.md\n"),
        ".agents/rules/style.md": text("Use tabs.\n"),
        ".agents/orchestrator/AGENTS.md": link("../AGENTS.md"),
        "CLAUDE.md": link(".agents/AGENTS.md"),
    },
    "r5: a page next to the file that Claude Code reads": {"CLAUDE.md": text(RULES), "agents.md": text("Agents.\n")},
    "r5: a long file of a skill": {
        "AGENTS.md": text(RULES),
        "skills/x/SKILL.md": text("---\nname: x\n---\n"),
        "skills/x/AGENTS.md": LONG,
    },
    "r5: one file": {"AGENTS.md": text(RULES)},
    "r6: files of packages": {
        "AGENTS.md": text(RULES),
        "packages/api/AGENTS.md": text("Use Go.\n"),
        "packages/web/AGENTS.md": text("Use TypeScript.\n"),
    },
    "r8: what Git ignores, test data and templates": {
        "AGENTS.md": text(RULES),
        ".gitignore": text(".venv/\n/target\n*.local.md\n"),
        ".venv/lib/site-packages/tool/AGENTS.md": text("@./missing.md\n"),
        ".venv/lib/site-packages/tool/CLAUDE.md": text("@./missing.md\n"),
        "target/doc/CLAUDE.md": text("@./missing.md\n"),
        "CLAUDE.local.md": text("@./missing.md\n"),
        "tests/fixtures/broken/CLAUDE.md": text("@./missing.md\n"),
        "templates/new/CLAUDE.md": text("@./missing.md\n"),
        "vendor/lib/CLAUDE.md": text("@./missing.md\n"),
        "{{cookiecutter.name}}/CLAUDE.md": text("@./missing.md\n"),
    },
}


@pytest.mark.parametrize("entries", QUIET.values(), ids=QUIET)
def test_a_layout_in_order_has_no_finding(entries: dict[str, Entry]) -> None:
    """Nothing is lost to any of the tools that the files mean."""
    assert found(entries) == []


# The layouts with something wrong: one finding for each cause.
WRONG: dict[str, tuple[dict[str, Entry], list[tuple[str, str, int]]]] = {
    "r1: AGENTS.md imports CLAUDE.md, and most tools that read AGENTS.md follow no imports": (
        {"AGENTS.md": text("See @CLAUDE.md\n"), "CLAUDE.md": text(RULES)},
        [("LINT-07", "AGENTS.md", 1)],
    ),
    "r2: two files with different texts": (
        {"AGENTS.md": text(RULES), "CLAUDE.md": text("Use spaces.\n")},
        [("LINT-11", "AGENTS.md", 1)],
    ),
    "r2: one file hides the files of many folders": (
        {"CLAUDE.md": text(RULES), **{f"p{number}/AGENTS.md": text(f"Use {number}.\n") for number in range(6)}},
        [("LINT-11", "CLAUDE.md", 1)],
    ),
    "r2: several links to one file": (
        {"AGENTS.md": text(RULES), "GEMINI.md": text("See [the rules](AGENTS.md).\n\n[Rules](AGENTS.md)\n")},
        [("LINT-29", "GEMINI.md", 1)],
    ),
    "r2: pairs in two folders": (
        {
            "AGENTS.md": text(RULES),
            "CLAUDE.md": text("Use spaces.\n"),
            "a/AGENTS.md": text("Use Go.\n"),
            "a/CLAUDE.md": text("Use C.\n"),
        },
        [("LINT-11", "AGENTS.md", 1), ("LINT-11", "a/CLAUDE.md", 1)],
    ),
    "r3: an alias with an ending is no import": (
        {"CLAUDE.md": text("See @/components/button.tsx and @docs/missing.md\n")},
        [("LINT-01", "CLAUDE.md", 1)],
    ),
    "r5: an empty override hides the file": (
        {"AGENTS.md": text(RULES), "AGENTS.override.md": text("")},
        [("LINT-12", "AGENTS.override.md", 1)],
    ),
    "r5: the budget cuts a file": (
        {"AGENTS.md": LONG},
        [("LINT-09", "AGENTS.md", 28)],
    ),
    "r5: one long file uses up the budget of all below": (
        {
            "AGENTS.md": LONG,
            "a/AGENTS.md": text("Use Go.\n"),
            "b/AGENTS.md": text("Use C.\n"),
        },
        [("LINT-09", "AGENTS.md", 28), ("LINT-10", "a/AGENTS.md", 1)],
    ),
    "r6: an import from outside the folder of a package": (
        {"AGENTS.md": text(RULES), "CLAUDE.md": text(STUB), "packages/api/CLAUDE.md": text("Use Go.\n")},
        [("LINT-32", "CLAUDE.md", 1), ("LINT-11", "packages/api/CLAUDE.md", 1)],  # opencode takes one name
    ),
    "r7: a comma after an import": (
        {"CLAUDE.md": text("Read @docs/a.md, then start.\n"), "docs/a.md": text("A.\n")},
        [("LINT-02", "CLAUDE.md", 1)],
    ),
    "r7: other letters, and a backslash, which ends the path": (
        {"CLAUDE.md": text("@Docs/A.md\n@docs\\a.md\n"), "docs/a.md": text("A.\n")},
        [("LINT-34", "CLAUDE.md", 1), ("LINT-08", "CLAUDE.md", 2)],
    ),
    "r7: a link that was checked out as a text": (
        {"AGENTS.md": text(RULES), "CLAUDE.md": text("AGENTS.md")},
        [("LINT-33", "CLAUDE.md", 1)],
    ),
}


@pytest.mark.parametrize(("entries", "expected"), WRONG.values(), ids=WRONG)
def test_a_layout_with_a_mistake_has_one_finding_for_each_cause(
    entries: dict[str, Entry], expected: list[tuple[str, str, int]]
) -> None:
    """The tools are those that the files mean."""
    assert found(entries) == expected


def test_an_import_from_above_is_found_where_the_tool_starts_below() -> None:
    """The commonest layout, linted in a folder of a package: Claude Code does not load AGENTS.md there by itself."""
    entries = {"AGENTS.md": text(RULES), "CLAUDE.md": text(STUB), "packages/api/main.go": text("package main\n")}

    assert found(entries) == []
    assert found(entries, "claude-code", below="packages/api") == [("LINT-32", "../../CLAUDE.md", 1)]


def test_a_left_out_folder_is_linted_if_it_is_named() -> None:
    """The files are the same."""
    entries = QUIET["r8: what Git ignores, test data and templates"]

    for folder in ("tests/fixtures", "templates", "target", ".venv"):
        assert "LINT-01" in {rule for rule, _, _ in found(entries, "claude-code", below=folder)}, folder
