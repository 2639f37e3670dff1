"""Environments of known targets in the user's cache: complete or missing, never partly built."""

from __future__ import annotations

import fcntl
import hashlib
import platform
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from loopspec.contract.cache import cache_folder, is_cached
from loopspec.contract.faults import TargetUnusable

from .declarations import Known
from .installing import (
    InstallFailed,
    NotOnPath,
    built_files,
    commands,
    install_packages,
    kit_packages,
    program_folder,
    source_folders,
)

_BUILDING = ".building"  # the end of the name of a folder that is not yet complete


class ProgramMissing(TargetUnusable):
    """Raised for a target whose installation needs a program that is not on PATH, such as Go."""

    def __init__(self, known: Known, program: str) -> None:
        super().__init__(f"{known} cannot be installed: {program} is not on PATH")
        self.program = program


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def _root() -> Path:
    return cache_folder() / "known"


def environment_of(known: Known) -> Path:
    """The folder of the environment, whether it exists or not.

    Another interpreter, another version of a package and another source of a compiled adapter have another folder.
    """
    said = [known.adapter.language, *(f"{name} {version}" for name, version in sorted(known.packages.items()))]
    if known.adapter.language == "python":
        said += [platform.python_version(), *kit_packages()]
    else:
        for source in source_folders(known):
            for path in built_files(source):
                said += [path.relative_to(source).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]
    version = known.adapter.packages[known.adapter.package] if known.is_pinned else known.version
    digest = hashlib.sha256("\0".join([platform.platform(), *said]).encode()).hexdigest()[:8]
    return _root() / f"{known.folder.name}@{version}-{digest}"


def is_installed(known: Known) -> bool:
    """Whether the environment is in the cache."""
    return is_cached(environment_of(known))


def installed(known: Known) -> Path:
    """The folder of the environment, which is built if it is missing.

    Concurrent builds of one environment wait for the first. Raises `TargetUnusable` if a command fails, and
    `ProgramMissing` if a program is missing.
    """
    folder = environment_of(known)
    if is_cached(folder):
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder):
            if not folder.is_dir():
                _build(known, folder)
    except OSError as error:
        raise TargetUnusable(f"{known} cannot be installed into {folder.parent}: {error.strerror or error}") from None
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of an environment. The lock ends with the process that holds it."""
    with Path(f"{folder}.lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"loopspec: waiting for another process, which installs {folder.name}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(known: Known, folder: Path) -> None:
    """Build in a temporary folder. Only a complete environment receives its name; the output remains in a log."""
    building, log = Path(f"{folder}{_BUILDING}"), Path(f"{folder}.log")
    shutil.rmtree(building, ignore_errors=True)  # of a process that was killed
    try:
        building.mkdir()
        log.write_bytes(b"")
        steps = commands(known, building)
        _say(f"loopspec: installing {known} into {folder}")
        install_packages(steps, program_folder(known, building), log)
        building.rename(folder)
    except NotOnPath as missing:
        raise ProgramMissing(known, str(missing)) from None
    except InstallFailed as failed:
        raise TargetUnusable(
            f"{known} cannot be installed: {failed}; {log} has the whole output",
            {"installation": log.read_text("utf-8", "replace")},
        ) from None
    finally:
        shutil.rmtree(building, ignore_errors=True)


def remove(adapter: str = "", version: str = "") -> list[str]:
    """Remove environments from the cache, and return their names: of an adapter and version, or all.

    Waits for an environment that another process builds.
    """
    start = f"{adapter}@{version}-" if version else f"{adapter}@" if adapter else ""
    cached = _root().glob(f"{start}*") if is_cached(_root()) else ()
    folders = [path for path in cached if path.is_dir() and path.suffix != _BUILDING]
    for folder in folders:
        with _locked(folder):
            # A name of its own for what is partly removed, as for what is partly built.
            building = Path(f"{folder}{_BUILDING}")
            shutil.rmtree(building, ignore_errors=True)
            folder.rename(building)
            shutil.rmtree(building)
            Path(f"{folder}.log").unlink(missing_ok=True)
    return sorted(folder.name for folder in folders)
