"""The smallest Python objects for each role. No base class is needed.

A method may be `async def` or plain; only `set_language` has to be plain, because a scene chooses a language in the
midst of things, where nothing can be awaited, and `perform` and `perform_plugins` have to be `async def`.

The object a `py:` factory returns has one or more of

    open(files) -> Backend            role backend
    load(backend, files, max_bytes)   role loader
    middleware(config) -> Middleware  role middleware
    perform(stage)                    role agent: see `loopspec.Stage` and `loopspec.Doubles`
    perform_plugins(stage)            role plugins: the same
    handler() -> Handler              role handler: of the reference's class, judged in its loop
    read_workspace(cwd, home)         role workspace: see `WorkspaceReader`

and may have `name`, `version`, `roles`, `capabilities`, `dialect` for the role `workspace`, `error_kinds`,
`set_language` for the capability `language-zh`, and `close`. `error_kinds` maps its own exceptions to kinds of the
contract: `{NotStored: "not_exist"}`. A factory may as well return a `loopspec_reference.Handler` itself, which has the
role `handler` and no other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Protocol

from .scene import ReadRequest
from .values import Json, Message, MessageType

Content = str | bytes | None


class Backend(Protocol):
    """Reads files: the harness's backend, as passed to a loader, or a backend that `open` returned.

    One's own may also have `write(path, content)` (capability `edits`), `delete(path)` (`deletes`),
    `fault(path, kind)` (`fault-permission`, `fault-io`, `fault-outside`), `link(path, target)` (`links`),
    `fail(kind)` for the whole store (`fault-gone`, `fault-timeout`, `fault-refused`, `fault-container`) and `close()`.
    `open` and `write` raise `loopspec.CannotStore(path)` for a name that the store cannot store.
    """

    def read(self, request: ReadRequest) -> Content | Awaitable[Content]:
        """Return the content. The harness's is awaitable for an implementation that is `async def`.

        The harness's backend returns both forms: see `Environment.read`.
        """


@dataclass(frozen=True, slots=True)
class MiddlewareConfig:
    """The configuration of a middleware. A value that a scenario omits is None.

    `on_warning` takes the path a warning is about and, as evidence, a reason; None: the default sink.
    """

    backend: Backend | None
    files: Sequence[str] | None
    max_bytes: int | None = None
    on_warning: Callable[..., None] | None = None
    message_type: MessageType = "message"


@dataclass(slots=True)
class RunView:
    """The run of a hook. `local` is kept until the run ends."""

    id: str
    local: dict[str, Json] = field(default_factory=dict)


class Middleware(Protocol):
    """The AgentsMD middleware."""

    def before_model(
        self, messages: Sequence[Message], run: RunView | None
    ) -> Sequence[Message] | Awaitable[Sequence[Message]]:
        """Return the conversation that the model receives and the run keeps; outside a run, `run` is None."""


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """One text that a model receives. `path` is the file as the tool names it; None: the tool names no file.

    A tool that joins several files to one text returns one entry with the whole text: the harness finds the files in
    it.
    """

    path: str | PurePath | None
    text: str


@dataclass(frozen=True, slots=True)
class WorkspaceReading:
    """The texts in the order in which a model receives them, and the warnings of the tool, which are evidence."""

    files: Sequence[WorkspaceFile]
    warnings: Sequence[str] = ()


class WorkspaceReader(Protocol):
    """Reads the instruction files of a workspace as one tool does. `dialect` is the name of the tool's dialect.

    A tool without a search for files may take a third parameter, `configured`: the files of its configuration. With the
    capability `import-agreement`, `agreed=True` says that the user has agreed to imports from outside the project.
    """

    dialect: str

    def read_workspace(self, cwd: Path, home: Path) -> WorkspaceReading | Awaitable[WorkspaceReading]:
        """Return what a model receives when the tool is started in the folder `cwd`, with the home folder `home`.

        An exception is the tool's failure: the tool gives a model nothing.
        """
