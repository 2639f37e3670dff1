"""A workspace as Given steps, and what a tool loads from a workspace as Then steps."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from loopspec.contract.observation import Load
from loopspec.contract.scene import Scene
from loopspec.contract.workspaces import Entry, Workspace, path_in, sentinel

from ..cells import as_content, names_text, plain, quoted, times
from ..declarations import NotWritable, within
from ..given.parts import WORKSPACE
from ..given.workspace import CONTENT, FILE, SIZE
from ..phrasebook import WrittenStep
from .steps import given, some

_FEW = 20  # dots that are written as a content
_LONG = 80  # letters of a line: a longer one is in no Then


def workspace_steps(workspace: Workspace) -> Iterator[WrittenStep]:
    """The Givens of the files, of the folders and of the configuration of a workspace."""
    rows, sizes = [], []
    for path, entry in workspace.entries.items():
        with within(f"workspace.entries[{path!r}]"):
            if entry.repeat != 1:
                raise NotWritable("a repeated content is not written", "repeat")
            first_line = f"{sentinel(path)}\n".encode()
            filling = entry.content.removeprefix(first_line)
            if entry.kind != "file" or not filling or not entry.content.startswith(first_line):
                yield _entry(path, entry, entry.content == first_line)
            elif set(filling) == {ord(".")} and filling[_FEW:]:
                sizes.append((plain(path), str(len(entry.content))))
            else:
                rows.append((plain(path), as_content(filling)))
    if rows:
        yield WrittenStep("given", "workspace files with contents", ((FILE.name, CONTENT.name), *rows))
    if sizes:
        yield WrittenStep("given", "workspace files of these sizes", ((FILE.name, SIZE.name), *sizes))
    with within("workspace"):
        yield from WORKSPACE.write(workspace, Workspace())


def _entry(path: str, entry: Entry, is_first_line: bool) -> WrittenStep:
    """The Given of an entry. `is_first_line`: the content is the line that names the file."""
    match entry.kind:
        case "file" if is_first_line:
            return given(f"the workspace files {names_text([path])}")
        case "file" if not entry.content:
            return given(f"the empty workspace files {names_text([path])}")
        case "file":
            return given(f'the workspace file "{quoted(path)}" with nothing but "{as_content(entry.content)}"')
        case "folder":
            return given(f"the workspace folders {names_text([path])}")
        case "forbidden" if is_first_line:
            return given(f'the workspace file "{quoted(path)}" without read permission')
        case _:
            return WORKSPACE.entry("entries", {path: entry})


def workspace_thens(scene: Scene, load: Load) -> Iterator[WrittenStep]:
    """The Thens about the files that a tool loads."""
    assert scene.workspace is not None, "the act reads a workspace"
    if load.error:
        yield _then("loading fails")
        return
    paths = [section.path for section in load.sections]
    yield _then(some("the loaded files are", paths, "no file is loaded"))
    for section in load.sections:
        entry = scene.workspace.entries.get(section.path, Entry())
        if entry.text and paths.count(section.path) == 1:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(entry.text, section.text, strict=False))
            size = len("".join(letter for letter, _ in same).encode())
            yield _then(f'{size} bytes of "{quoted(section.path)}" are loaded')
    lines = (line for entry in scene.workspace.entries.values() for line in (entry.text or "").splitlines())
    for line in dict.fromkeys(line for line in lines if line.strip() and path_in(line) is None and not line[_LONG:]):
        yield _then(f'the loaded text contains "{as_content(line.encode())}" {times((load.text or "").count(line))}')


def _then(text: str) -> WrittenStep:
    return WrittenStep("then", text)
