"""From Python's exceptions to the contract's errors."""

from __future__ import annotations

import errno
from collections.abc import Mapping

from .stage import ScriptedError
from .values import Error, ErrorKind

_KINDS: dict[type[BaseException], ErrorKind] = {
    FileNotFoundError: "not_exist",
    PermissionError: "permission",
    IsADirectoryError: "directory",
    NotADirectoryError: "not_a_directory",
}


def describe(error: BaseException, kinds: Mapping[type[BaseException], ErrorKind] | None = None) -> Error:
    """The contract's word for an exception: the first one known along its chain of causes.

    `kinds` are an implementation's own exceptions; they are asked before the built-in ones.
    """
    known = {**(kinds or {}), **_KINDS}
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, ScriptedError):
            return Error(kind="scripted", code=link.code, message=str(error))
        for kind, word in known.items():
            if isinstance(link, kind):
                return Error(kind=word, message=str(error))
        if isinstance(link, OSError):
            return Error(kind="cancelled" if link.errno == errno.ECANCELED else "io", message=str(error))
        link = link.__cause__
    return Error(kind="other", message=f"{type(error).__name__}: {error}")
