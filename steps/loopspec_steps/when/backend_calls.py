"""When: calls of the backend under test in order."""

from __future__ import annotations

from collections.abc import Callable

from loopspec.contract.scene import (
    Ask,
    BackendStep,
    Break,
    Close,
    Delete,
    FailStore,
    Link,
    ReadRequest,
    StoreFailure,
    StoreFault,
    Write,
)

from ..builders.scene import SceneBuilder
from ..cells import NUMBER, PATH, TEXT, file_of
from ..declarations import ClosedList, Column, Columns, Row, Table, Word
from ..phrasebook import when
from .backend import FAILURES

_Call = Callable[[Row], BackendStep]


def _read(row: Row) -> BackendStep:
    request = ReadRequest(file_path=PATH_COLUMN.text(row), offset=FIRST.of(row, 1), limit=COUNT.of(row, 0))
    return Ask(requests=(request,))


def _write(row: Row) -> BackendStep:
    return Write(path=PATH_COLUMN.text(row), file=file_of(CONTENT.text(row)))


def _delete(row: Row) -> BackendStep:
    return Delete(path=PATH_COLUMN.text(row))


def _break(kind: StoreFault) -> _Call:
    return lambda row: Break(path=PATH_COLUMN.text(row), kind=kind)


def _fail(kind: StoreFailure) -> _Call:
    return lambda row: FailStore(kind=kind)


def _link(row: Row) -> BackendStep:
    return Link(path=PATH_COLUMN.text(row), target=TARGET.text(row))


def _close(row: Row) -> BackendStep:
    return Close()


READ, WRITE, DELETE, LINK, CLOSE = "read", "write", "delete", "link", "close"
# The texts of the calls that make reads of one file fail.
FAULTS: dict[StoreFault, str] = {"permission": "deny permission", "io": "break", "outside": "link outside the root"}

CALLS: ClosedList[_Call] = ClosedList(
    "calls of a backend",
    "A call of the backend, or what happens to the store.",
    Word(READ, "The file is read: the whole file, or a range of lines.", _read),
    Word(WRITE, "The file is created or replaced. Needs the capability edits.", _write),
    Word(DELETE, "The file is deleted. Needs the capability deletes.", _delete),
    Word(LINK, "The path becomes a link to the target. Needs the capability links.", _link),
    Word(FAULTS["permission"], "The store denies permission to read the file.", _break("permission")),
    Word(FAULTS["io"], "The store fails to read the file.", _break("io")),
    Word(FAULTS["outside"], "The file becomes a link that leaves the root.", _break("outside")),
    *(Word(word.text, word.meaning, _fail(word.value)) for word in FAILURES.words),
    Word(CLOSE, "The backend is closed. Needs the capability closes.", _close),
)

CALL = Column("call", "What happens in this call.", CALLS, required=True)
PATH_COLUMN = Column("path", "The path of the file.", PATH)
CONTENT = Column("content", "The content that is written.", TEXT)
TARGET = Column("target", "The path that the link leads to.", PATH)
FIRST = Column("first line", "The first line of a range, from 1.", NUMBER)
COUNT = Column("lines", "The number of lines of a range; empty for all.", NUMBER)

COLUMNS: Columns[Column[object]] = Columns(
    "calls in order", "Calls of a backend, one per row.", CALL, PATH_COLUMN, CONTENT, TARGET, FIRST, COUNT
)


@when("calls of the backend are made in order", COLUMNS)
def calls_are_made(scene_builder: SceneBuilder, table: Table) -> None:
    """Calls of one backend, each after the end of the call before."""
    scene_builder.act = "read"
    scene_builder.backend += [CALL.read(row)(row) for row in table]
