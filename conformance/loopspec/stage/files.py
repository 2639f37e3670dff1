"""The scene's files, as they are at the moment."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from ..contract.observation import Content
from ..contract.scene import Change, Fault, File, Scene

_LONG = 100_000  # bytes


def content_of(data: str | bytes | None) -> Content | None:
    """Content as the record holds it: text where it is UTF-8, unless it is too long to be read by a person."""
    if data is None:
        return None
    if isinstance(data, str):
        return Content(text=data) if len(data) <= _LONG else Content(base64=data.encode("utf-8", "surrogatepass"))
    if len(data) > _LONG:
        return Content(base64=data)
    try:
        return Content(text=data.decode())
    except UnicodeDecodeError:
        return Content(base64=data)


def as_read(data: bytes) -> str | bytes:
    """Content in the form in which a backend returns the content: see `Environment.read`.

    The form depends on the content alone, so that it is the same in every process, and in every order of reads.
    """
    if len(data) % 2:
        return data
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


@dataclass(frozen=True, slots=True)
class Found:
    """The outcome of one read: content (None: no content object), or an error."""

    data: str | bytes | None = None
    error: Exception | None = None


class Files:
    """Files by path. A path is looked up exactly as it is spelled."""

    def __init__(self, scene: Scene) -> None:
        self._files = dict(scene.files)

    def apply(self, change: Change) -> None:
        """Create, replace or delete a file."""
        if change.path is not None:
            if change.file is None:
                self._files.pop(change.path, None)
            else:
                self._files[change.path] = change.file

    def get(self, path: str) -> File | None:
        """The file as it is now."""
        return self._files.get(path)

    def find(self, path: str) -> Found:
        """The outcome of reading the path now."""
        file = self._files.get(path)
        if file is None:
            return Found(error=FileNotFoundError(errno.ENOENT, "no such file", path))
        data = file.content
        if file.fault:
            return Found(error=fault_error(file.fault, path, data))
        if file.nothing:
            return Found()
        return Found(as_read(data))


def fault_error(fault: Fault, path: str, content: bytes) -> Exception:
    """The exception that a fault stands for. Content that the file has anyway is its attribute `content`."""
    error: Exception
    match fault.kind:
        case "not_exist":
            error = FileNotFoundError(errno.ENOENT, fault.message or "no such file", path)
        case "permission":
            error = PermissionError(errno.EACCES, fault.message or "permission denied", path)
        case "directory":
            error = IsADirectoryError(errno.EISDIR, fault.message or "is a directory", path)
        case "not_a_directory":
            error = NotADirectoryError(errno.ENOTDIR, fault.message or "not a directory", path)
        case "cancelled":
            error = OSError(errno.ECANCELED, fault.message or "the operation was cancelled", path)
        case "io":
            error = OSError(errno.EIO, fault.message or "input/output error", path)
    if fault.wrapped:
        cause, error = error, RuntimeError(f"the backend could not read {path!r}")
        error.__cause__ = cause
    if content:
        vars(error)["content"] = content  # a backend that fails and returns content at once (AMD-BACKEND-07)
    return error
