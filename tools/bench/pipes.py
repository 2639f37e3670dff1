"""An adapter in one child, compared with one child for each case and with the bare pipe; and the suite over a pipe."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from loopspec.contract.agents import Config
from loopspec.contract.scene import File, Scene
from loopspec.engine.perform import perform
from loopspec.targets.process.target import ProcessTarget

from ..pages import ADAPTERS
from .measuring import LeftOut, Row, best_in_turns, best_of, run_silently, seconds

ROUNDS = 5
CASES = 300
SPAWNED = 10
EINO_CASE = "loader case, 6 reads, eino"

# one configured file with five imports: six reads, each a round trip inside the load's
SIX = Scene(
    act="load",
    files={
        "/p/agents.md": File(text=" ".join(f"@{name}.md" for name in "abcde")),
        **{f"/p/{name}.md": File(text=f"What {name} says.") for name in "abcde"},
    },
    instructions=Config(files=("/p/agents.md",)),
)
SERVED = f"cmd:{sys.executable} -m loopspec serve reference"


def rows(short: bool) -> Iterator[Row | LeftOut]:
    """Measure eino's adapter if Go is installed, and the whole suite."""
    options = ["--quiet", *(["--area", "LOOP"] if short else [])]
    run = partial(run_silently, sys.executable, "-m", "loopspec", "run")
    suite, piped = best_in_turns(
        1 if short else 3,
        lambda: seconds(partial(run, "reference", *options)),
        lambda: seconds(partial(run, SERVED, *options)),
    )
    yield Row("suite over the pipe", piped, suite, "the suite in process", 2.5)
    if shutil.which("go") is None:
        yield from [LeftOut(EINO_CASE, "Go is not installed")] * 2
    else:
        yield from _of_eino(1 if short else ROUNDS)


def _of_eino(rounds: int) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        adapter = Path(folder) / "eino-adapter"
        subprocess.run(["go", "build", "-o", str(adapter), "."], cwd=ADAPTERS / "eino", check=True)
        with closing(ProcessTarget(str(adapter))) as target:
            case = best_of(lambda: seconds(lambda: _perform(target), CASES), rounds)
            ping = best_of(lambda: _per_ping(target), rounds)
        spawned = best_of(lambda: seconds(lambda: _spawn(str(adapter)), SPAWNED), rounds)
    yield Row(EINO_CASE, case, spawned, "the same, a process for each case", 20, faster=True)
    yield Row(EINO_CASE, case, ping, "one ping", 12)


def _perform(target: ProcessTarget) -> None:
    seen = perform(target, SIX, "loader")
    assert (len(seen.reads), seen.reads[0].path, seen.loads[0].error) == (6, "/p/agents.md", None)


def _per_ping(target: ProcessTarget) -> float:
    return sum(target.ping() for _ in range(CASES)) / CASES


def _spawn(command: str) -> None:
    with closing(ProcessTarget(command)) as target:
        _perform(target)
