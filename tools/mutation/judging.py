"""Judges mutants in forked processes: each has the compiled cases of its parent, and a mutant of its own in force.

`python -m tools.mutation` runs this file as a program, in the folder of the mutants, which precede the installed
reference on the path. Each outcome is a line of `results.jsonl` there, written as soon as it is known.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from mutmut.state import state

import loopspec_reference
from loopspec.engine.judge import Judging, Subject
from loopspec.engine.result import Verdict
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_lab.variants import variants, varied_cases
from loopspec_reference_adapter import Memory, Reference

_FORCED = "MUTANT_UNDER_TEST"  # each function that mutmut has changed reads this variable when it is called
_RECORDING = "stats"  # the value under which mutmut notes the functions that are called
_DEADLINE = 10.0  # seconds for one case
_PATIENCE = 600.0  # seconds for one mutant, which may loop where no deadline interrupts it

Reached = dict[str, list[str]]  # the trials that call a function, by the function


@dataclass(frozen=True)
class Trial:
    """A case, plain or in a variant, and the target that performs it."""

    case: Case
    factory: type[Reference]

    @property
    def name(self) -> str:
        return f"{self.case.id} ({self.factory.__name__})"

    def red(self) -> str:
        """What turns red, with its verdict; empty if everything passes."""
        target = PythonTarget(self.factory, "the mutant")
        # a variant is judged where its plain case passes, and a mutant that is judged here has passed all of them
        passed: dict[Subject, Verdict] = {Subject(self.case.base.id): "passed"} if self.case.source else {}
        try:
            result = Judging(target, deadline=_DEADLINE, verdicts=passed).judge(self.case)
        finally:
            target.close()
        if result.broken:
            return f"{result.broken[0].case} ({result.broken[0].verdict})"
        if result.verdict == "passed" or (passed and result.verdict == "inapplicable"):
            return ""
        return f"{self.name} ({result.verdict})"


def plain_trials() -> list[Trial]:
    """Each case on the reference, and the cases of backends also on its backend in memory."""
    cases = compiled()
    stored = [case for case in cases if case.roles == ("backend",) and case.needs <= Memory.capabilities]
    return [Trial(case, Reference) for case in cases] + [Trial(case, Memory) for case in stored]


def varied_trials() -> list[Trial]:
    """Each case in all variants."""
    wanted = tuple(variants().values())
    return [Trial(varied, Reference) for case in compiled() for varied in varied_cases(case, wanted)]


def main() -> None:
    """Judge the mutants whose names are in a file."""
    options = argparse.ArgumentParser()
    options.add_argument("names", type=Path)
    options.add_argument("results", type=Path)
    options.add_argument("--variants", action="store_true", help="judge in all variants, instead of plain cases")
    options.add_argument("--children", type=int, default=1)
    asked = options.parse_args()
    trials = {trial.name: trial for trial in (varied_trials() if asked.variants else plain_trials())}
    if forced := os.environ.get(_FORCED):
        _judge(forced, list(trials.values()), asked.results)
        return
    for module in pkgutil.walk_packages(loopspec_reference.__path__, "loopspec_reference."):
        import_module(module.name)
    reached = _kept(trials)
    names = asked.names.read_text(encoding="utf-8").split()
    shares = [names[first :: asked.children] for first in range(asked.children)]
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=_work, args=(share, trials, reached, asked.results)) for share in shares]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if any(worker.exitcode for worker in workers):
        raise SystemExit("a worker has not judged all its mutants")


def _work(names: Sequence[str], trials: Mapping[str, Trial], reached: Reached, results: Path) -> None:
    fork = multiprocessing.get_context("fork")
    for name in names:
        mine = [trials[each] for each in reached.get(name.partition("__mutmut_")[0], ())]
        if not mine:
            _in_a_fresh_process(name, results)
            continue
        child = fork.Process(target=_judge, args=(name, mine, results))
        child.start()
        child.join(_PATIENCE)
        if child.exitcode is None:
            child.kill()
            child.join()
        if child.exitcode:
            _write(results, name, f"the process (exit code {child.exitcode})")


def _in_a_fresh_process(name: str, results: Path) -> None:
    """Judge a mutant that no case calls: it may do its work when a module is imported."""
    done = subprocess.run(
        [sys.executable, *sys.argv[:3], *(["--variants"] if "--variants" in sys.argv else [])],
        env=os.environ | {_FORCED: name},
        capture_output=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode:
        _write(results, name, f"the process (exit code {done.returncode})")


def _judge(name: str, trials: Iterable[Trial], results: Path) -> None:
    """Judge a mutant, up to the first trial that is red twice: on a busy machine, a case may exceed its deadline."""
    os.environ[_FORCED] = name
    _write(results, name, next((red for trial in trials if trial.red() and (red := trial.red())), ""))


def _write(results: Path, name: str, red: str) -> None:
    line = json.dumps({"mutant": name, "red": red})
    with results.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def _kept(trials: Mapping[str, Trial]) -> Reached:
    """What an earlier call in this folder has recorded of the same trials, or what is recorded now."""
    digest = hashlib.sha256("\n".join(trials).encode()).hexdigest()[:12]
    file = Path(f"reached-{digest}.json")
    if not file.exists():
        file.write_text(json.dumps(_reached(trials)), encoding="utf-8")
    found: Reached = json.loads(file.read_text(encoding="utf-8"))
    return found


def _reached(trials: Mapping[str, Trial]) -> Reached:
    """Record which trials call which function: in a process of its own, since the reference caches some results."""
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    recorder = fork.Process(target=lambda: sender.send(_recorded(trials)))
    recorder.start()
    sender.close()
    found: Reached = receiver.recv()
    recorder.join()
    return found


def _recorded(trials: Mapping[str, Trial]) -> Reached:
    os.environ[_FORCED] = _RECORDING
    found: Reached = {}
    for name, trial in trials.items():
        state()._stats.clear()
        if red := trial.red():
            raise SystemExit(f"without a mutant, this case must pass: {red}")
        for function in state()._stats:
            found.setdefault(function, []).append(name)
    return found


if __name__ == "__main__":
    main()
