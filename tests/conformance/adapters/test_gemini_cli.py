"""The gemini-cli loader: its recorded observations, and the package itself where it is installed."""

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

from loopspec.contract.specification import kits_root
from loopspec.engine.baseline import UNEXPLAINED, load_baseline
from loopspec.specification.features import compiled
from tools.recorded import Record, Stale, ask, command, read_record

from .judged import ADAPTERS, judged_by

pytestmark = pytest.mark.long

FOLDER = ADAPTERS / "gemini_cli"
PACKAGE = "@google/gemini-cli-core"
BASELINE = load_baseline(FOLDER / "baseline.toml", compiled())


@pytest.fixture(scope="module")
def record() -> Record:
    """The recorded observations."""
    return read_record(FOLDER)


@pytest.fixture
def installed(do_without: Callable[[str, str], NoReturn]) -> None:
    """Skips a test that needs the package where the package is not installed."""
    folder = Path(os.environ.get("GEMINI_CLI_FOLDER", FOLDER))
    if not (folder / "node_modules" / PACKAGE / "package.json").exists():
        do_without("gemini-cli", "gemini-cli is not installed: npm install --ignore-scripts in its adapter's folder")


def test_the_record_fails_exactly_the_cases_of_the_baseline(record: Record) -> None:
    """The recorded observations are judged by the current features; no case in the baseline passes."""
    verdicts = {result.case: result.verdict for result in record.results()}

    assert {case for case, verdict in verdicts.items() if verdict == "failed"} == {one.case for one in BASELINE.known}
    assert set(verdicts.values()) == {"passed", "failed"}


def test_a_changed_scene_makes_the_record_stale(record: Record) -> None:
    """A new case makes the record stale as well: a verdict on one scene is never used for another."""
    case, seen = next(iter(record.seen.items()))
    changed = replace(record, seen={**record.seen, case: msgspec.structs.replace(seen, scene="another")})
    lacking = replace(record, seen={name: each for name, each in record.seen.items() if name != case})

    for stale in (changed, lacking):
        with pytest.raises(Stale, match=re.escape(f"gemini-cli has not been asked about {case!r} as it is now")):
            stale.results()


def test_every_baseline_entry_is_explained() -> None:
    """Each entry has a written reason and links to the gemini-cli source of the judged version."""
    source = "https://github.com/google-gemini/gemini-cli/blob/v0.61.0/packages/core/src/utils/memory"
    for entry in BASELINE.known:
        assert len(entry.reason) > len(UNEXPLAINED)
        assert re.fullmatch(re.escape(source) + r"(ImportProcessor|Discovery)\.ts#L\d+-L\d+", entry.link)


def test_every_file_names_the_same_version(record: Record) -> None:
    """package.json, the record and the README name the same version."""
    asked = json.loads((FOLDER / "package.json").read_text())["dependencies"]

    assert asked == {PACKAGE: record.asked.identity.version}
    words = " ".join((FOLDER / "README.md").read_text().split())
    assert f"Judged with {PACKAGE} {record.asked.identity.version}." in words


def test_the_adapter_is_the_template_of_init() -> None:
    """The adapter adds only a loader to the template of `loopspec init node`, and names no package registry."""
    template = kits_root() / "templates" / "node" / "adapter.mjs"

    assert (FOLDER / "adapter.mjs").read_bytes() == template.read_bytes()
    assert not (FOLDER / "package-lock.json").exists()
    assert (FOLDER / ".npmrc").read_text() == "package-lock=false\n"


@pytest.mark.usefixtures("installed")
def test_gemini_cli_is_conformant_apart_from_known_failures(tmp_path: Path) -> None:
    """The command from the README judges the installed package; advisory rules count."""
    judged = judged_by(command(FOLDER), FOLDER, "baseline.toml", tmp_path / "report.jsonl")

    assert judged.exit_code == 0, judged.output
    assert {case.verdict for case in judged.cases} == {"passed", "known", "inapplicable"}
    assert {case.case for case in judged.cases if case.verdict == "known"} == {one.case for one in BASELINE.known}


@pytest.mark.usefixtures("installed")
def test_the_record_is_up_to_date(record: Record) -> None:
    """Asking the package again gives the same record, except for the order of concurrent reads."""
    again = ask(FOLDER)

    assert again.asked == record.asked
    assert _reported(again) == _reported(record)


def _reported(record: Record) -> dict[str, tuple[object, ...]]:
    """The verdict, the loaded sections, the reads and the warnings of each case."""
    return {
        case: (
            one.verdict,
            one.observation and [load.sections for load in one.observation.loads],
            one.observation and sorted(read.path for read in one.observation.reads),
            one.observation and sorted(warned.path for warned in one.observation.warnings),
        )
        for case, one in record.seen.items()
    }
