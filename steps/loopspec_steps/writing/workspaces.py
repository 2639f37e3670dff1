"""A workspace as Given steps, and what a tool loads from a workspace as Then steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from loopspec.contract.observation import Load
from loopspec.contract.scene import Scene
from loopspec.contract.workspaces import Entry, Workspace, path_in, sentinel

from ..given.workspace import CONTENT, FILE, SIZE
from .steps import NotWritable, WrittenStep
from .texts import as_content, names_text, plain, quoted, times

_REPOSITORY = "/.git"
_FEW = 20  # dots that are written as a content
_LONG = 80  # letters of a line: a longer one is in no Then


def workspace_steps(workspace: Workspace) -> Iterator[WrittenStep]:
    """The Givens of the files, of the folders and of the configuration of a workspace."""
    rows, sizes = [], []
    for path, entry in workspace.entries.items():
        field = f"workspace.entries[{path!r}]"
        if entry.repeat != 1:
            raise NotWritable(f"{field}.repeat", "a repeated content is not written")
        first_line = f"{sentinel(path)}\n".encode()
        filling = entry.content.removeprefix(first_line)
        if (
            entry.kind == "file"
            and entry.content == first_line + filling
            and set(filling) == {ord(".")}
            and filling[_FEW:]
        ):
            sizes.append((plain(path, field), str(len(entry.content))))
        elif entry.kind == "file" and entry.content.startswith(first_line) and entry.content != first_line:
            rows.append((plain(path, field), as_content(filling)))
        else:
            yield _given(_entry(path, entry, field, entry.content == first_line))
    if rows:
        yield WrittenStep("given", "workspace files with contents", ((FILE.name, CONTENT.name), *rows))
    if sizes:
        yield WrittenStep("given", "workspace files of these sizes", ((FILE.name, SIZE.name), *sizes))
    usual = Workspace()
    if workspace.working_directory != usual.working_directory:
        yield _given(f'the working directory "{quoted(workspace.working_directory, "workspace.working_directory")}"')
    if workspace.home != usual.home:
        yield _given(f'the home folder "{quoted(workspace.home, "workspace.home")}"')
    if workspace.configured is not None:
        names = names_text(workspace.configured, "workspace.configured")
        yield _given(f"the configured workspace files {names}")


def workspace_thens(scene: Scene, load: Load) -> Iterator[WrittenStep]:
    """The Thens about the files that a tool loads."""
    assert scene.workspace is not None, "the act reads a workspace"
    if load.error:
        yield _then("loading fails")
        return
    paths = [section.path for section in load.sections]
    yield _then(f"the loaded files are {names_text(paths, 'paths')}")
    for section in load.sections:
        entry = scene.workspace.entries.get(section.path, Entry())
        if entry.text and paths.count(section.path) == 1:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(entry.text, section.text, strict=False))
            size = len("".join(letter for letter, _ in same).encode())
            yield _then(f'{size} bytes of "{quoted(section.path, "path")}" are loaded')
    lines = (line for entry in scene.workspace.entries.values() for line in (entry.text or "").splitlines())
    for line in dict.fromkeys(line for line in lines if line.strip() and path_in(line) is None and not line[_LONG:]):
        yield _then(f'the loaded text contains "{as_content(line.encode())}" {times((load.text or "").count(line))}')


def _then(text: str) -> WrittenStep:
    return WrittenStep("then", text)


def _given(text: str) -> WrittenStep:
    return WrittenStep("given", text)


def _entry(path: str, entry: Entry, field: str, has_first_line_alone: bool) -> str:
    """The Given of an entry. `has_first_line_alone`: the content is the line that names the file."""
    name = quoted(path, field)
    match entry.kind:
        case "file" if has_first_line_alone:
            return f"the workspace files {names_text([path], field)}"
        case "file" if not entry.content:
            return f"the empty workspace files {names_text([path], field)}"
        case "file":
            return f'the workspace file "{name}" with nothing but "{as_content(entry.content)}"'
        case "folder":
            return f"the workspace folders {names_text([path], field)}"
        case "link":
            return f'a link from "{name}" to "{quoted(entry.target, f"{field}.target")}"'
        case "hard-link":
            return f'a hard link from "{name}" to "{quoted(entry.target, f"{field}.target")}"'
        case "pipe":
            return f'the named pipe "{name}"'
        case "forbidden" if has_first_line_alone:
            return f'the workspace file "{name}" without read permission'
        case "repository" if path.endswith(_REPOSITORY):
            return f'the Git repository "{name.removesuffix(_REPOSITORY)}"'
    raise NotWritable(field, "no phrase gives this entry")
