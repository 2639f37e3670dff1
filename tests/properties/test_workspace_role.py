"""Generated workspaces: what a whole run of the role shows is what a simple list of folders says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopspec.contract.dialects import dialect
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene
from loopspec.contract.target import Target
from loopspec.contract.workspaces import Entry, Workspace, sentinel
from loopspec.engine.perform import perform
from loopspec.targets.resolve import resolve

FOLDERS = ("top", "top/project", "top/project/a", "top/project/a/ü b")
NAMES = ("{first name}", "{second name}")
PLACES = [f"{folder}/{name}" for folder in FOLDERS for name in NAMES]
OTHERS = ("top/project/z/{first name}", "top/project/a/ü b/below/{second name}", "top/notes.md", "other/{second name}")


@dataclass(frozen=True)
class Drawn:
    """Which files exist, which folders are repositories, and where the tool starts."""

    files: frozenset[str]
    repositories: frozenset[str]
    cwd: str
    has_global: bool
    body: str

    @property
    def scene(self) -> Scene:
        """The scene of the workspace."""
        paths = [*self.files, *(["home/{global}"] if self.has_global else [])]
        entries = {path: Entry(text=f"{sentinel(path)}\n{self.body}") for path in sorted(paths)}
        entries |= {f"{folder}/.git": Entry(kind="repository") for folder in self.repositories}
        return Scene(act="read workspace", workspace=Workspace(entries=entries, working_directory=self.cwd))


BODIES = st.sampled_from(["", "text", "ü\r\n\n  indented", 'This is "top/none.md".', "a @mention", "\\n", "```\ncode"])
DRAWN = st.builds(
    Drawn,
    st.frozensets(st.sampled_from([*PLACES, *OTHERS])),
    st.frozensets(st.sampled_from(FOLDERS), max_size=2),
    st.sampled_from(FOLDERS),
    st.booleans(),
    BODIES,
)


@cache
def target_of(name: str) -> Target:
    """The reference in a dialect."""
    return resolve(f"reference as {name}")


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    for name in ("codex", "pi"):
        target_of(name).close()


def folders_of(drawn: Drawn, name: str) -> list[str]:
    """The folders that a tool searches, the highest one first."""
    above = [folder for folder in FOLDERS if drawn.cwd == folder or drawn.cwd.startswith(f"{folder}/")]
    if name == "pi":  # searches up to the root of the file system
        return above
    marked = [folder for folder in above if folder in drawn.repositories]
    return above[above.index(marked[-1]) :] if marked else [drawn.cwd]


def expected(drawn: Drawn, name: str) -> Iterator[str]:
    """The files: the global one, and the first name that each folder has."""
    if drawn.has_global:
        yield "home/{global}"
    for folder in folders_of(drawn, name):
        yield from [path for each in NAMES if (path := f"{folder}/{each}") in drawn.files][:1]


@given(DRAWN, st.sampled_from(["codex", "pi"]))
def test_the_files_of_a_run_are_those_of_the_folders(drawn: Drawn, name: str) -> None:
    """Names of files become those of the dialect, the tree is laid out, and the texts show the files in order."""
    assert not dialect(name).lacks(drawn.scene.workspace or Workspace())
    [load] = perform(target_of(name), drawn.scene, "workspace").loads

    assert load.error is None
    assert [section.path for section in load.sections] == [*expected(drawn, name)]
    assert all(section.text.startswith(sentinel(section.path)) for section in load.sections)
    assert all(drawn.body.strip() in section.text for section in load.sections)


@given(DRAWN)
def test_a_scene_and_an_observation_of_a_workspace_survive_json(drawn: Drawn) -> None:
    """A decoded scene is equal, and so is a decoded observation."""
    scene = drawn.scene
    seen = perform(target_of("codex"), scene, "workspace")

    assert msgspec.json.decode(msgspec.json.encode(scene), type=Scene) == scene
    assert msgspec.json.decode(msgspec.json.encode(seen), type=Observation) == seen
