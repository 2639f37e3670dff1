"""Files: their formats, their sessions, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.faults import UsageError

from .formats import FORMATS, recognized
from .formats.opencode import stored
from .history import Entry, Format
from .judging import Finding, judged
from .rules import Stored, known
from .sources import files_below, lines_of, read, unreadable

_LOOKED_AT = 20  # values of a file by which its format is recognized


class Checked(Struct, frozen=True):
    """What is wrong with one session, or with a file apart from its sessions. An unknown format is empty."""

    path: Path
    format: str
    session: str = ""
    findings: tuple[Finding, ...] = ()
    is_session: bool = True


def check_paths(paths: Sequence[Path], chosen: Format | None, asked: Sequence[str]) -> Iterator[Checked]:
    """Judge files, stores, and the files of folders, each as `check_file` does.

    In a folder, what cannot be read is a finding, and a file in no known format has none. Raises `UsageError` if such a
    file is named.
    """
    for path in paths:
        if not path.is_dir() or stored(path) is not None:
            yield from _check_named(path, chosen, asked)
            continue
        for file in files_below(path):
            if isinstance(file, OSError):
                yield _unread(Path(file.filename), "folder", file)
                continue
            try:
                for checked in check_file(file, chosen, asked):
                    yield checked if checked.format else replace(checked, findings=())
            except OSError as error:
                yield _unread(file, "file", error)


def _unread(path: Path, what: str, error: OSError) -> Checked:
    return Checked(path, "", findings=(unreadable(f"the {what} cannot be read: {error.strerror}"),), is_session=False)


def _check_named(path: Path, chosen: Format | None, asked: Sequence[str]) -> Iterator[Checked]:
    none = f"{path} is in none of the formats {', '.join(FORMATS)}; `--format` names one to read it as"
    if chosen is not None:
        none = f"{path} has no message in the format {chosen.name}: without `--format`, the format is recognized"
    try:
        for checked in check_file(path, chosen, asked):
            if not checked.format and not checked.findings:
                raise UsageError(none)
            yield checked
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from None


def check_file(path: Path, chosen: Format | None, asked: Sequence[str]) -> Iterator[Checked]:
    """Judge the sessions of a file, each when it has been read, and then the file itself.

    The user may choose the format, and ask about the providers of the next request. Raises `OSError`.
    """
    found: list[Finding] = []
    read_as: Format | None = FORMATS["opencode"]
    whole = b""
    if (records := stored(path)) is None:
        records, whole = read(path, found.append)
        looked_at = [*islice(records, _LOOKED_AT)]
        records = chain(looked_at, records)
        read_as = recognized(looked_at)
    one, is_known = chosen or read_as, chosen is None
    name = one.name if one else ""
    providers = known().formats.get(name, Stored()).providers or tuple(known().providers)
    for session in one.sessions(records) if one else ():
        if (findings := judged(session, tuple(asked) or session.providers or providers)) is not None:
            is_known = True
            if whole and findings:
                _place(findings, whole)
            yield Checked(path, name, session.name, findings)
    yield Checked(path, name if is_known else "", findings=tuple(found), is_session=False)


def _place(findings: Sequence[Finding], whole: bytes) -> None:
    """Give the findings, and the entries around them, their lines in a file that is one value."""
    places: list[Finding | Entry] = [*findings, *chain(*(one.context for one in findings))]
    lines = lines_of(whole.decode("utf-8-sig"), [one.at for one in places])
    for one in places:
        one.line = lines.get(one.at, 1)
