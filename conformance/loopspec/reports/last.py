"""The report that every run leaves in the user's cache, and what had failed by it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..contract.faults import UsageError
from ..engine.verdict import FAILURES
from ..specification.store import cache_folder
from .account import parts_of
from .jsonl import Report

_KEPT = 100  # reports of other folders and targets


def last_report(target: str, folder: Path) -> Path:
    """Where the last report on a target is that was run from a folder."""
    name = hashlib.sha256(f"{folder.resolve()}\0{target}".encode()).hexdigest()[:24]
    return cache_folder() / "last" / f"{name}.jsonl"


def open_last_report(target: str, folder: Path) -> Iterator[Report]:
    """Yield the report for a run that begins now, in place of the last one; none where the cache takes no file.

    Two runs at the same time write a file each, and the one that begins later leaves its own.
    """
    path = last_report(target, folder)
    with suppress(OSError, UsageError):
        path.parent.mkdir(parents=True, exist_ok=True)
        reports = sorted(path.parent.glob("*.jsonl"), key=lambda other: other.stat().st_mtime, reverse=True)
        for other in reports[_KEPT:]:
            other.unlink(missing_ok=True)
        path.unlink(missing_ok=True)  # another run may still write into it
        yield Report(path, is_asked_for=False)


def failed_in(path: Path) -> set[str]:
    """The cases that a report says failed, and of a run that judged only such cases those that it did not get to.

    Raises `UsageError` for a report that cannot be read.
    """
    run, lines, _ = parts_of(path)
    verdicts = {line.case: line.verdict for line in lines}
    failed = {case for case, verdict in verdicts.items() if verdict in FAILURES | {"stale"} and verdict != "not-run"}
    if run.last_failed:
        failed |= {case for case in run.planned if verdicts.get(case, "not-run") == "not-run"}
    return failed
