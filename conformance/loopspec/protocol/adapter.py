"""What the harness asks of an adapter in a case, apart from the runs of an agent."""

from __future__ import annotations

from typing import Literal, Protocol

from ..contract.agents import Agent, Config
from ..contract.observation import Registered, Section
from ..contract.plugins import Module, Workflow
from ..contract.roles import Role
from ..contract.scene import ReadRequest, StoreFailure, StoreFault
from ..contract.values import Json, Message, MessageType, Value

Waited = Literal["cancelled", "ended", "timed out"]


class Loaded(Value, frozen=True):
    """The loaded files, in the order in which a model sees them; or `text`, the text that holds them."""

    sections: tuple[Section, ...] = ()
    text: str | None = None


class WorkspaceText(Value, frozen=True):
    """One text that a model receives. Without a `path`, the tool does not name the file."""

    text: str
    path: str | None = None


class WorkspaceTexts(Value, frozen=True):
    """The texts in the order in which a model receives them, and the warnings."""

    files: tuple[WorkspaceText, ...] = ()
    warnings: tuple[str, ...] = ()


class Strategies(Value, frozen=True):
    """The strategies that the registry lists, in its order, and the result of each lookup."""

    listed: tuple[Registered, ...] = ()
    lookups: tuple[Registered, ...] = ()


class ProcessResources(Value, frozen=True):
    """How many open descriptors, threads and tasks the process of the adapter has. A task is a goroutine in Go."""

    descriptors: int = 0
    threads: int = 0
    tasks: int = 0


class Adapter(Protocol):
    """An adapter in one case. Each method may raise what the implementation fails with.

    A handle is any text; it names an object until the case ends.
    """

    async def set_language(self, language: str | None = None) -> None:
        """Choose the language of all texts; None: the default."""

    async def load(self, files: tuple[str, ...], max_bytes: int = 0) -> Loaded:
        """Load instructions once: these files and their imports. `max_bytes` 0: no limit."""

    async def read_workspace(
        self, cwd: str, home: str, configured: tuple[str, ...] = (), agreed: bool = False
    ) -> WorkspaceTexts:
        """Read the instruction files of a workspace, as the tool does that is started in `cwd` with this home folder.

        `configured` are the files of the configuration of a tool that does not search for files. `agreed`: the user has
        agreed to imports from outside the project.
        """

    async def create_middleware(self, message_type: MessageType, config: Config | None = None) -> str:
        """Build the AgentsMD middleware; without `config`, with no configuration at all. Return a handle."""

    async def before_model(
        self,
        handle: str,
        messages: tuple[Message, ...] = (),
        run: str | None = None,
        ctx: dict[str, Json] | None = None,
    ) -> tuple[Message, ...]:
        """Call the middleware's hook before a model call; without `run`, outside any run.

        `ctx` are the context values. Return the conversation that the hook returned.
        """

    async def create_agent(
        self,
        role: Role,
        agent: Agent,
        message_type: MessageType,
        modules: tuple[Module, ...] = (),
        workflow: Workflow | None = None,
        traces: bool = False,
        shared_lists: bool = False,
    ) -> str:
        """Build an agent for this role. Return a handle.

        In the plugin layer, `modules` are to be registered, and with a `workflow` the agent has the middlewares that
        the workflow connects to its node. `traces`: configure a recorder of the execution trace that sends
        `execution`. `shared_lists`: pass one list object to all agents with equal handlers, and one to all agents with
        equal tools.
        """

    async def list_strategies(
        self, modules: tuple[Module, ...] = (), built_in: bool = False, lookups: tuple[str, ...] = ()
    ) -> Strategies:
        """Register the strategies of `modules`, or the implementation's `built_in` ones; list them, and look some up.

        `lookups` are the providers to look up in the registry.
        """

    async def wait_for_cancel(self, handle: str) -> Waited:
        """Wait for the end of the run that a request to cancel is about.

        Return whether the run was cancelled, ended by itself, or did not end in time.
        """

    async def open(self, files: dict[str, bytes]) -> str:
        """Open the implementation's own backend, with these files by path. Return a handle."""

    async def read(self, handle: str, request: ReadRequest) -> str | bytes | None:
        """Read a file of the backend. Several of these requests may be unanswered at once."""

    async def write(self, handle: str, path: str, content: bytes) -> None:
        """Change a file of the backend, or add it."""

    async def delete(self, handle: str, path: str) -> None:
        """Delete a stored file of the backend."""

    async def fault(self, handle: str, path: str, kind: StoreFault) -> None:
        """Make reads of a file of the backend fail: with a permission error, or with an I/O error.

        "outside": make the file a link to a file in a folder next to the backend's root. The name of the folder begins
        with the name of the root.
        """

    async def link(self, handle: str, path: str, target: str) -> None:
        """Make the file `path` of the backend a link to the path `target` inside the root, which need not exist."""

    async def fail(self, handle: str, kind: StoreFailure) -> None:
        """Make the whole store of the backend fail: all later reads fail."""

    async def resources(self, handle: str) -> ProcessResources:
        """Count what the process has open."""

    async def close(self, handle: str) -> None:
        """Close the backend."""
