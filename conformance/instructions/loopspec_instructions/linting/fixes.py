"""`loopspec lint --fix`: what is safe to mend, as a diff and in the files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from msgspec import Struct

from loopspec.contract.faults import UsageError
from loopspec.engine.output import in_a_line

from .findings import Finding, Report
from .repository import repository_of


class Change(Struct, frozen=True):
    """The content of one file, mended, and the difference for a person."""

    path: Path
    content: bytes
    diff: str


def changes(report: Report) -> tuple[Change, ...]:
    """The changes that mend findings. Files outside the repository are not changed."""
    repository = repository_of(os.path.realpath(report.folder))
    by_file: dict[str, list[Finding]] = {}
    for one in report.findings:
        real = os.path.realpath(Path(report.folder, one.path))
        if one.fix is not None and real.startswith(repository.rstrip("/") + "/"):
            by_file.setdefault(real, []).append(one)
    made = (_change(Path(real), findings) for real, findings in by_file.items())
    return tuple(change for change in made if change.diff)


def _change(path: Path, findings: Sequence[Finding]) -> Change:
    before = path.read_bytes().split(b"\n")
    after = [*before]
    for one in findings:
        if one.fix is not None and one.line <= len(after):
            old, new = (os.fsencode(text) for text in one.fix)
            after[one.line - 1] = after[one.line - 1].replace(old, new, 1)
    name = in_a_line(findings[0].path)
    old_lines, new_lines = ([f"{in_a_line(os.fsdecode(line))}\n" for line in lines] for lines in (before, after))
    return Change(path, b"\n".join(after), "".join(unified_diff(old_lines, new_lines, name, name)))


def write_changes(made: Sequence[Change]) -> None:
    """Write the files. Raises `UsageError` for one that cannot be written."""
    for change in made:
        try:
            change.path.write_bytes(change.content)
        except OSError as error:
            raise UsageError(f"{change.path} cannot be written: {error.strerror}") from None
