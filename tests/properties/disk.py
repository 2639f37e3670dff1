"""A disk with links in all directions, and the resolution of its paths."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st
from pyfakefs.fake_filesystem import FakeFilesystem

Place = tuple[str, ...]  # the segments of an absolute path without links and dots

ROOT: Place = ("w", "root")
FOLDERS: tuple[Place, ...] = (("w",), ROOT, (*ROOT, "sub"), (*ROOT, "sub", "deep"), ("w", "out"), ("w", "root-2"))
FILE = "f.md"  # in every folder
LINKS = ("l0", "l1")  # the names of links, which may be in any folder


class Nowhere(Exception):
    """Raised for a path with a link loop, or with `..` after a file."""


@dataclass(frozen=True)
class Disk:
    """The folders above with a file in each, and these links with their targets."""

    links: Mapping[Place, str]

    def write(self, fs: FakeFilesystem) -> None:
        """Create the files and links; the content of a file is its path."""
        for folder in FOLDERS:
            fs.create_file(spelled((*folder, FILE)), contents=spelled((*folder, FILE)))
        for place, target in self.links.items():
            fs.create_symlink(spelled(place), target)

    def locate(self, path: str, start: Place, following: tuple[Place, ...] = ()) -> Place:
        """The place of a path with all links followed. May raise `Nowhere`."""
        at = () if path.startswith("/") else start
        for segment in path.split("/"):
            if segment == "..":
                if at and at not in FOLDERS:
                    raise Nowhere
                at = at[:-1]
            elif segment not in ("", "."):
                at = (*at, segment)
                if at in following:
                    raise Nowhere
                if at in self.links:
                    at = self.locate(self.links[at], at[:-1], (*following, at))
        return at

    def answer(self, path: str) -> type[OSError] | bytes:
        """The expected answer of a backend with a root: the error or the content. May raise `Nowhere`."""
        place = self.locate(path, ROOT)
        if place[: len(ROOT)] != ROOT:
            return PermissionError
        if place in FOLDERS:
            return IsADirectoryError
        if place[-1] == FILE and place[:-1] in FOLDERS:
            return spelled(place).encode()
        return OSError  # missing, or below a file: the fake disk has one error for both


def spelled(place: Place) -> str:
    """A place as an absolute path."""
    return "/" + "/".join(place)


_DETOURS = [f"{link}/.." for link in LINKS]
_STEPS = st.sampled_from(["..", ".", "", *(folder[-1] for folder in FOLDERS), FILE, *LINKS, *LINKS, *_DETOURS])
_ENDS = st.sampled_from([FILE, *LINKS, "..", "missing.md", "sub/"])
PATHS = st.builds(
    lambda start, steps, end: start + "/".join([*steps, end]),
    st.sampled_from(["", "", "", "/w/root/", "../", "/w/", "//"]),
    st.lists(_STEPS, max_size=3),
    _ENDS,
)
_TARGETS = st.one_of(PATHS, st.sampled_from([*LINKS, "../out/f.md"]))
_PLACES = st.sampled_from([(*folder, link) for folder in (*FOLDERS, ROOT, ROOT, ROOT) for link in LINKS])
DISKS = st.builds(Disk, st.dictionaries(_PLACES, _TARGETS, min_size=1, max_size=8))
