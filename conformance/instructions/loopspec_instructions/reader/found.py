"""What discovery has found, and which of it is loaded, in which order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from msgspec import Struct

from .files import Content
from .loading import Load
from .roots import join, linked_worktree, parent


class Found(Struct, frozen=True, gc=False):
    """A file of the discovery, with its first bytes."""

    path: str
    content: Content
    is_global: bool = False
    fails: bool = False  # the file drops the project if the budget reaches it
    is_rule: bool = False
    is_fallback: bool = False  # of a later family of names, which a tool loads in place of the first one


def without_shadowed(load: Load, found: list[Found]) -> list[Found]:
    """Drop the file of a repository that has a namesake at the root of the linked worktree."""
    roots = linked_worktree(load.files, load.cwd)
    if roots is None:
        return found
    real = {each.path: load.files.real_path(each.path) for each in found}
    worktree, repository = roots
    hiding = next((each.path for each in found if load.files.real_path(parent(each.path)) == worktree), None)
    shadowed = hiding and join(repository, hiding.rpartition("/")[2])
    for each in found:
        if real[each.path] == shadowed:
            load.note("hidden", each.path, other=hiding or "")
    return [each for each in found if real[each.path] != shadowed]


def sorted_by_path(found: list[Found]) -> list[Found]:
    """Sort the project's files by the code units of their paths, as some languages do by default."""
    return sorted(found, key=lambda each: b"" if each.is_global else each.path.encode("utf-16-be", "surrogatepass"))


def without_repeats(load: Load, found: Iterable[Found], *, again: bool) -> list[Found]:
    """Drop what has been found before: the same real path if the dialect looks at it, else the same path."""
    kept: list[Found] = []
    paths: set[str] = set()
    first_paths: dict[Hashable, str] = {}
    identities: dict[str, Callable[[str], Hashable]] = {"same-file": load.files.identity, "same-text": str}
    identity = identities.get(load.dialect.links, load.files.real_path)
    for each in found:
        try:
            real = identity(each.path)
        except OSError:
            real = each.path
        real = (each.is_fallback, real)  # a tool looks for these with a list of their own
        first = first_paths.get(real)
        if (first is not None and load.dialect.links != "each-path") or (not again and each.path in paths):
            load.note("already-loaded", each.path, other=first or "")
            continue
        if first is not None:
            load.note("repeated", each.path, other=first)
        paths.add(each.path)
        first_paths.setdefault(real, each.path)
        kept.append(each)
    return kept
