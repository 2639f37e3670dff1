"""`python -m tools.mutation`: a seeded sample of generated mutants of the reference, judged by the compiled features.

Needs mutmut (`pip install 'loopspec[mutation]'`), which makes the mutants in a temporary folder, on a copy of the
reference. Each mutant is tried on the cases that call the changed function, plain and with the invariants; the
survivors are judged once more in all variants. Prints each survivor that `survivors.toml` does not explain, and exits
with 1 if fewer than 92 % are killed.

With `--keep FOLDER`, the outcomes stay in FOLDER, and another call judges only the mutants that have not been killed.
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
import tomllib
from collections.abc import Sequence
from pathlib import Path

import loopspec_reference

BUDGET = 0.92
SURVIVORS = Path(__file__).with_name("survivors.toml")
JUDGING = Path(__file__).with_name("judging.py")

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

# mutmut judges one mutant, and wants a test of it; all others are judged by `judging.py`
FIRST = "loopspec_reference.values.language.x_get_language__mutmut_1"
TEST = """
from loopspec_reference.values.language import get_language

def test_language():
    assert get_language() is not None
"""


def main() -> int:
    """Generate, sample, judge, print."""
    options = argparse.ArgumentParser(prog="python -m tools.mutation")
    options.add_argument("--sample", type=int, default=500)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--children", type=int, default=2)
    options.add_argument("--keep", type=Path, help="work in this folder, and leave it there")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as fresh:
        folder = Path(asked.keep or fresh).resolve()
        if not (folder / "mutants").exists():
            _generate(folder, asked.children)
        names = sorted(_mutants(folder))
        sample = random.Random(asked.seed).sample(names, min(asked.sample, len(names)))
        alive = _survivors(folder, sample, asked.children)
        by_cases = len(sample) - len(alive)
        print(f"{by_cases} of {len(sample)} mutants killed by plain cases and invariants", flush=True)
        alive = _survivors(folder, alive, asked.children, "--variants")
        explained = _explained()
        for name in sorted(alive):
            change = _shown(folder, name)
            print(name if _key(name, change) in explained else change)
    killed = len(sample) - len(alive)
    print(f"{killed} of {len(sample)} mutants killed ({killed / len(sample):.1%}), of {len(names)} there are")
    return 0 if killed >= BUDGET * len(sample) else 1


def _generate(folder: Path, children: int) -> None:
    source = Path(loopspec_reference.__file__).parent
    (folder / "tests").mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, folder / "src/loopspec_reference", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text(CONFIGURATION, encoding="utf-8")
    (folder / "tests/test_language.py").write_text(TEST, encoding="utf-8")
    command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(children), FIRST]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if not _mutants(folder):
        raise SystemExit(f"mutmut could not make the mutants: {done.stdout[-3000:]}{done.stderr[-3000:]}")


def _mutants(folder: Path) -> list[str]:
    metas = (folder / "mutants").rglob("*.meta")
    return [name for meta in metas for name in json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]]


def _survivors(folder: Path, names: Sequence[str], children: int, *options: str) -> list[str]:
    """The mutants on which every case passes, among these; what an earlier call has seen killed stays killed."""
    results = folder / "results.jsonl"
    left = _not_killed(results, names)
    (folder / "names").write_text("\n".join(left), encoding="utf-8")
    command = [sys.executable, str(JUDGING), "names", str(results), "--children", str(children), *options]
    surroundings = os.environ | {"PYTHONPATH": str(folder / "mutants/src")}
    if left:
        subprocess.run(command, cwd=folder, env=surroundings, check=True)
    return _not_killed(results, left)


def _not_killed(results: Path, names: Sequence[str]) -> list[str]:
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    killed = {row["mutant"] for row in map(json.loads, lines) if row["red"]}
    return [name for name in names if name not in killed]


def _explained() -> set[tuple[str, str]]:
    rows = tomllib.loads(SURVIVORS.read_text(encoding="utf-8"))["survivor"]
    return {(f"{row['file'].removesuffix('.py').replace('/', '.')}.{row['function']}", row["change"]) for row in rows}


def _key(name: str, change: str) -> tuple[str, str]:
    """The changed function and its new lines, as in `survivors.toml`: the number of a mutant changes with the code."""
    module, _, mutant = name.partition("__mutmut_")[0].rpartition(".")
    function = mutant.removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
    lines = [line[1:].strip() for line in change.splitlines() if line.startswith("+") and not line.startswith("+++")]
    return f"{module}.{function}", "\n".join(lines)


def _shown(folder: Path, name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mutmut", "show", name], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


sys.exit(main())
