"""Generated workspaces: what is generated for each dialect, and the bugs of readers that a search finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec import WorkspaceFile, WorkspaceReading
from loopspec.contract.dialects import Dialect, dialect, dialect_names
from loopspec.contract.faults import UsageError
from loopspec.contract.scene import Scene
from loopspec.contract.target import Target
from loopspec.contract.workspaces import Entry, Workspace, sentinel
from loopspec.targets.python import PythonTarget
from loopspec.targets.resolve import resolve
from loopspec_instructions.dialects import reader_of
from loopspec_instructions.reader import Dialect as Reader
from loopspec_instructions.reader import DiskFiles, read_instructions
from loopspec_lab.fuzzing.known import KnownDifferences
from loopspec_lab.fuzzing.reducing import smaller
from loopspec_lab.fuzzing.scenes import scenes, workspaces
from loopspec_lab.fuzzing.search import Finding, Search
from loopspec_lab.fuzzing.workspaces import workspace_scenes
from loopspec_steps.writing.scenes import write_scene

from .printed import scenario_that_shows

pytestmark = pytest.mark.usefixtures("workspaces_in_memory")

UNCHECKED = settings(suppress_health_check=list(HealthCheck), deadline=None)
Change = Callable[[Reader], Reader]


def read(reader: Reader, cwd: Path, home: Path, configured: Sequence[str]) -> list[WorkspaceFile]:
    """The files that the reference loads."""
    reading = read_instructions(DiskFiles(), str(cwd), str(home), reader, configured)
    return [WorkspaceFile(file.path, file.text) for file in reading.sections]


def reading(name: str, change: Change = lambda reader: reader, step: int = 1) -> PythonTarget:
    """The reference in a dialect with a change, and the files in the opposite order with the step -1."""

    class Tool:
        dialect = name

        def read_workspace(self, cwd: Path, home: Path, configured: Sequence[str]) -> WorkspaceReading:
            return WorkspaceReading(read(change(reader_of(name)), cwd, home, configured)[::step])

    return PythonTarget(Tool, "tool")


def first_finding(ours: Target, name: str, looks: int) -> Finding | None:
    """The first finding on a target and the reference in a dialect, until a number of looks at the clock."""
    ticks = count()
    with closing(ours), closing(resolve(f"reference as {name}")) as theirs:
        search = Search(ours, theirs, looks, 1, KnownDifferences(), 5.0, shrinking=looks, only="workspace")
        search.clock = lambda: float(min(next(ticks), looks + 1))
        return next(search.findings(), None)


QUICK = ("codex", "deepagents", "gemini-cli")  # a search, configured files, and imports


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in dialect_names()]
)
def test_a_right_reader_shows_no_difference(name: str) -> None:
    """A reader that names its files in the same way as the reference, in each dialect."""
    assert first_finding(reading(name), name, 25) is None


# A change of the reference in Codex's dialect, and what the smallest workspace that shows the change has.
BUGS: dict[str, tuple[Change, int, int, str]] = {
    "in the opposite order": (lambda reader: reader, -1, 2, "Then the loaded files are "),
    "with a larger budget": (lambda reader: replace(reader, budget=65536), 1, 3, ' bytes of "project/'),
    "without a name": (
        lambda reader: replace(reader, file_names=(("AGENTS.md",),)),
        1,
        1,
        "Then the loaded files are ",
    ),
    "with imports": (lambda reader: replace(reader, imports="inline", import_depth=5), 1, 2, ' bytes of "project/'),
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_wrong_reader_is_found_in_a_small_workspace(bug: str) -> None:
    """The scenario compiles, fails on the wrong reader, and passes on the reference."""
    change, step, entries, then = BUGS[bug]

    first = first_finding(reading("codex", change, step), "codex", 300)

    assert first is not None
    workspace = first.performed.scene.workspace
    assert workspace is not None
    assert first.repeats
    assert len(workspace.entries) <= entries
    assert first.performed.ours is not None
    assert [load.error for load in first.performed.ours.loads] == [None]
    with closing(reading("codex", change, step)) as ours, closing(resolve("reference as codex")) as theirs:
        assert then in scenario_that_shows(first, ours, theirs)


@given(st.sampled_from(dialect_names()).flatmap(lambda name: workspace_scenes(dialect(name))))
@settings(UNCHECKED, max_examples=30)
def test_every_generated_workspace_is_written(scene: Scene) -> None:
    """In every dialect, and after each reduction."""
    assert write_scene(scene)
    for less in smaller(scene):
        assert less != scene
        assert write_scene(less)


def generated(of: Dialect, most: int) -> set[str]:
    """The kinds of entries and the names in so many generated workspaces."""
    found: set[str] = set()

    @settings(
        max_examples=most, database=None, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None
    )
    @given(workspace_scenes(of))
    def collect(scene: Scene) -> None:
        assert scene.workspace is not None
        found.add(scene.workspace.working_directory)
        for path, entry in scene.workspace.entries.items():
            found.update((path, entry.kind, "bytes" if entry.base64 else "", "empty" if entry.text == "" else ""))
            found.update(("import",) if "@" in (entry.text or "") else ())
            found.add(f"{len(entry.content)} bytes")

    collect()
    return found


def test_a_workspace_has_what_readers_differ_in() -> None:
    """Names of the dialect, its global file, its budget, links, folders, imports, empty files and bad bytes."""
    found = generated(dialect("codex"), 400)

    assert {"file", "folder", "link", "repository", "bytes", "empty", "import"} <= found
    assert {"project/a/AGENTS.override.md", "home/.codex/AGENTS.md", "project/notes.md"} <= found
    assert {"32767 bytes", "32768 bytes", "32769 bytes"} <= found
    assert {"project", "project/a", "project/a/b"} <= found
    assert {"project/GEMINI.md", "32768 bytes"} & generated(dialect("gemini-cli"), 60) == {"project/GEMINI.md"}


def test_a_workspace_moves_one_folder_up() -> None:
    """With the paths in the first lines, unless a file is there already."""

    def moved(*paths: str) -> list[Workspace]:
        entries = {path: Entry(text=f"{sentinel(path)}\n") for path in paths}
        scene = Scene(act="read workspace", workspace=Workspace(entries=entries, working_directory="project/a"))
        found = [less.workspace for less in smaller(scene) if less.workspace]
        return [one for one in found if len(one.entries) == len(paths) and set(one.entries) != set(paths)]

    home = "home/x.md"
    [workspace] = moved("project/a/X.md", home)
    assert workspace.working_directory == "project"
    assert {path: one.text for path, one in workspace.entries.items()} == {
        path: f"{sentinel(path)}\n" for path in ("project/X.md", home)
    }
    assert moved("project/a/X.md", "project/X.md") == []


def test_targets_without_a_common_dialect_are_a_usage_error() -> None:
    """The sentence names both, and the option."""
    with closing(reading("codex")) as one, closing(reading("pi")) as other, closing(resolve("reference")) as third:
        with pytest.raises(UsageError, match="in different dialects, Codex CLI and pi: name one with --dialect"):
            scenes(one, other)
        with pytest.raises(UsageError, match="in different dialects"):
            workspaces(one, third)
        assert scenes(one, one) is not None
