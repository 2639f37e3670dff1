"""Writes a site: into a new folder or one of an earlier site, never over other files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from loopspec.contract.faults import UsageError

# Lists what `loopspec docs` has written in a folder: a later run may write over these files, and over no others.
MARKER = ".loopspec-docs"
_HEAD = "# Written by `loopspec docs`, which may replace and remove these files."


def write_site(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files of a site, each by its path in the folder, and remove those of an earlier one.

    Raises `UsageError` for a folder with something in it that is not an earlier site, before anything is written.
    """
    earlier = _earlier(folder, files)
    _make(folder)
    _write(folder / MARKER, _marker({*files, *earlier}))
    for name, data in files.items():
        _make((folder / name).parent)
        _write(folder / name, data)
    for name in sorted(earlier - files.keys()):
        _remove(folder / name)
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
    try:
        if not folder.is_symlink() and not folder.exists():
            return set()
        if not folder.is_dir():
            raise UsageError(f"{folder} is no folder: nothing was written; name another one")
        marker = folder / MARKER
        if not marker.is_file():
            if any(folder.iterdir()):
                raise UsageError(
                    f"{folder} is not empty and was not written by `loopspec docs`: "
                    "nothing was written; name another folder"
                )
            return set()
        listed = set(marker.read_text(encoding="utf-8", errors="replace").splitlines()[1:])
        there = {name for name in {*files, *listed} if name and _is_there(folder / name)}
        ours = {name for name in there & listed if _is_inside(folder / name, folder)}
    except OSError as error:
        raise UsageError(f"{folder} cannot be used: {error.strerror}") from None
    for name in sorted(there & files.keys() - ours):
        raise UsageError(
            f"{folder / name} was not written by `loopspec docs`: nothing was written; move it, or name another folder"
        )
    return ours


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether neither the name nor a link leads out of the folder."""
    return path.resolve().is_relative_to(folder.resolve())


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder} cannot be written: {error.strerror}") from None


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise UsageError(f"{path} cannot be removed: {error.strerror}") from None
