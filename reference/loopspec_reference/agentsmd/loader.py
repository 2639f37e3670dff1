"""From configured paths to the files a model is given. Reads through a backend and never opens a file itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from .backends import Backend, ReadRequest
from .config import LoadWarning, Reason
from .mentions import mentions
from .paths import clean_path, resolve

_DEEPEST_LEVEL = 5  # a configured file is level 0


class Section(Struct, frozen=True):
    """One loaded file. Bytes that are no UTF-8 have become replacement characters in `text`."""

    path: str
    text: str


async def load(
    backend: Backend, files: Iterable[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
) -> list[Section]:
    """Load the configured files and everything they import, depth first, each path at most once.

    Empty files are read and leave no section. A missing file, a circular import, an import below level 5 and a
    file beyond the byte limit are left out with a warning; any other error of the backend ends the load and
    comes out unchanged, with a note that names the file.

    The limit is passed when more bytes than it have been read. From then on nothing more is read, and what was
    to be read is left out. Of the configured files the first that has content always stays, imports included;
    a later one that passes the limit, itself or through its imports, goes with all its imports
    (AMD-BUDGET-10, AMD-BUDGET-12).
    """
    loading = _Loading(backend, max_bytes, on_warning)
    sections: list[Section] = []
    for path in map(clean_path, files):
        if path in loading.seen:
            continue
        if loading.over_budget():
            loading.warn(path, Reason.BUDGET)
            continue
        group: list[Section] = []
        await loading.add(path, (), group)
        if sections and loading.over_budget():
            loading.warn(path, Reason.BUDGET)
        else:
            sections += group
    return sections


class _Loading:
    """One load: what has been asked for so far, and how many bytes came back."""

    def __init__(self, backend: Backend, max_bytes: int, on_warning: Callable[[LoadWarning], None]) -> None:
        self.seen: set[str] = set()
        self._read = backend.read
        self._max_bytes = max_bytes
        self._on_warning = on_warning
        self._bytes = 0

    def over_budget(self) -> bool:
        return 0 < self._max_bytes < self._bytes

    def warn(self, path: str, reason: Reason) -> None:
        self._on_warning(LoadWarning(path, reason))

    async def add(self, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        """Append the section of one file, then those of its imports."""
        text = await self._text(path, ancestors)
        if not text:
            return
        sections.append(Section(path, text))
        imports = mentions(text)
        if not imports:
            return
        chain = (*ancestors, path)
        too_deep = len(chain) > _DEEPEST_LEVEL
        for mention in imports:
            imported = resolve(mention, path)
            if imported in self.seen:
                if imported in chain:  # only a circle is worth a warning
                    self.warn(imported, Reason.CYCLE)
            elif too_deep:
                self.warn(imported, Reason.DEPTH)
            elif self._max_bytes and self.over_budget():
                self.warn(imported, Reason.BUDGET)
            else:
                await self.add(imported, chain, sections)

    async def _text(self, path: str, ancestors: Sequence[str]) -> str:
        self.seen.add(path)
        try:
            content = await self._read(ReadRequest(path))
        except Exception as error:
            if _means_missing(error):
                self.warn(path, Reason.MISSING)
                return ""
            error.add_note("while loading " + " imported from ".join(repr(p) for p in (path, *reversed(ancestors))))
            raise
        if not content:
            return ""
        if isinstance(content, bytes):
            self._bytes += len(content)
            return content.decode("utf-8", errors="replace")
        self._bytes += len(content) if content.isascii() else len(content.encode(errors="surrogatepass"))
        return content


def _means_missing(error: BaseException | None) -> bool:
    """Whether "does not exist" is the error or anywhere in its chain of causes (AMD-BACKEND-03)."""
    while error is not None:
        if isinstance(error, FileNotFoundError):
            return True
        error = error.__cause__
    return False
