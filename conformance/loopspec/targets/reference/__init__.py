"""The reference implementation as a target: the worked example of an in-process adapter.

The only package of the kit that imports `loopspec_reference`.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

import loopspec_reference as ref
from loopspec_reference import plugins
from loopspec_reference.agentsmd import LoadWarning, load

from ...contract.agents import Config
from ...contract.capabilities import CAPABILITIES, Capability, Role
from ...contract.doubles import ScriptedError
from ...contract.faults import AdapterError
from ...contract.observation import Section
from ...contract.shapes import Backend, MiddlewareConfig
from ...contract.stage import Stage
from ...contract.values import ErrorKind
from .agent import Agents
from .attaching import catalogue
from .inside import Inside
from .judged import as_target
from .middleware import ReferenceMiddleware
from .stores import Files, LocalStore, MemoryStore

__all__ = ["Memory", "Reference", "as_target", "load_through", "perform_handler"]


class Reference:
    """The factory of the target `reference`. Its backend is a `LocalBackend` over a temporary folder.

    All folders are removed together, by `close`: one by one, that would take longer than everything else.
    """

    name = "loopspec reference"
    version = "0.1.0"
    roles: Sequence[Role] = ("backend", "loader", "middleware", "agent", "handler", "plugins")
    capabilities: frozenset[Capability] = frozenset(CAPABILITIES)
    error_kinds: Mapping[type[BaseException], ErrorKind] = {
        ref.ConfigError: "invalid_config",
        ref.OutsideRunError: "outside_run",
        ref.UnregisteredTypeError: "unregistered_type",
        ref.InstructionError: "instruction",
        ref.NothingReturnedError: "nothing_returned",
        ref.UnknownToolError: "unknown_tool",
        ref.IterationLimitError: "max_iterations",
        ref.RetriesExhaustedError: "retries_exhausted",
        ref.WillRetryError: "will_retry",
        ref.StreamCancelledError: "stream_cancelled",
        ref.CancelError: "cancel",
        ref.CheckpointError: "checkpoint",
        plugins.StrategyError: "strategy",
        plugins.UnknownProviderError: "unknown_provider",
        plugins.OptionsError: "options",
        plugins.GraphError: "graph",
        plugins.ContextError: "context",
        plugins.HookError: "hook",
        plugins.JumpError: "jump",
    }
    set_language = staticmethod(ref.set_language)

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._numbers = count()

    def open(self, files: Mapping[str, bytes]) -> LocalStore:
        """Open a backend that holds these files."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="loopspec-")
        return LocalStore(Path(self._folder.name) / str(next(self._numbers)), files)

    def close(self) -> None:
        """Remove the folders."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    async def load(
        self, backend: Backend, files: Sequence[str], max_bytes: int
    ) -> tuple[list[tuple[str, str]], list[str]]:
        """Load the files; return sections and the paths warned about."""
        warned: list[str] = []
        sections = await load(Files(backend), files, max_bytes, lambda warning: warned.append(warning.path))
        return [(section.path, section.text) for section in sections], warned

    def middleware(self, config: MiddlewareConfig | None) -> ReferenceMiddleware:
        """Build the AgentsMD handler."""
        return ReferenceMiddleware(config)

    def handler(self) -> ref.Handler[ref.AnyMessage]:
        """Build a handler."""
        return ref.Handler()

    async def perform_plugins(self, stage: Stage) -> None:
        """Register strategies, or build the scene's agent with its middlewares and let its runs happen."""
        if stage.scene.act in ("look up", "catalogue"):
            try:
                catalogue(stage)
            except plugins.PluginError as error:
                stage.outcomes.refused(error)
        else:
            await _perform(Agents(stage), stage)

    async def perform(self, stage: Stage) -> None:
        """Build the scene's agent and let its runs happen."""
        if stage.scene.act == "outside":
            stage.doubles.outside(Inside())
        else:
            await _perform(Agents(stage), stage)


async def perform_handler(make: Callable[[], object], stage: Stage) -> None:
    """Let a handler of somebody else's take part in runs of the reference."""
    handler = make()
    if not isinstance(handler, ref.Handler):
        raise AdapterError(f"handler() returned {handler!r:.200}: return a loopspec_reference.Handler")
    await _perform(Agents(stage, handler), stage)


async def _perform(agents: Agents, stage: Stage) -> None:
    try:
        await agents.prepare()
        agent = agents.build(stage.scene.agent)
    except (ref.ConfigError, plugins.PluginError, ScriptedError) as error:
        stage.outcomes.refused(error)
        return
    async for batch in stage.runs.batches():
        await asyncio.gather(*(agents.run(agent, run) for run in batch))


class Memory(Reference):
    """The factory of a target that is only a `MemoryBackend`."""

    name = "loopspec reference, in memory"
    roles = ("backend",)
    capabilities = frozenset({"directories", "edits", "line-ranges"})

    def open(self, files: Mapping[str, bytes]) -> MemoryStore:  # type: ignore[override]  # the kit asks shapes, not classes
        """Open a backend that holds these files."""
        return MemoryStore(files)


async def load_through(backend: Backend, config: Config, stage: Stage) -> None:
    """Load with the reference's loader from somebody else's backend."""

    def warn(warning: LoadWarning) -> None:
        stage.world.warn(warning.path, warning.reason)

    try:
        sections = await load(Files(backend), config.files or (), config.max_bytes or 0, warn)
    except Exception as error:
        stage.outcomes.load_failed(error)
    else:
        stage.outcomes.loaded(Section(path=section.path, text=section.text) for section in sections)
