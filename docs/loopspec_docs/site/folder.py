"""Writes a site: into a new folder or one of an earlier site, never over other files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from os.path import lexists
from pathlib import Path

from loopspec.contract.faults import UsageError

# Lists what `loopspec docs` has written in a folder: a later run may write over these files, and over no others.
MARKER = ".loopspec-docs"
_HEAD = "# Written by `loopspec docs`, which may replace and remove these files."


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a site, each by its path in the folder, and remove those of an earlier one.

    Raises `UsageError` for a folder with something in it that is not an earlier site, before anything is written.
    """
    with _reported(folder, "used"):
        earlier = _earlier(folder, files)
    _write(folder / MARKER, _marker({*files, *earlier}))
    for name, data in files.items():
        _write(folder / name, data)
    for name in sorted(earlier - files.keys()):
        with _reported(folder / name, "removed"):
            (folder / name).unlink()
    _write(folder / MARKER, _marker(files))


def written_below(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their paths in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def _marker(names: Iterable[str]) -> bytes:
    return "\n".join([_HEAD, *sorted(names), ""]).encode()


def _earlier(folder: Path, files: Mapping[str, bytes]) -> set[str]:
    """The files of an earlier site in this folder."""
    marker = folder / MARKER
    if not lexists(folder):
        return set()
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder: nothing was written; name another one")
    if not marker.is_file() and any(folder.iterdir()):
        raise UsageError(
            f"{folder} is not empty and was not written by `loopspec docs`: nothing was written; name another folder"
        )
    text = marker.read_text(encoding="utf-8", errors="replace") if marker.is_file() else ""
    listed = set(text.splitlines()[1:])
    there = {name for name in {*files, *listed} if name and lexists(folder / name)}
    # neither a name nor a link may lead out of the folder
    ours = {name for name in there & listed if (folder / name).resolve().is_relative_to(folder.resolve())}
    for name in sorted(there & files.keys() - ours):
        raise UsageError(
            f"{folder / name} was not written by `loopspec docs`: nothing was written; move it, or name another folder"
        )
    return ours


def _write(path: Path, data: bytes) -> None:
    with _reported(path.parent, "written"):
        path.parent.mkdir(parents=True, exist_ok=True)
    with _reported(path, "written"):
        path.write_bytes(data)


@contextmanager
def _reported(path: Path, done: str) -> Iterator[None]:
    """Reports what the file system refuses as one sentence."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be {done}: {error.strerror}") from None
