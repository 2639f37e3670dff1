"""Files: their formats, their sessions, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from loopspec.contract.faults import UsageError

from .formats import FORMATS, recognized
from .history import Entry, Format, Session
from .judging import Finding, judged
from .rules import Stored, known
from .sources import files_below, lines_of, read, unreadable

_Place = TypeVar("_Place", Finding, Entry)
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
        if not path.is_dir() or stored_at(path) is not None:
            yield from _checked(path, chosen, asked, is_named=True)
            continue
        for file in files_below(path):
            if isinstance(file, OSError):
                yield _unreadable(Path(file.filename), "folder", file)
            else:
                yield from _checked(file, chosen, asked, is_named=False)


def _checked(path: Path, chosen: Format | None, asked: Sequence[str], *, is_named: bool) -> Iterator[Checked]:
    try:
        for checked in check_file(path, chosen, asked):
            if is_named and not checked.format and not checked.findings:
                raise UsageError(_in_no_format(path, chosen))
            yield checked if is_named or checked.format else replace(checked, findings=())
    except OSError as error:
        if is_named:
            raise UsageError(f"{path} cannot be read: {error.strerror}") from None
        yield _unreadable(path, "file", error)


def _unreadable(path: Path, what: str, error: OSError) -> Checked:
    return Checked(path, "", findings=(unreadable(f"the {what} cannot be read: {error.strerror}"),), is_session=False)


def _in_no_format(path: Path, chosen: Format | None) -> str:
    if chosen is not None:
        return f"{path} has no message in the format {chosen.name}: without `--format`, the format is recognized"
    return f"{path} is in none of the formats {', '.join(FORMATS)}; `--format` names one to read it as"


def check_file(path: Path, chosen: Format | None, asked: Sequence[str]) -> Iterator[Checked]:
    """Judge the sessions of a file, each when it has been read, and then the file itself.

    `chosen` is the format of the file if the user names it; `asked` are the providers that the next request may go to,
    if the user names them. Raises `OSError` if the file cannot be read.
    """
    found: list[Finding] = []
    if (stored := stored_at(path, chosen)) is not None:
        (one, sessions), whole = stored, b""
    else:
        records, whole = read(path, found.append)
        looked_at = list(islice(records, _LOOKED_AT))
        read_as = chosen or recognized(looked_at)
        if read_as is None:
            yield Checked(path, "", findings=tuple(found), is_session=False)
            return
        one, sessions = read_as, read_as.sessions(chain(looked_at, records))
    is_known = chosen is None
    providers = known().formats.get(one.name, Stored()).providers or tuple(known().providers)
    for session in sessions:
        if (findings := judged(session, tuple(asked) or session.providers or providers)) is not None:
            is_known = True
            yield Checked(path, one.name, session.name, _placed(findings, whole) if whole else findings)
    yield Checked(path, one.name if is_known else "", findings=tuple(found), is_session=False)


def stored_at(path: Path, chosen: Format | None = None) -> tuple[Format, Iterable[Session]] | None:
    """The sessions of a store that is no JSON file, and its format. None: there is no such store at the path."""
    for one in [chosen] if chosen else FORMATS.values():
        if one.store is not None and (sessions := one.store(path)) is not None:
            return one, sessions
    return None


def _placed(findings: tuple[Finding, ...], whole: bytes) -> tuple[Finding, ...]:
    """The findings with their lines in a file that is one value."""
    if not findings:
        return ()
    wanted = {entry.at for one in findings for entry in one.context} | {one.at for one in findings}
    lines = lines_of(whole.decode("utf-8-sig", "replace"), wanted)

    def placed(place: _Place) -> _Place:
        return replace(place, line=lines.get(place.at, 1))

    return tuple(replace(placed(one), context=tuple(map(placed, one.context))) for one in findings)
