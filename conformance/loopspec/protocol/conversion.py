"""Conversion of errors, contents of files and run-local values between Python and the wire."""

from __future__ import annotations

import errno

from msgspec.structs import replace

from ..contract.doubles import RegisteredValue, ScriptedCrash, ScriptedError, UnregisteredValue
from ..contract.errors import Reported
from ..contract.values import Error
from . import messages as m

_OS_ERRORS: dict[str, tuple[type[OSError], int]] = {
    "not_exist": (FileNotFoundError, errno.ENOENT),
    "permission": (PermissionError, errno.EACCES),
    "directory": (IsADirectoryError, errno.EISDIR),
    "not_a_directory": (NotADirectoryError, errno.ENOTDIR),
    "cancelled": (OSError, errno.ECANCELED),
    "io": (OSError, errno.EIO),
}


def failed(error: Error) -> Exception:
    """The exception of an error message."""
    if error.kind == "scripted":
        return ScriptedError(error.code or "")
    if error.kind == "crash":
        return ScriptedCrash(error.code or "")
    if error.kind in _OS_ERRORS:
        kind, number = _OS_ERRORS[error.kind]
        known = kind(error.message)  # the whole message of the other side
        known.errno = number
        return known
    return Reported(error)


def read_content(reply: m.FileReply) -> str | bytes | None:
    """The content in a reply. Raises the error of the read: content that comes with it is its attribute `content`."""
    if reply.error is None:
        return None if reply.nothing else reply.base64 if reply.base64 is not None else reply.text or ""
    error = failed(reply.error)
    if reply.wrapped:
        cause, error = error, RuntimeError(reply.error.message)
        error.__cause__ = cause
    if content := reply.base64 or (reply.text or "").encode():
        vars(error)["content"] = content
    raise error


def file_reply(data: str | bytes | None) -> m.FileReply:
    """The content that a backend has returned as a message: text stays text, and bytes stay bytes."""
    if data is None:
        return m.FileReply(nothing=True)
    return m.FileReply(base64=data) if isinstance(data, bytes) else m.FileReply(text=data)


def failed_read(error: Exception, described: Error) -> m.FileReply:
    """A failed read as a message, with the content that a backend returned at once."""
    content: str | bytes | None = getattr(error, "content", None)
    reply = file_reply(content) if content is not None else m.FileReply()
    return replace(reply, error=described, wrapped=error.__cause__ is not None)


def content_of(data: m.FileData) -> bytes:
    """The bytes of a file."""
    return data.base64 if data.base64 is not None else (data.text or "").encode()


def file_data(content: bytes) -> m.FileData:
    """The content of a stored file as a message: text where the content is UTF-8."""
    try:
        return m.FileData(text=content.decode())
    except UnicodeDecodeError:
        return m.FileData(base64=content)


def encode_value(value: object) -> m.RunValue:
    """A run-local or session value as a message."""
    match value:
        case RegisteredValue():
            return m.RunValue(registered=value.number)
        case UnregisteredValue():
            return m.RunValue(unregistered=True)
    return m.RunValue(value=value)


def decode_value(sent: m.RunValue) -> object:
    """The value of a message."""
    if sent.registered is not None:
        return RegisteredValue(number=sent.registered)
    return UnregisteredValue() if sent.unregistered else sent.value
