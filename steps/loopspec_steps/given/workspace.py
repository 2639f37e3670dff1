"""Given: workspaces with instruction files."""

from __future__ import annotations

import posixpath

from msgspec.structs import replace

from loopspec.contract.workspaces import Entry, sentinel

from ..builders.scene import SceneBuilder
from ..cells import NUMBER, PATH, TEXT, names, unescape
from ..declarations import Column, Columns, PhraseError, Table
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import WORKSPACE

FILE = Column("path", "The path of the file in the workspace.", PATH, required=True)
CONTENT = Column(
    "content",
    "The content after the first line, which names the file; `\\n` and other escapes of a text stand for characters.",
    TEXT,
    required=True,
)
SIZE = Column("bytes", "The size of the file, its first line included.", NUMBER, required=True)

FILES: Columns[Column[object]] = Columns("workspace files", "Files with their contents, one per row.", FILE, CONTENT)
SIZES: Columns[Column[object]] = Columns("workspace sizes", "Files with their sizes, one per row.", FILE, SIZE)


def _file(content: bytes) -> Entry:
    try:
        return Entry(text=content.decode())
    except UnicodeDecodeError:
        return Entry(base64=content)


def _put(scene_builder: SceneBuilder, path: str, entry: Entry) -> None:
    known = WORKSPACE.of(scene_builder)
    WORKSPACE.put(scene_builder, replace(known, entries={**known.entries, path: entry}))


def _first_line(path: str) -> bytes:
    return f"{sentinel(path)}\n".encode()


WORKSPACE.given(
    'the Git repository "{path}"',
    'A folder with a folder ".git" that Git accepts.',
    entries=Added({"{path}/.git": Entry(kind="repository")}),
)


@given('the worktree "{path}" of the Git repository "{repository}"')
def worktree(scene_builder: SceneBuilder, path: str, repository: str) -> None:
    """A linked worktree, as `git worktree add` makes it: its file ".git" leads to a folder in the repository."""
    kept = f"{repository}/.git/worktrees/{path.rpartition('/')[2]}"
    way = posixpath.relpath(kept, path)
    back = posixpath.relpath(f"{path}/.git", kept)
    _put(scene_builder, f"{path}/.git", Entry(text=f"gitdir: {way}\n"))
    _put(scene_builder, f"{kept}/HEAD", Entry(text="ref: refs/heads/other\n"))
    _put(scene_builder, f"{kept}/commondir", Entry(text="../..\n"))
    _put(scene_builder, f"{kept}/gitdir", Entry(text=f"{back}\n"))


@given("the workspace files {paths}", one='the workspace file "{paths}"')
def workspace_files(scene_builder: SceneBuilder, paths: str) -> None:
    """Files of a workspace. Each has one line, which names the file."""
    for path in names(paths):
        _put(scene_builder, path, _file(_first_line(path)))


@given("workspace files with contents", FILES)
def workspace_files_with_contents(scene_builder: SceneBuilder, table: Table) -> None:
    """Files of a workspace. The first line of each names the file, and the content follows."""
    for row in table:
        path = FILE.text(row)
        _put(scene_builder, path, _file(_first_line(path) + unescape(CONTENT.text(row))))


@given('the workspace file "{path}" containing "{content}"')
def workspace_file(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A file of a workspace. The first line names the file, and the content follows."""
    _put(scene_builder, path, _file(_first_line(path) + unescape(content)))


@given('the workspace file "{path}" with the text')
def workspace_file_with_text(scene_builder: SceneBuilder, path: str, docstring: str) -> None:
    """A file of a workspace. The first line names the file, and the text below the step follows."""
    _put(scene_builder, path, _file(_first_line(path) + docstring.encode()))


@given("workspace files of these sizes", SIZES)
def workspace_files_of_sizes(scene_builder: SceneBuilder, table: Table) -> None:
    """Files of a workspace of exactly this many bytes. The first line of each names the file, and dots follow."""
    for row in table:
        path, size = FILE.text(row), SIZE.read(row)
        filling = size - len(_first_line(path))
        if filling < 0:
            raise PhraseError(f"{path}: {size} bytes do not hold its first line")
        _put(scene_builder, path, _file(_first_line(path) + b"." * filling))


@given('the workspace file "{path}" containing "{start}" and {count:d} times "{content}"')
def repetitive_workspace_file(scene_builder: SceneBuilder, path: str, start: str, count: int, content: str) -> None:
    """A file of a workspace. The first line names the file, and the start and the repeated content follow."""
    _put(scene_builder, path, _file(_first_line(path) + unescape(start) + count * unescape(content)))


@given("the empty workspace files {paths}", one='the empty workspace file "{paths}"')
def empty_workspace_files(scene_builder: SceneBuilder, paths: str) -> None:
    """Files of a workspace without a byte."""
    for path in names(paths):
        _put(scene_builder, path, Entry(text=""))


@given('the workspace file "{path}" with nothing but "{content}"')
def bare_workspace_file(scene_builder: SceneBuilder, path: str, content: str) -> None:
    """A file of a workspace with this content, and without a first line that names the file."""
    _put(scene_builder, path, _file(unescape(content)))


@given("the workspace folders {paths}", one='the workspace folder "{paths}"')
def workspace_folders(scene_builder: SceneBuilder, paths: str) -> None:
    """Folders of a workspace, which may have the name of an instruction file."""
    for path in names(paths):
        _put(scene_builder, path, Entry(kind="folder"))


WORKSPACE.given(
    'the named pipe "{path}"',
    "A named pipe of a workspace: a program that reads it as a file waits forever.",
    entries=Added({"{path}": Entry(kind="pipe")}),
)
WORKSPACE.given(
    'a symbolic link from "{path}" to "{target}"',
    "A symbolic link. The target is relative to the folder of the link.",
    entries=Added({"{path}": Entry(kind="link", target="{target}")}),
)
WORKSPACE.given(
    'a hard link from "{path}" to "{target}"',
    "A second name of a file. The target is relative to the folder of the link.",
    entries=Added({"{path}": Entry(kind="hard-link", target="{target}")}),
)


@given('the workspace file "{path}" without read permission')
def forbidden_workspace_file(scene_builder: SceneBuilder, path: str) -> None:
    """A file of a workspace that the user has no permission to read. The first line names the file."""
    _put(scene_builder, path, Entry(kind="forbidden", text=_first_line(path).decode()))


@given('a symbolic link from "{path}" to itself')
def link_to_itself(scene_builder: SceneBuilder, path: str) -> None:
    """A symbolic link to itself, which every user fails to read, with an error other than "does not exist"."""
    _put(scene_builder, path, Entry(kind="link", target=path.rpartition("/")[2]))


WORKSPACE.given(
    'the working directory "{path}"',
    'The folder in which the tool is started; the folder "project" by default.',
    working_directory="{path}",
)
WORKSPACE.given(
    'the home folder "{path}"',
    'The home folder of the user; the folder "home" by default, which contains no other folder of a workspace.',
    home="{path}",
)
WORKSPACE.given(
    "the user has agreed to imports from outside the project",
    "By default, the user has not agreed. Needs the capability import-agreement.",
    agreed=True,
)
WORKSPACE.given(
    "the configured workspace files {paths}",
    "The files in the configuration of a tool that does not search for files. By default, these are the files with the "
    "usual name in the folders down to the working directory.",
    configured=hole("paths"),
    one='the configured workspace file "{paths}"',
)
