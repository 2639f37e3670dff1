"""Witnesses: programs that use a framework alone, and show one cause of known differences.

A witness is a file of the folder `witnesses` of an adapter, with the name of the cause. Its last lines are a comment
that begins with `Output:`, as in an example of Go, and has what the program prints.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from loopspec.contract.faults import SuiteError, TargetUnusable, UsageError
from loopspec.contract.names import did_you_mean
from loopspec.engine.baseline_text import Entries, read
from loopspec.engine.baseline_text import Known as Entry

from .declarations import Known, Language
from .environments import program_folder

FOLDER = "witnesses"
_SUFFIX: Mapping[Language, str] = {"python": ".py", "node": ".mjs", "go": "_test.go"}
_OUTPUT = re.compile(r"^\s*(?:#|//) Output:\n((?:\s*(?:#|//).*\n)+)\}?\s*\Z", re.MULTILINE)
_COMMENT = re.compile(r"^\s*(?:#|//) ?")
_EXAMPLE = re.compile(r"^func (Example\w*)\(\)", re.MULTILINE)
_SECONDS = 600  # for all witnesses of a framework


class Witness(Struct, frozen=True):
    """A program, the entry of the baseline whose cause it shows, and what it prints."""

    entry: Entry
    path: Path
    text: str
    expected: str


class Shown(Struct, frozen=True):
    """What a witness printed, and its errors: empty, unless the program failed."""

    cause: str
    output: str
    errors: str = ""

    def confirms(self, witness: Witness) -> bool:
        """Whether the program printed what it says."""
        return not self.errors and _lines(self.output) == _lines(witness.expected)


def entries_of(known: Known) -> Sequence[Entry]:
    """The entries of the baseline of a target, each about one cause."""
    path = known.folder / known.declared.baseline
    return msgspec.convert(read(path)[1], type=Entries).known


def suffix_of(known: Known) -> str:
    """The end of the name of a witness, which follows the cause."""
    return _SUFFIX[known.adapter.language]


def witnesses(known: Known, causes: Iterable[str] = ()) -> list[Witness]:
    """The witnesses of a target, in the order of its baseline: of all causes, or of some.

    Raises `UsageError` for an unknown cause, and `SuiteError` for a witness that is missing or prints nothing.
    """
    by_cause = {entry.cause: entry for entry in entries_of(known) if entry.cause}
    for cause in causes:
        if cause not in by_cause:
            hint = did_you_mean(cause, by_cause, f"see `loopspec known --witness {known.name}`")
            raise UsageError(f"no known difference of {known.name} has the cause {cause!r}{hint}")
    return [_witness(known, by_cause[cause]) for cause in tuple(causes) or by_cause]


def _witness(known: Known, entry: Entry) -> Witness:
    path = known.folder / FOLDER / f"{entry.cause}{suffix_of(known)}"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SuiteError(f"the witness {path} cannot be read: {error.strerror}") from None
    found = _OUTPUT.search(text)
    if found is None:
        raise SuiteError(f"the witness {path} does not end with a comment `Output:` and what it prints")
    return Witness(entry, path, text, "\n".join(_COMMENT.sub("", line) for line in found[1].splitlines()))


def packages_in(known: Known, environment: Path) -> Path:
    """Where an environment has the packages of a target: its Python, or the folder of a program in Node or Go."""
    return environment / "bin" / "python" if known.adapter.language == "python" else program_folder(known, environment)


def perform(known: Known, wanted: Sequence[Witness], packages: Path) -> list[Shown]:
    """Perform witnesses with the packages of a target, in the order of the list: see `packages_in`.

    Raises `TargetUnusable` if they cannot be performed at all.
    """
    if known.adapter.language == "python":
        runner = Path(__file__).with_name("performing.py")
        words = [str(packages), "-B", "-E", "-s", str(runner), *(str(one.path) for one in wanted)]
        done = _performed(words, known.folder)
        if done.returncode:
            raise TargetUnusable(f"the witnesses cannot be performed: {done.stderr.strip()[-2000:]}")
        return [msgspec.json.decode(line, type=Shown) for line in done.stdout.splitlines()]
    ours, folder = known.folder / FOLDER, packages / FOLDER
    if folder != ours:
        shutil.rmtree(folder, ignore_errors=True)  # of another version of the kit
        shutil.copytree(ours, folder)
    return _in_go(wanted, folder) if known.adapter.language == "go" else [_in_node(one, folder) for one in wanted]


def _in_node(witness: Witness, folder: Path) -> Shown:
    done = _performed(["node", witness.path.name], folder)
    return Shown(witness.entry.cause, done.stdout, done.stderr if done.returncode else "")


def _in_go(wanted: Sequence[Witness], folder: Path) -> list[Shown]:
    """Go compares the output of an example by itself, and prints another one."""
    names = {name: one for one in wanted for name in _EXAMPLE.findall(one.text)}
    words = ["go", "test", "-mod=mod", "-count=1", "-json", "-run", f"^({'|'.join(names)})$", "."]
    printed: dict[str, list[str]] = {name: [] for name in names}
    ended: dict[str, str] = {}
    elsewhere: list[str] = []
    done = _performed(words, folder)
    for line in (done.stdout + done.stderr).splitlines():
        event = json.loads(line) if line.startswith("{") else {"Output": line + "\n"}
        name = event.get("Test", "")
        if "Output" in event:
            printed.get(name, elsewhere).append(event["Output"])
        elif name in names and event["Action"] in ("pass", "fail"):
            ended[name] = event["Action"]
    if not ended:
        raise TargetUnusable(f"go cannot perform the witnesses: {''.join(elsewhere)[:2000]}")
    return [_of_example(names[name], "".join(printed[name]), ended.get(name)) for name in names]


def _of_example(witness: Witness, printed: str, ended: str | None) -> Shown:
    if ended == "pass":
        return Shown(witness.entry.cause, witness.expected)
    got = re.search(r"^got:\n(.*?)^want:\n", printed, re.MULTILINE | re.DOTALL)
    return Shown(witness.entry.cause, got[1]) if got else Shown(witness.entry.cause, "", printed or "it did not end")


def _performed(words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Perform a command, without the settings of this Python. Raises `TargetUnusable` if it does not end."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        return subprocess.run(
            words, cwd=folder, env=plain, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise TargetUnusable(f"the witnesses did not end within {_SECONDS} s") from None
    except OSError as error:
        raise TargetUnusable(f"the witnesses cannot be performed: {error}") from None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines()]
