"""What `read_workspace` of an adapter returned, checked: Python does not check the types."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

from loopspec.contract.faults import AdapterError
from loopspec.contract.shapes import WorkspaceFile, WorkspaceReading

Read = Callable[..., object]

_SHAPE = "return a loopspec.WorkspaceReading, as in WorkspaceReading([WorkspaceFile(path, text)])"
_FILES = "make the files a list of loopspec.WorkspaceFile"


def call_reader(read: Read, cwd: Path, home: Path, configured: Sequence[str], agreed: bool) -> object:
    """Call the method with the parameters that it has. Raises `AdapterError` for others, and what the tool raises.

    A method without the parameter `agreed` reads the workspace of a user that has not agreed.
    """
    signature = inspect.signature(read)
    kinds = {parameter.kind for parameter in signature.parameters.values()}
    takes_it = "configured" in signature.parameters or inspect.Parameter.VAR_POSITIONAL in kinds
    more = [list(configured)] if takes_it else []
    named = {"agreed": True} if agreed else {}
    try:
        signature.bind(cwd, home, *more, **named)
    except TypeError:
        raise AdapterError(
            f"read_workspace() has the parameters {signature}: make it read_workspace(cwd, home), "
            "or read_workspace(cwd, home, configured)"
            + (", with the parameter agreed=False for the capability import-agreement" if agreed else "")
        ) from None
    return read(cwd, home, *more, **named)


def checked_reading(found: object) -> WorkspaceReading:
    """The reading, or `AdapterError` in one sentence."""
    if not isinstance(found, WorkspaceReading):
        raise _returned(_described(found))
    _check_files(found.files)
    for number, one in enumerate(_listed(found.warnings, "warnings: make them a list of texts"), start=1):
        if not isinstance(one, str):
            raise _returned(f"{_shown(one)} as warning {number}: a warning is a text")
    return found


def _described(found: object) -> str:
    """What was returned instead of a reading, and what to return."""
    match found:
        case str():
            return (
                "one text: return WorkspaceReading([WorkspaceFile(None, text)]), in which the harness finds the files"
            )
        case list() | tuple():
            return f"a {type(found).__name__}: {_SHAPE}"
        case WorkspaceFile():
            return f"one WorkspaceFile: {_SHAPE}"
    return f"{_shown(found)}: {_SHAPE}"


def _check_files(files: object) -> None:
    for number, one in enumerate(_listed(files, f"files of a WorkspaceReading: {_FILES}"), start=1):
        if not isinstance(one, WorkspaceFile):
            raise _returned(f"{_shown(one)} as file {number}: {_FILES}")
        if isinstance(one.text, bytes):
            raise _returned(f"bytes as the text of file {number}: decode the bytes as the tool does")
        if not isinstance(one.text, str):
            raise _returned(f"{_shown(one.text)} as the text of file {number}: the text is a str")
        if not isinstance(one.path, str | PurePath | None):
            raise _returned(f"{_shown(one.path)} as the path of file {number}: the path is a str, a Path or None")


def _listed(found: object, what: str) -> Sequence[object]:
    if not isinstance(found, Sequence) or isinstance(found, str | bytes):
        raise _returned(f"{_shown(found)} as the {what}")
    return found


def _returned(what: str) -> AdapterError:
    return AdapterError(f"read_workspace() returned {what}")


def _shown(found: object) -> str:
    return f"{type(found).__name__} {found!r:.80}" if found is not None else "nothing"
