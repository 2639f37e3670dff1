"""Mutants that pass every plain case, and fail in a variant about instructions files."""

from __future__ import annotations

import posixpath
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import Any
from unicodedata import normalize
from unittest.mock import patch

from loopspec_reference import ConfigError, Content, ModelContext, State, agentsmd
from loopspec_reference.agentsmd import (
    MARKER,
    AgentsMD,
    Config,
    LoadWarning,
    Reason,
    Section,
    handler,
    loader,
    mentions,
)
from loopspec_reference.agentsmd.backends import Backend, ReadRequest
from loopspec_reference.agentsmd.paths import clean_path
from loopspec_reference.runs.run import current_run

from .agentsmd.patching import Loading, reading
from .registry import mutant

# the loader function
Load = Callable[[Backend, Sequence[str], int, Callable[[LoadWarning], None]], Awaitable[list[Section]]]


def _changing_text(change: Callable[[Content | None, str], str]) -> AbstractContextManager[object]:
    """Patch how content becomes text."""
    original = Loading._text
    return patch.object(Loading, "_text", lambda self, content: change(content, original(self, content)))


@mutant("VARIANT-35")
def fails_on_empty_bytes() -> AbstractContextManager[object]:
    """Fails on an empty file that the backend returns as bytes."""

    def change(content: Content | None, text: str) -> str:
        if content == b"":
            raise ValueError("an empty file")
        return text

    return _changing_text(change)


@mutant("VARIANT-36")
def takes_a_line_break_in_text_for_empty() -> AbstractContextManager[object]:
    """Takes a file of one line break for empty if the backend returns the file as text."""
    return _changing_text(lambda content, text: "" if content == "\n" else text)


def _expanding_nothing(where: Callable[[str], bool]) -> AbstractContextManager[object]:
    """Patch the loader so that it expands no imports in some configured files."""

    def change(loading: Loading, path: str, importers: Sequence[str], text: str) -> str:
        return text.replace("@", "＠") if not importers and where(path) else text

    return reading(change)


@mutant("VARIANT-37")
def expands_no_imports_far_below_the_root() -> AbstractContextManager[object]:
    """Expands no imports in a configured file that is three folders below the root, or deeper."""
    return _expanding_nothing(lambda path: path.count("/") > 3)


@mutant("VARIANT-38")
def sorts_repeated_imports_in_reverse() -> AbstractContextManager[object]:
    """Loads the imports of a file in the reverse order of their names if one of them is repeated."""
    found = mentions.mentions

    def backwards(text: str) -> list[str]:
        paths = found(text)
        return sorted(paths, reverse=True) if len(set(paths)) < len(paths) else paths

    return patch.object(loader, "mentions", backwards)


def _loading(load: Load) -> AbstractContextManager[object]:
    """Patch the loader for all of its callers."""
    return _patched((agentsmd, handler, loader), load)


@contextmanager
def _patched(modules: Iterable[object], load: Load) -> Iterator[None]:
    with ExitStack() as patches:
        for module in modules:
            patches.enter_context(patch.object(module, "load", load))
        yield


def _warning(of: Reason, which: Callable[[Sequence[str]], str]) -> AbstractContextManager[object]:
    """Patch the loader so that it gives the warnings of one kind only for one of the configured files."""
    original = loader.load
    root: ContextVar[str] = ContextVar("root")
    judged: ContextVar[str] = ContextVar("judged")
    warn, add = Loading.warn, Loading.add

    async def load(
        backend: Backend, files: Sequence[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[Section]:
        judged.set(clean_path(which(files)))
        return await original(backend, files, max_bytes, on_warning)

    async def adds(self: Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        root.set((*ancestors, path)[0])
        await add(self, path, ancestors, sections)

    def warns(self: Loading, path: str, reason: Reason) -> None:
        if reason is not of or root.get() == judged.get():
            warn(self, path, reason)

    @contextmanager
    def patches() -> Iterator[None]:
        with patch.multiple(Loading, add=adds, warn=warns), _loading(load):
            yield

    return patches()


@mutant("VARIANT-39")
def finds_cycles_of_the_first_configured_file_only() -> AbstractContextManager[object]:
    """Warns about import cycles of the first configured file only."""
    return _warning(Reason.CYCLE, lambda files: files[0])


@mutant("VARIANT-40")
def warns_about_deep_imports_of_the_last_configured_file_only() -> AbstractContextManager[object]:
    """Warns about too deep imports of the last configured file only."""
    return _warning(Reason.DEPTH, lambda files: files[-1])


@mutant("VARIANT-41")
def warns_about_each_path_once_in_a_process() -> AbstractContextManager[object]:
    """Warns about a file in the first load only, when the loader is called without a middleware."""
    original = loader.load
    warned: set[str] = set()

    async def load(
        backend: Backend, files: Sequence[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[Section]:
        before = warned.copy()

        def warn(warning: LoadWarning) -> None:
            warned.add(warning.path)
            if warning.path not in before:
                on_warning(warning)

        return await original(backend, files, max_bytes, warn)

    return patch.object(agentsmd, "load", load)


@mutant("VARIANT-42")
def shares_the_loaded_paths_of_concurrent_loads() -> AbstractContextManager[object]:
    """Keeps the loaded paths in one set, which each load empties when it begins."""
    shared: set[str] = set()
    init = Loading.__init__

    def begins(self: Loading, *args: Any) -> None:  # Any: passed on
        init(self, *args)
        shared.clear()
        self.seen = shared

    return patch.object(Loading, "__init__", begins)


@mutant("VARIANT-43")
def fails_with_two_middlewares_of_equal_files() -> AbstractContextManager[object]:
    """Fails in a run with two AgentsMD middlewares of equal configuration."""
    before_model = AgentsMD.before_model
    owners: list[tuple[object, str, AgentsMD[Any]]] = []

    async def calls(self: AgentsMD[Any], state: State[Any], context: ModelContext[Any]) -> State[Any]:  # Any: either
        run = current_run.get()
        local = run and run.local
        if local is not None:
            for of_run, key, owner in owners:
                if of_run is local and key == self._cache_key and owner is not self:
                    raise ConfigError("two AgentsMD middlewares have the same files")
            owners.append((local, self._cache_key, self))
        return await before_model(self, state, context)

    return patch.object(AgentsMD, "before_model", calls)


@mutant("VARIANT-44")
def keeps_two_leading_slashes_of_configured_files() -> AbstractContextManager[object]:
    """Keeps two slashes at the beginning of the path of a configured file."""
    return patch.object(loader, "clean_path", posixpath.normpath)


@mutant("VARIANT-45", neighbors={"AMD-CACHE-12": "an example has the same files in the opposite order"})
def shares_the_cache_of_equal_sets_of_files() -> AbstractContextManager[object]:
    """Caches the instructions of a run by the set of the configured files, whatever their order."""
    init = AgentsMD.__init__

    def begins(self: AgentsMD[Any], config: Config | None, message_type: Any) -> None:  # Any: either type
        init(self, config, message_type)
        self._cache_key = MARKER + repr([*sorted(self._config.files), self._config.max_bytes])

    return patch.object(AgentsMD, "__init__", begins)


@mutant("VARIANT-46")
def loads_agents_md_for_a_file_without_content() -> AbstractContextManager[object]:
    """Loads the file AGENTS.md from the folder of an absolute configured file that is missing or empty."""
    add = Loading.add

    async def adds(self: Loading, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        loaded = len(sections)
        await add(self, path, ancestors, sections)
        usual = posixpath.join(posixpath.dirname(path), "AGENTS.md")
        if path[:1] == "/" and not ancestors and len(sections) == loaded and usual not in self.seen:
            try:
                sections.append(Section(usual, self._text(await self._read(ReadRequest(usual)))))
            except FileNotFoundError:
                return

    return patch.object(Loading, "add", adds)


@mutant("VARIANT-57")
def expands_no_imports_at_the_root() -> AbstractContextManager[object]:
    """Expands no imports in a configured file in the root folder."""
    return _expanding_nothing(lambda path: posixpath.dirname(path) == "/")


@mutant("VARIANT-58")
def expands_no_imports_in_files_above_the_working_directory() -> AbstractContextManager[object]:
    """Expands no imports in a configured file above the working directory."""
    return _expanding_nothing(lambda path: path.startswith("../"))


@mutant("VARIANT-59")
def composes_marks_with_letters() -> AbstractContextManager[object]:
    """Brings the text of a file into the composed form of Unicode."""
    return _changing_text(lambda content, text: normalize("NFC", text))
