"""When: reads of the backend under test, and calls of it in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from loopspec.contract.scene import (
    Ask,
    BackendStep,
    Break,
    CancelRead,
    Close,
    Delete,
    FailStore,
    File,
    Link,
    Meanwhile,
    ReadRequest,
    Repeat,
    StoreFailure,
    Write,
)

from ..builders.scene import SceneBuilder
from ..cells import NUMBER, PATH, TEXT, as_content, as_text, file_of
from ..declarations import ClosedList, Column, Columns, NotWritable, Rows, Table, Word, each
from ..phrasebook import when
from ..templates import filled, held_in, hole

_LONG = 200  # bytes of a content: a longer one is in no step

FAILURES: ClosedList[StoreFailure] = ClosedList(
    "failures of a store",
    "What happens to the whole store.",
    Word("the server is gone", "The server of the store is killed or unreachable.", "gone"),
    Word("the server stops answering", "The server accepts requests, and the client has a time limit.", "timeout"),
    Word("the credentials are rejected", "The store no longer accepts the credentials.", "refused"),
    Word("the container is removed", "The bucket, archive, folder or table with the files is gone.", "container"),
)


def _do(scene_builder: SceneBuilder, *steps: BackendStep) -> None:
    known = scene_builder.scene
    scene_builder.scene = replace(known, act="read", backend=(*known.backend, *steps))


def _read(path: str) -> Ask:
    return Ask(requests=(ReadRequest(file_path=path),))


def _reads(*paths: str) -> Iterator[Ask]:
    """Reads one after the other."""
    return map(_read, paths)


def _at_once(*paths: str) -> Ask:
    """Reads at the same time."""
    return Ask(requests=tuple(ReadRequest(file_path=path) for path in paths))


@when('"{path}" is read from the backend')
def is_read(scene_builder: SceneBuilder, path: str) -> None:
    """One read of a whole file."""
    _do(scene_builder, _read(path))


@when('{count:d} lines of "{path}" are read from the backend, from line {first:d}')
def lines_are_read(scene_builder: SceneBuilder, count: int, path: str, first: int) -> None:
    """One read of some lines. Needs the capability line-ranges, unless the lines are the whole file."""
    _do(scene_builder, Ask(requests=(ReadRequest(file_path=path, offset=first, limit=count),)))


@when("the stored files are read from the backend {times:Times} each, concurrently")
def stored_files_are_read_concurrently(scene_builder: SceneBuilder, times: int) -> None:
    """Many reads at the same time."""
    _do(scene_builder, _at_once(*(path for path in scene_builder.scene.files for _ in range(times))))


@when('the stored files and "{path}" are read from the backend concurrently')
def stored_files_and_one_are_read(scene_builder: SceneBuilder, path: str) -> None:
    """One read of each file, at the same time."""
    _do(scene_builder, _at_once(*scene_builder.scene.files, path))


@when('"{path}" is read from the backend, changed to "{content}" and read again')
def is_read_changed_and_read(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """Two reads with a change of the file between them. Needs the capability edits."""
    _do(scene_builder, _read(path), Write(path=path, file=file_of(content)), _read(path))


@when('"{path}" is read from the backend, changed to "{content}", then to "{last}", and read after each')
def is_read_and_changed_twice(scene_builder: SceneBuilder, path: str, content: str, last: str) -> None:
    """Three reads with changes of the file between them. Needs the capability edits."""
    is_read_changed_and_read(scene_builder, path, content)
    _do(scene_builder, Write(path=path, file=file_of(last)), _read(path))


@when("the stored files are read from the backend one after the other")
def stored_files_are_read(scene_builder: SceneBuilder) -> None:
    """One read of each file, in turn."""
    _do(scene_builder, *_reads(*scene_builder.scene.files))


@when('the stored files are read from the backend one after the other, and "{path}" last')
def stored_files_are_read_before_one(scene_builder: SceneBuilder, path: str) -> None:
    """One read of each file and of the path, in turn. Escapes in the path stand for characters.

    `{outside}` stands for the absolute path of a file outside every root, and `{up}` leads from the root of the backend
    to the root of the disk.
    """
    _do(scene_builder, *_reads(*scene_builder.scene.files, as_text(path)))


@when('"{path}" is changed to "{content}", and the stored files are read from the backend')
def is_changed_before_reads(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """One change, and then one read of each stored file. Needs the capability edits."""
    _do(scene_builder, Write(path=path, file=file_of(content)), *_reads(*scene_builder.scene.files))


@when('"{name}" is written to the backend, and read with the stored files')
def is_written_and_read(scene_builder: SceneBuilder, name: str) -> None:
    """A write, which may be refused, and then one read of each file. Needs the capability edits.

    Escapes in the name stand for characters.
    """
    path = as_text(name)
    write = Write(path=path, file=File(text="A written file."), judged=True)
    _do(scene_builder, write, *_reads(*scene_builder.scene.files, path))


@when("a name of {count:d} characters is written to the backend, and read with the stored files")
def long_name_is_written_and_read(scene_builder: SceneBuilder, count: int) -> None:
    """A write of a file whose name repeats a letter, which may be refused, and then one read of each file."""
    is_written_and_read(scene_builder, "n" * count)


@when('"{path}" is read from the backend before {failure}, and "{later}" afterward', failure=FAILURES)
def is_read_before_failure(scene_builder: SceneBuilder, path: str, failure: str, later: str) -> None:
    """Two reads; between them the whole store fails. Needs the capability of the failure."""
    _do(scene_builder, _read(path), FailStore(kind=FAILURES.read(failure)), _read(later))


@when('"{path}" is read from the backend {count:d} times, one read after the other')
def is_read_many_times(scene_builder: SceneBuilder, path: str, count: int) -> None:
    """Many reads. Needs the capability resources."""
    _do(scene_builder, Repeat(request=ReadRequest(file_path=path), times=count))


@when('"{path}" is read from the backend while the file is changed {count:d} times to {size:d} other bytes')
def is_read_during_changes(scene_builder: SceneBuilder, path: str, count: int, size: int) -> None:
    """Reads that are concurrent with changes of the file. Needs the capability edits."""
    writes = (Write(path=path, file=File(text=chr(ord("a") + n % 26), repeat=size)) for n in range(count))
    _do(scene_builder, Meanwhile(requests=_at_once(path, path).requests, steps=tuple(writes)))


@when('"{path}" is read from the backend while the file becomes a link to a file outside the root {times:Times}')
def is_read_during_links(scene_builder: SceneBuilder, path: str, times: int) -> None:
    """One read, and then many that are concurrent with the changes, between which the file is written again.

    Needs the capabilities edits and fault-outside.
    """
    swap = (Break(path=path, kind="outside"), Write(path=path, file=scene_builder.scene.files[path]))
    _do(scene_builder, _read(path), Meanwhile(requests=_at_once(*[path] * 8).requests, steps=(swap * times)[:-1]))


@when('{count:d} reads of "{path}" are cancelled, and "{later}" is read from the backend')
def reads_are_cancelled(scene_builder: SceneBuilder, count: int, path: str, later: str) -> None:
    """Reads that are cancelled while they wait, and one that is not. Needs the capability cancel-read."""
    _do(scene_builder, CancelRead(request=ReadRequest(file_path=path), times=count), _read(later))


@when('"{path}" is read from the backend, the backend is closed {times:Times}, and "{later}" is read')
def is_read_and_closed(scene_builder: SceneBuilder, path: str, times: int, later: str) -> None:
    """Two reads; between them the backend is closed. Needs the capability closes."""
    _do(scene_builder, _read(path), *[Close()] * times, _read(later))


@when('each line of "{path}" is read from the backend {times:Times}, concurrently')
def each_line_is_read(scene_builder: SceneBuilder, path: str, times: int) -> None:
    """One read of one line for each line of the stored file, so many times. Needs the capability line-ranges."""
    lines = range(1, len(scene_builder.scene.files[path].content.splitlines()) + 1)
    requests = (ReadRequest(file_path=path, offset=n, limit=1) for _ in range(times) for n in lines)
    _do(scene_builder, Ask(requests=tuple(requests)))


@when('a loader loads "{path}" from the backend')
def loader_loads(scene_builder: SceneBuilder, path: str) -> None:
    """The reference's loader loads the file and its imports through the backend under test."""
    scene_builder.act = "load through"
    scene_builder.configure(path)


_PATH = hole("path")

# Each call has the columns of its row as holes.
CALLS: ClosedList[BackendStep] = ClosedList(
    "calls of a backend",
    "A call of the backend, or what happens to the store.",
    Word(
        "read",
        "The file is read: the whole file, or a range of lines.",
        Ask(requests=(ReadRequest(file_path=_PATH, offset=hole("first line"), limit=hole("lines")),)),
    ),
    Word(
        "write",
        "The file is created or replaced. Needs the capability edits.",
        Write(path=_PATH, file=hole("content")),
    ),
    Word("delete", "The file is deleted. Needs the capability deletes.", Delete(path=_PATH)),
    Word(
        "link",
        "The path becomes a link to the target. Needs the capability links.",
        Link(path=_PATH, target=hole("target")),
    ),
    Word("deny permission", "The store denies permission to read the file.", Break(path=_PATH, kind="permission")),
    Word("break", "The store fails to read the file.", Break(path=_PATH, kind="io")),
    Word("link outside the root", "The file becomes a link that leaves the root.", Break(path=_PATH, kind="outside")),
    *(Word(word.text, word.meaning, FailStore(kind=word.value)) for word in FAILURES.words),
    Word("close", "The backend is closed. Needs the capability closes.", Close()),
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


_DEFAULTS: Mapping[str, object] = {PATH_COLUMN.name: "", TARGET.name: "", FIRST.name: 1, COUNT.name: 0}


@when("calls of the backend are made in order", COLUMNS)
def calls_are_made_in_order(scene_builder: SceneBuilder, table: Table) -> None:
    """Calls of one backend, each after the end of the call before."""
    for row in table:
        held = {name: COLUMNS[name].of(row, default) for name, default in _DEFAULTS.items()}
        _do(scene_builder, filled(CALL.read(row), {**held, CONTENT.name: file_of(CONTENT.text(row))}, {}))


def calls_table(steps: Sequence[BackendStep]) -> Rows:
    """The table of calls. Raises `NotWritable` for a call that no row says, such as concurrent ones."""
    rows = list(each("backend", steps, _cells))
    used = [column.name for column in COLUMNS if any(row.get(column.name) for row in rows)]
    return (tuple(used), *(tuple(row.get(name, "") for name in used) for row in rows))


def _cells(step: BackendStep) -> dict[str, str]:
    for word in CALLS.words:
        if (held := held_in(word.value, step, {})) is not None:
            return {CALL.name: word.text, **{name: _cell(name, value) for name, value in held.items()}}
    raise NotWritable("no row says this step")


def _cell(name: str, value: Any) -> str:  # Any: what the column holds
    if value == _DEFAULTS.get(name):
        return ""
    return content_text(value) if name == CONTENT.name else COLUMNS[name].holds.write(value)


def content_text(file: File) -> str:
    """The content of a file in words. Raises `NotWritable` for a long one."""
    if file.repeat != 1 or len(file.content) > _LONG:
        raise NotWritable("a long content is not written")
    return as_content(file.content)
