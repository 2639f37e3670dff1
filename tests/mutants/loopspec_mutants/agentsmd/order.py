"""Mutants about the order of files."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

from loopspec_reference import Backend, agentsmd
from loopspec_reference.agentsmd import LoadWarning, handler, loader, paths

from ..registry import mutant

Ordered = Callable[[list[str]], list[str]]


def _in_order(sections: Iterable[loader.Section], files: Iterable[str]) -> list[loader.Section]:
    """Sort the sections by these configured files, each followed by its imports."""
    groups: dict[str, list[loader.Section]] = {path: [] for path in files}
    group: list[loader.Section] = []
    for section in sections:
        group = groups.get(section.path, group)
        group.append(section)
    return [section for group in groups.values() for section in group]


@contextmanager
def _configured(*, read: Ordered, shown: Ordered) -> Iterator[None]:
    """Patch the orders in which the configured files are read and inserted."""
    load = loader.load

    async def reordering(
        backend: Backend, files: Iterable[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
    ) -> list[loader.Section]:
        clean = [paths.clean_path(path) for path in files]
        return _in_order(await load(backend, read(clean), max_bytes, on_warning), shown(clean))

    with patch.object(handler, "load", reordering), patch.object(agentsmd, "load", reordering):
        yield


@mutant("AMD-ORDER-03")
def sorts_files_by_name() -> AbstractContextManager[object]:
    """Sorts the configured files in the instructions by name."""
    return _configured(read=list, shown=lambda files: sorted(files, key=posixpath.basename))


@mutant("AMD-ORDER-11", neighbors={"AMD-BUDGET-14": "the last of four files is unreadable, and is now read second"})
def reads_later_files_in_reverse() -> AbstractContextManager[object]:
    """Reads the configured files after the first one in reverse, and inserts them in order."""
    return _configured(read=lambda files: [*files[:1], *files[:0:-1]], shown=list)


@mutant("AMD-ORDER-12", neighbors={"AMD-ORDER-01": "the first import has imports"})
def inserts_nested_imports_first() -> AbstractContextManager[object]:
    """Inserts an imported file after the files that it imports."""
    add = loader._Loading.add

    async def last(self: loader._Loading, path: str, ancestors: Sequence[str], sections: list[loader.Section]) -> None:
        at = len(sections)
        await add(self, path, ancestors, sections)
        if ancestors and sections[at:]:
            sections.append(sections.pop(at))

    return patch.object(loader._Loading, "add", last)
