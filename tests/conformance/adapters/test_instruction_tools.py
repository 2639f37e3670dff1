"""Tools that read instruction files: what each has read, judged by the rules of its own dialect."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest
from msgspec.structs import replace

from loopspec.contract.dialects import dialect, observed_dialect_names
from loopspec.contract.observation import Load
from loopspec.contract.target import Target
from loopspec.engine.baseline import UNEXPLAINED
from loopspec.engine.perform import perform
from loopspec.specification.cases import Case
from loopspec.targets.resolve import in_dialect, resolve
from tools.instruction_table import PAGE, page
from tools.recorded import digest_of
from tools.workspace_records import (
    Record,
    RecordedTarget,
    Stale,
    digest,
    judged_cases,
    read_record,
    workspace_cases,
    workspace_in_dialect,
)
from tools.workspace_tools import TOOLS, Tool

from .judged import judged_by

pytestmark = pytest.mark.long

every_tool = pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)


@pytest.fixture
def recorded(tool: Tool) -> Iterator[RecordedTarget]:
    """The target that returns what the tool has returned."""
    with read_record(tool.record).target() as target:
        yield target


@every_tool
def test_the_record_fails_exactly_the_cases_of_the_baseline(tool: Tool, recorded: RecordedTarget) -> None:
    """The recorded readings are judged by the current features; no case in the baseline passes."""
    verdicts = {result.case: result.verdict for result in recorded.results()}

    assert {case for case, verdict in verdicts.items() if verdict == "failed"} == {
        entry.case for entry in tool.baseline.known
    }
    assert set(verdicts.values()) <= {"passed", "failed"}
    assert len(verdicts) > 20


@every_tool
def test_every_baseline_entry_is_explained(tool: Tool) -> None:
    """Each entry has a written reason, and an address in a document or in the source of the tool."""
    for entry in tool.baseline.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        assert entry.link.startswith("https://")


@every_tool
def test_the_reference_reads_what_the_tool_has_read(
    tool: Tool, recorded: RecordedTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reference in the dialect as observed returns the same files with the same text for each workspace.

    The dialect does not describe another version of the tool, and no predictor of the tool: there, only the cases are
    compared that a rule judges, and that are not in the baseline.
    """
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")  # kimi-cli counts the paths of files toward its budget
    exceptions = () if tool.describes else {entry.case for entry in tool.baseline.known}
    cases = workspace_cases(recorded) if tool.describes else judged_cases(recorded)
    with closing(as_observed(tool)) as reference:
        differing = [
            case.id
            for case in cases
            if case.id not in exceptions
            and case.needs <= recorded.capabilities | {"workspace"}  # few recorded tools ask their users
            and recorded.has(case)
            and loaded(tool, recorded.at(case), case) != loaded(tool, reference, case)
        ]
    assert differing == []


def as_observed(tool: Tool) -> Target:
    """The reference in the dialect of a tool, as the tool reads."""
    name = dialect_name(tool)
    observed = f"{name}-observed"
    return resolve(in_dialect("reference", observed if observed in observed_dialect_names() else name))


@cache
def dialect_name(tool: Tool) -> str:
    """The name of the dialect of a tool."""
    return read_record(tool.record).asked.dialect


def loaded(tool: Tool, target: Target, case: Case) -> object:
    """What a target loads from the workspace of a case, in the dialect of the tool."""
    return comparable(tool, load_of(target, case, dialect_name(tool)))


def load_of(target: Target, case: Case, name: str) -> Load:
    """The load of the workspace of a case in a dialect."""
    scene = replace(case.scene, workspace=workspace_in_dialect(case, name))
    return perform(target, scene, "workspace").loads[0]


def comparable(tool: Tool, load: Load) -> object:
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
def test_a_workspace_that_is_not_in_the_record_makes_it_stale(tool: Tool) -> None:
    """What a tool has read from one workspace is never used for another."""
    record = read_record(tool.record)
    key, line = next(iter(record.lines.items()))
    lacking = Record(record.asked, {each: other for each, other in record.lines.items() if each != key})

    with lacking.target() as target:
        case = next(each for each in workspace_cases(target) if each.id == line.case)
        with pytest.raises(Stale, match=re.escape(f"has not read the workspace of {case.id!r}")):
            target.at(case)


# A path outside of the workspace, a time, an address, a folder of the harness.
OF_A_MACHINE = re.compile(
    r"(?<![\w.}~/-])/(?:etc|home|mnt|opt|private|proc|root|tmp|usr|var|Users)\b|\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d"
    r"|\d+\.\d+\.\d+\.\d+|localhost|loopspec-"
)


@every_tool
def test_the_record_has_nothing_of_a_machine_and_no_former_workspace(tool: Tool, recorded: RecordedTarget) -> None:
    """Each path begins with the placeholder of the workspace's folder."""
    record = read_record(tool.record)
    texts = {line.case: line.encoded().decode() for line in record.lines.values()}
    paths = {path for text in texts.values() for path in re.findall(r'"path":"(.*?)"', text)}

    assert [case for case, text in texts.items() if OF_A_MACHINE.search(text)] == []
    assert [path for path in paths if not path.startswith("{base}/")] == []
    assert set(record.lines) <= {digest(case, dialect_name(tool)) for case in workspace_cases(recorded)}


@every_tool
def test_every_file_names_the_same_version(tool: Tool) -> None:
    """The record, the dialect, package.json and the README name the same version."""
    asked = read_record(tool.record).asked
    version = asked.identity.version
    readme = " ".join((tool.folder / "README.md").read_text(encoding="utf-8").split())

    assert f" {version}" in readme
    if tool.describes:
        assert dialect(asked.dialect).version == version
    if (tool.folder / "package.json").exists():
        assert version in json.loads((tool.folder / "package.json").read_text())["dependencies"].values()


@every_tool
def test_the_readme_has_the_command(tool: Tool) -> None:
    """The README says how to judge the tool with the baseline."""
    readme = (tool.folder / "README.md").read_text(encoding="utf-8")
    baseline = re.escape(f"--baseline {tool.baseline_name}")

    assert re.search(rf"^loopspec run {re.escape(tool.target)} (\S+ )*{baseline}$", readme, re.MULTILINE)


def test_a_digest_is_the_same_in_another_order_of_fields() -> None:
    """A moved field of the kit's types makes no record stale."""
    one, other = (msgspec.defstruct("Part", fields)("b", "a") for fields in (("x", "y"), ("y", "x")))
    same = msgspec.convert({"x": "a", "y": "b"}, type(one))

    assert digest_of(other) == digest_of(same) != digest_of(one)


def test_the_comparison_sees_each_character_of_a_file() -> None:
    """Only what a tool puts between two files is ignored, at the end of all files but the last."""
    codex, pi = (next(tool for tool in TOOLS if tool.name == name) for name in ("codex", "pi"))
    with read_record(pi.record).target() as target:
        loads = [load_of(target.at(case), case, "pi") for case in judged_cases(target)]
    load = next(load for load in loads if len(load.sections) == 2)
    first, last = load.sections

    def changed(before: str, after: str) -> Load:
        return replace(load, sections=(replace(first, text=before), replace(last, text=after)))

    assert comparable(codex, changed(f"{first.text}\n\n", last.text)) == comparable(codex, load)
    assert comparable(codex, changed(first.text, f"{last.text}\n\n")) != comparable(codex, load)
    assert comparable(codex, changed(f"{first.text}x", last.text)) != comparable(codex, load)
    assert comparable(pi, changed(f"{first.text}\n\n", last.text)) != comparable(pi, load)


@pytest.mark.parametrize(
    ("name", "package"), [("deepagents", "deepagents"), ("kimi-cli", "kimi_cli"), ("agents-doctor", "agents_doctor")]
)
def test_the_installed_tool_is_conformant_apart_from_known_failures(
    name: str, package: str, do_without: Callable[[str, str], NoReturn], tmp_path: Path
) -> None:
    """The command from the README judges the tool itself; advisory rules count."""
    if find_spec(package) is None:
        do_without(name, f"{name} is not installed: its record alone is judged")
    tool = next(tool for tool in TOOLS if tool.name == name)
    command = ["run", tool.target, "--strict", "--baseline", tool.baseline_name]
    judged = judged_by(command, tool.folder, tool.baseline_name, tmp_path / "report.jsonl")

    assert judged.exit_code == 0, judged.output
    assert {case.case for case in judged.cases if case.verdict == "known"} == {
        entry.case for entry in tool.baseline.known
    }


def test_the_page_is_that_of_the_records() -> None:
    """`python -m tools.instruction_table` writes the page again."""
    assert PAGE.read_text(encoding="utf-8") == page()
