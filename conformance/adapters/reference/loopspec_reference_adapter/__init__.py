"""The reference implementation as a target: the worked example of an in-process adapter.

Each part of the reference is imported when a scene first needs it: the start of a run does not pay for the whole.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

from loopspec.contract.agents import Config
from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.dialects import DEFAULT_DIALECT
from loopspec.contract.faults import AdapterError
from loopspec.contract.observation import Section
from loopspec.contract.roles import ROLES, Role
from loopspec.contract.shapes import Backend, MiddlewareConfig
from loopspec.contract.specification import VERSION
from loopspec.contract.stage import Stage
from loopspec.contract.values import ErrorKind

from .error_kinds import ErrorKinds, is_refusal

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

    from loopspec_reference import AnyMessage, Handler, Language
    from loopspec_reference.agentsmd import LoadWarning

    from .agent import Agents
    from .middleware import ReferenceMiddleware
    from .stores import LocalStore, MemoryStore

__all__ = ["Memory", "Reference"]


class Reference:
    """The factory of the target `reference`. Its backend is a `LocalBackend` over a temporary folder.

    `close` removes all folders together: removing them one by one takes longer than everything else.
    """

    name = "loopspec reference"
    version = VERSION
    capabilities: frozenset[Capability] = frozenset(CAPABILITIES)
    error_kinds: Mapping[type[BaseException], ErrorKind] = ErrorKinds()
    dialect = DEFAULT_DIALECT

    def __getattr__(self, name: str) -> Any:  # Any: a method of a role that a product adds
        """The method of a role that a product adds, where the product says what the reference does in it."""
        for kind in ROLES.values():
            if kind.method == name and kind.by_reference:
                return partial(kind.by_reference, self)
        raise AttributeError(name)

    def __init__(self) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        self._numbers = count()

    @staticmethod
    def prepare() -> None:
        """Import what scenes need, for a server that is forked for each restart."""
        from . import agent, middleware, stores, strategies  # noqa: F401  # each is imported when a scene needs it

    @staticmethod
    def set_language(language: Language | None) -> None:
        """Set the language of the reference's texts."""
        from loopspec_reference import set_language

        set_language(language)

    def open(self, files: Mapping[str, bytes]) -> LocalStore:
        """Open a backend with these files."""
        import tempfile
        from pathlib import Path

        from .stores import LocalStore, folder_in_memory

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="loopspec-", dir=folder_in_memory())
            (Path(self._folder.name) / "linked").symlink_to(self._folder.name)  # users give roots that contain a link
        return LocalStore(Path(self._folder.name) / "linked" / str(next(self._numbers)), files)

    def close(self) -> None:
        """Remove the folders."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    async def load(
        self, backend: Backend, files: Sequence[str], max_bytes: int
    ) -> tuple[list[tuple[str, str]], list[str]]:
        """Load the files; return the sections and the paths of the warnings."""
        from loopspec_reference.agentsmd import load

        from .stores import Files

        warned: list[str] = []
        sections = await load(Files(backend), files, max_bytes, lambda warning: warned.append(warning.path))
        return [(section.path, section.text) for section in sections], warned

    def middleware(self, config: MiddlewareConfig | None) -> ReferenceMiddleware:
        """Build the AgentsMD middleware."""
        from .middleware import ReferenceMiddleware

        return ReferenceMiddleware(config)

    def handler(self) -> Handler[AnyMessage]:
        """Build a handler."""
        from loopspec_reference import Handler

        return Handler()

    async def perform_plugins(self, stage: Stage) -> None:
        """Register strategies, or build the scene's agent with its middlewares and perform its runs."""
        if stage.scene.act in ("look up", "catalog"):
            from .strategies import catalog

            try:
                catalog(stage)
            except Exception as error:
                if not is_refusal(error):
                    raise
                stage.outcomes.build_failed(error)
        else:
            from .agent import Agents

            await _perform(Agents(stage), stage)

    async def perform(self, stage: Stage) -> None:
        """Build the scene's agent and perform its runs."""
        if stage.scene.act == "outside":
            from .inside import Inside

            stage.doubles.outside(Inside())
        else:
            from .agent import Agents

            await _perform(Agents(stage), stage)

    @staticmethod
    def as_target(factory: Callable[[], object], made: object) -> object:
        """Return what a factory made, or, if it made a handler of the reference, a target that judges this handler."""
        if "loopspec_reference" not in sys.modules:  # then nothing can be a handler of the reference
            return made
        from loopspec_reference import Handler

        from .handler_role import HandlerFactory

        return HandlerFactory(factory, made) if isinstance(made, Handler) else made

    @staticmethod
    async def run_handler(make: Callable[[], object], stage: Stage) -> None:
        """Perform runs of the reference in which the handler under test takes part."""
        from loopspec_reference import Handler

        from .agent import Agents

        handler = make()
        if not isinstance(handler, Handler):
            raise AdapterError(f"handler() returned {handler!r:.200}: return a loopspec_reference.Handler")
        await _perform(Agents(stage, handler), stage)

    @staticmethod
    async def load_through(backend: Backend, config: Config, stage: Stage) -> None:
        """Load with the reference's loader from the backend under test."""
        from loopspec_reference.agentsmd import load

        from .stores import Files

        def warn(warning: LoadWarning) -> None:
            stage.environment.warn(warning.path, warning.reason)

        try:
            sections = await load(Files(backend), config.files or (), config.max_bytes or 0, warn)
        except Exception as error:
            stage.outcomes.load_failed(error)
        else:
            stage.outcomes.loaded(Section(path=section.path, text=section.text) for section in sections)


async def _perform(agents: Agents, stage: Stage) -> None:
    try:
        await agents.prepare()
        agent = agents.build(stage.scene.agent)
    except Exception as error:
        if not is_refusal(error):
            raise
        stage.outcomes.build_failed(error)
        return
    spec = stage.scene.agent
    async for batch in stage.runs.concurrent_runs():
        own = [agents.build(spec) if spec.is_one_per_run else agent for _ in batch]
        performing = [agents.run(one, run) for one, run in zip(own, batch, strict=True)]
        await (performing[0] if len(performing) == 1 else asyncio.gather(*performing))


class Memory(Reference):
    """The factory of a target that is only a `MemoryBackend`."""

    name = "loopspec reference, in memory"
    roles: Sequence[Role] = ("backend",)
    capabilities = frozenset(
        {
            "cancel-read",
            "closes",
            "confined",
            "deletes",
            "directories",
            "edits",
            "fault-container",
            "fault-gone",
            "fault-refused",
            "fault-timeout",
            "line-ranges",
        }
    )

    def open(self, files: Mapping[str, bytes]) -> MemoryStore:  # type: ignore[override]  # the kit asks shapes, not classes
        """Open a backend with these files."""
        from .stores import MemoryStore

        return MemoryStore(files)
