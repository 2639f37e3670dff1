"""The files of folders of rules, as tools look for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .files import Files
from .roots import entries_in, join, without_links

_MOST_FOLDERS = 1_000


def rules_by_level(files: Files, folder: str, ending: str) -> Iterator[str]:
    """Yield the paths of a folder of rules with an ending, those of an outer folder first."""
    folders = [folder]
    for at in folders:  # grows: a link to a folder above is followed until the system refuses its path
        for path in (join(at, each.name) for each in entries_in(files, at)):
            if files.kind(path) == "folder":
                folders += [path] if len(folders) < _MOST_FOLDERS else []
            elif path.endswith(ending):
                yield path


def rules_below(files: Files, folder: str, ending: str) -> Iterator[str]:
    """Yield the paths of a folder of rules with an ending, as found: hidden ones and links to folders excepted."""
    waiting = [folder]
    while waiting:
        path = waiting.pop()
        if files.kind(path) == "folder":
            entries = [each for each in reversed(files.entries(path)) if not each.name.startswith(".")]
            paths = [(join(path, each.name), each.is_folder) for each in entries]
            waiting += [each for each, is_folder in paths if is_folder or files.kind(each) == "file"]
        elif path.lower().endswith(ending):
            yield path


def rules_once(files: Files, folder: str, places: Sequence[str]) -> Iterator[str]:
    """Yield the Markdown files in the places of rules of a folder, the first one of each name, and no link."""
    found: dict[str, str] = {}
    for at in (join(folder, place) for place in places):
        for name in (each.name for each in entries_in(files, at) if each.name.endswith(".md")):
            real = join(without_links(files, at), name)
            if files.kind(real) == "file" and without_links(files, real) == real:
                found.setdefault(name, join(at, name))
    yield from found.values()
