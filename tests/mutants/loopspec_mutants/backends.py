"""Mutants about backends, and about the requests that backends receive."""

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
def reads_in_the_context_of_the_start() -> AbstractContextManager[object]:
    """Reads files in the context in which the run began, not in the context of the hook."""
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
    """Reads a file from the local disk if the backend does not have it."""
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


def _returning(change: Callable[[bytes], bytes]) -> AbstractContextManager[object]:
    """Patch the content that a backend returns."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        return change(content.encode() if isinstance(content, str) else content)

    return patch.object(MemoryBackend, "read", reads)


@mutant("AMD-BACKEND-05", backend="memory")
def raises_a_key_error() -> AbstractContextManager[object]:
    """Raises `KeyError` for a missing file in a folder that exists."""
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
        "AMD-BACKEND-10": "one of the files that are read concurrently is missing",
        "BACKEND-04": "one of the files that change is missing initially",
        "BACKEND-33": "a path with a zero byte is missing",
        "BACKEND-50": "a deleted file is missing",
    },
)
def takes_a_missing_file_for_empty() -> AbstractContextManager[object]:
    """Returns empty content for a missing file in a folder that exists."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except FileNotFoundError:
            folder, slash, _ = request.file_path.rpartition("/")
            if slash and folder not in self._folders:
                raise
            return b""

    return patch.object(MemoryBackend, "read", reads)


@mutant(
    "AMD-BACKEND-10",
    backend="memory",
    neighbors={
        "BACKEND-01": "an example reads a file and its folder concurrently",
        "BACKEND-40": "the lines of a file are read concurrently",
    },
)
def keeps_one_request() -> AbstractContextManager[object]:
    """Stores the current request in the backend, where the next request overwrites it."""
    read = MemoryBackend.read
    current: dict[MemoryBackend, ReadRequest] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        current[self] = request
        await asyncio.sleep(0)
        return await read(self, current[self])

    return patch.object(MemoryBackend, "read", reads)


@mutant(
    "AMD-BACKEND-11",
    backend="local",
    neighbors={
        "AMD-BACKEND-14": "no file of a root that is gone exists",
        "AMD-BACKEND-15": "no file of a root that does not answer exists",
        "AMD-BACKEND-16": "no file of a root that is forbidden exists",
        "BACKEND-27": "no file below a file exists",
        "BACKEND-29": "no file of a root that is removed exists",
    },
)
def checks_whether_the_file_exists() -> AbstractContextManager[object]:
    """Checks `Path.exists` first, which is false for a link to itself."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        if not Path(self._root, request.file_path).exists():
            raise FileNotFoundError(request.file_path)
        return read(self, request)

    return patch.object(LocalBackend, "_read", reads)


@mutant(
    "AMD-BACKEND-11",
    backend="local",
    neighbors={
        "AMD-BACKEND-16": "the folder of the files is forbidden",
        "BACKEND-05": "a file of the project is forbidden in the second scenario",
        "BACKEND-06": "the target of the link is forbidden",
    },
)
def takes_a_forbidden_file_for_missing() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` for a file that it may not read."""
    read = LocalBackend._read

    def reads(self: LocalBackend, request: ReadRequest) -> bytes:
        try:
            return read(self, request)
        except PermissionError as error:
            raise FileNotFoundError(request.file_path) from error

    return patch.object(LocalBackend, "_read", reads)


@mutant("AMD-BACKEND-12", backend="memory", neighbors={"BACKEND-11": "a range has CRLF line endings"})
def reads_in_text_mode() -> AbstractContextManager[object]:
    """Reads files in text mode, which converts every line ending to a line feed."""
    return _returning(lambda content: content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))


@mutant("AMD-BACKEND-12", backend="memory")
def drops_the_byte_order_mark() -> AbstractContextManager[object]:
    """Removes a byte order mark."""
    return _returning(lambda content: content.removeprefix(codecs.BOM_UTF8))


@mutant(
    "AMD-BACKEND-12",
    backend="memory",
    neighbors={
        "BACKEND-07": "the bytes are not ASCII",
        "BACKEND-08": "the letters are not ASCII",
        "BACKEND-09": "a no-break space is not ASCII",
        "BACKEND-47": "an example is a letter that is not ASCII",
    },
)
def converts_from_latin_1() -> AbstractContextManager[object]:
    """Decodes the stored content as Latin-1 and encodes it as UTF-8."""
    return _returning(lambda content: content.decode("latin-1").encode())


@mutant("AMD-BACKEND-12", backend="memory", neighbors={"BACKEND-07": "a text in UTF-16 has zero bytes"})
def ends_at_a_zero_byte() -> AbstractContextManager[object]:
    """Takes a zero byte for the end of the file."""
    return _returning(lambda content: content.partition(b"\0")[0])


@mutant("AMD-BACKEND-12", backend="memory", neighbors={"BACKEND-10": "a file has 10 MB"})
def reads_one_megabyte_at_most() -> AbstractContextManager[object]:
    """Reads at most one megabyte of a file."""
    return _returning(lambda content: content[: 1 << 20])


@mutant("BACKEND-01", backend="memory", neighbors={"BACKEND-26": "the root is a folder"})
def takes_a_folder_for_missing() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` for a folder."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await read(self, request)
        except IsADirectoryError:
            raise FileNotFoundError(request.file_path) from None

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-02", backend="memory", neighbors={"BACKEND-14": "a name has a percent sign"})
def decodes_percent_signs() -> AbstractContextManager[object]:
    """Decodes percent signs in a path."""
    read = MemoryBackend.read

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        return await read(self, ReadRequest(unquote(request.file_path), request.offset, request.limit))

    return patch.object(MemoryBackend, "read", reads)


@mutant(
    "BACKEND-03",
    backend="memory",
    neighbors={
        "BACKEND-07": "a range of lines is read",
        "BACKEND-11": "a range of lines is read",
        "BACKEND-12": "line 2 is read",
        "BACKEND-13": "the last line is read",
        "BACKEND-40": "each line is read",
    },
)
def counts_lines_from_zero() -> AbstractContextManager[object]:
    """Counts lines from zero."""
    pick = module.pick_lines
    return patch.object(
        module, "pick_lines", lambda content, r: pick(content, ReadRequest(r.file_path, r.offset + 1, r.limit))
    )


@mutant(
    "BACKEND-04",
    backend="memory",
    neighbors={
        "BACKEND-38": "a file changes and keeps its size",
        "BACKEND-50": "the file is read before the deletion",
        "BACKEND-52": "the file is read before the deletion",
    },
)
def caches_content() -> AbstractContextManager[object]:
    """Returns the content of the first read for every later read of a file."""
    read = MemoryBackend.read
    kept: dict[tuple[MemoryBackend, ReadRequest], Content] = {}

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        if (self, request) not in kept:
            kept[self, request] = await read(self, request)
        return kept[self, request]

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-04", backend="memory", neighbors={"BACKEND-37": "a file becomes shorter"})
def writes_without_truncating() -> AbstractContextManager[object]:
    """Writes a file without truncating it."""

    write = MemoryBackend.write

    def writes(self: MemoryBackend, path: str, content: Content) -> None:
        old, new = (data.encode() if isinstance(data, str) else data for data in (self._files.get(path, ""), content))
        write(self, path, new + old[len(new) :])

    return patch.object(MemoryBackend, "write", writes)


@mutant("BACKEND-05", backend="memory")
def keeps_files_open() -> AbstractContextManager[object]:
    """Keeps every file open, and fails at the eleventh."""
    read = MemoryBackend.read
    opened: set[str] = set()

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        content = await read(self, request)
        opened.add(request.file_path)
        if len(opened) > 10:
            raise OSError(errno.EMFILE, "too many open files", request.file_path)
        return content

    return patch.object(MemoryBackend, "read", reads)
