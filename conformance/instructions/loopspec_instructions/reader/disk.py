"""The files of the local disk."""

from __future__ import annotations

import errno
import os
import stat

from .files import KINDS, Content, Entry, Files, Kind, system_error

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_PART = 1 << 20  # bytes of one read


class DiskFiles(Files):
    """Reads any absolute path of the local disk. A pipe or a device is never read from."""

    def kind(self, path: str) -> Kind:
        try:
            mode = _stat(path).st_mode
        except OSError as error:
            return KINDS.get(error.errno, "unreadable")
        if stat.S_ISREG(mode):
            return "file"
        return "folder" if stat.S_ISDIR(mode) else "other"

    def read(self, path: str, limit: int) -> Content:
        # The kind is checked twice: opening a device can have an effect, and the path can change after the check.
        _require_file(_stat(path).st_mode, path)
        at = os.open(path, _READ)
        try:
            found = os.fstat(at)
            _require_file(found.st_mode, path)
            data = bytearray()
            while len(data) < limit and (part := os.read(at, min(limit - len(data), _PART))):
                data += part
            return Content(bytes(data), max(found.st_size, len(data)))
        finally:
            os.close(at)

    def real_path(self, path: str) -> str:
        _require_spelling(path)
        try:
            return os.path.realpath(path, strict=True)
        except (FileNotFoundError, NotADirectoryError):
            return os.path.realpath(path)

    def identity(self, path: str) -> tuple[int, int]:
        found = _stat(path)
        return found.st_dev, found.st_ino

    def entries(self, path: str) -> list[Entry]:
        _require_spelling(path)
        with os.scandir(path) as found:
            entries = [Entry(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]
        return sorted(entries, key=lambda entry: entry.name)


def _require_spelling(path: str) -> None:
    if "\0" in path:  # Python has a ValueError for it
        raise system_error(errno.EINVAL, path)


def _stat(path: str) -> os.stat_result:
    _require_spelling(path)
    return os.stat(path)  # noqa: PTH116  # a Path would change the spelling of the path


def _require_file(mode: int, path: str) -> None:
    if not stat.S_ISREG(mode):
        raise system_error(errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL, path)
