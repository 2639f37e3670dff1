"""Conversion of errors, contents of files and run-local values between Python and the wire."""

from __future__ import annotations

import errno

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


def failed_read(reply: m.FileReply) -> Exception:
    """The exception of a failed read. Content that comes with the error is its attribute `content`."""
    assert reply.error is not None
    error = failed(reply.error)
    if reply.wrapped:
        cause, error = error, RuntimeError(reply.error.message)
        error.__cause__ = cause
    if content := reply.base64 or (reply.text or "").encode():
        vars(error)["content"] = content
    return error


def file_reply(data: str | bytes | None) -> m.FileReply:
    """The content that a backend has returned as a message: text stays text, and bytes stay bytes."""
    return m.FileReply(base64=data) if isinstance(data, bytes) else m.FileReply(text=data)


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
