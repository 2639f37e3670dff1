"""`loopspec run` and pytest give the same verdict and the same evidence for each case."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import pytest
from msgspec.structs import replace

from loopspec.engine.result import encoded
from loopspec.specification.cases import area_of
from loopspec.specification.features import compiled
from loopspec.specification.ledger import ledger
from loopspec_mutants import MUTANTS

from ..process import ADAPTERS, PATIENCE, Reported, reported

pytestmark = pytest.mark.long

MUTATED = ADAPTERS.with_name("mutated.py")
LANGCHAIN = Path(__file__).parents[3] / "conformance/adapters/langchain"
SEED = 5
# A mutant of a variant passes every plain case, and pytest judges plain cases only. A mutant of a value of a dialect or
# of a posture passes every case in the default dialect and posture.
OF_EXAMPLES = sorted(
    name
    for name, one in MUTANTS.items()
    if (row := ledger().rules[one.rule]).status != "variant" and row.document != "tools" and not one.postures
)
DRAWN = sorted(random.Random(SEED).sample(OF_EXAMPLES, 9))
# adapters that crash, hang or return a wrong value, as no mutant of the reference does
ELSEWHERE = ("another posture", "another value in the target's dialect")  # why a case is not for the reference
BROKEN = ["Exits", "SleepsAsync", "LoadsNumber"]
# Different in each run: the folder of a backend's files, the wait before a retry, which is partly random, and the path
# of the reference's adapter in an editable installation, whose folders are on the path of pytest alone.
NEW_EACH_TIME = r'/loopspec-[\w-]+/|\d+\.\d{6,}|(?:"file":"|raised at )(?:[^" ]*/)?(?=adapters/)'
# Concurrent runs that wait before a retry continue in any order.
ANY_ORDER = re.compile(r"RETRY-\d+ :: .*concurrent runs")
FAST = ["--area=AMD-DEDUP", "--area=AMD-CFG"]  # for a target that hangs, whose other cases are not run anyway


def judged_both_ways(folder: Path, target: str, *options: str) -> tuple[Reported, Reported]:
    """The reports of a target by the command line and by pytest, each in a separate process."""
    run = [sys.executable, "-m", "loopspec", "run", target, "-q", "--variants=none", f"--report={folder / 'run'}"]
    done = subprocess.run([*run, *options], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode in (0, 1, 4), done.stdout + done.stderr
    plugins = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "pytest_bdd.plugin,loopspec_pytest"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--loopspec-target={target}"]
    command += [f"--loopspec-report={folder / 'pytest'}", *(f"--loopspec-{option[2:]}" for option in options)]
    environment = os.environ | plugins | {"PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode in (0, 1), done.stdout[-2000:] + done.stderr
    return reported(folder / "run"), reported(folder / "pytest")


def assert_equal(one: Reported, other: Reported, new_each_time: str = "", *, observations: bool = True) -> None:
    """Compare everything except times, durations, text that `new_each_time` matches, and, if asked, observations."""
    assert replace(one.run, began=0.0) == replace(other.run, began=0.0)
    assert one.summary == other.summary
    others = {case.case: case for case in other.cases}
    for case in one.cases:
        both = [replace(each, seconds=0.0) for each in (case, others[case.case])]
        compared = observations and not ANY_ORDER.match(case.case)
        of_both = [encoded(each if compared else replace(each, observation=None)).decode() for each in both]
        one_line, other_line = (re.sub(new_each_time, "…", text) if new_each_time else text for text in of_both)
        assert one_line == other_line


def test_the_reference(tmp_path: Path) -> None:
    """All cases pass in both runs, apart from those of another posture or of a value of another dialect."""
    one, other = judged_both_ways(tmp_path, "reference")

    assert_equal(one, other)
    verdicts = {case.verdict for case in one.cases if not case.message.startswith(ELSEWHERE)}
    assert verdicts == {"passed"}


@pytest.mark.parametrize("name", DRAWN)
def test_a_mutant(name: str, tmp_path: Path) -> None:
    """The cases of its area give the same verdicts, output and evidence, as the whole suite does for the reference."""
    shutil.copy(MUTATED, tmp_path)
    area = area_of(MUTANTS[name].rule)
    rules = sorted({rule for case in compiled() for rule in case.rule.ids if area_of(rule) == area})

    options = [f"--rule={rule}" for rule in rules]  # none for an invariant, which is judged in all cases
    one, other = judged_both_ways(tmp_path, f"py:mutated:{name.replace('-', '_')}", *options)

    assert_equal(one, other, NEW_EACH_TIME)
    assert "failed" in one.verdicts.values() or "errored" in one.verdicts.values()


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_adapter(name: str, tmp_path: Path) -> None:
    """Verdict, message and place are the same."""
    shutil.copy(ADAPTERS, tmp_path)

    one, other = judged_both_ways(tmp_path, f"py:broken:{name}", *FAST, "--timeout=1")

    assert_equal(one, other)
    assert {"Exits": "crashed", "SleepsAsync": "timed-out", "LoadsNumber": "errored"}[name] in one.verdicts.values()


def test_printed_output_is_evidence(tmp_path: Path) -> None:
    """The evidence of a failing case has the end of each stream."""
    shutil.copy(ADAPTERS, tmp_path)
    (tmp_path / "chatty.py").write_text(
        "import os, sys, broken\n"
        "class Chatty(broken.Loader):\n"
        "    def do(self):\n"
        "        print('to standard output')\n"
        "        os.write(2, b'x' * 70_000 + b'to standard error\\n')\n"
        "        return [], []\n",
        encoding="utf-8",
    )

    one, other = judged_both_ways(tmp_path, "py:chatty:Chatty", *FAST)

    assert_equal(one, other)
    (first, *_) = [case for case in one.cases if case.verdict == "failed"]
    assert first.evidence["standard output"] == "to standard output\n"
    assert first.evidence["standard error"].startswith("… (4482 bytes before)\nxxx")
    assert first.evidence["standard error"].endswith("xto standard error\n")


def test_langchain(do_without: Callable[[str, str], NoReturn], tmp_path: Path) -> None:
    """LangChain, which lacks many capabilities, gives the same verdicts in both runs."""
    if find_spec("langchain") is None:
        do_without("langchain", "langchain is not installed: pip install -e '.[langchain]'")
    shutil.copytree(LANGCHAIN / "langchain_adapter", tmp_path / "langchain_adapter")

    one, other = judged_both_ways(tmp_path, "py:langchain_adapter:LangChain", "--area=HOOK-*", "--area=INTERRUPT")

    # LangGraph runs the tools of one answer in threads: what they record has a new order each time.
    assert_equal(one, other, observations=False)
    assert {"passed", "failed", "inapplicable"} <= set(one.verdicts.values())
