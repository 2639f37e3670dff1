"""Generated calls of a backend: what is generated, and the bugs of small stores that a search finds."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from itertools import count

import pytest
from hypothesis import HealthCheck, find, given, settings

from loopspec import ReadRequest
from loopspec.contract.capabilities import capabilities_of_role
from loopspec.contract.faults import UsageError
from loopspec.contract.scene import Ask, BackendStep, Break, Close, Delete, FailStore, File, Link, Scene, Write
from loopspec.contract.target import Target
from loopspec.targets.python import PythonTarget
from loopspec_lab.fuzzing.backends import backend_scenes, is_in_order
from loopspec_lab.fuzzing.generated_calls import difference_in_calls
from loopspec_lab.fuzzing.known import KnownDifferences
from loopspec_lab.fuzzing.reducing import smaller
from loopspec_lab.fuzzing.scenes import backends, scenes
from loopspec_lab.fuzzing.search import Finding, Search
from loopspec_reference_adapter import Memory, Reference
from loopspec_steps.writing.scenes import write_scene

from .printed import scenario_that_shows


class Store:
    """A store that is right."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)
        self.is_gone = False

    def read(self, request: ReadRequest) -> bytes | str:
        """Read a whole file."""
        if self.is_gone:
            raise ConnectionError("no server")
        if request.file_path not in self.files:
            raise FileNotFoundError(request.file_path)
        return self.files[request.file_path]

    def write(self, path: str, content: bytes) -> None:
        """Create or replace a file."""
        self.files[path] = content

    def delete(self, path: str) -> None:
        """Delete a file."""
        del self.files[path]

    def fail(self, kind: str) -> None:
        """Stop the server."""
        self.is_gone = True


class Cached(Store):
    """A store that caches by the size of a file."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.cache: dict[tuple[str, int], bytes | str] = {}

    def read(self, request: ReadRequest) -> bytes | str:
        """Read from the cache first."""
        found = super().read(request)
        return self.cache.setdefault((request.file_path, len(found)), found)


class RemembersMissing(Store):
    """A store that remembers which files are missing."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(files)
        self.missing: set[str] = set()

    def read(self, request: ReadRequest) -> bytes | str:
        """Read no file that was missing before."""
        try:
            found = super().read(request)
        except FileNotFoundError:
            self.missing.add(request.file_path)
            raise
        if request.file_path in self.missing:
            raise FileNotFoundError(request.file_path)
        return found


class LosesItsServer(Store):
    """A store for which every failure of the server is a missing file."""

    def read(self, request: ReadRequest) -> bytes | str:
        """Read, or report a missing file."""
        try:
            return super().read(request)
        except OSError:
            raise FileNotFoundError(request.file_path) from None


class DeletesByName(Store):
    """A store that deletes all files of a name, in every folder."""

    def delete(self, path: str) -> None:
        """Delete the files."""
        name = path.rpartition("/")[2]
        self.files = {other: content for other, content in self.files.items() if other.rpartition("/")[2] != name}


class ReplacesBytes(Store):
    """A store that returns text after a write, and replaces what is not UTF-8."""

    def write(self, path: str, content: bytes) -> None:
        """Store text."""
        super().write(path, content.decode(errors="replace").encode())


def target(store: type[Store]) -> Target:
    """The target with one store."""

    class Opens:
        capabilities = ("deletes", "edits", "fault-gone")

        def open(self, files: Mapping[str, bytes]) -> Store:
            return store(files)

    return PythonTarget(Opens, store.__name__)


def first_finding(ours: Target, looks: int) -> Finding | None:
    """The first finding on a target and the reference, until a number of looks at the clock."""
    ticks = count()
    with closing(ours), closing(PythonTarget(Reference, "reference")) as theirs:
        search = Search(ours, theirs, looks, 1, KnownDifferences(), 5.0, only="backend")
        search.clock = lambda: 0.0 if search.best else float(next(ticks))
        return next(search.findings(), None)


def test_a_right_store_shows_no_difference() -> None:
    """Whole files, writes, deletions and a server that is gone."""
    assert first_finding(target(Store), 60) is None


def test_the_store_in_memory_shows_no_difference() -> None:
    """With the capabilities that the store in memory has."""
    assert first_finding(PythonTarget(Memory, "memory"), 60) is None


# A wrong store, the number of calls of its smallest scene, and the Then that shows the bug.
BUGS: dict[type[Store], tuple[int, str]] = {
    Cached: (3, 'Then read 2 returns "'),
    RemembersMissing: (3, 'Then read 2 returns "'),
    DeletesByName: (2, 'Then read 1 returns "'),
    LosesItsServer: (2, "Then read 1 fails, but not with a missing-file error"),
    ReplacesBytes: (2, r'Then read 1 returns "one\xfftwo"'),
}


@pytest.mark.parametrize("store", BUGS)
def test_a_wrong_store_is_found_with_a_few_calls(store: type[Store]) -> None:
    """The scenario compiles, fails on the wrong store, and passes on the reference."""
    calls, then = BUGS[store]

    first = first_finding(target(store), 400)

    assert first is not None
    assert first.repeats
    assert len(first.performed.scene.backend) <= calls
    with closing(target(store)) as ours, closing(PythonTarget(Reference, "reference")) as theirs:
        assert then in scenario_that_shows(first, ours, theirs)


def test_a_difference_is_printed_with_both_sides() -> None:
    """The scenario and both outcomes, for the message of a failed test."""
    with closing(target(LosesItsServer)) as ours:
        lines = difference_in_calls(ours, 400, 0, 5.0).splitlines()

    assert lines[0] == "The backend differs from the reference in generated calls."
    assert lines[1] == "    Scenario: Generated calls"
    assert [line.split(":")[1].strip() for line in lines[-2:]] == ["a missing-file error", "another error"]


@given(backend_scenes(frozenset(capabilities_of_role("backend"))))
@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
def test_every_generated_scene_is_written(scene: Scene) -> None:
    """With every capability; and after each reduction, which has less or simpler values."""
    assert is_in_order(scene)
    assert write_scene(scene)
    for less in smaller(scene):
        assert less != scene
        if less.backend:
            assert write_scene(less)


A, B = File(text="one"), File(text="two")


@pytest.mark.parametrize(
    "steps",
    [
        (Break(path="a.md", kind="io"), Write(path="a.md", file=B)),
        (Break(path="a.md", kind="io"), Break(path="a.md", kind="permission")),
        (Break(path="b.md", kind="io"),),
        (Delete(path="b.md"),),
        (Delete(path="a.md"), Delete(path="a.md")),
        (Break(path="a.md", kind="io"), Delete(path="a.md")),
        (Link(path="link.md", target="a.md"), Delete(path="a.md")),
        (Link(path="link.md", target="a.md"), Write(path="link.md", file=B)),
        (Link(path="link.md", target="a.md"), Break(path="a.md", kind="io")),
        (Link(path="link.md", target="b.md"),),
        (Link(path="a.md", target="a.md"),),
        (FailStore(kind="gone"), Write(path="a.md", file=B)),
        (Close(), FailStore(kind="gone")),
    ],
)
def test_calls_that_no_rule_is_about_are_not_in_order(steps: tuple[BackendStep, ...]) -> None:
    """The first of two such calls is in order."""
    read = Ask(requests=(ReadRequest(file_path="a.md"),))

    assert not is_in_order(Scene(act="read", files={"a.md": A}, backend=(*steps, read)))
    assert is_in_order(Scene(act="read", files={"a.md": A}, backend=(*steps[:-1], read)))


def test_a_target_with_a_backend_alone_is_compared_as_a_backend() -> None:
    """The role of the search is the one that both targets have."""
    with closing(target(Store)) as ours, closing(PythonTarget(Reference, "reference")) as theirs:
        found = find(scenes(ours, theirs), lambda scene: True, settings=settings(database=None))

    assert found.act == "read"


def test_a_target_without_a_backend_cannot_be_compared_as_one() -> None:
    """The error names the role."""

    class Loads:
        async def load(self, backend: object, files: object, max_bytes: object) -> None:
            """Load nothing."""

    with (
        closing(PythonTarget(Loads, "loads")) as ours,
        closing(PythonTarget(Reference, "reference")) as theirs,
        pytest.raises(UsageError, match="the role backend is compared, and one of the targets does not have the role"),
    ):
        backends(ours, theirs)
