"""What `loopspec init` writes for another language, and the result of judging it."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from .process import PATIENCE, Ended, Reported, reported, run_loopspec

LOADERS = Path(__file__).with_name("loaders")

# the cases that the placeholder passes if the adapter handles reads, warnings and errors correctly
PASSED_BY_THE_PLACEHOLDER = {
    "AMD-BACKEND-01 :: A configured file and its import",
    "AMD-BACKEND-03 :: A missing-file error inside another error",
    "AMD-BACKEND-04 :: An I/O error with the words of a missing file",
    "AMD-BACKEND-07 :: Content with a missing-file error",
    "AMD-BACKEND-08 :: A cancellation during a read",
    "AMD-ERROR-01 :: The first of two configured files is missing",
    "AMD-ERROR-03 :: The second of two configured files fails with a permission error",
    "AMD-ERROR-03 :: The second of two configured files fails with an I/O error",
    "AMD-ERROR-06 :: An unreadable file before a readable file",
    "AMD-IMPORT-12 :: Files in three folders that import further files",
    "AMD-ORDER-03 :: Three files shown in an order other than by name",
}


def begun(language: str, folder: Path, role: str = "loader") -> tuple[list[str], str]:
    """Call `loopspec init` in a folder; return the names of the written files and the next command."""
    folder.mkdir(exist_ok=True)
    *lines, now = run_loopspec(folder, "init", language, "--role", role).said.splitlines()
    wrote = [line.removeprefix("wrote ") for line in lines if line.startswith("wrote ")]
    warning, *about_ci = lines[len(wrote) :]
    what = "loop" if role == "agent" else role
    assert warning == f"the {what} is a placeholder: some rules fail until you replace it"
    assert about_ci in ([], ["for CI: name in loopspec-ci.yml, at LOOPSPEC, where pip installs loopspec from"])
    return wrote, now.removeprefix("now: ")


def tried(now: str, folder: Path, *more: str) -> tuple[Ended, Reported]:
    """Run the commands that precede `loopspec`, then `loopspec` with additional options."""
    ended = run_loopspec(folder, *_prepared(now, folder), "--report", "report.jsonl", *more)
    return ended, reported(folder / "report.jsonl")


def examined(now: str, folder: Path) -> Ended:
    """Run `loopspec doctor` on the same target."""
    _, target, *_ = _prepared(now, folder)
    return run_loopspec(folder, "doctor", target)


def _prepared(now: str, folder: Path) -> list[str]:
    """Run the commands that precede `loopspec`; return the arguments of `loopspec`."""
    *before, run = now.split(" && ")
    for command in before:
        subprocess.run(shlex.split(command), cwd=folder, check=True, timeout=PATIENCE)
    return shlex.split(run.removeprefix("loopspec "))


def passed(verdicts: Mapping[str, str]) -> set[str]:
    """The cases that passed in a run without errors."""
    assert set(verdicts.values()) <= {"passed", "failed", "inapplicable"}
    return {case for case, verdict in verdicts.items() if verdict == "passed"}


def longest(folder: Path, names: Iterable[str]) -> tuple[int, int]:
    """The number of lines of the longest file and the number of characters of the longest line."""
    texts = [(folder / name).read_text(encoding="utf-8").splitlines() for name in names]
    return max(map(len, texts)), max(len(line) for text in texts for line in text)
