"""A workspace as Given steps."""

from __future__ import annotations

from collections.abc import Iterator

from loopspec.contract.workspaces import Entry, Workspace, sentinel

from ..given.workspace import CONTENT, FILE
from .steps import NotWritable, WrittenStep
from .texts import as_content, names_text, plain, quoted

_REPOSITORY = "/.git"


def workspace_steps(workspace: Workspace) -> Iterator[WrittenStep]:
    """The Givens of the files, of the folders and of the configuration of a workspace."""
    rows = []
    for path, entry in workspace.entries.items():
        field = f"workspace.entries[{path!r}]"
        if entry.repeat != 1:
            raise NotWritable(f"{field}.repeat", "a repeated content is not written")
        first_line = f"{sentinel(path)}\n".encode()
        if entry.kind == "file" and entry.content.startswith(first_line) and entry.content != first_line:
            rows.append((plain(path, field), as_content(entry.content.removeprefix(first_line))))
        else:
            yield _given(_entry(path, entry, field, entry.content == first_line))
    if rows:
        yield WrittenStep("given", "workspace files with contents", ((FILE.name, CONTENT.name), *rows))
    usual = Workspace()
    if workspace.working_directory != usual.working_directory:
        yield _given(f'the working directory "{quoted(workspace.working_directory, "workspace.working_directory")}"')
    if workspace.home != usual.home:
        yield _given(f'the home folder "{quoted(workspace.home, "workspace.home")}"')
    if workspace.configured is not None:
        names = names_text(workspace.configured, "workspace.configured")
        yield _given(f"the configured workspace files {names}")


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
