"""The base class of an agent adapter: an author converts messages, builds an agent and runs it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, NoReturn

from loopspec.contract.agents import Agent, Handler, HandlerChange, Model, Own, Plugin, Scripted, Tool
from loopspec.contract.axes import Posture
from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.doubles import Inner, NoInside
from loopspec.contract.faults import AdapterError
from loopspec.contract.places import file_name
from loopspec.contract.roles import Role
from loopspec.contract.scene import Run
from loopspec.contract.stage import Stage
from loopspec.contract.values import ErrorKind, Json, Message, Place
from loopspec.targets.declared import misspelled

from .cancelling import Cancels, cancellable
from .conversion import Conversion, M
from .doubles import ModelDouble, Parts, ToolDouble
from .hooks import HookDouble
from .plugins import PluginDouble
from .reporter import Reporter
from .tool_callbacks import waiting_wrappers

_REQUIRED = ("to_wire", "from_wire", "build", "run")


class AgentAdapter(Generic[M]):
    """Connects an agent framework with the harness. `M` is the framework's message.

    A subclass implements `to_wire`, `from_wire`, `build` and `run`, and is a target: `loopspec run py:MODULE:CLASS`.
    `postures` are choices that the framework documents, by axis; `error_kinds` maps its exceptions to kinds of the
    contract.

    In the role `handler`, `handler` makes the handler under test, and `changes` are those that it declares.
    """

    name: str = "agent"
    version: str = ""
    roles: Sequence[Role] = ("agent",)
    capabilities: Sequence[Capability] = ()
    changes: Sequence[HandlerChange] = ()
    handler: Callable[[], object] | None = None
    postures: Mapping[str, Posture] = {}
    error_kinds: Mapping[type[BaseException], ErrorKind] = {}

    def to_wire(self, message: M) -> Sequence[Message]:
        """Convert a message of the framework. One message may be several of the contract."""
        self._lacks("to_wire")

    def from_wire(self, message: Message) -> M:
        """Convert a message of the contract."""
        self._lacks("from_wire")

    def build(self, parts: Parts[M]) -> Any:  # Any: the framework's own agent, which only `run` reads
        """Build the agent. An error that leaves this method is the failure of the build."""
        self._lacks("build")

    async def run(self, agent: Any, messages: list[M], report: Reporter[M]) -> None:  # Any: what `build` returned
        """Perform one run, and report what its caller receives. An error that leaves this method is the run's."""
        self._lacks("run")

    async def resume(  # optional, for `interrupt` and `approvals`; Any: what `build` returned
        self, agent: Any, checkpoint: bytes, answers: Mapping[str, Json], report: Reporter[M]
    ) -> None:
        """Resume an interrupted run from its checkpoint, with the caller's answers by the ids of the interrupts."""
        self._lacks("resume")

    def unwritten(self) -> Iterator[str]:
        """Yield the methods that are needed and not implemented, with a similar name that there is. For the doctor."""
        needed = [(method, "it") for method in _REQUIRED]
        for kind in CAPABILITIES.values():
            if kind.toolkit_method and kind.name in self.capabilities:
                needed.append((kind.toolkit_method, f"it declares {kind.name} but"))
        for method, why in needed:
            if getattr(type(self), method) is getattr(AgentAdapter, method):
                close = next((one.name for one in misspelled(self) if one.meant == method), None)
                meant = f" (it has `{close}`: did you mean `{method}`?)" if close else ""
                yield f"{why} does not implement {method}(){meant}"

    def has_written(self, place: Place) -> bool:
        """Whether a place is in a method of this adapter: the framework is somewhere else. For the doctor."""
        own = (part for part in type(self).__mro__ if issubclass(part, AgentAdapter) and part is not AgentAdapter)
        return any(
            place.function.startswith(f"{part.__qualname__}.") and place.file == file_name(inspect.getfile(part))
            for part in own
        )

    def inside(self) -> Inner:
        """Return the run-local values, session values and custom events of the current run; the default has none.

        Return a subclass of `loopspec.contract.doubles.NoInside` that overrides the methods that work.
        """
        return NoInside()

    async def perform(self, stage: Stage) -> None:
        """Perform a scene: build the agent from the doubles, perform its runs, and report errors."""
        if stage.scene.act == "outside":
            stage.doubles.outside(self.inside())
            return
        conversion, spec = Conversion(self.to_wire, self.from_wire), stage.scene.agent
        try:
            parts = self._parts(stage, conversion, spec)
            agent = self.build(parts)
        except AdapterError:
            raise
        except Exception as error:
            stage.outcomes.build_failed(error)
            return
        lists: list[tuple[list[Message], list[M]]] = []
        async for runs in stage.runs.concurrent_runs():
            agents = [self.build(parts) if spec.is_one_per_run else agent for _ in runs]
            performing = zip(agents, runs, strict=True)
            await asyncio.gather(*(self._perform_run(stage, one, run, conversion, lists) for one, run in performing))

    async def perform_handler(self, stage: Stage) -> None:
        """Perform a scene with the handler under test, in the same way."""
        await self.perform(stage)

    def _parts(self, stage: Stage, conversion: Conversion[M], agent: Agent) -> Parts[M]:
        doubles = stage.doubles

        def model(one: Model) -> ModelDouble[M]:
            return ModelDouble(one.name, one, doubles, conversion)

        def tool(one: Tool) -> ToolDouble:
            return ToolDouble(one.name, one, doubles, self.inside, agent.return_directly.get(one.name, False))

        def named(name: str) -> ToolDouble:
            known = {one.name: one for one in (*agent.additional_tools, *agent.tools)}
            return tool(known.get(name, Tool(name=name)))

        kinds: Mapping[type, type[HookDouble[M]]] = {Scripted: HookDouble, Plugin: PluginDouble}

        def attached(one: Handler) -> HookDouble[M] | Handler:
            return kinds[type(one)](one, stage, conversion, self.inside) if isinstance(one, Scripted | Plugin) else one

        tested = any(isinstance(one, Own) for one in agent.handlers)
        return Parts(
            name=agent.name,
            instruction=agent.instruction or None,
            model=None if agent.model is None else model(agent.model),
            tools=[tool(one) for one in agent.tools],
            attached=[attached(one) for one in agent.handlers],
            own=self.handler() if self.handler and tested else None,
            max_iterations=agent.max_iterations,
            additional_models={one.name: model(one) for one in agent.additional_models},
            spec=agent,
            stage=stage,
            conversion=conversion,
            tool=named,
            of=lambda one: self._parts(stage, conversion, one),
        )

    async def _perform_run(
        self, stage: Stage, agent: Any, run: Run, conversion: Conversion[M], lists: list[tuple[list[Message], list[M]]]
    ) -> None:
        runs, cancels = stage.runs, Cancels()
        async with cancellable(runs, run, cancels):
            with runs.running(run):
                report = Reporter(stage, run, conversion, cancels)
                try:
                    async with waiting_wrappers():
                        await self._perform_part(stage, agent, report, lists)
                except AdapterError:
                    raise
                except Exception as error:
                    runs.event(stage.scene.agent.name, error=error)
                    raise
                finally:
                    cancels.over.set()

    async def _perform_part(
        self, stage: Stage, agent: Any, report: Reporter[M], lists: list[tuple[list[Message], list[M]]]
    ) -> None:
        runs, run, conversion = stage.runs, report.run, report.conversion
        if run.resume:
            return await self.resume(agent, runs.checkpoint(run), runs.answers(run), report)
        given = runs.messages(run)
        own = next((messages for wires, messages in lists if wires is given), None)
        if own is None:  # one list of the framework's messages for each list of the caller
            own = [conversion.from_wire(message) for message in given]
            lists.append((given, own))
        before = list(map(id, own))
        try:
            await self.run(agent, own, report)
        finally:
            if before != list(map(id, own)):  # the framework has changed its caller's list
                given[:] = conversion.all_to_wire(own)

    def _lacks(self, method: str) -> NoReturn:
        raise AdapterError(f"{type(self).__name__} has no method {method}()")
