"""The reference's `LocalBackend` as each user, with swapped links, and on disks that ignore case or are read-only."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

import pytest

from loopspec import Posture
from loopspec.contract.axes import Postures
from loopspec.contract.capabilities import Capability
from loopspec.engine.judge import judge
from loopspec.specification.cases import Case
from loopspec.specification.features import compiled
from loopspec.targets.python import PythonTarget
from loopspec_reference import LocalBackend, ReadRequest
from loopspec_reference.agentsmd import backends
from loopspec_reference_adapter import Reference
from loopspec_reference_adapter.stores import LocalStore

CASES = [case for case in compiled() if "backend" in case.roles]
ANOTHER_USER = 65534  # the number of the user who owns nothing
READING: frozenset[Capability] = frozenset({"cancel-read", "closes", "confined", "directories", "line-ranges"})
ONE_NAME = {"case-of-names": Posture("one-name", measured=True)}

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user, and mount")
Verdicts = Mapping[str, str]  # by the id of a case


class Local(Reference):
    """A `LocalBackend` over folders in a given folder."""

    roles = ("backend",)

    def __init__(self, base: Path, postures: Postures) -> None:
        super().__init__()
        self.base = base
        self.postures = postures

    def open(self, files: Mapping[str, bytes]) -> LocalStore:
        """Open a backend with these files."""
        return LocalStore(self.base / str(next(self._numbers)), files)


class WithoutWriting(Local):
    """The same without permission to write to the folders."""

    capabilities = READING

    def open(self, files: Mapping[str, bytes]) -> LocalStore:
        """Open a backend with these files; afterward, nothing can be changed."""
        store = super().open(files)
        folders = [Path(folder) for folder, _, _ in os.walk(self.base) if Path(folder) != self.base]
        for folder in folders:
            folder.chmod(0o555)
        return store


class ReadOnly(Local):
    """The same on a disk that is read-only while the backend is read."""

    capabilities = READING

    def open(self, files: Mapping[str, bytes]) -> LocalStore:
        """Open a backend with these files, on a disk that can be changed meanwhile."""
        _mounted("-o", "remount,rw", self.base)
        try:
            return super().open(files)
        finally:
            _mounted("-o", "remount,ro", self.base)


Adapter = Callable[[Path, Postures], Local]


def judged(adapter: Adapter, base: Path, postures: Postures | None = None, cases: list[Case] = CASES) -> Verdicts:
    """Judge the backend in a folder; the verdict of a failure has its message."""
    with closing(PythonTarget(lambda: adapter(base, postures or {}), "local")) as target:
        results = [judge(case, target) for case in cases]
    return {one.case: f"{one.verdict}: {one.message}" if one.message else one.verdict for one in results}


def failures(verdicts: Verdicts) -> Verdicts:
    """The verdicts other than passed and inapplicable."""
    return {case: one for case, one in verdicts.items() if not one.startswith(("passed", "inapplicable"))}


def passed(verdicts: Verdicts) -> int:
    return sum(one.startswith("passed") for one in verdicts.values())


def as_another_user(perform: Callable[[Path], Verdicts], base: Path) -> Verdicts:
    """Call a function in a process of another user, who owns the folder."""
    processes = multiprocessing.get_context("fork")
    received, sent = processes.Pipe(duplex=False)
    process = processes.Process(target=_perform_as_another_user, args=(perform, base, sent))
    process.start()
    sent.close()
    found: Verdicts = received.recv() if received.poll(120) else {}
    process.join(60)
    return found


def _perform_as_another_user(perform: Callable[[Path], Verdicts], base: Path, sent: Connection) -> None:
    with tempfile.TemporaryDirectory() as warm_up:  # imports what the other user may have no permission to import
        each = {case.rule.ids[0]: case for case in CASES}
        judged(Local, Path(warm_up), cases=list(each.values()))
    os.chown(base, ANOTHER_USER, ANOTHER_USER)
    os.setgroups([])
    os.setgid(ANOTHER_USER)
    os.setuid(ANOTHER_USER)
    sent.send({"user": str(os.geteuid()), **perform(base)})


@pytest.fixture
def base() -> Iterator[Path]:
    """A folder that each user can read; other temporary folders have one user."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def _mounted(*command: object) -> None:
    subprocess.run(["mount", *map(str, command)], check=True, capture_output=True, timeout=60)


@pytest.fixture
def read_only(base: Path) -> Iterator[Path]:
    """A mounted disk in memory."""
    try:
        _mounted("-t", "tmpfs", "-o", "size=64m", "loopspec", base)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"this machine cannot mount a disk in memory: {error}")
    yield base
    subprocess.run(["umount", "--lazy", str(base)], check=True, timeout=60)


@pytest.fixture
def ignoring_case(base: Path) -> Iterator[Path]:
    """A mounted disk with NTFS, on which two names that differ only in case are one file."""
    if not (shutil.which("mkfs.ntfs") and shutil.which("lowntfs-3g")):
        pytest.skip("needs mkfs.ntfs and lowntfs-3g, which the package ntfs-3g has")
    image, disk = base / "image", base / "disk"
    disk.mkdir()
    with image.open("wb") as file:
        file.truncate(256 << 20)
    subprocess.run(["mkfs.ntfs", "-F", "-Q", "-q", str(image)], check=True, capture_output=True, timeout=60)
    mounting = subprocess.run(
        ["lowntfs-3g", "-o", "ignore_case", str(image), str(disk)], capture_output=True, timeout=60, check=False
    )
    if mounting.returncode:
        pytest.skip(f"this machine cannot mount NTFS: {mounting.stderr.decode(errors='replace').strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True, timeout=60)


def swapped(base: Path) -> Verdicts:
    """Read a file after something on its path was replaced by a link between the check of the path and the read."""
    found: dict[str, str] = {}
    for what, replaced in {"the file": "docs/a.md", "its folder": "docs", "the root": ""}.items():
        own = base / what.replace(" ", "-")
        root, outside = own / "root", own / "outside"
        for folder, content in ((root, "inside"), (outside, "secret")):
            (folder / "docs").mkdir(parents=True)
            (folder / "docs" / "a.md").write_text(content, encoding="utf-8")
        found[what] = _read_with_swap(root, root / replaced, outside / replaced)
    return found


def _read_with_swap(root: Path, replaced: Path, target: Path) -> str:
    read = backends._content
    backend = LocalBackend(root)
    request = ReadRequest("docs/a.md")

    def swaps(folder: str, path: str) -> bytes:
        replaced.rename(replaced.with_name("before"))
        replaced.symlink_to(target)
        return read(folder, path)

    assert backend._read(request) == b"inside"
    with patch.object(backends, "_content", swaps):
        try:
            return backend._read(request).decode()
        except OSError as error:
            return type(error).__name__


REFUSED = {"the file": "OSError", "its folder": "NotADirectoryError", "the root": "NotADirectoryError"}


def test_a_link_that_replaces_a_part_of_the_path_after_the_check_is_not_followed(base: Path) -> None:
    """The file outside is readable, and the read fails."""
    assert swapped(base) == REFUSED


@pytest.mark.long
@needs_root
def test_no_user_follows_a_link_that_replaces_a_part_of_the_path_after_the_check(base: Path) -> None:
    """A user who is not root has no other result."""
    assert as_another_user(swapped, base) == {"user": str(ANOTHER_USER), **REFUSED}


@pytest.mark.long
def test_the_local_backend_passes_each_case_of_its_role(base: Path) -> None:
    """Advisory rules count. The user is that of the test, often root."""
    found = judged(Local, base)

    assert failures(found) == {}
    assert passed(found) == sum("BACKEND-22" not in case.rule.ids for case in CASES)


@pytest.mark.long
@needs_root
def test_the_local_backend_of_another_user_passes_each_case_of_its_role(base: Path) -> None:
    """Root has permissions that hide a missing one."""
    found = as_another_user(lambda folder: judged(Local, folder), base)

    assert failures({**found, "user": "passed"}) == {}
    assert passed(found) == sum("BACKEND-22" not in case.rule.ids for case in CASES)


@pytest.mark.long
@needs_root
def test_a_user_without_permission_to_write_reads_each_file(base: Path) -> None:
    """All cases without changes pass in folders of mode 555."""
    found = as_another_user(lambda folder: judged(WithoutWriting, folder), base)

    assert failures({**found, "user": "passed"}) == {}
    assert passed(found) == sum(_is_read_only(case) for case in CASES)


@pytest.mark.long
@needs_root
def test_a_read_only_disk_is_read(read_only: Path) -> None:
    """All cases without changes pass."""
    found = judged(ReadOnly, read_only)

    assert failures(found) == {}
    assert passed(found) == sum(_is_read_only(case) for case in CASES)
    with pytest.raises(OSError, match="Read-only file system"):
        (read_only / "new.md").touch()


def _is_read_only(case: Case) -> bool:
    return case.needs <= READING | {"resources"} and "BACKEND-22" not in case.rule.ids


@pytest.mark.long
@needs_root
def test_a_disk_that_ignores_case_has_the_posture(ignoring_case: Path) -> None:
    """Each case passes in the posture, and those of the default value fail without it.

    BACKEND-37 is not judged: `rename` of this driver removes the target first, and a read meanwhile finds no file.
    """
    cases = [case for case in CASES if "BACKEND-37" not in case.rule.ids]
    found = judged(Local, ignoring_case, ONE_NAME, cases)
    without = judged(Local, ignoring_case, cases=[case for case in CASES if "BACKEND-21" in case.rule.ids])

    assert failures(found) == {}
    assert passed(found) == sum("BACKEND-21" not in case.rule.ids for case in cases)
    assert failures(without).keys() == without.keys()
