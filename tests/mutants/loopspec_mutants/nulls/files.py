"""Null targets that read files or insert them: backends, loaders, AgentsMD middlewares and readers of workspaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from loopspec import Message, WorkspaceFile, WorkspaceReading
from loopspec.contract.scene import ReadRequest
from loopspec.contract.shapes import Content, MiddlewareConfig, RunView

from .registry import Everything, Null, Refusal, Way, enter

Loaded = tuple[list[tuple[str, str]], list[str]]
BeforeModel = Callable[[Sequence[Message], RunView | None], Sequence[Message]]


class _Store(Everything):
    """A backend that takes every file and every change, and has one way to read."""

    def __init__(self, read: Callable[[ReadRequest], Content]) -> None:
        self.read = read

    def open(self, files: Mapping[str, bytes]) -> _Store:
        return self

    def _nothing(self, *given: object) -> None:
        """Do nothing."""

    write = delete = fault = link = fail = close = _nothing


class _Loader(Everything):
    """A loader that reads no file."""

    def __init__(self, load: Callable[[list[str]], Loaded]) -> None:
        self._load = load

    def load(self, backend: object, files: list[str], max_bytes: int) -> Loaded:
        return self._load(files)


class _Maker(Everything):
    """Makes AgentsMD middlewares that read no file."""

    def __init__(self, make: Callable[[MiddlewareConfig | None], BeforeModel]) -> None:
        self._make = make

    def middleware(self, config: MiddlewareConfig | None) -> object:
        return SimpleNamespace(before_model=self._make(config))


class _Reader(Everything):
    """A reader of workspaces that reads no file."""

    dialect = "codex"

    def __init__(self, read: Callable[[Path, Path], WorkspaceReading]) -> None:
        self._read = read

    def read_workspace(self, cwd: Path, home: Path, *, agreed: bool = False) -> WorkspaceReading:
        return self._read(cwd, home)


def _raising(error: type[Exception]) -> Callable[..., Any]:  # Any: stands for functions of several types
    def fail(*given: object) -> Any:
        raise error("nothing is read")

    return fail


def _with_warnings(config: MiddlewareConfig | None) -> BeforeModel:
    def before_model(messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        if config and config.on_warning:
            for path in config.files or ():
                config.on_warning(path)
        return messages

    return before_model


def _backend(way: Way, sentence: str, read: Callable[[ReadRequest], Content]) -> None:
    enter(Null("backend", way, sentence, lambda: _Store(read)))


def _loader(way: Way, sentence: str, load: Callable[[list[str]], Loaded]) -> None:
    enter(Null("loader", way, sentence, lambda: _Loader(load)))


def _middleware(way: Way, sentence: str, make: Callable[[MiddlewareConfig | None], BeforeModel]) -> None:
    enter(Null("middleware", way, sentence, lambda: _Maker(make)))


def _workspace(way: Way, sentence: str, read: Callable[[Path, Path], WorkspaceReading]) -> None:
    enter(Null("workspace", way, sentence, lambda: _Reader(read)))


_backend("nothing", "Returns no content object for every path.", lambda request: None)
_backend("empty", "Returns empty content for every path.", lambda request: b"")
_backend("input", "Returns the path as the content.", lambda request: request.file_path)
_backend("refusal", "Forbids every read.", _raising(PermissionError))
_backend("report", "Reports every file as missing.", _raising(FileNotFoundError))

_loader("empty", "Gives no warning and returns no section.", lambda files: ([], []))
_loader(
    "input", "Returns each configured path as its own section.", lambda files: ([(path, path) for path in files], [])
)
_loader("refusal", "Fails every load.", _raising(Refusal))
_loader("report", "Returns no section, and a warning for each configured file.", lambda files: ([], files))

_middleware("empty", "Returns an empty conversation.", lambda config: lambda messages, run: [])
_middleware("input", "Returns the conversation unchanged.", lambda config: lambda messages, run: messages)
_middleware("refusal", "Cannot be built.", _raising(Refusal))
_middleware("report", "Returns the conversation unchanged, and warns about each configured file.", _with_warnings)

_workspace("empty", "Loads no file of a workspace.", lambda cwd, home: WorkspaceReading([]))
_workspace(
    "input",
    "Returns the two folders as texts.",
    lambda cwd, home: WorkspaceReading([WorkspaceFile(str(path), str(path)) for path in (cwd, home)]),
)
_workspace("refusal", "Fails in every workspace.", _raising(Refusal))
_workspace(
    "report",
    "Loads no file of a workspace, and gives a warning for each folder.",
    lambda cwd, home: WorkspaceReading([], [str(cwd), str(home)]),
)
