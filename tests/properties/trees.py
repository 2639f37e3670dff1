"""Generated file trees: few files with many spellings, so that imports meet."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from hypothesis import strategies as st

from loopspec_reference import ReadRequest

Content = str | bytes


class Fault(Enum):
    """Failures of a read."""

    MISSING = "missing"
    WRAPPED = "missing, inside another error"
    WRAPPED_TWICE = "missing, inside another error inside another"
    PERMISSION = "permission"
    IO = "io"
    DIRECTORY = "directory"
    NOT_A_DIRECTORY = "not a directory"
    WORDS = "words of a missing file"
    AFTERWARDS = "an error while a missing file was dealt with"
    CANCELLED = "cancelled"

    @property
    def means_missing(self) -> bool:
        """Whether the error, or a cause of it, is a missing file (AMD-BACKEND-03, -04)."""
        return self in (Fault.MISSING, Fault.WRAPPED, Fault.WRAPPED_TWICE)

    def error(self) -> BaseException:
        """A new error of this kind."""
        missing = FileNotFoundError("nothing here")
        errors: dict[Fault, BaseException] = {
            Fault.MISSING: missing,
            Fault.WRAPPED: RuntimeError("wrapped"),
            Fault.WRAPPED_TWICE: ValueError("wrapped again"),
            Fault.PERMISSION: PermissionError("forbidden"),
            Fault.IO: OSError(errno.EIO, "broken"),
            Fault.DIRECTORY: IsADirectoryError("a folder"),
            Fault.NOT_A_DIRECTORY: NotADirectoryError("no folder"),
            Fault.WORDS: OSError("file not found: [Errno 2] FileNotFoundError"),
            Fault.AFTERWARDS: OSError("the fallback is broken too"),
            Fault.CANCELLED: asyncio.CancelledError(),
        }
        errors[Fault.WRAPPED].__cause__ = missing
        errors[Fault.WRAPPED_TWICE].__cause__ = errors[Fault.WRAPPED]
        errors[Fault.AFTERWARDS].__context__ = missing
        return errors[self]


@dataclass(frozen=True)
class Tree:
    """The input of a load. A file whose content is None exists, and its read returns no content object."""

    files: Mapping[str, Content | None]
    configured: tuple[str, ...]
    faults: Mapping[str, Fault] = field(default_factory=dict)
    limit: int = 0

    def fault(self, path: str) -> Fault | None:
        """The failure of a read of the path."""
        return self.faults.get(path, None if path in self.files else Fault.MISSING)

    def content(self, path: str) -> Content | None:
        """The result of a read of the path; None for a failure."""
        return None if path in self.faults else self.files.get(path)


class Recorded:
    """A backend over a tree that records its requests and its errors."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.requests: list[ReadRequest] = []
        self.raised: list[BaseException] = []

    async def read(self, request: ReadRequest) -> Content | None:
        """Return the content or raise the fault after a pause."""
        self.requests.append(request)
        await asyncio.sleep(0)
        fault = self.tree.fault(request.file_path)
        if fault is not None:
            self.raised.append(fault.error())
            raise self.raised[-1]
        return self.tree.content(request.file_path)


PATHS = ("/p/a.md", "/p/b.md", "/p/c.v2.md", "/p/sub/d.txt", "/p/sub/e", "/q/.md", "/p/.h/g.json", "f.md", "sub/i.md")

_SEGMENTS = st.sampled_from(["p", "q", "sub", "..", ".", "", "a.md", "b.md", "e", ".md", "...", "~", "-x", "ghost.md"])
SPELLINGS = st.builds(
    lambda root, segments, slash: root + "/".join(segments) + slash,
    st.sampled_from(["", "/", "//"]),
    st.lists(_SEGMENTS, min_size=1, max_size=5),
    st.sampled_from(["", "", "/"]),
)
_BEFORE = st.sampled_from([" ", "\r\n", "bob", "@", "(", "`", "see ", "\ufeff", "规则", "\x00", "-", "", "@someone "])
_ENDS = [" ", "\r\n", ",", ")", "é", "。", "\x00", "#part", "\n\n", "/", " @b.md. "]
_AFTER = st.sampled_from([*_ENDS, *_ENDS, ".", "-", "@", ""])  # the last four may change the name
_BROKEN = st.sampled_from([b"", b"", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x98"])


@st.composite
def named(draw: st.DrawFn, path: str, importer: str) -> str:
    """A spelling of `path` in the file `importer`."""
    *folders, name = path.split("/")
    *here, _ = importer.split("/")
    shared = 0
    while shared < min(len(folders), len(here)) and folders[shared] == here[shared]:
        shared += 1
    plain = "/".join([".."] * (len(here) - shared) + folders[shared:] + [name])
    relative = ["x/../" + plain, "./" + plain, ".//" + plain, "././" + plain, plain]
    absolute = [path, "/" + path, path.replace("/", "//"), "/x/.." + path, "/./" + path[1:]]
    if not path.startswith("/"):
        return draw(st.sampled_from(relative))
    return draw(st.sampled_from([*absolute, *relative] if importer.startswith("/") else absolute))


@st.composite
def contents(draw: st.DrawFn, path: str, imports: tuple[str, ...]) -> Content | None:
    """The content of a file that imports these paths, and perhaps others, as text or bytes."""
    if not imports:
        plain = st.sampled_from([None, "", b"", "\n", "\ufeff", "Plain.", b"\xef\xbb\xbfMarked.\r\n", "规则 😀"])
        return draw(plain)
    parts = []
    for imported in imports:
        name = draw(named(imported, path) if imported in PATHS else st.just(imported))
        parts.append(draw(_BEFORE) + "@" + name + draw(_AFTER))
    text = "".join(parts)
    return text if draw(st.booleans()) else text.encode() + draw(_BROKEN)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """A tree without faults or a limit."""
    chained = draw(st.booleans())  # long chains are rarely generated by chance
    some = st.lists(st.sampled_from(PATHS), min_size=1, unique=True)
    paths = draw(st.permutations(PATHS) if chained else some)
    anything = st.one_of(st.sampled_from(paths), st.sampled_from(paths), SPELLINGS)
    files: dict[str, Content | None] = {}
    for path, following in zip(paths, [*paths[1:], None], strict=True):
        imports = draw(st.lists(anything, max_size=1 if chained else 3))
        if chained and following is not None:
            imports.insert(draw(st.integers(0, len(imports))), following)
        files[path] = draw(contents(path, tuple(imports)))
    configured = [paths[0], *draw(st.lists(st.one_of(st.sampled_from(paths), SPELLINGS), max_size=3))]
    return Tree(files, tuple(draw(st.permutations(configured))))


@st.composite
def faulty(draw: st.DrawFn, tree: Tree) -> Tree:
    """The tree with faults of some paths."""
    missing = [fault for fault in Fault if fault.means_missing]
    fault = st.one_of(st.sampled_from(missing), st.sampled_from(Fault))  # other faults end the load, so they are rarer
    return replace(tree, faults=draw(st.dictionaries(st.sampled_from(PATHS), fault, max_size=2)))


@st.composite
def limited(draw: st.DrawFn, tree: Tree, sizes: tuple[int, ...]) -> Tree:
    """The tree with a byte limit near one of the sums of file sizes in a load."""
    sums = [sum(sizes[: count + 1]) for count in range(len(sizes))]
    around = [limit for total in sums for limit in (total - 1, total, total + 1) if limit >= 0]
    limits = st.one_of(st.sampled_from([0, *around]), st.integers(0, 2 * sum(sizes) + 1))
    return replace(tree, limit=draw(limits))
