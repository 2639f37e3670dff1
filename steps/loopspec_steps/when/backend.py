"""When: reads of the backend under test."""

from __future__ import annotations

from loopspec.contract.scene import (
    Ask,
    Break,
    CancelRead,
    Close,
    FailStore,
    File,
    Meanwhile,
    ReadRequest,
    Repeat,
    StoreFailure,
    Write,
)

from ..builders.scene import SceneBuilder
from ..cells import as_text, file_of
from ..declarations import ClosedList, Word
from ..phrasebook import when

FAILURES: ClosedList[StoreFailure] = ClosedList(
    "failures of a store",
    "What happens to the whole store.",
    Word("the server is gone", "The server of the store is killed or unreachable.", "gone"),
    Word("the server stops answering", "The server accepts requests, and the client has a time limit.", "timeout"),
    Word("the credentials are rejected", "The store no longer accepts the credentials.", "refused"),
    Word("the container is removed", "The bucket, archive, folder or table with the files is gone.", "container"),
)


@when('"{path}" is read from the backend')
def one_is_read(scene_builder: SceneBuilder, path: str) -> None:
    """One read of a whole file."""
    _ask(scene_builder, ReadRequest(file_path=path))


@when('{count:d} lines of "{path}" are read from the backend, from line {first:d}')
def lines_are_read(scene_builder: SceneBuilder, count: int, path: str, first: int) -> None:
    """One read of some lines. Needs the capability line-ranges, unless the lines are the whole file."""
    _ask(scene_builder, ReadRequest(file_path=path, offset=first, limit=count))


@when("the stored files are read from the backend {times:Times} each, concurrently")
def all_are_read(scene_builder: SceneBuilder, times: int) -> None:
    """Many reads at the same time."""
    _ask(scene_builder, *(ReadRequest(file_path=path) for path in scene_builder.stored for _ in range(times)))


@when('the stored files and "{path}" are read from the backend concurrently')
def all_and_one_are_read(scene_builder: SceneBuilder, path: str) -> None:
    """One read of each file, at the same time."""
    _ask(scene_builder, *(ReadRequest(file_path=name) for name in [*scene_builder.stored, path]))


@when('"{path}" is read from the backend, changed to "{content}" and read again')
def read_changed_read(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """Two reads with a change of the file between them. Needs the capability edits."""
    _ask_between(scene_builder, path, content)


@when('"{path}" is read from the backend, changed to "{content}", then to "{last}", and read after each')
def read_changed_twice(scene_builder: SceneBuilder, path: str, content: str, last: str) -> None:
    """Three reads with changes of the file between them. Needs the capability edits."""
    _ask_between(scene_builder, path, content, last)


@when("the stored files are read from the backend one after the other")
def all_are_read_in_turn(scene_builder: SceneBuilder) -> None:
    """One read of each file, in turn."""
    _ask_in_turn(scene_builder, *scene_builder.stored)


@when('the stored files are read from the backend one after the other, and "{path}" last')
def all_are_read_before_one(scene_builder: SceneBuilder, path: str) -> None:
    """One read of each file and of the path, in turn. Escapes in the path stand for characters.

    `{outside}` stands for the absolute path of a file outside every root, and `{up}` leads from the root of the backend
    to the root of the disk.
    """
    _ask_in_turn(scene_builder, *scene_builder.stored, as_text(path))


@when('"{path}" is changed to "{content}", and the stored files are read from the backend')
def changed_then_all_read(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """One change, and then one read of each stored file. Needs the capability edits."""
    scene_builder.backend.append(Write(path=path, file=file_of(content)))
    _ask_in_turn(scene_builder, *scene_builder.stored)


@when('"{name}" is written to the backend, and read with the stored files')
def written_then_all_read(scene_builder: SceneBuilder, name: str) -> None:
    """A write, which may be refused, and then one read of each file. Needs the capability edits.

    Escapes in the name stand for characters.
    """
    path = as_text(name)
    scene_builder.backend.append(Write(path=path, file=File(text="A written file."), judged=True))
    _ask_in_turn(scene_builder, *scene_builder.stored, path)


@when("a name of {count:d} characters is written to the backend, and read with the stored files")
def long_name_written_then_all_read(scene_builder: SceneBuilder, count: int) -> None:
    """A write of a file whose name repeats a letter, which may be refused, and then one read of each file."""
    written_then_all_read(scene_builder, "n" * count)


@when('"{path}" is read from the backend before {failure}, and "{later}" afterward', failure=FAILURES)
def read_fail_read(scene_builder: SceneBuilder, path: str, failure: str, later: str) -> None:
    """Two reads; between them the whole store fails. Needs the capability of the failure."""
    _ask(scene_builder, ReadRequest(file_path=path))
    scene_builder.backend.append(FailStore(kind=FAILURES.read(failure)))
    _ask(scene_builder, ReadRequest(file_path=later))


@when('"{path}" is read from the backend {count:d} times, one read after the other')
def read_many_times(scene_builder: SceneBuilder, path: str, count: int) -> None:
    """Many reads. Needs the capability resources."""
    scene_builder.act = "read"
    scene_builder.backend.append(Repeat(request=ReadRequest(file_path=path), times=count))


@when('"{path}" is read from the backend while the file is changed {count:d} times to {size:d} other bytes')
def read_during_writes(scene_builder: SceneBuilder, path: str, count: int, size: int) -> None:
    """Reads that are concurrent with changes of the file. Needs the capability edits."""
    writes = [Write(path=path, file=File(text=chr(ord("a") + n % 26), repeat=size)) for n in range(count)]
    _meanwhile(scene_builder, [path] * 2, *writes)


@when('"{path}" is read from the backend while the file becomes a link to a file outside the root {times:Times}')
def read_during_swap(scene_builder: SceneBuilder, path: str, times: int) -> None:
    """One read, and then many that are concurrent with the changes, between which the file is written again.

    Needs the capabilities edits and fault-outside.
    """
    _ask(scene_builder, ReadRequest(file_path=path))
    swap = (Break(path=path, kind="outside"), Write(path=path, file=scene_builder.stored[path]))
    _meanwhile(scene_builder, [path] * 8, *(swap * times)[:-1])


@when('{count:d} reads of "{path}" are cancelled, and "{later}" is read from the backend')
def read_after_cancelled_reads(scene_builder: SceneBuilder, count: int, path: str, later: str) -> None:
    """Reads that are cancelled while they wait, and one that is not. Needs the capability cancel-read."""
    scene_builder.backend.append(CancelRead(request=ReadRequest(file_path=path), times=count))
    _ask(scene_builder, ReadRequest(file_path=later))


@when('"{path}" is read from the backend, the backend is closed {times:Times}, and "{later}" is read')
def read_close_read(scene_builder: SceneBuilder, path: str, times: int, later: str) -> None:
    """Two reads; between them the backend is closed. Needs the capability closes."""
    _ask(scene_builder, ReadRequest(file_path=path))
    scene_builder.backend += [Close() for _ in range(times)]
    _ask(scene_builder, ReadRequest(file_path=later))


@when('each line of "{path}" is read from the backend {times:Times}, concurrently')
def each_line_is_read(scene_builder: SceneBuilder, path: str, times: int) -> None:
    """One read of one line for each line of the stored file, so many times. Needs the capability line-ranges."""
    lines = scene_builder.stored[path].content.splitlines()
    _ask(
        scene_builder,
        *(ReadRequest(file_path=path, offset=n, limit=1) for _ in range(times) for n in range(1, len(lines) + 1)),
    )


@when('a loader loads "{path}" from the backend')
def loader_loads(scene_builder: SceneBuilder, path: str) -> None:
    """The reference's loader loads the file and its imports through the backend under test."""
    scene_builder.act = "load through"
    scene_builder.configure(path)


def _ask(scene_builder: SceneBuilder, *requests: ReadRequest) -> None:
    scene_builder.act = "read"
    scene_builder.backend.append(Ask(requests=requests))


def _ask_in_turn(scene_builder: SceneBuilder, *paths: str) -> None:
    for path in paths:
        _ask(scene_builder, ReadRequest(file_path=path))


def _ask_between(scene_builder: SceneBuilder, path: str, *contents: str) -> None:
    _ask(scene_builder, ReadRequest(file_path=path))
    for content in contents:
        scene_builder.backend.append(Write(path=path, file=file_of(content)))
        _ask(scene_builder, ReadRequest(file_path=path))


def _meanwhile(scene_builder: SceneBuilder, paths: list[str], *steps: Write | Break) -> None:
    scene_builder.act = "read"
    requests = tuple(ReadRequest(file_path=path) for path in paths)
    scene_builder.backend.append(Meanwhile(requests=requests, steps=steps))
