"""A Scene being written, by Given steps."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from loopspec.contract.agents import Agent, AgentsMD, Config, Handler, Model, Tool, Turn
from loopspec.contract.scene import Act, File, Run, Scene
from loopspec.contract.values import Message, ToolCall, Value
from loopspec.contract.workspaces import Workspace

from .agent import AgentBuilder

HELLO = Message(role="user", content="Hello.")
THE_HANDLER = "agentsmd"


class Neighbors(Value, frozen=True):
    """The handlers on one side of the AgentsMD middleware."""

    handlers: tuple[Handler, ...] = ()


class SceneBuilder:
    """What has been given so far. One user message is the conversation until another is given.

    `scene` has what steps give as it is, `run` what all runs have, and `runs` what single runs have. `around` is the
    agent of a scenario about the AgentsMD middleware, and `neighbors` are its other handlers, by their side; `loop` is
    the agent that a scenario about the loop describes.
    """

    def __init__(self) -> None:
        self.scene = Scene(act="load", messages=(HELLO,), instructions=Config())
        self.around = Agent()
        self.neighbors = {"before": Neighbors(), "after": Neighbors()}
        self.tool_rounds = 0
        self.loop: AgentBuilder | None = None
        self.run = Run(id="")
        self.runs: dict[str, Run] = {}
        self.own: dict[str, Any] = {}  # Any: JSON, which phrases of products fill

    @property
    def act(self) -> Act:
        """What the scenario performs."""
        return self.scene.act

    @act.setter
    def act(self, act: Act) -> None:
        self.scene = replace(self.scene, act=act)

    # -- files -------------------------------------------------------------------------------------------------

    def file(self, path: str) -> File:
        """The file as given so far."""
        return self.scene.files.get(path, File())

    def put(self, path: str, file: File) -> None:
        """Put a file into the harness's backend."""
        self.scene = replace(self.scene, files={**self.scene.files, path: file})

    def write(self, path: str, file: File) -> None:
        """Give a file its content, keeping what was said about reading it."""
        known = self.file(path)
        self.put(path, replace(file, fault=known.fault, nothing=known.nothing, held=known.held))

    def configure(self, path: str) -> None:
        """Add a configured file, if it is none yet."""
        known = self.scene.instructions
        if known and known.files is not None and path not in known.files:
            self.scene = replace(self.scene, instructions=replace(known, files=(*known.files, path)))

    # -- the agent ---------------------------------------------------------------------------------------------

    @property
    def described(self) -> AgentBuilder:
        """The agent that a scenario of the loop describes at this step."""
        if self.loop is None:
            self.loop = AgentBuilder()
        return self.loop

    def _agent(self) -> Agent:
        if self.loop is None:
            return self._around_agentsmd()
        top = self.loop
        while top.parent is not None:
            top = top.parent
        agent = top.built()
        return replace(
            agent,
            handlers=tuple(
                replace(one, config=self.scene.instructions) if isinstance(one, AgentsMD) else one
                for one in agent.handlers
            ),
        )

    def _around_agentsmd(self) -> Agent:
        """The agent of a scenario that describes none: it has the AgentsMD middleware, and calls its first tool."""
        the_handler = AgentsMD(name=THE_HANDLER, config=self.scene.instructions)
        tools = self.around.tools
        if self.tool_rounds and not tools:
            tools = (Tool(name="look up"),)
        rounds = self.tool_rounds or (1 if any(tool.agent or tool.interrupts or tool.error for tool in tools) else 0)
        calls = (
            ToolCall(id=f"call {n}", name=tools[0].name, args='{"request":"Look it up."}') for n in range(1, rounds + 1)
        )
        turns = (*(Turn(tool_calls=(call,)) for call in calls), Turn(text="done"))
        return replace(
            self.around,
            model=Model(turns=turns),
            tools=tuple(replace(t, agent=replace(t.agent, handlers=(the_handler,))) if t.agent else t for t in tools),
            handlers=(*self.neighbors["before"].handlers, the_handler, *self.neighbors["after"].handlers),
        )

    # -- the runs ----------------------------------------------------------------------------------------------

    def add_run(self, *, together: bool = False, resume: str | None = None) -> None:
        """Add a run; the first has the conversation, and so has each further one that is not resumed."""
        id_ = str(len(self.scene.runs) + 1)
        own = self.runs.get(id_, Run(id=id_))
        run = replace(
            own,
            messages=() if resume else self.scene.messages,
            streaming=self.run.streaming,
            cancellable=self.run.cancellable,
            session={**self.run.session, **own.session},
            answers=self.run.answers if resume else {},
            call_answers={**self.run.call_answers, **own.call_answers} if resume else {},
            together=together,
            resume=resume,
        )
        self.scene = replace(self.scene, runs=(*self.scene.runs, run))

    def built(self) -> Scene:
        """The Scene."""
        if self.act == "read workspace":  # no agent takes part
            return Scene(act=self.act, workspace=self.scene.workspace or Workspace())
        if self.own:  # of a role that a product adds
            return Scene(act=self.act, own=self.own)
        if self.act == "read":  # no agent, and no configuration, takes part
            return Scene(act="read", files=self.scene.files, backend=self.scene.backend)
        return replace(self.scene, agent=self._agent())
