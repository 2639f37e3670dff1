"""The loader: from configured paths to the files that a model receives. It reads through a backend only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from .backends import Backend, Content, ReadRequest
from .config import LoadWarning, Reason
from .mentions import mentions
from .paths import clean_path, resolve_all

_DEEPEST_LEVEL = 5  # a configured file is level 0


class Section(Struct, frozen=True, gc=False):
    """One loaded file. Bytes that are not UTF-8 are replacement characters in `text`."""

    path: str
    text: str


async def load(
    backend: Backend, files: Iterable[str], max_bytes: int, on_warning: Callable[[LoadWarning], None]
) -> list[Section]:
    """Load the configured files and everything they import, depth first, each path at most once.

    Empty files are read and leave no section. A missing file, an import cycle, an import below level 5 and a file
    beyond the byte limit are left out with a warning. Any other error of the backend ends the load and is raised
    unchanged, with a note that names the file.

    The limit is exceeded when more bytes than `max_bytes` have been read. From then on no file is read, and the files
    that remain are left out. The first configured file with content always stays, imports included. A later one that
    exceeds the limit, by itself or through its imports, is left out with all its imports
    (AMD-BUDGET-10, AMD-BUDGET-12).
    """
    loading = _Loading(backend, max_bytes, on_warning)
    sections: list[Section] = []
    for path in map(clean_path, files):
        if path in loading.seen:
            continue
        if loading.max_bytes and loading.over_budget():
            loading.warn(path, Reason.BUDGET)
            continue
        loaded = len(sections)
        await loading.add(path, (), sections)
        if loaded and loading.max_bytes and loading.over_budget():
            del sections[loaded:]
            loading.warn(path, Reason.BUDGET)
    return sections


class _Loading:
    """One load: the paths met so far, and the number of bytes read."""

    def __init__(self, backend: Backend, max_bytes: int, on_warning: Callable[[LoadWarning], None]) -> None:
        self.seen: set[str] = set()
        self._read = backend.read
        self.max_bytes = max_bytes
        self._on_warning = on_warning
        self._bytes = 0

    def over_budget(self) -> bool:
        return 0 < self.max_bytes < self._bytes

    def warn(self, path: str, reason: Reason) -> None:
        self._on_warning(LoadWarning(path, reason))

    async def add(self, path: str, ancestors: Sequence[str], sections: list[Section]) -> None:
        """Append the section of one file, then those of its imports. Each file costs one coroutine, and its read."""
        seen = self.seen
        seen.add(path)
        try:
            content = await self._read(ReadRequest(path))
        except Exception as error:
            if self._is_missing(path, ancestors, error):
                return
            raise
        text = self._text(content)
        if not text:
            return
        sections.append(Section(path, text))
        imports = mentions(text)
        if not imports:
            return
        chain = (*ancestors, path)
        too_deep = len(chain) > _DEEPEST_LEVEL
        for imported in resolve_all(imports, path):
            if imported in seen:
                if imported in chain:  # a repeated import is no reason for a warning, an import cycle is
                    self.warn(imported, Reason.CYCLE)
            elif too_deep:
                self.warn(imported, Reason.DEPTH)
            elif self.max_bytes and self.over_budget():
                self.warn(imported, Reason.BUDGET)
            else:
                await self.add(imported, chain, sections)

    def _text(self, content: Content | None) -> str:
        """Count the bytes of a file's content and return it as text."""
        if isinstance(content, str):
            self._bytes += len(content) if content.isascii() else len(content.encode(errors="surrogatepass"))
            return content
        if content is None:
            return ""
        self._bytes += len(content)
        return content.decode("utf-8", errors="replace")

    def _is_missing(self, path: str, ancestors: Sequence[str], error: Exception) -> bool:
        """Return whether the error means a missing file, with a warning; an error that ends the load gets a note."""
        if _means_missing(error):
            self.warn(path, Reason.MISSING)
            return True
        error.add_note("while loading " + " imported from ".join(repr(p) for p in (path, *reversed(ancestors))))
        return False


def _means_missing(error: BaseException | None) -> bool:
    """Return whether the error, or one in its chain of causes, says "does not exist" (AMD-BACKEND-03)."""
    met: set[int] = set()  # an error can be among its own causes
    while error is not None and id(error) not in met:
        if isinstance(error, FileNotFoundError):
            return True
        met.add(id(error))
        error = error.__cause__
    return False
