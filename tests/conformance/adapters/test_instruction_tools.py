"""Tools that read instruction files: what each has read, judged by the rules of its own dialect."""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import closing
from functools import cache

import pytest

from loopspec.contract.dialects import dialect, observed_dialect_names
from loopspec.contract.observation import Load
from loopspec.contract.target import Target
from loopspec.engine.baseline import UNEXPLAINED
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.targets.resolve import in_dialect, resolve

from ...workspace_records import (
    TOOLS,
    Record,
    Stale,
    Tool,
    judged_cases,
    read_record,
    scene_in_dialect,
    workspace_cases,
)

pytestmark = pytest.mark.long

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


@cache
def record_of(tool: Tool) -> Record:
    """The record of a tool."""
    return read_record(tool.record)


@every_tool
def test_the_record_fails_exactly_the_cases_of_the_baseline(tool: Tool) -> None:
    """The recorded observations are judged by the current features; no case in the baseline passes."""
    verdicts = {result.case: result.verdict for result in record_of(tool).results()}

    assert {case for case, verdict in verdicts.items() if verdict == "failed"} == {
        entry.case for entry in tool.baseline.known
    }
    assert set(verdicts.values()) <= {"passed", "failed"}
    assert len(verdicts) > 10


@every_tool
def test_every_baseline_entry_is_explained(tool: Tool) -> None:
    """Each entry has a written reason, and an address in a document or in the source of the tool."""
    for entry in tool.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        assert entry.link.startswith("https://")


@every_tool
def test_the_reference_reads_what_the_tool_has_read(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reference in the dialect as observed returns the same files with the same text for each workspace.

    The dialect does not describe another version of the tool, and no predictor of the tool: there, only the cases are
    compared that a rule judges, and that are not in the baseline.
    """
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")  # kimi-cli counts the paths of files toward its budget
    record = record_of(tool)
    exceptions = set() if tool.describes else {entry.case for entry in tool.baseline.known}
    every_scene = tool.describes and not tool.slow
    with closing(as_observed(record.asked.dialect)) as reference:
        differing = [
            case.id
            for case in (workspace_cases if every_scene else judged_cases)(record.target)
            if case.id not in exceptions and not reads_the_same(tool, record, case, reference)
        ]
    assert differing == []


def as_observed(name: str) -> Target:
    """The reference in a dialect as the tool reads."""
    observed = f"{name}-observed"
    return resolve(in_dialect("reference", observed if observed in observed_dialect_names() else name))


def reads_the_same(tool: Tool, record: Record, case: Case, reference: Target) -> bool:
    """Whether the reference loads the same files with the same texts, or fails where the tool fails."""
    seen = perform(reference, scene_in_dialect(case, record.target), "workspace")
    return loaded(record.observation(case).loads[0], tool) == loaded(seen.loads[0], tool)


def loaded(load: Load, tool: Tool) -> object:
    """The files of a load, and its whole text if the tool puts nothing between files."""
    if load.error:
        return "an error"
    files = [(section.path, _without_own_words(section.text, tool)) for section in load.sections]
    if not tool.separators:
        return files, _without_own_words(load.text or "", tool)
    return [*((path, _without_end(text, tool.separators)) for path, text in files[:-1]), *files[-1:]]


def _without_end(text: str, ends: tuple[str, ...]) -> str:
    return next((text.removesuffix(end) for end in ends if text.endswith(end)), text)


def _without_own_words(text: str, tool: Tool) -> str:
    return re.sub(tool.own_words, r"\1", text) if tool.own_words else text


@every_tool
def test_a_changed_workspace_makes_the_record_stale(tool: Tool) -> None:
    """An observation of one workspace is never used for another."""
    record = record_of(tool)
    scene = next(iter(record.seen))
    lacking = Record(record.asked, {each: seen for each, seen in record.seen.items() if each != scene})
    cases = [case for case in workspace_cases(record.target) if case.id == record.seen[scene].case]

    with pytest.raises(Stale, match=re.escape(f"has not read the workspace of {cases[0].id!r}")):
        lacking.observation(cases[0])


@every_tool
def test_every_file_names_the_same_version(tool: Tool) -> None:
    """The record, the dialect, package.json and the README name the same version."""
    version = record_of(tool).asked.identity.version
    readme = " ".join((tool.folder / "README.md").read_text(encoding="utf-8").split())

    assert f" {version}" in readme
    if tool.describes:
        assert dialect(record_of(tool).asked.dialect).version == version
    if (tool.folder / "package.json").exists():
        assert version in json.loads((tool.folder / "package.json").read_text())["dependencies"].values()


@every_tool
def test_the_readme_has_the_command(tool: Tool) -> None:
    """The README says how to judge the tool with the baseline."""
    readme = (tool.folder / "README.md").read_text(encoding="utf-8")

    assert re.search(rf"^loopspec run {re.escape(tool.target)} .*--baseline {tool.baseline_name}", readme, re.MULTILINE)


def test_a_file_with_another_text_is_not_the_same() -> None:
    """What the comparison with the reference ignores: separators of a tool that names no files, and nothing else."""
    codex, pi = (next(tool for tool in TOOLS if tool.name == name) for name in ("codex", "pi"))
    record = record_of(codex)
    several = [load for seen in record.seen.values() for load in seen.seen.loads if len(load.sections) > 1]
    assert several
    assert all(loaded(load, codex) != loaded(load, pi) for load in several)
