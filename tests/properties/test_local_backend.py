"""A local backend with links, dots and absolute paths, on a fake disk that enforces permissions for every user."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st
from pyfakefs.fake_filesystem import FakeFilesystem
from pyfakefs.fake_filesystem_unittest import Patcher

from loopspec_reference import LocalBackend, ReadRequest

from .disk import DISKS, PATHS, ROOT, Disk, Nowhere, spelled

INSIDE = spelled(ROOT).encode() + b"/"


@pytest.fixture(scope="module")
def fake() -> Iterator[FakeFilesystem]:
    """An empty fake disk for the module: building one takes longer than all examples."""
    with Patcher() as patcher:
        assert patcher.fs is not None
        yield patcher.fs


def answers(disk: Disk, paths: Sequence[str], fake: FakeFilesystem) -> list[bytes | BaseException]:
    """The backend's answers to concurrent reads of all paths."""
    fake.reset()
    disk.write(fake)
    backend = LocalBackend(spelled(ROOT))

    async def read_concurrently() -> list[bytes | BaseException]:
        reads = (backend.read(ReadRequest(path)) for path in paths)
        return await asyncio.gather(*reads, return_exceptions=True)

    return asyncio.run(read_concurrently())


@settings(max_examples=2 * settings().max_examples)
@given(disk=DISKS, paths=st.lists(PATHS, min_size=1, max_size=8))
@example(disk=Disk({("w", "root", "l0"): "../out/f.md"}), paths=["l0"])
@example(disk=Disk({("w", "root", "l0"): "../root-2"}), paths=["l0/f.md", "/w/root-2/f.md"])
def test_only_files_inside_the_root_are_read(fake: FakeFilesystem, disk: Disk, paths: list[str]) -> None:
    """Each answer is the content of the resolved file, or an error; a path outside the root is forbidden."""
    for path, got in zip(paths, answers(disk, paths, fake), strict=True):
        try:
            expected = disk.answer(path)
        except Nowhere:  # an unresolvable path may have any answer inside the root
            expected = got if isinstance(got, bytes) and got.startswith(INSIDE) else OSError
        event(expected.__name__ if isinstance(expected, type) else "content")
        if isinstance(expected, type):
            assert isinstance(got, expected), path
        else:
            assert got == expected, path


def test_a_link_to_itself_does_not_leave_the_root(fake: FakeFilesystem) -> None:
    """A link to the outside after a link loop is not followed either."""
    disk = Disk({(*ROOT, "l0"): "l0", (*ROOT, "l1"): "../out/f.md"})
    got = answers(disk, ["l1", "l0/../l1"], fake)

    assert [isinstance(answer, OSError) for answer in got] == [True, True]
