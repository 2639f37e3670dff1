"""One file: its format, its sessions, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

import msgspec
from msgspec import Struct

from .formats import FORMATS, recognized
from .history import Format, Session
from .judging import Finding, judged
from .positions import lines_of
from .rules import providers
from .sources import Source
from .values import Keys

_LOOKED_AT = 20  # values of a file by which its format is recognized


class Checked(Struct, frozen=True):
    """What is wrong with one session, or with the file apart from its sessions."""

    path: Path
    format: str
    session: str
    findings: tuple[Finding, ...]
    is_session: bool = True


def check_file(path: Path, chosen: Format | None, asked: Sequence[str]) -> Iterator[Checked] | None:
    """Judge the sessions of a file, each when it has been read. None: the file is in no known format.

    `chosen` is the format of the file if the user names it; `asked` are the providers that the next request may go to,
    if the user names them. Raises `UsageError` if the file cannot be read.
    """
    if (stored := stored_at(path, chosen)) is not None:
        return _judged(path, *stored, asked)
    found: list[Finding] = []
    source = Source(path, found.append)
    records = source.records()
    first = list(islice(records, _LOOKED_AT))
    read_as = chosen or recognized([record.value for record in first])
    if read_as is None:
        return iter([Checked(path, "", "", tuple(found), is_session=False)]) if found else None
    return _of_file(path, read_as, read_as.sessions(chain(first, records)), asked, source, found)


def stored_at(path: Path, chosen: Format | None = None) -> tuple[Format, Iterable[Session]] | None:
    """The sessions of a store that is no JSON file, and its format. None: there is no such store at the path."""
    for one in [chosen] if chosen else FORMATS.values():
        if one.store is not None and (sessions := one.store(path)) is not None:
            return one, sessions
    return None


def _of_file(
    path: Path, one: Format, sessions: Iterable[Session], asked: Sequence[str], source: Source, found: list[Finding]
) -> Iterator[Checked]:
    for checked in _judged(path, one, sessions, asked):
        placed = _placed(checked.findings, source.whole) if source.is_whole and checked.findings else checked.findings
        yield msgspec.structs.replace(checked, findings=placed)
    if found:
        yield Checked(path, one.name, "", tuple(found), is_session=False)


def _judged(path: Path, one: Format, sessions: Iterable[Session], asked: Sequence[str]) -> Iterator[Checked]:
    for session in sessions:
        wanted = tuple(asked) or session.providers or one.providers or tuple(providers())
        yield Checked(path, one.name, session.name, judged(session, wanted))


def _placed(findings: tuple[Finding, ...], whole: bytes) -> tuple[Finding, ...]:
    """The findings with their lines in a file that is one value."""
    wanted = {entry.at for one in findings for entry in one.context} | {one.at for one in findings}
    lines = lines_of(whole.decode("utf-8-sig", "replace"), wanted)

    def line(at: Keys) -> int:
        return lines.get(at, 1)

    return tuple(
        msgspec.structs.replace(
            one,
            line=line(one.at),
            context=tuple(msgspec.structs.replace(entry, line=line(entry.at)) for entry in one.context),
        )
        for one in findings
    )
