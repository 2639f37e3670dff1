"""A loader for Node that nobody here wrote: what is recorded of it, and itself where it is installed."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

import loopspec
from loopspec.engine.baseline import UNEXPLAINED, load_baseline
from loopspec.specification.features import compiled

from ...recorded import Record, Stale, ask, command, read_record
from .judged import ADAPTERS, judged_by

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "gemini_cli"
PACKAGE = "@google/gemini-cli-core"
BASELINE = load_baseline(FOLDER / "baseline.toml", compiled())


@pytest.fixture(scope="module")
def record() -> Record:
    """What was seen of it."""
    return read_record(FOLDER)


@pytest.fixture
def installed(do_without: Callable[[str, str], NoReturn]) -> None:
    """Leaves out what needs the package itself, where there is none."""
    folder = Path(os.environ.get("GEMINI_CLI_FOLDER", FOLDER))
    if not (folder / "node_modules" / PACKAGE / "package.json").exists():
        do_without("gemini-cli", "gemini-cli is not installed: npm install --ignore-scripts in its adapter's folder")


def test_the_record_differs_in_what_is_known_and_in_nothing_else(record: Record) -> None:
    """By the features of today; nothing that the baseline lists passes."""
    verdicts = {result.case: result.verdict for result in record.results()}

    assert {case for case, verdict in verdicts.items() if verdict == "failed"} == {one.case for one in BASELINE.known}
    assert set(verdicts.values()) == {"passed", "failed"}


def test_a_scene_that_has_changed_makes_the_record_stale(record: Record) -> None:
    """So does a case that is new: nobody takes the verdict on one scene for that on another."""
    case, seen = next(iter(record.seen.items()))
    changed = replace(record, seen={**record.seen, case: msgspec.structs.replace(seen, scene="another")})
    lacking = replace(record, seen={name: each for name, each in record.seen.items() if name != case})

    for stale in (changed, lacking):
        with pytest.raises(Stale, match=re.escape(f"gemini-cli has not been asked about {case!r} as it is now")):
            stale.results()


def test_every_entry_of_the_baseline_is_explained() -> None:
    """Each has a reason of more than a few words, and says where gemini-cli does so, in the version judged."""
    source = "https://github.com/google-gemini/gemini-cli/blob/v0.61.0/packages/core/src/utils/memory"
    for entry in BASELINE.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        assert re.fullmatch(re.escape(source) + r"(ImportProcessor|Discovery)\.ts#L\d+-L\d+", entry.link)


def test_one_version_is_meant_everywhere(record: Record) -> None:
    """In what is installed, in what is recorded and in what the README says."""
    asked = json.loads((FOLDER / "package.json").read_text())["dependencies"]

    assert asked == {PACKAGE: record.asked.identity.version}
    words = " ".join((FOLDER / "README.md").read_text().split())
    assert f"Judged with {PACKAGE} {record.asked.identity.version}." in words


def test_the_protocol_is_spoken_by_what_init_writes() -> None:
    """All that is of gemini-cli is in the loader, and nothing says where packages come from."""
    template = Path(loopspec.__file__).parent / "cli" / "templates" / "node" / "adapter.mjs"

    assert (FOLDER / "adapter.mjs").read_bytes() == template.read_bytes()
    assert not (FOLDER / "package-lock.json").exists()
    assert (FOLDER / ".npmrc").read_text() == "package-lock=false\n"


@pytest.mark.usefixtures("installed")
def test_it_is_conformant_apart_from_what_is_known(tmp_path: Path) -> None:
    """By the command that its README names, clarified rules counted."""
    judged = judged_by(command(FOLDER), FOLDER, "baseline.toml", tmp_path / "report.jsonl", timeout=120)

    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} == {"passed", "known", "inapplicable"}
    assert {case.case for case in judged.cases if case.verdict == "known"} == {one.case for one in BASELINE.known}


@pytest.mark.usefixtures("installed")
def test_the_record_is_what_it_does(record: Record) -> None:
    """Asked again it does the same, but for the order in which it reads several files at once."""
    again = ask(FOLDER)

    assert again.asked == record.asked
    assert _told(again) == _told(record)


def _told(record: Record) -> dict[str, tuple[object, ...]]:
    """What became of each case, what was shown, what was read and what was warned about."""
    return {
        case: (
            one.verdict,
            one.observation and [load.sections for load in one.observation.loads],
            one.observation and sorted(read.path for read in one.observation.reads),
            one.observation and sorted(warned.path for warned in one.observation.warnings),
        )
        for case, one in record.seen.items()
    }
