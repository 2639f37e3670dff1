"""What `loopspec check` finds in recordings: nothing in those of real runs, and each planted fault."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from loopspec.cli import main
from loopspec_check.checking import check_file
from loopspec_check.formats import FORMATS
from loopspec_check.rules import known

from .planting import RECORDINGS, Strange, faults, killed, listed, planted, recordings

FAULTS = faults()
SOUND = recordings()
KILLED = killed()
STRANGE = listed(Path(__file__).with_name("strange.toml"), Strange)


def found(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[dict[str, Any]]:
    main(["check", "--json", *map(str, arguments)])
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("recording", SOUND)
def test_nothing_is_found_in_a_recording(recording: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys, SOUND[recording]) == []


@pytest.mark.parametrize("recording", SOUND)
def test_the_format_of_a_recording_is_recognized(recording: str) -> None:
    path = SOUND[recording]

    assert {one.format for one in check_file(path, None, ())} == {path.parent.name.replace("_", "-")}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found_in_its_line(fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, planned = FAULTS[fault]
    path = tmp_path / planned.recording
    path.write_bytes(planted(folder, planned))

    assert [f"{one['rule']} {one['line']}" for one in found(capsys, path)] == list(planned.findings)


@pytest.mark.parametrize("run", KILLED)
def test_what_a_killed_run_has_left_is_found(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    path, left = KILLED[run]

    assert [f"{one['rule']} {one['line']}" for one in found(capsys, path)] == list(left.findings)


@pytest.mark.parametrize("history", STRANGE, ids=lambda history: history.name)
def test_a_strange_history_is_judged(history: Strange, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(history.lines, encoding="utf-8")

    assert all(one.format for one in check_file(path, None, ()))
    line = "{line}: {rule} {text} {refused_by}"
    assert [line.format(**one).replace("'", "") for one in found(capsys, path)] == list(history.findings)


def test_each_recording_of_a_killed_run_is_listed() -> None:
    assert {path for path, _ in KILLED.values()} == {*RECORDINGS.rglob("killed/*.json*")}


def test_each_format_has_recordings_and_planted_faults() -> None:
    folders = {name.replace("-", "_") for name in FORMATS}

    assert {Path(name).parent.name for name in SOUND} == folders
    assert {folder.name for folder, _ in FAULTS.values()} == folders


def test_each_format_has_a_document_or_that_of_its_provider() -> None:
    with_document = {name for name, one in known().formats.items() if one.document}

    assert known().formats.keys() == FORMATS.keys() == with_document | (known().providers.keys() & FORMATS.keys())


def test_no_link_leads_to_a_branch_that_moves() -> None:
    links = [one.document for one in known().formats.values()] + [*known().made_up.values()]
    links += [link for rule in known().rules.values() for link in rule.refused.values()]

    assert [link for link in links if re.search("/(blob|tree)/(main|master|dev|HEAD)/", link)] == []


def test_histories_that_users_have_reported_are_among_the_planted_ones() -> None:
    threads = [fault.thread for _, fault in FAULTS.values() if fault.thread]

    assert len(set(threads)) == len(threads) >= 12
    assert all(re.fullmatch(r"https://github\.com/[\w-]+/[\w.-]+/(issues|pull)/\d+", thread) for thread in threads)


def test_the_guide_has_each_rule_with_the_providers_that_refuse_a_request() -> None:
    page = (Path(__file__).parents[2] / "conformance/loopspec/guide/is-this-session-broken.md").read_text("utf-8")
    rules, providers = known().rules, known().providers
    refused = {key: ", ".join(providers[name].title for name in rule.refused) for key, rule in rules.items()}

    assert re.findall(r"^\| CHECK-.*$", page, re.MULTILINE) == [
        f"| {key} | {rule.title} | {rule.severity} | {refused[key]} |" for key, rule in rules.items()
    ]
