"""Null targets that read files or insert them: backends, loaders and AgentsMD middlewares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from loopspec import Message, WorkspaceFile, WorkspaceReading
from loopspec.contract.scene import ReadRequest
from loopspec.contract.shapes import Content, MiddlewareConfig, RunView

from .registry import Everything, Refusal, null

Loaded = tuple[list[tuple[str, str]], list[str]]


@null("nothing", "backend")
class NothingBackend(Everything):
    """Returns no content object for every path."""

    def open(self, files: Mapping[str, bytes]) -> NothingBackend:
        """Open a backend without files."""
        return self

    def read(self, request: ReadRequest) -> Content:
        """Read a file."""
        return None

    def write(self, path: str, content: bytes) -> None:
        """Do nothing."""

    def delete(self, path: str) -> None:
        """Do nothing."""

    def fault(self, path: str, kind: str) -> None:
        """Do nothing."""

    def link(self, path: str, target: str) -> None:
        """Do nothing."""

    def fail(self, kind: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@null("empty", "backend")
class EmptyBackend(NothingBackend):
    """Returns empty content for every path."""

    def read(self, request: ReadRequest) -> Content:
        """Read a file."""
        return b""


@null("input", "backend")
class InputBackend(NothingBackend):
    """Returns the path as the content."""

    def read(self, request: ReadRequest) -> Content:
        """Read a file."""
        return request.file_path


@null("refusal", "backend")
class RefusingBackend(NothingBackend):
    """Forbids every read."""

    def read(self, request: ReadRequest) -> Content:
        """Read a file."""
        raise PermissionError(request.file_path)


@null("report", "backend")
class ReportingBackend(NothingBackend):
    """Reports every file as missing."""

    def read(self, request: ReadRequest) -> Content:
        """Read a file."""
        raise FileNotFoundError(request.file_path)


@null("empty", "loader")
class EmptyLoader(Everything):
    """Reads no file, gives no warning and returns no section."""

    def load(self, backend: object, files: list[str], max_bytes: int) -> Loaded:
        """Load."""
        return [], []


@null("input", "loader")
class InputLoader(EmptyLoader):
    """Returns each configured path as its own section, and reads no file."""

    def load(self, backend: object, files: list[str], max_bytes: int) -> Loaded:
        """Load."""
        return [(path, path) for path in files], []


@null("refusal", "loader")
class RefusingLoader(EmptyLoader):
    """Fails every load."""

    def load(self, backend: object, files: list[str], max_bytes: int) -> Loaded:
        """Load."""
        raise Refusal("no file is loaded")


@null("report", "loader")
class ReportingLoader(EmptyLoader):
    """Returns no section, and a warning for each configured file."""

    def load(self, backend: object, files: list[str], max_bytes: int) -> Loaded:
        """Load."""
        return [], files


@null("empty", "middleware")
class EmptyMiddleware(Everything):
    """Returns an empty conversation."""

    def __init__(self, config: MiddlewareConfig | None = None) -> None:
        self._config = config

    def middleware(self, config: MiddlewareConfig | None) -> EmptyMiddleware:
        """Build the middleware."""
        return type(self)(config)

    def before_model(self, messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        """Return a conversation."""
        return []


@null("input", "middleware")
class InputMiddleware(EmptyMiddleware):
    """Returns the conversation unchanged."""

    def before_model(self, messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        """Return a conversation."""
        return messages


@null("refusal", "middleware")
class RefusingMiddleware(EmptyMiddleware):
    """Cannot be built."""

    def middleware(self, config: MiddlewareConfig | None) -> EmptyMiddleware:
        """Build the middleware."""
        raise Refusal("no middleware is built")


@null("report", "middleware")
class ReportingMiddleware(EmptyMiddleware):
    """Returns the conversation unchanged, and warns about each configured file."""

    def before_model(self, messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        """Return a conversation."""
        if self._config and self._config.on_warning:
            for path in self._config.files or ():
                self._config.on_warning(path)
        return messages


@null("empty", "workspace")
class EmptyWorkspace(Everything):
    """Loads no file of a workspace."""

    dialect = "codex"

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read."""
        return WorkspaceReading([])


@null("input", "workspace")
class InputWorkspace(EmptyWorkspace):
    """Returns the two folders as texts."""

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read."""
        return WorkspaceReading([WorkspaceFile(str(path), str(path)) for path in (cwd, home)])


@null("refusal", "workspace")
class RefusingWorkspace(EmptyWorkspace):
    """Fails in every workspace."""

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read."""
        raise Refusal("no file is loaded")


@null("report", "workspace")
class ReportingWorkspace(EmptyWorkspace):
    """Loads no file of a workspace, and gives a warning for each folder."""

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading:
        """Read."""
        return WorkspaceReading([], [str(cwd), str(home)])
