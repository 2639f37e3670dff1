"""What is linted: the folder, the tools, and the names that each tool reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache, cached_property
from pathlib import Path

from loopspec.contract.dialects import dialect, dialect_names
from loopspec_reference.agentsmd.paths import clean_path

from ..reader.roots import is_inside, without_links
from ..surveyed import SurveyedFiles, reader_for
from .configuration import Configuration
from .contents import TRAILING, FileContent
from .findings import Collector
from .repository import GIT, Choice, Survey, survey
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


@cache
def is_configured(tool: str) -> bool:
    """Whether the tool does not search for files, and reads configured ones."""
    return reader_for(tool).walk == "configured"


def reads_name(tool: str, path: str) -> bool:
    """Whether a path ends in the name of a file that a tool reads."""
    return any(path.endswith(f"/{name}") for name in names_of(tool))


class Scope:
    """One run: the folder, the repository around it, the tools, and the findings so far."""

    def __init__(self, folder: str, repository: str, home: str, configuration: Configuration) -> None:
        self.folder = folder
        self.repository = repository
        self.home = home
        names = {part for tool in dialect_names() for name in names_of(tool) for part in name.split("/")} | {GIT}
        self.choice = Choice(folder, repository, configuration.exclude, configuration.include)
        self.survey: Survey = survey(folder, names, self.choice)
        self.files = SurveyedFiles(self.survey.folders, self.survey.listed, frozenset(names))
        self.tools: tuple[str, ...] = ()
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

    @cached_property
    def own_names(self) -> frozenset[str]:
        """The names of the files that the tools read, without folders."""
        return frozenset[str]().union(*map(last_names, self.tools))

    def is_linted(self, path: str) -> bool:
        """Whether a path relative to the folder that is linted is in no folder that is left out."""
        left_out = self.survey.left_out
        full = f"{self.folder.rstrip('/')}/{path}"
        return not any(full[:at] in left_out for at, char in enumerate(full) if char == "/") and full not in left_out

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

    def real_path(self, path: str) -> str:
        """A path without links; the path itself if its links lead nowhere."""
        return without_links(self.files, path)

    def entries(self, names: Iterable[str], *, kind: str) -> list[str]:
        """The paths of the entries of a kind that have one of these names."""
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


def meant_tools(found: Survey) -> tuple[str, ...]:
    """The tools that a repository means, by the names of its files; pages mean none."""
    table = known_tools().names
    tools: dict[str, None] = {}
    for folder, entries in found.listed.items():
        for name in entries:
            if is_page(found, folder, name):
                continue
            full = f"{Path(folder).name}/{name}"
            tools.update(dict.fromkeys(table.get(full) or table.get(name, ())))
    if not tools:
        by_letters = {name.lower(): meant for name, meant in reversed(list(table.items()))}
        for folder, names in found.cased.items():
            for name in names:
                if is_page(found, folder, name):
                    continue
                tools.update(dict.fromkeys(by_letters.get(name.lower(), ())))
    return tuple(sorted(tools))


def is_hidden(found: Survey, folder: str) -> bool:
    """Whether a folder is one such as ".agents", or below one, or a skill: no tool starts there."""
    return "/." in folder[len(found.root.rstrip("/")) :] or f"{folder}/SKILL.md" in found.unchecked.get("skills", ())


def working_directories(found: Survey, tools: Sequence[str], starts: Sequence[str] = ()) -> list[str]:
    """The folders with an instruction file of one of the tools, the folder that is linted, and those named.

    The folder of a name such as ".tool/NAME.md" is no working directory: the folder above is. A folder whose name
    begins with a dot is none either.
    """
    names = {name for tool in tools for name in names_of(tool)}
    plain = {name for name in names if "/" not in name}
    above = {name.partition("/")[0] for name in names if "/" in name}
    folders = {found.root}
    if starts:
        below = len(found.root.rstrip("/")) + 1
        patterns = [pattern.rstrip("/") for pattern in starts]
        folders |= {each for each in found.folders if any(fnmatchcase(each[below:], one) for one in patterns)}
    for folder, entries in found.listed.items():
        own = folder.rpartition("/")[2]
        if own in above:
            if any(f"{own}/{name}" in names for name in entries):
                folders.add(folder.rpartition("/")[0])
        elif any(name in plain and not is_page(found, folder, name) for name in entries):
            folders.add(folder)
    return sorted(folder for folder in folders if not is_hidden(found, folder))
