"""The suite by the command line, by pytest, and by pytest with empty steps; and the time of a start."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from loopspec.contract.specification import features_root
from loopspec.engine.judge import judge
from loopspec.specification.features import compiled
from loopspec.targets.resolve import resolve

from .measuring import Row, best_in_turns, best_of

ROUNDS = 5
ROUNDS_OF_VARIANTS = 3  # each takes as long as a dozen runs of the suite
VARIANTS = 16  # the aim is 10: 14.2 was measured when the budget was set
LOADED = 0.3  # seconds

# All features with one step that matches every sentence and does nothing: the minimum of pytest-bdd.
EMPTY_STEPS = """
import pytest, pytest_bdd
from pytest_bdd.parsers import StepParser

class Anything(StepParser):
    def is_matching(self, name):
        return True
    def parse_arguments(self, name):
        return {}

@pytest_bdd.step(Anything("anything"))
def anything():
    pass

pytest_bdd.scenarios(FEATURES)
"""

NO_TAGS = """
import pytest

@pytest.hookimpl(tryfirst=True)
def pytest_bdd_apply_tag(tag, function):
    return True
"""

# Something that a judged run has and an empty one lacks: tags must become no markers.
LEAN = """
    cacheprovider debugging doctest faulthandler junitxml legacypath logging monkeypatch pastebin recwarn setuponly
    setupplan stepwise subtests terminal threadexception tmpdir unittest unraisableexception warnings
""".split()


def rows(short: bool) -> list[Row]:
    """Measure the suite as a process: by the command line, by pytest, and by pytest with empty steps."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "no_tags.py").write_text(NO_TAGS)
        steps = folder / "test_steps.py"
        steps.write_text(EMPTY_STEPS.replace("FEATURES", repr(str(features_root()))))
        pytest = [sys.executable, "-m", "pytest", "-c", os.devnull, f"--rootdir={folder}", "-ppytest_bdd.plugin"]
        pytest += ["--import-mode=importlib", "--noconftest", "--assert=plain", *(f"-pno:{name}" for name in LEAN)]
        suite = folder / "test_suite.py"  # as deep as the other: pytest looks for fixtures in every folder above
        suite.write_text("from loopspec.suite import *\n")
        kinds = {
            "run": [sys.executable, "-m", "loopspec", "run", "reference", "--quiet"],
            "pytest": [*pytest, "-ploopspec_pytest", "--loopspec-target=reference", str(suite)],
            "steps": [*pytest, "-pno_tags", str(steps)],
            "start": [sys.executable, "-m", "loopspec", "--version"],
            "list": [sys.executable, "-m", "loopspec", "list"],
            "explain": [sys.executable, "-m", "loopspec", "explain", "AMD-DEPTH-02"],
        }
        rounds, some = (1, ["--area", "AMD-DEPTH"]) if short else (ROUNDS, [])
        commands = (partial(_cpu, command, folder) for command in kinds.values())
        best = dict(zip(kinds, best_in_turns(rounds, *commands), strict=True))
        plain, varied = best_in_turns(
            min(rounds, ROUNDS_OF_VARIANTS),
            partial(_cpu, kinds["run"], folder),
            partial(_cpu, [*kinds["run"], "--variants", "all", *some], folder),
        )
    judging, loading = (measure(rounds) for measure in (_judging, _loading))
    what = f"suite, {len(compiled())} cases"
    return [
        Row(f"{what}, by pytest", best["pytest"], best["steps"], "the same, one step fits all and does nothing", 1.3),
        Row(f"{what}, by pytest", best["pytest"], best["run"], "loopspec run"),
        Row(f"{what}, loopspec run", best["run"], judging, "the same, judged in a process that is warm"),
        Row(f"{what}, all variants", varied, min(plain, best["run"]), "loopspec run without variants", VARIANTS),
        Row("all cases loaded", loading, LOADED, f"{LOADED:g} s", 1),
        Row("loopspec list", best["list"], best["start"], "loopspec --version", 3),
        Row("loopspec explain ID", best["explain"], best["start"], "loopspec --version", 3),
    ]


def _cpu(command: list[str], folder: Path) -> float:
    """Seconds of CPU of a process and its children."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(folder)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def _judging(rounds: int) -> float:
    """Seconds to judge every case in the form of `loopspec run`; all that apply must pass."""
    target, cases = resolve("reference"), [case.shortened() for case in compiled()]

    def once() -> float:
        began = time.process_time()
        verdicts = {judge(case, target).verdict for case in cases}
        took = time.process_time() - began
        assert verdicts == {"passed", "inapplicable"}
        return took

    seconds = best_of(once, rounds)
    target.close()
    return seconds


def _loading(rounds: int) -> float:
    """Seconds of a fresh process from importing the specification to the last case, with Scenes and checks."""
    code = (
        "import time; began = time.process_time()\n"
        "from loopspec.specification.features import compiled\n"
        "assert sum(len(case.checks) for case in compiled()) > 1000\n"
        "print(time.process_time() - began)"
    )

    def once() -> float:
        return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)

    return best_of(once, rounds)
