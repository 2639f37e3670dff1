"""A role from outside: a package with an entry point adds a role with two rules, and nothing of the kit changes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..process import Ended

ROLE = '''
"""The role scales: weighs things."""

from pathlib import Path

from loopspec.contract.roles import RoleKind


async def perform(scales, stage):
    """Weigh each thing of the scene."""
    for thing in stage.scene.own["things"]:
        stage.outcomes.recorded({"thing": thing, "grams": scales.weigh(thing)})


SCALES = RoleKind(
    "scales",
    "weighs things",
    "weigh",
    smoke=("SCALES-01",),
    acts=("weigh",),
    perform=perform,
    features=Path(__file__).with_name("features"),
    phrases=("toy_scales.phrases",),
)
'''
PHRASES = '''
"""Scales: things, and what they weigh."""

from loopspec.contract.mismatch import expect
from loopspec_steps.phrasebook import then, when


@when('"{thing}" is weighed')
def weighed(scene_builder, thing):
    """A thing that is put on the scales."""
    scene_builder.act = "weigh"
    scene_builder.own.setdefault("things", []).append(thing)


@then('"{thing}" weighs {grams:d} grams')
def weighs(seen, thing, grams):
    """What the scales show for a thing."""
    (shown,) = (one.value["grams"] for one in seen.own if one.value["thing"] == thing)
    expect(f"the weight of {thing!r}", grams, shown)
'''
FEATURE = """Feature: Scales
  Scales show the weight of the things that are put on them, one after the other, in grams.

  @SCALES-01 @clarified
  Rule: Scales show the weight of a thing

    Scenario: An apple
      When "apple" is weighed
      Then "apple" weighs 100 grams

  @SCALES-02 @clarified
  Rule: Scales without a thing show zero

    Scenario: Nothing
      When "nothing" is weighed
      Then "nothing" weighs 0 grams
"""
LEDGER = """
schema = 1

[documents]
scales = "the manual of the scales"

[rules.SCALES-01]
basis = "clarified"
document = "scales"
decision = "Scales are for weighing."

[rules.SCALES-02]
basis = "clarified"
document = "scales"
decision = "A weight below zero surprises people."
"""
ADAPTER = """
class Good:
    name = "good scales"

    def weigh(self, thing):
        return {"apple": 100, "nothing": 0}[thing]


class Wrong(Good):
    name = "wrong scales"

    def weigh(self, thing):
        return super().weigh(thing) or 7
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an installed package that adds the role, and with two adapters."""
    path = tmp_path_factory.mktemp("scales")
    package, info = path / "site/toy_scales", path / "site/toy_scales-1.0.dist-info"
    (package / "features").mkdir(parents=True)
    info.mkdir()
    (package / "__init__.py").write_text(ROLE, encoding="utf-8")
    (package / "phrases.py").write_text(PHRASES, encoding="utf-8")
    (package / "features/scales.feature").write_text(FEATURE, encoding="utf-8")
    (package / "features/ledger.toml").write_text(LEDGER, encoding="utf-8")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-scales\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[loopspec.roles]\nscales = toy_scales:SCALES\n", encoding="utf-8")
    (path / "shop.py").write_text(ADAPTER, encoding="utf-8")
    return path


def loopspec(folder: Path, *args: str) -> Ended:
    """Run the command line in a process in which the package is installed."""
    environment = os.environ | {"PYTHONPATH": str(folder / "site"), "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-P", "-m", "loopspec", *args]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return Ended(ran.returncode, ran.stdout, ran.stderr)


def test_the_role_is_judged(folder: Path) -> None:
    """Right scales pass both rules, alone and with all other cases planned."""
    ended = loopspec(folder, "run", "py:shop:Good", "--strict")

    assert (ended.code, ended.said.splitlines()[-1]) == (0, "py:shop:Good is conformant.")
    assert "2 examples of 2 rules passed" in ended.out
    assert "the manual of the scales" in ended.out


def test_a_wrong_implementation_fails_its_rule(folder: Path) -> None:
    """The failure is reported with the step, in the terminal and in the report."""
    ended = loopspec(folder, "run", "py:shop:Wrong", "--strict", "--report", "wrong.jsonl")

    assert ended.code == 1
    assert "failed SCALES-02 Scales without a thing show zero" in ended.out
    assert "expected: 0" in ended.out
    lines = [json.loads(line) for line in (folder / "wrong.jsonl").read_text(encoding="utf-8").splitlines()]
    (failed,) = (line for line in lines if line.get("verdict") == "failed")
    assert failed["scene"]["own"] == {"things": ["nothing"]}
    assert failed["observation"]["own"] == [{"n": 0, "value": {"thing": "nothing", "grams": 7}}]
    replayed = loopspec(folder, "replay", "wrong.jsonl", "SCALES-02")
    assert "failed" in replayed.said


def test_the_rules_are_explained_and_listed(folder: Path) -> None:
    """As those of the kit."""
    explained, listed = loopspec(folder, "explain", "SCALES-01"), loopspec(folder, "list", "SCALES")

    assert "Scales show the weight of a thing" in explained.said
    assert "the manual of the scales" in explained.said
    assert '"apple" weighs 100 grams' in explained.said
    assert {"SCALES-01", "SCALES-02"} <= set(listed.said.split())


def test_doctor_knows_the_role(folder: Path) -> None:
    """The smoke case of the role is performed."""
    ended = loopspec(folder, "doctor", "py:shop:Good")

    assert ended.code == 0
    assert "role scales" in ended.said


def test_the_phrases_are_in_the_phrasebook(folder: Path) -> None:
    """A writer of features finds them."""
    assert "is weighed" in loopspec(folder, "phrases", "weighed").said


def test_a_package_that_cannot_be_imported_is_one_sentence(tmp_path: Path) -> None:
    """With the place of its error. A package that was removed adds nothing, and is no error."""
    for name, group in {"broken": "roles", "removed": "commands"}.items():
        site = tmp_path / name / "site"
        info = site / f"{name}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: toy-{name}\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[loopspec.{group}]\nx = {name}_scales:X\n", encoding="utf-8")
    (tmp_path / "broken/site/broken_scales.py").write_text("raise RuntimeError('no')\n", encoding="utf-8")

    ended, helped = loopspec(tmp_path / "broken", "list", "LOOP-01"), loopspec(tmp_path / "removed", "help")

    assert ended.code == 2
    assert ended.err == (
        "loopspec: broken_scales:X, which adds x to loopspec, cannot be imported: RuntimeError: no "
        "(broken_scales.py:1): update or remove toy-broken\n"
    )
    assert (helped.code, "removed" in helped.said) == (0, False)
