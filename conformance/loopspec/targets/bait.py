"""A file outside the root of every backend, which no confined backend reads."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import TracebackType

from msgspec.structs import replace

from ..contract.scene import BAIT, ReadRequest

_ABOVE = "../" * 40  # more folders than any root lies deep


class Bait:
    """The file, which is made when a path first names it, and removed at the end."""

    def __init__(self) -> None:
        self._folder: Path | None = None

    def __enter__(self) -> Bait:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def named_in(self, request: ReadRequest) -> ReadRequest:
        """The request with the paths that the placeholders stand for.

        `{outside}` is the absolute path of the file. `{up}` leads from any root to the root of the disk, and
        `{up escaped}`, `{up backslashes}` and `{up doubled}` are spellings of it that a backend may decode.
        """
        path = request.file_path
        if "{outside}" not in path:
            return request
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="loopspec-outside-")).resolve()
            (self._folder / "outside.md").write_text(BAIT)
        for placeholder, text in {
            "{up}": _ABOVE.rstrip("/"),
            "{up escaped}": _ABOVE.rstrip("/").replace("..", "%2e%2e"),
            "{up backslashes}": _ABOVE.replace("/", "\\").rstrip("\\"),
            "{up doubled}": _ABOVE.replace("../", "....//").rstrip("/"),
            "{outside}": (self._folder / "outside.md").as_posix(),
        }.items():
            path = path.replace(placeholder, text)
        return replace(request, file_path=path)
