"""The report that every run leaves in the user's cache, and its failures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..contract.cache import cache_folder
from ..contract.faults import UsageError
from ..engine.result import FAILURES
from .account import parts_of
from .jsonl import Report

_KEPT = 100  # reports of other folders and targets


def last_report(target: str, folder: Path) -> Path:
    """The path of the last report on a target in a folder."""
    name = hashlib.sha256(f"{folder.resolve()}\0{target}".encode()).hexdigest()[:24]
    return cache_folder() / "last" / f"{name}.jsonl"


def open_last_report(target: str, folder: Path) -> Iterator[Report]:
    """Yield the report for a new run, which replaces the last one; nothing if the cache cannot be written.

    Concurrent runs write separate files, and the later one stays.
    """
    path = last_report(target, folder)
    with suppress(OSError, UsageError):
        path.parent.mkdir(parents=True, exist_ok=True)
        reports = sorted(path.parent.glob("*.jsonl"), key=lambda other: other.stat().st_mtime, reverse=True)
        for other in reports[_KEPT:]:
            other.unlink(missing_ok=True)
        path.unlink(missing_ok=True)  # another run may still write into the file
        yield Report(path, is_asked_for=False)


def failed_in(path: Path) -> set[str]:
    """The failed cases of a report; for a run of such cases, also those that it did not reach.

    Raises `UsageError` for a report that cannot be read.
    """
    run, lines, _ = parts_of(path)
    verdicts = {line.case: line.verdict for line in lines}
    failed = {case for case, verdict in verdicts.items() if verdict in FAILURES | {"stale"} and verdict != "not-run"}
    if run.last_failed:
        failed |= {case for case in run.planned if verdicts.get(case, "not-run") == "not-run"}
    return failed
