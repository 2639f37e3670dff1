"""Each cause of a known difference has a witness, which shows it with the framework alone."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from loopspec.engine.baseline_text import KINDS
from loopspec.specification.ledger import ledger
from loopspec_known.declarations import Known, composed
from loopspec_known.results import in_results
from loopspec_known.witnesses import FOLDER, entries_of, perform, suffix_of, witnesses

from .frameworks import PYTHON, Frameworks
from .judged import ADAPTERS

TARGETS = {one.folder.name: one for one in in_results()}
_LINES = 50  # with the output, and the imports of a Go program
_MOVING = re.compile(r"/(?:blob|tree|raw)/(?:main|master|HEAD|develop|dev)/")
every_target = pytest.mark.parametrize("one", TARGETS.values(), ids=TARGETS)


@every_target
def test_each_entry_has_a_cause_a_kind_and_a_source(one: Known) -> None:
    """The names of causes are unique, and the versions begin with the one that the baseline was written for."""
    entries = entries_of(one)
    causes = [entry.cause for entry in entries]

    assert [entry.names for entry in entries if not entry.cause or entry.kind not in KINDS] == []
    assert len(set(causes)) == len(causes)
    assert [cause for cause in causes if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", cause)] == []
    assert [entry.cause for entry in entries if entry.versions[:1] != (one.pinned,)] == []
    assert [entry.cause for entry in entries if not entry.link or _MOVING.search(entry.link)] == []


@every_target
def test_each_cause_has_a_witness_and_each_witness_a_cause(one: Known) -> None:
    """A program is short, does not know loopspec, and says what it prints."""
    found = witnesses(one)
    folder, suffix = one.folder / FOLDER, suffix_of(one)
    programs = {path.name.removesuffix(suffix): path for path in folder.glob(f"*{suffix}")}

    assert {one.entry.cause for one in found} == programs.keys() - {"scripted"}
    assert {path.name for path in folder.iterdir() if path.is_file()} == {path.name for path in programs.values()}
    texts = {cause: path.read_text(encoding="utf-8") for cause, path in programs.items()}
    assert [cause for cause, text in texts.items() if "loopspec" in text] == []
    assert {cause for cause, text in texts.items() if len(text.splitlines()) > _LINES} <= {"scripted"}


@every_target
def test_compositions_are_about_rules_and_have_a_source(one: Known) -> None:
    """See the guide: what an adapter may do."""
    marked = [rule for each in composed(one.folder) for rule in each.rules]

    assert [rule for rule in marked if rule not in ledger().rules] == []
    assert len(set(marked)) == len(marked)
    assert all(each.reason and each.link.startswith("https://") for each in composed(one.folder))


@pytest.mark.long
@every_target
def test_witnesses_print_what_they_say(one: Known, frameworks: Frameworks) -> None:
    """At the version that the baseline was written for."""
    found = witnesses(one)
    if one.adapter.language == "python":
        frameworks.check_versions(one.folder.name)
    packages = _packages(one, frameworks)

    shown = perform(one, found, packages)

    assert [each for each, witness in zip(shown, found, strict=True) if not each.confirms(witness)] == []


def _packages(one: Known, frameworks: Frameworks) -> Path:
    name = one.folder.name
    if name in PYTHON:
        return Path(sys.executable)
    installed = frameworks.installed(name)
    return ADAPTERS / name if one.adapter.language == "go" else installed
