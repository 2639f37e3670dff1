"""Failures, contents and values that cross the pipe, and what Python makes of them."""

from __future__ import annotations

import errno

from ..contract.doubles import ScriptedCrash, ScriptedError, Stranger, Ticket
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
    """The exception that an error is."""
    if error.kind == "scripted":
        return ScriptedError(error.code or "")
    if error.kind == "crash":
        return ScriptedCrash(error.code or "")
    if error.kind in _OS_ERRORS:
        kind, number = _OS_ERRORS[error.kind]
        known = kind(error.message)  # the whole message, as it was at the other end
        known.errno = number
        return known
    return Reported(error)


def failed_read(reply: m.FileReply) -> Exception:
    """The exception that reading a file came to: what content there is comes with it, as attribute `content`."""
    assert reply.error is not None
    error = failed(reply.error)
    if reply.wrapped:
        cause, error = error, RuntimeError(reply.error.message)
        error.__cause__ = cause
    if content := reply.base64 or (reply.text or "").encode():
        vars(error)["content"] = content
    return error


def file_reply(data: str | bytes | None) -> m.FileReply:
    """Content as it crosses the pipe."""
    if isinstance(data, bytes):
        try:
            return m.FileReply(text=data.decode())
        except UnicodeDecodeError:
            return m.FileReply(base64=data)
    return m.FileReply(text=data)


def something_of(value: object) -> m.Something:
    """A value that a double keeps, as it crosses the pipe."""
    match value:
        case Ticket():
            return m.Something(ticket=value.number)
        case Stranger():
            return m.Something(stranger=True)
    return m.Something(value=value)


def value_of(said: m.Something) -> object:
    """The value that it is."""
    if said.ticket is not None:
        return Ticket(number=said.ticket)
    return Stranger() if said.stranger else said.value
