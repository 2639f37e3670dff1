"""A Scene being written by Given steps, and the agent in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, get_args

from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, AgentsMD, Config, Handler, Legacy, Model, Tool, Turn
from loopspec.contract.plugins import Module
from loopspec.contract.scene import Act, File, Run, Scene
from loopspec.contract.values import Message, ToolCall, Value
from loopspec.contract.workspaces import Workspace

EVERY_HOOK: tuple[Hook, ...] = get_args(Hook)
OBSERVERS = tuple(Script(hook=hook) for hook in EVERY_HOOK)  # what only observes, in every hook

_NOT_GIVEN = Model(name="", turns=())  # the model of an agent before a step gives it another

N = TypeVar("N", bound=Handler | Legacy | Module)


def named(values: Sequence[N], name: str, otherwise: N) -> N:
    """The value with a name, or another one."""
    return next((one for one in values if one.name == name), otherwise)


def with_named(values: Sequence[N], value: N) -> tuple[N, ...]:
    """The values, of which one replaces that of its name; a new name comes last."""
    if any(one.name == value.name for one in values):
        return tuple(value if one.name == value.name else one for one in values)
    return (*values, value)


class AgentBuilder:
    """One agent, as given so far, with the sub-agents that it has as tools. Its own tool is what another agent calls.

    `models` are the models with names, which the agent can call instead of its own.
    """

    def __init__(self, name: str = "agent", description: str = "", parent: AgentBuilder | None = None) -> None:
        self.parent = parent
        self.agent = Agent(name=name, description=description, model=_NOT_GIVEN)
        self.tool = Tool(name=name)
        self.tools: dict[str, Tool | AgentBuilder] = {}
        self.twins: list[Tool] = []
        self.models: dict[str, Model] = {}

    @property
    def model_name(self) -> str:
        """The name of the agent's own model."""
        return f"{self.agent.name}'s" if self.parent else "model"

    @property
    def model(self) -> Model:
        """The agent's own model."""
        return Model() if self.agent.model in (None, _NOT_GIVEN) else self.agent.model

    def attach(self, handler: Handler) -> None:
        """Attach a handler, in place of that of its name."""
        self.agent = replace(self.agent, handlers=with_named(self.agent.handlers, handler))

    def built(self) -> Agent:
        """The agent."""
        agent, failover = self.agent, self.agent.failover
        backups = {model.name for model in failover.models} if failover else set()
        return replace(
            agent,
            model=Model(name=self.model_name) if agent.model is _NOT_GIVEN else agent.model,
            tools=(*(self._tool(tool) for tool in self.tools.values()), *self.twins),
            additional_models=tuple(model for model in self.models.values() if model.name not in backups),
            failover=failover
            and replace(failover, models=tuple(self.models.get(model.name, model) for model in failover.models)),
        )

    @staticmethod
    def _tool(tool: Tool | AgentBuilder) -> Tool:
        return tool if isinstance(tool, Tool) else replace(tool.tool, name=tool.agent.name, agent=tool.built())


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

    def add_run(self, *, together: bool = False, resume: str | None = None) -> None:
        """Add a run; the first has the conversation, and so has each further one that is not resumed."""
        id_ = str(len(self.scene.runs) + 1)
        own = self.runs.get(id_, Run(id=id_))
        run = replace(
            own,
            messages=() if resume else own.messages or self.scene.messages,
            streaming=self.run.streaming,
            cancellable=self.run.cancellable,
            conversation=own.conversation or self.run.conversation,
            session={**self.run.session, **own.session},
            answers={**self.run.answers, **own.answers} if resume else {},
            call_answers={**self.run.call_answers, **own.call_answers} if resume else {},
            decisions={**self.run.decisions, **own.decisions} if resume else {},
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
