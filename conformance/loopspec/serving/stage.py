"""A stage at this end of the pipe: one case, as far as an adapter sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from ..contract.agents import Plugin
from ..contract.calls import AgentStart, Edited, InvalidValue
from ..contract.doubles import Doubles, Inner, Recovery, tool_info
from ..contract.faults import AdapterError
from ..contract.plugins import Strategy, strategies_by_key, use_up
from ..contract.roles import Role
from ..contract.scene import ReadRequest, Scene
from ..contract.stage import Environment
from ..contract.values import Json, ToolInfo
from ..protocol import messages as m
from ..stage.index import SceneIndex
from ..stage.outcomes import LiveOutcomes
from ..stage.record import Record
from .calls import CaseCalls, RemotePart
from .runs import RemoteRuns


class RemoteEnvironment(RemotePart):
    """Files, warnings and the log."""

    async def read(self, request: ReadRequest) -> str | bytes | None:
        """Read a file; an implementation may pass a request of its own, with the same attributes."""
        return cast("str | bytes | None", await self._calls.ask(self._methods["read"], _plain(request)))

    def read_now(self, request: ReadRequest) -> object:
        """Read without awaiting: where the scene holds the read, the whole process waits."""
        return self._calls.ask_now(self._methods["read"], _plain(request))


def _plain(request: ReadRequest) -> ReadRequest:
    return ReadRequest(file_path=request.file_path, offset=request.offset, limit=request.limit)


class RemoteDoubles(RemotePart):
    """The models, tools and handlers of a scene, which `outside` receives what the adapter offers outside any run."""

    def __init__(self, calls: CaseCalls, scene: Scene, outside: Callable[[Inner], None] | None) -> None:
        super().__init__(calls, "doubles")
        self._index = SceneIndex(scene)
        self._outside = outside

    def info(self, tool: str) -> ToolInfo:
        try:
            return tool_info(self._index.tool(tool))
        except AdapterError as error:
            self._calls.pipe.notify("adapter/fault", m.AdapterFault(message=str(error)))
            raise

    async def before_agent(self, *args: object, **named: object) -> AgentStart | None:
        start = await self._calls.ask(self._methods["before_agent"], *args, **named)
        if isinstance(start, AgentStart):
            self._index.name_tools(*(start.tools or ()), *(start.return_directly or ()), start.tool_search or "")
        return cast("AgentStart | None", start)

    async def edit(self, hook: str, handler: str, *args: object, **named: object) -> Edited | InvalidValue | None:
        """Return the state after a hook; a middleware whose hooks are plain functions cannot await it."""
        method = self._methods["edit"]
        if handler in self._index.synchronous:
            edited = self._calls.ask_now(method, hook, handler, *args, **named)
        else:
            edited = await self._calls.ask(method, hook, handler, *args, **named)
        if isinstance(edited, Edited):
            self._index.name_tools(*(edited.tools or ()), *edited.deferred_tools)
        return cast("Edited | InvalidValue | None", edited)

    async def create(
        self, strategy: Strategy, node: str, agent: str, options: Mapping[str, Json]
    ) -> Plugin | InvalidValue:
        made = await self._calls.ask(self._methods["create"], strategy, node, agent, dict(options))
        if strategy.uses_up:
            use_up(options)
        if not isinstance(made, Plugin):
            return InvalidValue()
        self._index.add_handler(made, agent)
        return made

    def outside(self, inner: Inner) -> None:
        if self._outside is not None:
            self._outside(inner)


class RemoteStage:
    """One scene, as far as an adapter sees it. The contract's `Stage`; `record` has what belongs to no run."""

    def __init__(self, scene: Scene, role: Role, calls: CaseCalls, outside: Callable[[Inner], None] | None) -> None:
        self.scene = scene
        self.role = role
        calls.strategies = {id(one): key for key, one in strategies_by_key(scene.modules).items()}
        self.environment = cast("Environment", RemoteEnvironment(calls, "environment"))
        self.doubles = cast("Doubles", RemoteDoubles(calls, scene, outside))
        self.recovery = cast("Recovery", RemotePart(calls, "recovery"))
        self.runs = RemoteRuns(calls)
        self.record = Record()
        self.record.kinds, self.record.unhandled = calls.kinds, calls.unhandled
        self.outcomes = LiveOutcomes(self.record)
