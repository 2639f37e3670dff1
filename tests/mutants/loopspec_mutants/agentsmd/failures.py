"""Mutants about missing and unreadable files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from unittest.mock import patch

from loopspec_reference import AnyMessage, Backend, ModelContext, ReadRequest, State, agentsmd
from loopspec_reference.agentsmd import AgentsMD, LoadWarning, Reason, Section, config, handler, loader
from loopspec_reference.agentsmd.paths import resolve

from ..registry import mutant

_Loading = loader._Loading
_Warn = Callable[[LoadWarning], None]


def _on_missing(act: Callable[[_Loading, str, Sequence[str], list[Section]], None]) -> AbstractContextManager[object]:
    """Do something more about each missing file: told the load, the path, its importers and what is shown so far."""
    add, warn = _Loading.add, _Loading.warn
    missing: list[str] = []

    async def adds(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        await add(self, path, ancestors, sections)
        if path in missing:
            act(self, path, ancestors, sections)

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.MISSING:
            missing.append(path)

    return patch.multiple(_Loading, add=adds, warn=warns)


def _takes_for_missing(
    kind: type[Exception], when: Callable[[_Loading, Sequence[str]], bool] = lambda loading, ancestors: True
) -> AbstractContextManager[object]:
    """Leave out, with a warning, files that fail with this kind of error: all, or as the load and the importers say."""
    right = _Loading._is_missing

    def is_missing(self: _Loading, path: str, ancestors: Sequence[str], error: Exception) -> bool:
        if right(self, path, ancestors, error):
            return True
        if not isinstance(error, kind) or not when(self, ancestors):
            return False
        self.warn(path, Reason.MISSING)
        return True

    return patch.object(_Loading, "_is_missing", is_missing)


def _is_import(loading: _Loading, ancestors: Sequence[str]) -> bool:
    return bool(ancestors)


@mutant(
    "AMD-ERROR-01",
    neighbors={
        "AMD-BACKEND-03": "the file that is missing, by the cause of its error, is the first of two",
        "AMD-BACKEND-07": "the file whose content comes with an error is the first of two, and counts as missing",
        "AMD-BACKEND-13": "the file that is on the disk only is the first of two",
        "AMD-BUDGET-15": "the missing file is the first of two",
    },
)
@contextmanager
def needs_the_first_file() -> Iterator[None]:
    """Shows nothing when the first configured file is missing."""
    add = _Loading.add
    lost: set[_Loading] = set()

    def loses(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        if self.seen == {path}:
            lost.add(self)

    async def adds(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        await add(self, path, ancestors, sections)
        if self in lost:
            sections.clear()

    with patch.object(_Loading, "add", adds), _on_missing(loses):
        yield


@mutant("AMD-ERROR-02")
def takes_back_one_import_too_many() -> AbstractContextManager[object]:
    """Leaves out, with a missing import, the one shown before it."""

    def takes_back(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        if ancestors and sections[-1].path != ancestors[-1]:
            sections.pop()

    return _on_missing(takes_back)


@mutant("AMD-ERROR-14")
@contextmanager
def says_that_nothing_was_found() -> Iterator[None]:
    """Tells the model so when every file is missing."""
    load = AgentsMD._load
    missing: list[str] = []

    async def loads(self: AgentsMD[AnyMessage]) -> str:
        missing.clear()
        text = await load(self)
        return text or ("No instructions were found." if missing else "")

    note = _on_missing(lambda loading, path, ancestors, sections: missing.append(path))
    with patch.object(AgentsMD, "_load", loads), note:
        yield


@mutant("AMD-ERROR-03")
def makes_do_with_half() -> AbstractContextManager[object]:
    """Shows what it has when a later configured file cannot be read."""
    return _takes_for_missing(OSError, lambda loading, ancestors: loading._bytes > 0 and not ancestors)


@mutant("AMD-ERROR-04")
def skips_forbidden_imports() -> AbstractContextManager[object]:
    """Leaves out an import that it may not read, with a warning."""
    return _takes_for_missing(PermissionError, _is_import)


@mutant(
    "AMD-ERROR-04",
    neighbors={
        "AMD-ERROR-13": "the error about the path is an import's, and an OSError",
        "AMD-IMPORT-20": "the error about the folder is an import's, and an OSError",
    },
)
def takes_every_error_of_an_import_for_missing() -> AbstractContextManager[object]:
    """Leaves out, with a warning, every import that fails: `except OSError`."""
    return _takes_for_missing(OSError, _is_import)


@mutant("AMD-ERROR-05")
def warns_of_errors_too() -> AbstractContextManager[object]:
    """Warns about the file that ends the load."""
    right = _Loading._is_missing

    def is_missing(self: _Loading, path: str, ancestors: Sequence[str], error: Exception) -> bool:
        if right(self, path, ancestors, error):
            return True
        self.warn(path, Reason.MISSING)
        return False

    return patch.object(_Loading, "_is_missing", is_missing)


@mutant("AMD-ERROR-05")
def warns_when_all_is_loaded() -> AbstractContextManager[object]:
    """Collects the warnings of a load and loses them when it fails."""

    async def loads(backend: Backend, files: Sequence[str], limit: int, warn: _Warn) -> list[Section]:
        warnings: list[LoadWarning] = []
        sections = await loader.load(backend, files, limit, warnings.append)
        for warning in warnings:
            warn(warning)
        return sections

    return patch.object(handler, "load", loads)


@mutant("AMD-ERROR-06")
@contextmanager
def looks_for_further_errors() -> Iterator[None]:
    """Reads all configured files after an error, to see what else is wrong."""

    async def loads(backend: Backend, files: Sequence[str], limit: int, warn: _Warn) -> list[Section]:
        try:
            return await loader.load(backend, files, limit, warn)
        except OSError:
            for path in files:
                with suppress(OSError):
                    await backend.read(ReadRequest(path))
            raise

    with patch.object(handler, "load", loads), patch.object(agentsmd, "load", loads):
        yield


@mutant("AMD-ERROR-08")
def reports_errors_after_the_call() -> AbstractContextManager[object]:
    """Lets the model be called before it reports that the load has failed."""
    before_model = AgentsMD.before_model
    errors: dict[AgentsMD[AnyMessage], Exception] = {}

    async def keeps_quiet(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        try:
            return await before_model(self, state, context)
        except Exception as error:
            errors[self] = error
            return state

    async def reports(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        if self in errors:
            raise errors.pop(self)
        return state

    return patch.multiple(AgentsMD, before_model=keeps_quiet, after_model=reports)


def _names_missing_imports(name: Callable[[str, Sequence[str]], str]) -> AbstractContextManager[object]:
    """Name a missing import in a way of one's own: told its path and its importers, the configured file first."""
    add, warn = _Loading.add, _Loading.warn
    importers: dict[str, Sequence[str]] = {}

    async def adds(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        importers[path] = ancestors
        await add(self, path, ancestors, sections)

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        imported = reason is Reason.MISSING and importers[path]
        warn(self, name(path, importers[path]) if imported else path, reason)

    return patch.multiple(_Loading, add=adds, warn=warns)


@mutant("AMD-ERROR-09")
def names_missing_imports_from_the_top() -> AbstractContextManager[object]:
    """Names a missing import as if the configured file had mentioned it."""
    return _names_missing_imports(lambda path, importers: resolve(path.rpartition("/")[2], importers[0]))


@mutant(
    "AMD-ERROR-09",
    neighbors={
        "AMD-ERROR-11": "three of the warnings whose order it fixes are about missing imports",
        "AMD-DEDUP-09": "its one warning is about a missing import",
    },
)
def names_the_importer() -> AbstractContextManager[object]:
    """Names, in a warning about a missing import, the file that imports it."""
    return _names_missing_imports(lambda path, importers: importers[-1])


@mutant("AMD-ERROR-10")
def mentions_warnings_in_passing() -> AbstractContextManager[object]:
    """Logs warnings that nobody takes on a level that nobody sees."""
    return patch.object(config._log, "warning", config._log.info)


@mutant("AMD-ERROR-10")
def logs_what_somebody_takes() -> AbstractContextManager[object]:
    """Writes every warning to the log as well."""
    warn = _Loading.warn

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        logging.warning("%s: %s", path, reason)
        warn(self, path, reason)

    return patch.object(_Loading, "warn", warns)


@mutant("AMD-ERROR-12")
def warns_once_in_its_life() -> AbstractContextManager[object]:
    """Never gives the same warning again, not even in another run."""
    warn = _Loading.warn
    given: set[tuple[str, Reason]] = set()

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        if (path, reason) not in given:
            given.add((path, reason))
            warn(self, path, reason)

    return patch.object(_Loading, "warn", warns)


@mutant("AMD-ERROR-13")
def takes_not_a_directory_for_missing() -> AbstractContextManager[object]:
    """Leaves out, with a warning, a path that goes through what is no folder."""
    return _takes_for_missing(NotADirectoryError)


@mutant("AMD-ERROR-13", neighbors={"AMD-IMPORT-20": "its second scenario asks for a folder"})
def takes_a_directory_for_missing() -> AbstractContextManager[object]:
    """Leaves out, with a warning, a path that is a folder."""
    return _takes_for_missing(IsADirectoryError)


@mutant("AMD-BACKEND-03")
def looks_at_no_cause() -> AbstractContextManager[object]:
    """Knows a missing file by the error alone, not by its causes."""
    return patch.object(loader, "_means_missing", lambda error: isinstance(error, FileNotFoundError))


@mutant("AMD-BACKEND-04")
def goes_by_the_words() -> AbstractContextManager[object]:
    """Takes an error for that of a missing file when it says "not found"."""
    means = loader._means_missing
    return patch.object(loader, "_means_missing", lambda error: means(error) or "not found" in str(error).lower())
