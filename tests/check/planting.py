"""Recordings of real libraries and tools, and the same with a planted fault."""

from __future__ import annotations

import copy
import json
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

RECORDINGS = Path(__file__).parent / "recordings"
Listed = TypeVar("Listed", bound=Struct)


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a recording. Each place is a JSON Pointer; in a file of JSON lines it begins with the line, from 1.

    `value` is set at `at`, or inserted before it if `at` is in a list and `insert` is true. `remove` is done last.
    """

    at: str = ""
    value: Any = None  # any JSON value
    copied_from: str = ""
    insert: bool = False
    remove: str = ""


class Fault(Struct, frozen=True, forbid_unknown_fields=True):
    """A planted fault: the recording, its changes, and what is found, each as `RULE line` (`CHECK-01 4`).

    `thread` is a public report of such a history, of whatever project.
    """

    name: str
    recording: str
    edits: tuple[Edit, ...]
    findings: tuple[str, ...]
    cut: int = 0  # bytes that are cut off at the end
    thread: str = ""


class Killed(Struct, frozen=True, forbid_unknown_fields=True):
    """What a tool stored when it was killed, what is found in it, and what the next request of the tool contained."""

    recording: str
    findings: tuple[str, ...]
    resumed: str


class Strange(Struct, frozen=True, forbid_unknown_fields=True):
    """A history that is broken or strange, and each finding in it."""

    name: str
    lines: str
    findings: tuple[str, ...]


def listed(file: Path, kind: type[Listed]) -> list[Listed]:
    """The entries of a file, which has one list."""
    [entries] = tomllib.loads(file.read_text(encoding="utf-8")).values()
    return [msgspec.convert(entry, kind) for entry in entries]


def recordings() -> dict[str, Path]:
    """Every sound recording by its path below the folder of recordings: all but those of killed runs."""
    found = (path for path in sorted(RECORDINGS.rglob("*.json*")) if path.parent.name != "killed")
    return {path.relative_to(RECORDINGS).as_posix(): path for path in found}


def faults() -> dict[str, tuple[Path, Fault]]:
    """Every planted fault, with its folder, by `folder: name`."""
    return {
        f"{file.parent.name}: {fault.name}": (file.parent, fault)
        for file in sorted(RECORDINGS.rglob("planted.toml"))
        for fault in listed(file, Fault)
    }


def killed() -> dict[str, tuple[Path, Killed]]:
    """What each tool stored when it was killed, by `format: recording`."""
    return {
        f"{file.parent.parent.name}: {run.recording}": (file.parent / run.recording, run)
        for file in sorted(RECORDINGS.rglob("killed.toml"))
        for run in listed(file, Killed)
    }


def planted(folder: Path, fault: Fault) -> bytes:
    """The recording with the fault."""
    text = (folder / fault.recording).read_text(encoding="utf-8")
    is_lines = fault.recording.endswith(".jsonl")
    value: Any = [None, *map(json.loads, text.splitlines())] if is_lines else json.loads(text)
    for edit in fault.edits:
        if edit.at:
            new = _at(value, edit.copied_from) if edit.copied_from else edit.value
            parent, key = _parent(value, edit.at)
            if edit.insert:
                parent.insert(key, copy.deepcopy(new))
            else:
                parent[key] = copy.deepcopy(new)
        if edit.remove:
            parent, key = _parent(value, edit.remove)
            del parent[key]
    lines = [json.dumps(line) for line in value[1:]] if is_lines else [json.dumps(value, indent=1)]
    data = ("\n".join(lines) + "\n").encode()
    return data[: len(data) - fault.cut]


def _at(value: Any, pointer: str) -> Any:
    parent, key = _parent(value, pointer)
    return parent[key]


def _parent(value: Any, pointer: str) -> tuple[Any, Any]:
    *above, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in above:
        value = value[int(part) if isinstance(value, list) else part]
    return value, int(last) if isinstance(value, list) else last
