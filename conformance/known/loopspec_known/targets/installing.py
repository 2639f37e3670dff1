"""The commands that install packages and build an adapter, for each language."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

import msgspec

from .declarations import Known, Language

# Files of an adapter that its program does not need: declarations, tests, records, and what a build leaves.
_NOT_BUILT = shutil.ignore_patterns(
    "*.toml", "*.md", "*_test.go", "go.sum", "package-lock.json", "*.jsonl", "versions", "build", "node_modules"
)
Words: TypeAlias = Sequence[str]  # a command
_SHOWN = 300  # characters of a failed command's output in a sentence


class InstallFailed(Exception):
    """Raised for a command that fails."""


class NotOnPath(Exception):
    """Raised for a program that is missing, whose name is the message."""


def kit_packages() -> tuple[str, ...]:
    """The packages that `loopspec serve` imports, at the versions of this process.

    The kit itself is not installed: `start.py` imports it from where this process has it.
    """
    return (f"msgspec=={msgspec.__version__}",)


def commands(known: Known, folder: Path) -> list[Words]:
    """The commands that fill an empty folder. Raises `NotOnPath`."""
    return _COMMANDS[known.adapter.language](known, folder)


def program_folder(known: Known, folder: Path) -> Path:
    """The folder of an environment in which a compiled adapter is built, and its commands run.

    An adapter in Go or Node is copied with the kit of its language, and finds the kit by the same relative path.
    """
    return folder if known.adapter.language == "python" else folder / "adapters" / known.folder.name


def source_folders(known: Known) -> list[Path]:
    """The folders that the program of an adapter in Go or Node is built from: its own, and the kit of its language."""
    kit = known.folder.parent.parent / "kits" / known.adapter.language
    return [known.folder, *([kit] if kit.is_dir() else [])]


def built_files(adapter: Path) -> list[Path]:
    """The files of a folder that a program is built from."""
    return sorted(path for path in adapter.rglob("*") if path.is_file() and not _is_left_out(path, adapter))


def _is_left_out(path: Path, adapter: Path) -> bool:
    return bool(_NOT_BUILT(str(adapter), [*path.relative_to(adapter).parts]))


def _python(known: Known, folder: Path) -> list[Words]:
    wanted = [*_pinned(known.packages, "=="), *kit_packages()]
    python = str(folder / "bin" / "python")
    if uv := shutil.which("uv"):
        return [
            (uv, "venv", "--quiet", "--no-project", "--allow-existing", "--python", sys.executable, str(folder)),
            (uv, "pip", "install", "--python", python, *wanted),
        ]
    if find_spec("pip"):  # the pip of this process installs into the other environment, which saves a copy of pip
        return [
            (sys.executable, "-I", "-m", "venv", "--without-pip", str(folder)),
            (sys.executable, "-I", "-m", "pip", "--python", python, "install", "--no-input", *wanted),
        ]
    return [
        (sys.executable, "-I", "-m", "venv", str(folder)),
        (python, "-I", "-m", "pip", "install", "--no-input", *wanted),
    ]


def _go(known: Known, folder: Path) -> list[Words]:
    go = _found("go")
    _copy(known, folder)
    return [
        (go, "get", *_pinned(known.packages, "@v", "@latest")),
        (go, "build", "-mod=mod", "-o", "adapter", "."),
    ]


def _node(known: Known, folder: Path) -> list[Words]:
    npm, wanted = _found("npm"), _pinned(known.packages, "@")
    _copy(known, folder)
    return [(npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", *wanted)]


_COMMANDS: Mapping[Language, Callable[[Known, Path], list[Words]]] = {"python": _python, "go": _go, "node": _node}


def _pinned(packages: Mapping[str, str], sign: str, other: str = "") -> list[str]:
    return [f"{name}{sign}{version}" if version else f"{name}{other}" for name, version in packages.items()]


def _found(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise NotOnPath(program)
    return found


def _copy(known: Known, folder: Path) -> None:
    for source in source_folders(known):
        shutil.copytree(source, folder / source.parent.name / source.name, ignore=_NOT_BUILT)


def install_packages(steps: Iterable[Words], folder: Path, log: Path) -> None:
    """Run the commands in a folder, and write them and their output into a log.

    Raises `InstallFailed` for the first that fails.
    """
    with log.open("wb") as output:
        for words in steps:
            output.write(f"$ {' '.join(words)}\n".encode())
            output.flush()
            begin = log.stat().st_size
            code = _run(words, folder, output.fileno())
            if code:
                raise InstallFailed(_sentence(words, code, log.read_bytes()[begin:]))


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
    """What failed, with the last error in the output."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()] or lines
    program = " ".join([Path(words[0]).name, *(word for word in words[1:4] if not word.startswith(("-", "/")))])
    said = f": {errors[-1][:_SHOWN]}" if errors else ""
    return f"`{program}` ended with {code}{said}"
