"""What is linted: the folder, the tools, and the names that each tool reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain
from pathlib import Path

from loopspec.contract.dialects import dialect, dialect_names
from loopspec_reference.agentsmd.paths import clean_path

from ..reader.files import Kind
from ..reader.roots import folders_above, is_inside, without_links
from ..surveyed import SurveyedFiles, reader_for
from .configuration import Configuration
from .contents import TRAILING, FileContent
from .findings import Collector
from .repository import GIT, Choice, Survey, repository_of, survey
from .rules import known_tools

_MOST_READ = 1 << 22  # bytes of one file


@cache
def names_of(tool: str) -> tuple[str, ...]:
    """The paths, below a folder of the search, of the files that a tool reads."""
    reader = reader_for(tool)
    own = [name for group in reader.file_names for name in group]
    meant = [name for name, tools in known_tools().names.items() if tool in tools]
    return tuple(dict.fromkeys([*own, *reader.local_files, *meant]))


@cache
def last_names(tool: str) -> frozenset[str]:
    """The names of the files that a tool reads, without folders."""
    return frozenset(name.rpartition("/")[2] for name in names_of(tool))


@cache
def usual_name(tool: str) -> str:
    """The file name that a person gives an instruction file for this tool."""
    return dialect(tool).places()["{name}"]


def is_configured(tool: str) -> bool:
    """Whether the tool does not search for files, and reads configured ones."""
    return reader_for(tool).walk == "configured"


def reads_name(tool: str, path: str) -> bool:
    """Whether a path ends in the name of a file that a tool reads."""
    return any(path.endswith(f"/{name}") for name in names_of(tool))


class Scope:
    """One run: the folder, the repository around it, the tools, and the findings so far."""

    def __init__(self, folder: str, configuration: Configuration, tools: Sequence[str]) -> None:
        self.folder = folder
        self.repository = repository_of(folder)
        self.home = str(Path.home())
        names = {part for tool in dialect_names() for name in names_of(tool) for part in name.split("/")} | {GIT}
        self.choice = Choice(folder, self.repository, configuration.exclude, configuration.include)
        self.survey: Survey = survey(folder, names, self.choice)
        self.files = SurveyedFiles(self.survey.folders, self.survey.listed, frozenset(names))
        self.tools = tuple(sorted(set(tools or configuration.tools or _meant_tools(self.survey))))
        self.names = frozenset(name for tool in self.tools for name in names_of(tool))
        self.own_names = frozenset(name.rpartition("/")[2] for name in self.names)
        self.found = Collector(self.short)
        self.explained: set[tuple[str, str]] = set()  # tools, and files of which a note says why they are not loaded
        self._contents: dict[str, FileContent] = {}
        self._spellings: dict[str, dict[str, str]] = {}  # the names in a folder, by their small letters

    def short(self, path: str) -> str:
        """A path relative to the folder that is linted, or to the home folder."""
        inside = self.folder if self.folder.endswith("/") else self.folder + "/"
        if path.startswith(inside):
            return path[len(inside) :] or "."
        if path.startswith(self.home + "/") and not self.is_inside(path):
            return "~" + path[len(self.home) :]
        return os.path.relpath(path, self.folder)

    def is_linted(self, path: str) -> bool:
        """Whether a path relative to the folder that is linted is in no folder that is left out."""
        return self.survey.left_out.keys().isdisjoint(folders_above(f"{self.folder.rstrip('/')}/{path}"))

    def content(self, path: str) -> FileContent:
        """The content of a file; nothing if the file cannot be read."""
        known = self._contents.get(path)
        if known is None:
            try:
                known = FileContent(self.files.read(path, _MOST_READ).data)
            except OSError:
                known = FileContent(b"")
            if len(known.data) <= 1 << 17:
                self._contents[path] = known
        return known

    def is_file(self, path: str) -> bool:
        """Whether a path leads to a regular file."""
        return self.files.kind(path) == "file"

    def is_readable(self, path: str) -> bool:
        """Whether the content of a file can be read."""
        try:
            self.files.read(path, 1)
        except OSError:
            return False
        return True

    def is_inside(self, path: str) -> bool:
        """Whether a path without links is in the repository."""
        return is_inside(path, self.repository)

    def refers(self, path: str, other: str) -> bool:
        """Whether a file mentions or links another one, or names nothing but its path."""
        content, folder = self.content(path), path.rpartition("/")[0]
        named = [content.only_path, *(mention.path.rstrip(TRAILING) for mention in content.mentions)]
        named += [target for _, target in content.links]
        real = self.real_path(other)
        return any(self.real_path(joined(folder, each)) == real for each in named)

    def spelled(self, path: str) -> str:
        """The path of an existing file in the repository that differs in letter case or in slashes; empty if none."""
        at = self.repository.rstrip("/")
        for part in path.replace("\\", "/")[len(at) + 1 :].split("/"):
            if at not in self._spellings:
                with suppress(OSError):
                    self._spellings[at] = {entry.name.lower(): entry.name for entry in Path(at).iterdir()}
            is_there = self.files.kind(f"{at}/{part}") != "missing"
            at += "/" + (part if is_there else self._spellings.get(at, {}).get(part.lower(), part))
        return at if at != path and self.is_file(at) else ""

    def working_directories(self, starts: Sequence[str]) -> list[str]:
        """The folders with an instruction file of one of the tools, the folder that is linted, and those named.

        The folder of a name such as ".tool/NAME.md" is no working directory: the folder above is. A folder whose name
        begins with a dot is none either, nor is one below it or the folder of a skill: no tool starts there.
        """
        found, below = self.survey, len(self.folder.rstrip("/")) + 1
        above = {name.partition("/")[0] for name in self.names if "/" in name}
        patterns = [pattern.rstrip("/") for pattern in starts]
        folders = {each for one in patterns for each in found.folders if fnmatchcase(each[below:], one)}
        folders.add(self.folder)
        for folder, entries in found.listed.items():
            own = folder.rpartition("/")[2]
            if own in above:
                if any(f"{own}/{name}" in self.names for name in entries):
                    folders.add(folder.rpartition("/")[0])
            elif any(name in self.names and not is_page(found, folder, name) for name in entries):
                folders.add(folder)
        skills = found.unchecked.get("skills", ())
        return sorted(each for each in folders if "/." not in each[below - 1 :] and f"{each}/SKILL.md" not in skills)

    def real_path(self, path: str) -> str:
        """A path without links; the path itself if its links lead nowhere."""
        return without_links(self.files, path)

    def entries(self, names: Iterable[str], *, kind: Kind | None) -> list[str]:
        """The paths of the entries of a kind that have one of these names; those of links for None."""
        wanted = frozenset(names)
        return [
            f"{folder.rstrip('/')}/{name}"
            for folder, entries in self.survey.listed.items()
            for name, found in entries.items()
            if name in wanted and found == kind
        ]


def joined(folder: str, path: str) -> str:
    """A path relative to a folder, without segments of dots."""
    return path if path.startswith("/") else clean_path(f"{folder}/{path}")


def is_page(found: Survey, folder: str, name: str) -> bool:
    """Whether a file is a page such as "docs/agents.md": a name in small letters, below the folder that is linted."""
    return name.islower() and not name.startswith(".") and folder != found.root


def without_pages(found: Survey, listed: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """The names in the folders of a survey, each with its folder."""
    return ((at, name) for at, names in listed.items() for name in names if not is_page(found, at, name))


def _meant_tools(found: Survey) -> set[str]:
    """The tools that a repository means, by the names of its files; pages mean none."""
    table = known_tools().names
    entries = ((Path(folder).name, name) for folder, name in without_pages(found, found.listed))
    meant = (table.get(f"{folder}/{name}") or table.get(name, ()) for folder, name in entries)
    if tools := set(chain.from_iterable(meant)):
        return tools
    by_letters = {name.lower(): tools for name, tools in reversed(list(table.items()))}
    return {tool for _, name in without_pages(found, found.cased) for tool in by_letters.get(name.lower(), ())}
