"""Python's exceptions are converted to the contract's errors."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from .doubles import ScriptedCrash, ScriptedError
from .faults import CannotStore
from .places import place_of
from .values import Error, ErrorKind

Kinds = Mapping[type[BaseException], ErrorKind]


class Reported(Exception):
    """A failure that an adapter in another process has described."""

    def __init__(self, error: Error) -> None:
        super().__init__(str(error))
        self.error = error


def inside_others(error: Exception, message: str) -> Exception:
    """Return an error whose cause has this error as its own cause: an implementation must follow the whole chain."""
    for text in (f"the store failed: {error}", message):
        cause, error = error, RuntimeError(text)
        error.__cause__ = cause
    return error


def wraps_missing_file(error: BaseException | None) -> bool:
    """Return whether a missing-file error is this error or in its chain of causes (AMD-BACKEND-03)."""
    met: set[int] = set()  # an error can be among its own causes
    while error is not None and id(error) not in met and not isinstance(error, FileNotFoundError):
        met.add(id(error))
        error = error.__cause__
    return isinstance(error, FileNotFoundError)


def refuses_name(error: BaseException) -> bool:
    """Return whether a backend says, in this process or from another one, that it cannot store a file under a name."""
    return isinstance(error, CannotStore) or (isinstance(error, Reported) and error.error.kind == "cannot_store")


class UnhandledErrors:
    """The scripted errors that doubles raised in each run and that the implementation has not handled.

    A run that calls a model after an error has handled the error.
    """

    def __init__(self) -> None:
        self._raised: dict[str | None, list[BaseException]] = {}

    def add(self, run: str | None, error: BaseException) -> None:
        """Add an error that a double raised in a run. Other errors than scripted ones are ignored."""
        if isinstance(error, ScriptedError | ScriptedCrash):
            self._raised.setdefault(run, []).append(error)

    def model_called(self, run: str | None) -> None:
        """Forget the errors of a run: the run continues."""
        self._raised.pop(run, None)

    def __contains__(self, error: BaseException) -> bool:
        return any(error is one for raised in self._raised.values() for one in raised)


# The errors of an operating system, by their numbers; Python has a class for all but the last two.
NUMBERS: Mapping[ErrorKind, int] = {
    "not_exist": errno.ENOENT,
    "permission": errno.EACCES,
    "directory": errno.EISDIR,
    "not_a_directory": errno.ENOTDIR,
    "cancelled": errno.ECANCELED,
    "io": errno.EIO,
}
_CLASSES = {type(OSError(number, "")): kind for kind, number in NUMBERS.items()}
_KINDS: Kinds = {CannotStore: "cannot_store", **{of: kind for of, kind in _CLASSES.items() if of is not OSError}}
# The kinds whose error is about another error, which is among the causes.
_ABOUT_ANOTHER = ("will_retry", "retries_exhausted")


def describe(error: BaseException, kinds: Kinds | None = None, unhandled: UnhandledErrors | None = None) -> Error:
    """The contract's error for an exception: the harness's own error among its causes, or the first known one.

    The causes are those that Python prints: `__cause__`, or `__context__` without a cause, and the members of an
    exception group. A scripted error among the causes takes precedence over `kinds`, an implementation's own
    exceptions, which take precedence over Python's. Only an error about another one, of the kind "will_retry" or
    "retries_exhausted", is not replaced by its cause. A context is no cause if the run has handled it: see
    `UnhandledErrors`. An error that `raise … from None` hides is looked for where nothing else is known.

    The attribute `attempt` of an exception of the kind "will_retry" is part of its error, as is the attribute `last` of
    one of "retries_exhausted". An exception of no known kind keeps its name in the message, `KeyError: 'a.md'`, and
    the place where it was raised.
    """
    known = {**dict(kinds.items() if kinds else ()), **_KINDS}  # `items`, since a mapping may be slow by key
    for link, by_context in _chain(error):
        kind = _kind(link, known)
        if kind in _ABOUT_ANOTHER:
            return _with_details(Error(kind=kind, message=str(error)), link, kinds)
        if (own := _own(link, error)) and not (by_context and unhandled is not None and link not in unhandled):
            return own
    for link, by_context in _chain(error):
        if not by_context and (kind := _kind(link, known)):
            return Error(kind=kind, message=str(error))
    for link, _ in _chain(error, hidden=True):
        if unhandled is not None and link in unhandled and (own := _own(link, error)):
            return own
    return Error(kind="other", message=f"{type(error).__name__}: {error}", place=place_of(error))


def _chain(error: BaseException, hidden: bool = False) -> Iterator[tuple[BaseException, bool]]:
    """Yield an exception and its causes, and whether a context leads there; with `hidden`, all contexts."""
    todo, seen = [(error, False)], set[int]()
    while todo:
        link, by_context = todo.pop()
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield link, by_context
        if link.__context__ is not None and (hidden or not link.__suppress_context__):
            todo.append((link.__context__, True))
        if link.__cause__ is not None:
            todo.append((link.__cause__, by_context))
        if isinstance(link, BaseExceptionGroup):
            todo += [(member, by_context) for member in reversed(link.exceptions)]


def _own(link: BaseException, error: BaseException) -> Error | None:
    """The error of the harness itself that a link of a chain is, if it is one."""
    if isinstance(link, Reported):
        return link.error
    if isinstance(link, ScriptedError | ScriptedCrash):
        kind: ErrorKind = "scripted" if isinstance(link, ScriptedError) else "crash"
        return Error(kind=kind, code=link.code, message=str(error))
    return None


def _kind(link: BaseException, known: Kinds) -> ErrorKind | None:
    for kind, word in known.items():
        if isinstance(link, kind):
            return word
    if isinstance(link, OSError):
        return "cancelled" if link.errno == errno.ECANCELED else "io"
    return None


def _with_details(error: Error, link: BaseException, kinds: Kinds | None) -> Error:
    attempt, last = getattr(link, "attempt", None), getattr(link, "last", None)
    if error.kind == "will_retry" and isinstance(attempt, int):
        return replace(error, attempt=attempt)
    if error.kind == "retries_exhausted" and isinstance(last, BaseException):
        return replace(error, cause=describe(last, kinds))
    return error
