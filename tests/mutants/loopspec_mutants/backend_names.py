"""Mutants about the names and the paths of stored files."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager
from fnmatch import fnmatchcase
from posixpath import normpath
from unittest.mock import patch

from loopspec_reference import Content, MemoryBackend, ReadRequest
from loopspec_reference_adapter.stores import MemoryStore

from .registry import mutant

_read, _write, _delete = MemoryBackend.read, MemoryBackend.write, MemoryBackend.delete
Rename = Callable[[str], str]

_ONE_NAME = {"case-of-names": "one-name"}


def _reading_as(rename: Rename) -> AbstractContextManager[object]:
    """Patch the path of every read."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        return await _read(self, ReadRequest(rename(request.file_path), request.offset, request.limit))

    return patch.object(MemoryBackend, "read", reads)


def renaming(rename: Rename) -> AbstractContextManager[object]:
    """Patch the path of every read, of every write and of every deletion."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        return await _read(self, ReadRequest(rename(request.file_path), request.offset, request.limit))

    return patch.multiple(
        MemoryBackend,
        read=reads,
        write=lambda self, path, content: _write(self, rename(path), content),
        delete=lambda self, path: _delete(self, rename(path)),
    )


def in_upper_case(path: str) -> str:
    """Return the path in upper case, as NTFS compares names: a character whose upper case is several stays as it is."""
    return "".join(upper if len(upper := sign.upper()) == 1 else sign for sign in path)


def _missing_if(is_missing: Callable[[str], bool]) -> AbstractContextManager[object]:
    """Patch paths to be missing."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        if is_missing(request.file_path):
            raise FileNotFoundError(request.file_path)
        return await _read(self, request)

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-14", backend="memory")
def reads_names_as_addresses() -> AbstractContextManager[object]:
    """Drops what an address has after the path: the query and the fragment."""
    return _reading_as(lambda path: path.partition("#")[0].partition("?")[0])


@mutant("BACKEND-15", backend="memory")
def expands_patterns() -> AbstractContextManager[object]:
    """Reads the last file that a name with a star fits as a pattern."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        fitting = [path for path in sorted(self._files) if fnmatchcase(path, request.file_path)]
        path = fitting[-1] if fitting and "*" in request.file_path else request.file_path
        return await _read(self, ReadRequest(path, request.offset, request.limit))

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-16", backend="memory")
def converts_backslashes() -> AbstractContextManager[object]:
    """Reads a backslash as a slash."""
    return _reading_as(lambda path: path.replace("\\", "/"))


@mutant("BACKEND-17", backend="memory")
def composes_names() -> AbstractContextManager[object]:
    """Converts names to the composed Unicode form."""
    return renaming(lambda path: unicodedata.normalize("NFC", path))


@mutant("BACKEND-18", backend="memory")
def truncates_names() -> AbstractContextManager[object]:
    """Stores at most 100 characters of a name."""
    return renaming(lambda path: path[:100])


@mutant("BACKEND-19", backend="memory")
def strips_names() -> AbstractContextManager[object]:
    """Removes dots and spaces at the end of a name."""
    return renaming(lambda path: path if path.strip("./") == "" or path.endswith("/..") else path.rstrip(". "))


@mutant("BACKEND-20", backend="memory")
def replaces_characters_of_names() -> AbstractContextManager[object]:
    """Stores a name with a zero byte under another name."""
    return patch.object(
        MemoryBackend, "write", lambda self, path, content: _write(self, path.replace("\0", "_"), content)
    )


@mutant("BACKEND-20", backend="memory")
def raises_an_error_without_a_meaning_for_a_name() -> AbstractContextManager[object]:
    """Raises `ValueError` for a name that it cannot store."""

    def writes(self: MemoryStore, path: str, content: bytes) -> None:
        try:
            self._backend.write(path, content)
        except OSError as error:
            raise ValueError(path) from error

    return patch.object(MemoryStore, "write", writes)


@mutant("BACKEND-20", backend="memory")
def replaces_a_file_by_a_folder() -> AbstractContextManager[object]:
    """Removes a file to store a name below the file."""

    def writes(self: MemoryBackend, path: str, content: Content) -> None:
        for above in [path[:at] for at, sign in enumerate(path) if sign == "/"]:
            self._files.pop(above, None)
        _write(self, path, content)

    return patch.object(MemoryBackend, "write", writes)


@mutant("BACKEND-21", backend="memory", neighbors={"BACKEND-17": "a sign and its twin have one lower case"})
def ignores_the_case_of_names() -> AbstractContextManager[object]:
    """Converts names to lower case."""
    return renaming(lambda path: path.lower())


def _in_its_spelling(memory: MemoryBackend, path: str) -> str:
    """The path of a stored file that differs from the path only in case; the path itself if there is none."""
    return next((one for one in memory._files if in_upper_case(one) == in_upper_case(path)), path)


@mutant("BACKEND-22", backend="memory", postures=_ONE_NAME)
def ignores_the_case_of_reads_only() -> AbstractContextManager[object]:
    """Reads a file under each name, and writes another file under a name with other letters."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        path = request.file_path if request.file_path in self._files else _in_its_spelling(self, request.file_path)
        return await _read(self, ReadRequest(path, request.offset, request.limit))

    return patch.object(MemoryBackend, "read", reads)


@mutant("BACKEND-22", backend="memory", postures=_ONE_NAME)
def ignores_the_case_of_files_only() -> AbstractContextManager[object]:
    """Compares the names of folders as they are."""

    def renamed(path: str) -> str:
        folder, slash, name = path.rpartition("/")
        return folder + slash + "".join(sign.lower() if sign.isascii() else sign for sign in name)

    return renaming(renamed)


@mutant("BACKEND-22", backend="memory", postures=_ONE_NAME)
def ignores_the_case_of_characters_that_are_no_letters() -> AbstractContextManager[object]:
    """Ignores the bit in which a small letter differs from a capital one, and a bracket from a brace."""
    return renaming(lambda path: "".join(chr(ord(sign) | 0x20) if "@" < sign <= "~" else sign for sign in path))


@mutant("BACKEND-23", backend="memory", neighbors={"BACKEND-20": "a written name has a dot segment"})
def compares_paths_as_they_are() -> AbstractContextManager[object]:
    """Takes a path with a dot segment for the path of another file."""
    return _missing_if(lambda path: "/./" in f"/{path}" and normpath(path) != ".")


@mutant("BACKEND-24", backend="memory")
def ignores_parent_segments() -> AbstractContextManager[object]:
    """Removes parent segments from a path, and keeps the folders before them."""
    return _reading_as(lambda path: path if path.startswith("..") else path.replace("../", ""))


@mutant("BACKEND-25", backend="memory", neighbors={"BACKEND-20": "a written name has doubled slashes"})
def counts_doubled_slashes() -> AbstractContextManager[object]:
    """Takes the part between doubled slashes for a folder without a name."""
    return _missing_if(lambda path: "//" in path)


@mutant("BACKEND-26", backend="memory")
def takes_the_root_for_missing() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` for the root."""
    return _missing_if(lambda path: normpath(path) == ".")


@mutant("BACKEND-27", backend="memory")
def takes_a_path_below_a_file_for_missing() -> AbstractContextManager[object]:
    """Raises `FileNotFoundError` for a path below a file."""

    async def reads(self: MemoryBackend, request: ReadRequest) -> Content:
        try:
            return await _read(self, request)
        except NotADirectoryError:
            raise FileNotFoundError(request.file_path) from None

    return patch.object(MemoryBackend, "read", reads)
