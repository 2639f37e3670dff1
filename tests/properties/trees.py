"""Generated file trees with faults and limits, and a backend that records its requests."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from hypothesis import strategies as st

from loopspec_lab.fuzzing.trees import PATHS, Content, file_trees, limits
from loopspec_reference import ReadRequest


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


def trees() -> st.SearchStrategy[Tree]:
    """A tree without faults or a limit."""
    return file_trees().map(lambda tree: Tree(tree.files, tree.configured))


@st.composite
def faulty(draw: st.DrawFn, tree: Tree) -> Tree:
    """The tree with faults of some paths."""
    missing = [fault for fault in Fault if fault.means_missing]
    fault = st.one_of(st.sampled_from(missing), st.sampled_from(Fault))  # other faults end the load, so they are rarer
    return replace(tree, faults=draw(st.dictionaries(st.sampled_from(PATHS), fault, max_size=2)))


@st.composite
def limited(draw: st.DrawFn, tree: Tree, sizes: tuple[int, ...]) -> Tree:
    """The tree with a byte limit near one of the sums of file sizes in a load."""
    return replace(tree, limit=draw(limits(sizes)))
