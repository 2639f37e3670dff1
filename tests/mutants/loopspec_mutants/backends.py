"""Mutants about being a backend, and about what one is asked."""

from __future__ import annotations

import asyncio
import codecs
import errno
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import Context, copy_context
from pathlib import Path
from unittest.mock import patch
from urllib.parse import unquote

from loopspec_reference import AgentContext, AnyMessage, Backend, Content, LocalBackend, MemoryBackend, ReadRequest
from loopspec_reference.agentsmd import AgentsMD, LoadWarning, loader
from loopspec_reference.agentsmd import backends as module
from loopspec_reference.runs.run import Run, current_run

from .registry import mutant

_Loading = loader._Loading


@mutant("AMD-BACKEND-02")
def reads_in_the_context_of_the_beginning() -> AbstractContextManager[object]:
    """Reads in the context the run began with, not in that of the hook."""
    load = AgentsMD._load
    began: dict[Run | None, Context] = {}

    async def begins(self: AgentsMD[AnyMessage], context: AgentContext) -> AgentContext:
        began[current_run.get()] = copy_context()
        return context

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        return await asyncio.create_task(load(self), context=began.get(current_run.get()))

    return patch.multiple(AgentsMD, before_agent=begins, _load=loads)


@mutant("AMD-BACKEND-13")
def falls_back_to_the_disk() -> AbstractContextManager[object]:
    """Reads from the local disk what the backend does not have."""
    init = _Loading.__init__

    def begins(self: _Loading, backend: Backend, max_bytes: int, on_warning: Callable[[LoadWarning], None]) -> None:
        async def reads(request: ReadRequest) -> Content | None:
            try:
                return await backend.read(request)
            except FileNotFoundError:
                if not Path(request.file_path).is_file():
                    raise
                return Path(request.file_path).read_bytes()

        init(self, backend, max_bytes, on_warning)
        self._read = reads

    return patch.object(_Loading, "__init__", begins)


def _gives(change: Callable[[bytes], bytes]) -> AbstractContextManager[object]:
    """Change what is stored on its way out."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        return change(content.encode() if isinstance(content, str) else content)

    return patch.object(MemoryBackend, "read", reads)


@mutant("AMD-BACKEND-05", backend="memory")
def lets_a_key_error_out() -> AbstractContextManager[object]:
    """Keeps each folder as a dictionary, and answers with its `KeyError` for a name the folder does not have."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        folder, slash, name = request.file_path.rpartition("/")
        names = [path[len(folder) + 1 :] for path in self._files if slash and path.startswith(folder + slash)]
        if names and name not in names:
            raise KeyError(name)
        return await read(self, request)

    return patch.object(MemoryBackend, "read", reads)


@mutant(
    "AMD-BACKEND-05",
    backend="memory",
    neighbors={
        "AMD-BACKEND-10": "one of the files that are read at once is missing",
        "BACKEND-04": "one of the files that change is missing at first",
        "BACKEND-05": "one of the project's files is missing, and the loader is to be told",
    },
)
def takes_a_missing_file_for_empty() -> AbstractContextManager[object]:
    """Answers for a missing file as for an empty one."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except FileNotFoundError:
            return b""

    return patch.object(MemoryBackend, "read", reads)


@mutant("AMD-BACKEND-10", backend="memory")
def remembers_one_request_only() -> AbstractContextManager[object]:
    """Keeps the request under way in the backend itself, where the next one overwrites it."""
    read = MemoryBackend.read
    under_way: dict[MemoryBackend, ReadRequest] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        under_way[self] = request
        await asyncio.sleep(0)
        return await read(self, under_way[self])

    return patch.object(MemoryBackend, "read", reads)


@mutant("AMD-BACKEND-11", backend="local")
def asks_first_whether_the_file_exists() -> AbstractContextManager[object]:
    """Trusts `Path.exists`, which says no of a link to itself."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        if not Path(self._root, request.file_path).exists():
            raise FileNotFoundError(request.file_path)
        return read(self, request)

    return patch.object(LocalBackend, "_read", reads)


@mutant(
    "AMD-BACKEND-11",
    backend="local",
    neighbors={"BACKEND-05": "a file of the project is forbidden in its second scenario"},
)
def hides_what_is_forbidden() -> AbstractContextManager[object]:
    """Says of a file that it may not read that it does not exist."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        try:
            return read(self, request)
        except PermissionError as error:
            raise FileNotFoundError(request.file_path) from error

    return patch.object(LocalBackend, "_read", reads)


@mutant("AMD-BACKEND-12", backend="memory")
def reads_in_text_mode() -> AbstractContextManager[object]:
    """Opens files in text mode, which makes every line end a line feed."""
    return _gives(lambda content: content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


@mutant("AMD-BACKEND-12", backend="memory")
def swallows_the_byte_order_mark() -> AbstractContextManager[object]:
    """Leaves a byte order mark out."""
    return _gives(lambda content: content.removeprefix(codecs.BOM_UTF8))


@mutant("AMD-BACKEND-12", backend="memory")
def speaks_latin_1_only() -> AbstractContextManager[object]:
    """Decodes what is stored as Latin-1 and gives it back in UTF-8."""
    return _gives(lambda content: content.decode("latin-1").encode())


@mutant("AMD-BACKEND-12", backend="memory")
def ends_at_a_zero_byte() -> AbstractContextManager[object]:
    """Takes a zero byte for the end of the file."""
    return _gives(lambda content: content.partition(b"\0")[0])


@mutant("AMD-BACKEND-12", backend="memory")
def reads_one_megabyte_at_most() -> AbstractContextManager[object]:
    """Reads once, into a buffer of a megabyte."""
    return _gives(lambda content: content[: 1 << 20])


@mutant("BACKEND-01", backend="memory")
def misses_folders() -> AbstractContextManager[object]:
    """Answers for a folder as for a missing file."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except IsADirectoryError:
            raise FileNotFoundError(request.file_path) from None

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-02", backend="memory")
def takes_paths_for_links() -> AbstractContextManager[object]:
    """Decodes percent signs in a path."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        return await read(self, ReadRequest(unquote(request.file_path), request.offset, request.limit))

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-03", backend="memory")
def counts_lines_from_zero() -> AbstractContextManager[object]:
    """Takes the first line for line 0."""
    pick = module.pick_lines
    return patch.object(
        module, "pick_lines", lambda content, r: pick(content, ReadRequest(r.file_path, r.offset + 1, r.limit))
    )


@mutant("BACKEND-04", backend="memory")
def keeps_what_it_has_read() -> AbstractContextManager[object]:
    """Answers a second read of a file with what the first one gave."""
    read = MemoryBackend.read
    kept: dict[tuple[MemoryBackend, ReadRequest], Content] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        if (self, request) not in kept:
            kept[self, request] = await read(self, request)
        return kept[self, request]

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-04", backend="memory")
def writes_over_what_is_there() -> AbstractContextManager[object]:
    """Writes without making the file shorter."""

    write = MemoryBackend.write

    def writes(self: MemoryBackend, path: str, content: Content) -> None:
        old, new = (data.encode() if isinstance(data, str) else data for data in (self._files.get(path, ""), content))
        write(self, path, new + old[len(new) :])

    return patch.object(MemoryBackend, "write", writes)


@mutant("BACKEND-05", backend="memory")
def runs_out_of_files() -> AbstractContextManager[object]:
    """Keeps every file open that it has read, and cannot open more than ten."""
    read = MemoryBackend.read
    opened: set[str] = set()

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        opened.add(request.file_path)
        if len(opened) > 10:
            raise OSError(errno.EMFILE, "too many open files", request.file_path)
        return content

    return patch.object(MemoryBackend, "read", reads)
