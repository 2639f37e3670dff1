"""Python's exceptions are converted to the contract's errors."""

from __future__ import annotations

import errno
from collections.abc import Mapping

from msgspec.structs import replace

from .doubles import ScriptedCrash, ScriptedError
from .values import Error, ErrorKind


class Reported(Exception):
    """A failure that an adapter in another process has described."""

    def __init__(self, error: Error) -> None:
        super().__init__(str(error))
        self.error = error


_KINDS: dict[type[BaseException], ErrorKind] = {
    FileNotFoundError: "not_exist",
    PermissionError: "permission",
    IsADirectoryError: "directory",
    NotADirectoryError: "not_a_directory",
}


def describe(error: BaseException, kinds: Mapping[type[BaseException], ErrorKind] | None = None) -> Error:
    """The contract's error for an exception: the first one of a known kind along its chain of causes.

    `kinds` are an implementation's own exceptions, which take precedence over Python's. The attribute `attempt` of an
    exception of the kind "will_retry" is part of its error, as is the attribute `last` of one of "retries_exhausted".
    An exception of no known kind keeps its name in the message: `KeyError: 'a.md'`.
    """
    known = {**(kinds or {}), **_KINDS}
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, Reported):
            return link.error
        if isinstance(link, ScriptedError):
            return Error(kind="scripted", code=link.code, message=str(error))
        if isinstance(link, ScriptedCrash):
            return Error(kind="crash", code=link.code, message=str(error))
        for kind, word in known.items():
            if isinstance(link, kind):
                return _with_details(Error(kind=word, message=str(error)), link, kinds)
        if isinstance(link, OSError):
            return Error(kind="cancelled" if link.errno == errno.ECANCELED else "io", message=str(error))
        link = link.__cause__
    return Error(kind="other", message=f"{type(error).__name__}: {error}")


def _with_details(error: Error, link: BaseException, kinds: Mapping[type[BaseException], ErrorKind] | None) -> Error:
    attempt, last = getattr(link, "attempt", None), getattr(link, "last", None)
    if error.kind == "will_retry" and isinstance(attempt, int):
        return replace(error, attempt=attempt)
    if error.kind == "retries_exhausted" and isinstance(last, BaseException):
        return replace(error, cause=describe(last, kinds))
    return error
