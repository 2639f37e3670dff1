"""Generated workspaces with the file names of a dialect, and what of a reading is compared."""

from __future__ import annotations

from hypothesis import strategies as st

from loopspec.contract.dialects import Dialect, instruction_axes
from loopspec.contract.scene import Scene
from loopspec.contract.workspaces import Entry, Workspace, sentinel

_FOLDERS = ("project", "project/a", "project/a/b")
_NOTES = ("project/notes.md", "project/a/notes.md")  # no tool searches for them: they are imported
_IMPORTS = st.sampled_from(
    ["notes.md", "./notes.md", "../notes.md", "a/notes.md", "missing.md", "../../home/notes.md", "."]
)
_AROUND = st.sampled_from(["See @{}", "@{}", "- @{} and more", "`@{}`", "mail@{}"])
_MOST = 6  # entries next to the working directory's own


@st.composite
def workspace_scenes(draw: st.DrawFn, dialect: Dialect) -> Scene:
    """A tree for a tool of the dialect: files, folders and links with the names that the tool searches for.

    No entry is a named pipe, which a target in this process could read forever, and none is without read permission,
    which root does not need.
    """
    names = _flat(dialect, "names") or ["AGENTS.md"]
    places = [*(f"{folder}/{name}" for folder in _FOLDERS for name in names), *_NOTES]
    places += [f"home/{place}" for place in _flat(dialect, "global-file")]
    entries = {f"{draw(st.sampled_from(_FOLDERS))}/.git": Entry(kind="repository")} if draw(st.booleans()) else {}
    for path in draw(st.lists(st.sampled_from(places), min_size=1, max_size=_MOST, unique=True)):
        entries[path] = draw(_entries(path, names, _budget(dialect)))
    workspace = Workspace(entries=entries, working_directory=draw(st.sampled_from(_FOLDERS)))
    return Scene(act="read workspace", workspace=workspace)


def _flat(dialect: Dialect, axis: str) -> list[str]:
    """The names, or the places below the home folder, that the dialect has on an axis."""
    found = instruction_axes()[axis].values.get(dialect.value(axis))
    return [name for group in found.groups for name in group] if found else []


def _budget(dialect: Dialect) -> int:
    found = instruction_axes()["budget"].values.get(dialect.value("budget"))
    return found.number if found else 0


@st.composite
def _entries(draw: st.DrawFn, path: str, names: list[str], budget: int) -> Entry:
    """A file in half of the cases, and something in its place in the others."""
    first = f"{sentinel(path)}\n"
    line = f"A line of {path}."
    imports = draw(st.lists(st.builds(lambda around, name: around.format(name), _AROUND, _IMPORTS), max_size=2))
    sizes = [budget // 2, budget - 1, budget, budget + 1] if budget else [100]
    special = [
        Entry(text=""),
        Entry(text=" \n\t"),
        Entry(text=line),
        Entry(kind="folder"),
        Entry(kind="link", target=path.rpartition("/")[2]),
        Entry(kind="link", target=draw(st.sampled_from([*names, "notes.md", "../notes.md", "gone.md"]))),
        Entry(base64=f"{first}{line}\n".encode() + b"\xff\xc3"),
        Entry(text=first.ljust(draw(st.sampled_from(sizes)), ".")),
    ]
    usual = [Entry(text=first), Entry(text=f"{first}{line}"), Entry(text="\n".join([first.rstrip(), *imports, line]))]
    return draw(st.one_of(st.sampled_from(usual), st.sampled_from([*usual, *special])))
