"""A workspace: a folder tree with instruction files, from which a tool reads what a model receives."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from .values import FileData, Needs, Value

EntryKind = Literal["file", "folder", "link", "hard-link", "pipe", "forbidden", "repository"]

# In the paths and contents of a workspace: the usual file name of the target's dialect, the first and the second name
# of a group (of two groups, if no group has two names), and the place of its global file below the home folder.
NAME, FIRST_NAME, SECOND_NAME, GLOBAL = "{name}", "{first name}", "{second name}", "{global}"


class Entry(FileData, frozen=True):
    """One entry of a workspace. A file has a content: `text`, or `base64` where it is no UTF-8, `repeat` times over.

    A "forbidden" file may not be read, a "link" leads to `target`, relative to its own folder, a "hard-link" is a
    second name of the file `target`, and a "repository" is a folder `.git` that Git accepts.
    """

    kind: EntryKind = "file"
    repeat: int = 1
    target: str = ""

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.data * self.repeat


class Workspace(Value, frozen=True):
    """Entries by their paths relative to a base folder, which has nothing above it that a tool could read.

    The tool is started in the folder `working_directory`, with the home folder `home`. `configured` are the files that
    a tool without a search is configured with; None: each file with the usual name of the dialect in the folders from
    the first folder of `working_directory` down to it. `agreed`: the user has agreed to imports from outside
    the project.
    """

    entries: dict[str, Entry] = {}
    working_directory: str = "project"
    home: str = "home"
    configured: tuple[str, ...] | None = None
    agreed: Annotated[bool, Needs("import-agreement")] = False


def sentinel(path: str) -> str:
    """The first line of a file in a workspace, by which a text that a model receives shows the file."""
    return f'This is "{path.translate(_NO_PLACEHOLDER)}".'


def path_in(line: str) -> str | None:
    """The path that the first line of a file names; None for another line."""
    found = _SENTINEL.fullmatch(line)
    return None if found is None else found[1].translate(_PLACEHOLDER)


_SENTINEL = re.compile(r'This is "(.*)"\.')
_NO_PLACEHOLDER = str.maketrans("{}", "()")  # the first line is the same in every dialect
_PLACEHOLDER = str.maketrans("()", "{}")
