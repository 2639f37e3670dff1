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


def _on_missing(
    change: Callable[[_Loading, str, Sequence[str], list[Section]], None],
) -> AbstractContextManager[object]:
    """Call a function for each missing file, with the load, the path, the importers and the loaded sections."""
    add, warn = _Loading.add, _Loading.warn
    missing: list[str] = []

    async def adds(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        await add(self, path, ancestors, sections)
        if path in missing:
            change(self, path, ancestors, sections)

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        warn(self, path, reason)
        if reason is Reason.MISSING:
            missing.append(path)

    return patch.multiple(_Loading, add=adds, warn=warns)


def _takes_for_missing(
    kind: type[Exception], when: Callable[[_Loading, Sequence[str]], bool] = lambda loading, ancestors: True
) -> AbstractContextManager[object]:
    """Skip files that fail with this kind of error, with a warning, if the load and the importers match."""
    original = _Loading._is_missing

    def is_missing(self: _Loading, path: str, ancestors: Sequence[str], error: Exception) -> bool:
        if original(self, path, ancestors, error):
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
        "AMD-BACKEND-03": "the missing file, which the cause of its error shows, is the first of two",
        "AMD-BACKEND-07": "the file whose content comes with an error counts as missing, and is the first of two",
        "AMD-BACKEND-13": "the file that exists only on the disk is the first of two",
        "AMD-BUDGET-15": "the missing file is the first of two",
    },
)
@contextmanager
def loads_nothing_without_the_first_file() -> Iterator[None]:
    """Loads nothing when the first configured file is missing."""
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
def drops_the_import_before_a_missing_one() -> AbstractContextManager[object]:
    """Drops the import that precedes a missing one."""

    def drops(self: _Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        if ancestors and sections[-1].path != ancestors[-1]:
            sections.pop()

    return _on_missing(drops)


@mutant("AMD-ERROR-14")
@contextmanager
def inserts_a_message_when_all_files_are_missing() -> Iterator[None]:
    """Inserts the message "No instructions were found." when every file is missing."""
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
def skips_an_unreadable_later_file() -> AbstractContextManager[object]:
    """Skips a later configured file that cannot be read."""
    return _takes_for_missing(OSError, lambda loading, ancestors: loading._bytes > 0 and not ancestors)


@mutant("AMD-ERROR-04")
def skips_forbidden_imports() -> AbstractContextManager[object]:
    """Skips an import that causes a permission error, with a warning."""
    return _takes_for_missing(PermissionError, _is_import)


@mutant(
    "AMD-ERROR-04",
    neighbors={
        "AMD-ERROR-13": "the path error is that of an import, and an OSError",
        "AMD-IMPORT-20": "the error about the folder is that of an import, and an OSError",
    },
)
def takes_every_error_of_an_import_for_missing() -> AbstractContextManager[object]:
    """Skips every import that fails, with a warning: `except OSError`."""
    return _takes_for_missing(OSError, _is_import)


@mutant("AMD-ERROR-05")
def warns_about_the_error_that_ends_the_load() -> AbstractContextManager[object]:
    """Gives a warning about the file whose error ends the load."""
    original = _Loading._is_missing

    def is_missing(self: _Loading, path: str, ancestors: Sequence[str], error: Exception) -> bool:
        if original(self, path, ancestors, error):
            return True
        self.warn(path, Reason.MISSING)
        return False

    return patch.object(_Loading, "_is_missing", is_missing)


@mutant("AMD-ERROR-05")
def drops_warnings_of_a_failed_load() -> AbstractContextManager[object]:
    """Collects the warnings of a load, and drops them when the load fails."""

    async def loads(backend: Backend, files: Sequence[str], limit: int, warn: _Warn) -> list[Section]:
        warnings: list[LoadWarning] = []
        sections = await loader.load(backend, files, limit, warnings.append)
        for warning in warnings:
            warn(warning)
        return sections

    return patch.object(handler, "load", loads)


@mutant("AMD-ERROR-06")
@contextmanager
def reads_other_files_after_an_error() -> Iterator[None]:
    """Reads all configured files after an error, to find other errors."""

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
    """Calls the model before it reports that the load has failed."""
    before_model = AgentsMD.before_model
    errors: dict[AgentsMD[AnyMessage], Exception] = {}

    async def catches(
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

    return patch.multiple(AgentsMD, before_model=catches, after_model=reports)


def _names_missing_imports(name: Callable[[str, Sequence[str]], str]) -> AbstractContextManager[object]:
    """Patch the path in a warning about a missing import, by the path and its importers."""
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
def resolves_missing_imports_against_the_configured_file() -> AbstractContextManager[object]:
    """Warns about a missing import with its path relative to the configured file."""
    return _names_missing_imports(lambda path, importers: resolve(path.rpartition("/")[2], importers[0]))


@mutant(
    "AMD-ERROR-09",
    neighbors={
        "AMD-ERROR-11": "three of the ordered warnings are about missing imports",
        "AMD-DEDUP-09": "the only warning is about a missing import",
    },
)
def names_the_importer() -> AbstractContextManager[object]:
    """Warns about a missing import with the path of the file that imports it."""
    return _names_missing_imports(lambda path, importers: importers[-1])


@mutant("AMD-ERROR-10")
def logs_warnings_as_info() -> AbstractContextManager[object]:
    """Logs warnings without a callback at the level INFO."""
    return patch.object(config._log, "warning", config._log.info)


@mutant("AMD-ERROR-10")
def logs_warnings_with_a_callback() -> AbstractContextManager[object]:
    """Logs every warning, also when the configuration has a warning callback."""
    warn = _Loading.warn

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        logging.warning("%s: %s", path, reason)
        warn(self, path, reason)

    return patch.object(_Loading, "warn", warns)


@mutant("AMD-ERROR-12")
def repeats_no_warning_in_later_runs() -> AbstractContextManager[object]:
    """Never repeats a warning, not even in another run."""
    warn = _Loading.warn
    given: set[tuple[str, Reason]] = set()

    def warns(self: _Loading, path: str, reason: Reason) -> None:
        if (path, reason) not in given:
            given.add((path, reason))
            warn(self, path, reason)

    return patch.object(_Loading, "warn", warns)


@mutant("AMD-ERROR-13")
def takes_not_a_directory_for_missing() -> AbstractContextManager[object]:
    """Skips a path below a file that is not a folder, with a warning."""
    return _takes_for_missing(NotADirectoryError)


@mutant("AMD-ERROR-13", neighbors={"AMD-IMPORT-20": "the second scenario imports a folder"})
def takes_a_directory_for_missing() -> AbstractContextManager[object]:
    """Skips a path that is a folder, with a warning."""
    return _takes_for_missing(IsADirectoryError)


@mutant("AMD-BACKEND-03")
def ignores_the_cause_of_an_error() -> AbstractContextManager[object]:
    """Detects a missing file by the error alone, not by its causes."""
    return patch.object(loader, "_means_missing", lambda error: isinstance(error, FileNotFoundError))


@mutant("AMD-BACKEND-04")
def detects_a_missing_file_by_the_message() -> AbstractContextManager[object]:
    """Takes an error whose message contains "not found" for a missing file."""
    means = loader._means_missing
    return patch.object(loader, "_means_missing", lambda error: means(error) or "not found" in str(error).lower())
