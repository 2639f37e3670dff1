"""The base class of an agent adapter: an author converts messages, builds an agent and runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NoReturn

from ..contract.agents import Scripted, Tool
from ..contract.capabilities import Capability, Role
from ..contract.doubles import Inner, NoInside
from ..contract.faults import AdapterError
from ..contract.scene import Run
from ..contract.stage import Stage
from ..contract.values import ErrorKind, Json, Message
from .conversion import Conversion, M
from .doubles import ModelDouble, Parts, ToolDouble
from .hooks import HookDouble
from .reporter import Reporter


class AgentAdapter(Generic[M]):
    """Connects an agent framework with the harness. `M` is the framework's message.

    A subclass implements `to_wire`, `from_wire`, `build` and `run`, and is a target: `loopspec run py:module:Class`.
    `error_kinds` maps the framework's exceptions to kinds of the contract.
    """

    name: str = "agent"
    version: str = ""
    roles: Sequence[Role] = ("agent",)
    capabilities: Sequence[Capability] = ()
    error_kinds: Mapping[type[BaseException], ErrorKind] = {}

    required: ClassVar[tuple[str, ...]] = ("to_wire", "from_wire", "build", "run")

    # -- an author implements ------------------------------------------------------------------------------------------

    def to_wire(self, message: M) -> Sequence[Message]:
        """Convert a message of the framework. One message may be several of the contract."""
        self._lacks("to_wire")

    def from_wire(self, message: Message) -> M:
        """Convert a message of the contract."""
        self._lacks("from_wire")

    def build(self, parts: Parts[M]) -> Any:  # Any: the framework's own agent, which only `run` looks at
        """Build the agent. An error that the framework raises here is reported as the failure of the build."""
        self._lacks("build")

    async def run(self, agent: Any, messages: list[M], report: Reporter[M]) -> None:
        """Perform one run and report what its caller sees. Raise the error that the framework raises."""
        self._lacks("run")

    # -- an author may implement ---------------------------------------------------------------------------------------

    async def resume(self, agent: Any, checkpoint: bytes, answers: Mapping[str, Json], report: Reporter[M]) -> None:
        """Resume an interrupted run from its checkpoint, with the caller's answers by the ids of the interrupts."""
        self._lacks("resume")

    def inside(self) -> Inner:
        """Return what a hook or a tool can do inside the current run: run-local values, session values, events.

        The default rejects everything. Override the methods of `loopspec.contract.doubles.NoInside`.
        """
        return NoInside()

    # -- the toolkit ---------------------------------------------------------------------------------------------------

    async def perform(self, stage: Stage) -> None:
        """Perform a scene: build the agent from the doubles, perform the runs, and report errors."""
        if stage.scene.act == "outside":
            stage.doubles.outside(self.inside())
            return
        conversion = Conversion(self.to_wire, self.from_wire)
        try:
            agent = self.build(self.parts(stage, conversion))
        except AdapterError:
            raise
        except Exception as error:
            stage.outcomes.refused(error)
            return
        lists: list[tuple[list[Message], list[M]]] = []
        async for runs in stage.runs.batches():
            await asyncio.gather(*(self._perform_run(stage, agent, run, conversion, lists) for run in runs))

    def parts(self, stage: Stage, conversion: Conversion[M]) -> Parts[M]:
        """Return the parts of the scene's agent."""
        agent, doubles = stage.scene.agent, stage.doubles

        def tool(one: Tool) -> ToolDouble:
            return ToolDouble(one, doubles, self.inside, agent.return_directly.get(one.name, False))

        return Parts(
            agent,
            None if agent.model is None else ModelDouble(agent.model, doubles, conversion),
            [tool(one) for one in agent.tools],
            [HookDouble(one, doubles, conversion, self.inside) for one in agent.handlers if isinstance(one, Scripted)],
            {one.name: tool(one) for one in agent.additional_tools},
            {one.name: ModelDouble(one, doubles, conversion) for one in agent.additional_models},
        )

    async def _perform_run(
        self,
        stage: Stage,
        agent: Any,
        run: Run,
        conversion: Conversion[M],
        lists: list[tuple[list[Message], list[M]]],
    ) -> None:
        report = Reporter(stage, run, conversion)
        with stage.runs.running(run):
            try:
                if run.resume:
                    checkpoint, answers = stage.runs.checkpoint(run), stage.runs.answers(run)
                    await self.resume(agent, checkpoint, answers, report)
                else:
                    await self._run_with_list(stage.runs.messages(run), agent, report, conversion, lists)
            except AdapterError:
                raise
            except Exception as error:
                report.failed(error)
                raise

    async def _run_with_list(
        self,
        given: list[Message],
        agent: Any,
        report: Reporter[M],
        conversion: Conversion[M],
        lists: list[tuple[list[Message], list[M]]],
    ) -> None:
        """Run with the caller's list: one list of the framework's messages for each list of the scene."""
        own = next((messages for wires, messages in lists if wires is given), None)
        if own is None:
            own = [conversion.from_wire(message) for message in given]
            lists.append((given, own))
        before = list(own)
        try:
            await self.run(agent, own, report)
        finally:
            if len(own) != len(before) or any(one is not other for one, other in zip(own, before, strict=True)):
                given[:] = conversion.all_to_wire(own)  # the framework has changed its caller's list

    def _lacks(self, method: str) -> NoReturn:
        raise AdapterError(f"{type(self).__name__} has no method {method}()")
