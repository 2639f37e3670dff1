"""Environments of known targets in the user's cache: complete or missing, never partly built."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import requires
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from loopspec.contract.faults import TargetUnusable
from loopspec.contract.specification import cache_folder, is_cached

from .declarations import Known

# Files of an adapter that its program does not need: declarations, tests, records, and what a build leaves.
_NOT_BUILT = shutil.ignore_patterns(
    *("*.toml", "*.md", "*_test.go", "go.sum", "package-lock.json", "*.jsonl"),
    *("versions", "witnesses", "kills*", "build", "node_modules"),
)
# What `loopspec serve` imports; an implementation may need another version of it than this process has. The kit itself
# is not installed: `start.py` imports it from where this process has it.
_KIT_PACKAGES = tuple(one for one in requires("loopspec") or () if one.startswith("msgspec"))
_CONFLICT = "The conflict is caused by:"  # what pip prints before the requirements that do not fit together
_BUILDING = ".building"  # the end of the name of a folder that is not yet complete
_SHOWN = 300  # characters of a failed command's output in a sentence
Words: TypeAlias = Sequence[str]  # a command


class ProgramMissing(TargetUnusable):
    """Raised for a target whose installation needs a program that is not on PATH, such as Go."""

    def __init__(self, known: Known, program: str) -> None:
        super().__init__(f"{known} cannot be installed: {program} is not on PATH")
        self.program = program


def say(sentence: str) -> None:
    """Print a sentence of the command to standard error, at once."""
    print(f"loopspec: {sentence}", file=sys.stderr, flush=True)


def environment_of(known: Known) -> Path:
    """The folder of the environment, whether it exists or not.

    Another interpreter, another version of a package and another source of a compiled adapter have another folder.
    """
    said = [known.adapter.language, *(f"{name} {version}" for name, version in sorted(known.packages.items()))]
    if known.adapter.language == "python":
        said += [platform.python_version(), *_KIT_PACKAGES]
    else:
        for source in _sources(known):
            for path in built_files(source):
                said += [path.relative_to(source).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]
    version = known.adapter.packages[known.adapter.package] if known.is_pinned else known.version
    digest = hashlib.sha256("\0".join([platform.platform(), *said]).encode()).hexdigest()[:8]
    return _root() / f"{known.folder.name}@{version}-{digest}"


def program_folder(known: Known, folder: Path) -> Path:
    """The folder of an environment in which a compiled adapter is built, and its commands run.

    An adapter in Go or Node is copied with the kit of its language, and finds the kit by the same relative path.
    """
    return folder if known.adapter.language == "python" else folder / "adapters" / known.folder.name


def built_files(adapter: Path) -> list[Path]:
    """The files of a folder that a program is built from."""
    return sorted(
        path
        for path in adapter.rglob("*")
        if path.is_file() and not _NOT_BUILT(str(adapter), [*path.relative_to(adapter).parts])
    )


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


def _root() -> Path:
    return cache_folder() / "known"


def _sources(known: Known) -> list[Path]:
    """The folders that the program of an adapter in Go or Node is built from: its own, and the kit of its language."""
    kit = known.folder.parent.parent / "kits" / known.adapter.language
    return [known.folder, *([kit] if kit.is_dir() else [])]


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock of an environment. The lock ends with the process that holds it."""
    with Path(f"{folder}.lock").open("w", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another process, which installs {folder.name}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build(known: Known, folder: Path) -> None:
    """Build in a temporary folder. Only a complete environment receives its name; the output remains in a log."""
    building = Path(f"{folder}{_BUILDING}")
    shutil.rmtree(building, ignore_errors=True)  # of a process that was killed
    try:
        building.mkdir()
        steps = commands(known, building)
        say(f"installing {known} into {folder}")
        _install(known, steps, program_folder(known, building), Path(f"{folder}.log"))
        building.rename(folder)
    finally:
        shutil.rmtree(building, ignore_errors=True)


def commands(known: Known, folder: Path) -> list[Words]:
    """The commands that fill an empty folder, to which the source of a compiled adapter is copied."""
    if known.adapter.language == "python":
        return _python(known, folder)
    program = {"go": "go", "node": "npm"}[known.adapter.language]
    if (found := shutil.which(program)) is None:
        raise ProgramMissing(known, program)
    for source in _sources(known):
        shutil.copytree(source, folder / source.parent.name / source.name, ignore=_NOT_BUILT)
    if program == "go":
        wanted = _pinned(known.packages, "@v", "@latest")
        return [(found, "get", *wanted), (found, "build", "-mod=mod", "-o", "adapter", ".")]
    wanted = _pinned(known.packages, "@")
    return [(found, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", *wanted)]


def _python(known: Known, folder: Path) -> list[Words]:
    wanted = [*_pinned(known.packages, "=="), *_KIT_PACKAGES]
    python = str(folder / "bin" / "python")
    if uv := shutil.which("uv"):
        return [
            (uv, "venv", "--quiet", "--no-project", "--allow-existing", "--python", sys.executable, str(folder)),
            (uv, "pip", "install", "--python", python, *wanted),
        ]
    if find_spec("pip"):  # the pip of this process installs into the other environment, which saves a copy of pip
        options, pip = ["--without-pip"], [sys.executable, "-I", "-m", "pip", "--python", python]
    else:
        options, pip = [], [python, "-I", "-m", "pip"]
    venv = (sys.executable, "-I", "-m", "venv", *options, str(folder))
    return [venv, (*pip, "install", "--no-input", *wanted)]


def _pinned(packages: Mapping[str, str], sign: str, other: str = "") -> list[str]:
    return [f"{name}{sign}{version}" if version else f"{name}{other}" for name, version in packages.items()]


def _install(known: Known, steps: Iterable[Words], folder: Path, log: Path) -> None:
    """Run the commands in a folder, and write them and their output into a log."""
    with log.open("wb") as output:
        for words in steps:
            output.write(f"$ {' '.join(words)}\n".encode())
            output.flush()
            begin = log.stat().st_size
            if code := _run(words, folder, output.fileno()):
                failed = _sentence(words, code, log.read_bytes()[begin:])
                raise TargetUnusable(
                    f"{known} cannot be installed: {failed}; {log} has the whole output",
                    {"installation": log.read_text("utf-8", "replace")},
                )


def _run(words: Words, folder: Path, output: int) -> int:
    """The exit code of a command, whose processes all end with this call."""
    process = subprocess.Popen(
        words, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
    )
    try:
        return process.wait()
    except BaseException:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise


def _sentence(words: Words, code: int, output: bytes) -> str:
    """What failed, with the requirements that do not fit together, or with the last error in the output."""
    text = output.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    if _CONFLICT in text:
        errors = ["; ".join(map(str.strip, text.rpartition(_CONFLICT)[2].strip().split("\n\n")[0].splitlines()))]
    program = " ".join([Path(words[0]).name, *(word for word in words[1:4] if not word.startswith(("-", "/")))])
    said = f": {errors[-1][:_SHOWN]}" if errors else ""
    return f"`{program}` ended with {code}{said}"
