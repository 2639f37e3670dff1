"""Generated repositories with planted faults: all of them are found, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.workspaces import Entry
from loopspec_instructions.linting import Example, lint, rules

from .judged import entries_of, on_disk

# The faults that a repository for one tool can have in a folder of its own, and what else each of them is found with.
FAULTS = {
    "claude-code": ["LINT-01", "LINT-02", "LINT-04", "LINT-05", "LINT-25", "LINT-29"],
    "gemini-cli": ["LINT-03", "LINT-06", "LINT-08"],
    "codex": [
        *("LINT-07", "LINT-09", "LINT-10", "LINT-12", "LINT-14", "LINT-16"),
        *("LINT-18", "LINT-19", "LINT-20", "LINT-23", "LINT-24"),
    ],
}
ALONG = {
    "LINT-10": {("LINT-09", "AGENTS.md", 1093)},
    "LINT-16": {("LINT-24", "AGENTS.md", 1)},
}
NAMES = {"claude-code": "CLAUDE.md", "gemini-cli": "GEMINI.md", "codex": "AGENTS.md"}
GOOD = ["Use tabs.\n", "# Rules\n\nAsk @alice, or write to team@example.org.\n", "Run `@decorator` and @types/node.\n"]
WORDS = st.text(alphabet="abcdefg", min_size=1, max_size=6)


@pytest.mark.parametrize("tool", FAULTS)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_planted_faults_are_found_and_nothing_else(tool: str, data: st.DataObject) -> None:
    """Each fault is in a folder of its own, between folders with faultless files."""
    folders = data.draw(st.lists(WORDS, min_size=2, max_size=8, unique=True))
    planted = data.draw(st.lists(st.sampled_from(FAULTS[tool]), max_size=len(folders) - 1))
    entries: dict[str, Entry] = {"project/README.md": Entry(text="Read me.\n")}
    expected: set[tuple[str, str, int]] = set()
    for folder, fault in zip(folders, planted, strict=False):
        example = rules()[fault].example
        entries |= _moved(entries_of(rules()[fault]), f"project/x{folder}/")
        expected |= _findings(fault, example, f"x{folder}/")
    for folder in folders[len(planted) :]:
        entries[f"project/x{folder}/{NAMES[tool]}"] = Entry(text=data.draw(st.sampled_from(GOOD)))

    with on_disk(entries) as tree:
        report = lint(tree.base / "project", [tool])

    assert {(one.rule, one.path, one.line) for one in report.findings} == expected


def _moved(entries: dict[str, Entry], folder: str) -> dict[str, Entry]:
    return {path.replace("project/", folder, 1): replace(entry) for path, entry in entries.items()}


def _findings(fault: str, example: Example, folder: str) -> set[tuple[str, str, int]]:
    own = {(fault, example.path, example.line), *ALONG.get(fault, set())}
    return {(rule, f"{folder}{path}", line) for rule, path, line in own}
