"""`python -m tests.mutation`: a seeded sample of generated mutants of the reference, judged by the compiled features.

Needs mutmut (`pip install 'loopspec[mutation]'`). The command works in a temporary folder on a copy of the reference,
which precedes the installed one on the path; each mutant is tried on the cases that reach the changed function. The
survivors are judged once more, by invariants and in all variants. Prints what survives, and exits with 1 if fewer than
92 % are killed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import loopspec_reference

BUDGET = 0.92
_SURVIVED = 0  # mutmut's exit code for a mutant on which all tests pass
_PATIENCE = 300.0  # seconds for one mutant in all variants
_UNREACHED = 33  # mutmut's exit code for a mutant that no test reaches

CONFIGURATION = """
[tool.mutmut]
source_paths = ["src/"]
pytest_add_cli_args = ["-q", "-p", "no:cacheprovider", "-W", "ignore"]
pytest_add_cli_args_test_selection = ["tests/"]
# Words for people, which no rule ever looks at.
do_not_mutate_patterns = [
    'raise \\w+Error\\(',
    'super\\(\\).__init__\\(',
    'add_note\\(',
    '_log\\.warning\\(',
    'assert .*, "',
    '^\\s*(source|whose|by|known|agents|methods|names|declared) = ',
]
"""

CASES = """
import pytest
from loopspec.specification.features import compiled
from loopspec.engine.judge import judge
from loopspec.targets.python import PythonTarget
from loopspec.targets.reference import Memory, Reference

CASES = [(case, Reference) for case in compiled()]
CASES += [(case, Memory) for case, _ in CASES if case.roles == ("backend",) and case.needs <= Memory.capabilities]

@pytest.mark.parametrize(("case", "factory"), CASES, ids=[str(number) for number in range(len(CASES))])
def test_case(case, factory):
    target = PythonTarget(factory, "the mutant")
    try:
        result = judge(case, target, deadline=2.0)
        assert (result.verdict, result.broken) == ("passed", ())
    finally:
        target.close()
"""


def main() -> int:
    """Build, generate, sample, judge, print."""
    options = argparse.ArgumentParser(prog="python -m tests.mutation")
    options.add_argument("--sample", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--children", type=int, default=2)
    options.add_argument("--keep", type=Path, help="work in this folder and leave it there")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as fresh:
        folder = asked.keep or Path(fresh)
        _workspace(folder)
        first = ["loopspec_reference.values.language.x_get_language__mutmut_1"]
        _mutmut(folder, first, asked.children)  # makes all mutants, and records which case reaches which function
        names = sorted(_outcomes(folder))
        sample = random.Random(asked.seed).sample(names, min(asked.sample, len(names)))
        _mutmut(folder, sample, asked.children)
        outcomes = _outcomes(folder)
        alive = sorted(name for name in sample if outcomes[name] in (None, _SURVIVED, _UNREACHED))
        by_cases = len(sample) - len(alive)
        print(f"{by_cases} of {len(sample)} mutants killed by plain cases and invariants", flush=True)
        alive = [name for name in alive if _survives_variants(folder, name)]
        for name in alive:
            print(_shown(folder, name))
    killed = len(sample) - len(alive)
    print(f"{killed} of {len(sample)} mutants killed ({killed / len(sample):.1%}), of {len(names)} there are")
    return 0 if killed >= BUDGET * len(sample) else 1


def _workspace(folder: Path) -> None:
    source = Path(loopspec_reference.__file__).parent
    (folder / "tests").mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, folder / "src/loopspec_reference", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    (folder / "tests/test_cases.py").write_text(CASES, encoding="utf-8")


def _mutmut(folder: Path, names: list[str], children: int) -> None:
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children), *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if not _outcomes(folder) or "failed to collect stats" in done.stdout:
        raise SystemExit(f"mutmut could not judge the features: {done.stdout[-3000:]}{done.stderr[-3000:]}")


def _outcomes(folder: Path) -> dict[str, int | None]:
    """The exit code of every mutant's tests; None for a mutant without a result."""
    found: dict[str, int | None] = {}
    for meta in sorted((folder / "mutants").rglob("*.meta")):
        found |= json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    return found


def _survives_variants(folder: Path, name: str) -> bool:
    """Whether every case passes in every variant, on the reference with this mutant."""
    surroundings = os.environ | {"MUTANT_UNDER_TEST": name, "PYTHONPATH": str(folder / "mutants/src")}
    command = [sys.executable, "-m", "loopspec", "run", "reference", "--strict", "--variants", "all", "-x", "-q"]
    try:
        done = subprocess.run(
            [*command, "--timeout", "2"],
            cwd=folder / "mutants",
            env=surroundings,
            capture_output=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _shown(folder: Path, name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


sys.exit(main())
