"""A Scene being written, by Given steps."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from loopspec.contract.agents import Agent, AgentsMD, Config, Handler, Model, Tool, Turn
from loopspec.contract.plugins import Edge, Module, Node, Workflow
from loopspec.contract.scene import Act, BackendStep, Cancel, Change, File, HeldCall, History, Run, Scene
from loopspec.contract.values import Gate, Json, Message, MessageType, ToolCall
from loopspec.contract.workspaces import Entry, Workspace

from ..hooks import Side
from .agent import AgentBuilder

HELLO = Message(role="user", content="Hello.")
THE_HANDLER = "agentsmd"


class SceneBuilder:
    """What has been given so far. One user message is the conversation until another is given."""

    def __init__(self) -> None:
        self.act: Act = "load"
        self.files: dict[str, File] = {}
        self.changes: list[Change] = []
        self.languages: list[str] = []
        self.message_type: MessageType = "message"
        self.configured: list[str] | None = []
        self.has_config = True
        self.has_backend = True
        self.callback = True
        self.reads_log = False
        self.max_bytes: int | None = None
        self.messages: tuple[Message, ...] = (HELLO,)
        self.instruction = ""
        self.session: dict[str, Json] = {}
        self.tools: list[Tool] = []
        self.tool_rounds = 0
        self.before: list[Handler] = []
        self.after: list[Handler] = []
        self.histories: dict[int, History] = {}
        self.runs: list[Run] = []
        self.one_list = False
        self.shared_lists = False
        self.listens = False
        self.times = 1
        self.tried = Scene(act="outside").tried
        self.stored: dict[str, File] = {}
        self.backend: list[BackendStep] = []
        self.loop: AgentBuilder | None = None
        self.streaming = False
        self.cancellable = False
        self.cancels: dict[int, list[Cancel]] = {}
        self.answers: dict[str, Json] = {}
        self.held: list[HeldCall] = []
        self.modules: dict[str, Module] = {}
        self.lookups: tuple[str, ...] = ()
        self.nodes: list[Node] = []
        self.edges: list[Edge] = []
        self.traces = False
        self.tokens_per_word = 1
        self.call_answers: dict[str, Json] = {}
        self.run_details: dict[int, dict[str, object]] = {}
        self.run_sessions: dict[int, dict[str, Json]] = {}
        self.run_answers: dict[int, dict[str, Json]] = {}
        self.entries: dict[str, Entry] = {}
        self.working_directory = Workspace().working_directory
        self.home = Workspace().home
        self.configured_entries: tuple[str, ...] | None = None
        self.own: dict[str, Any] = {}  # Any: JSON, which phrases of products fill

    # -- files -------------------------------------------------------------------------------------------------

    def write(self, path: str, file: File) -> None:
        """Put a file into the harness's backend, keeping what was said about reading it."""
        known = self.files.get(path, File())
        self.files[path] = replace(file, fault=known.fault, nothing=known.nothing, held=known.held)

    def about(self, path: str) -> File:
        """The file as given so far."""
        return self.files.get(path, File())

    def configure(self, path: str) -> None:
        """Add a configured file, if it is none yet."""
        if self.configured is not None and path not in self.configured:
            self.configured.append(path)

    def change(self, at: Gate, path: str, file: File | None) -> None:
        """Let a file change."""
        self.changes.append(Change(at=at, path=path, file=file))

    # -- the agent ---------------------------------------------------------------------------------------------

    def add_handler(self, side: Side, handler: Handler) -> None:
        """Register a handler before the AgentsMD middleware, or after the last handler."""
        (self.before if side == "before" else self.after).append(handler)

    def _config(self) -> Config | None:
        if not self.has_config:
            return None
        return Config(
            files=None if self.configured is None else tuple(self.configured),
            max_bytes=self.max_bytes,
            callback=self.callback,
            backend=self.has_backend,
        )

    def loop_or_new(self) -> AgentBuilder:
        """The agent that is being described."""
        if self.loop is None:
            self.loop = AgentBuilder()
        return self.loop

    def _agent(self) -> Agent:
        if self.loop is not None:
            top = self.loop
            while top.parent is not None:
                top = top.parent
            return self._configured(top.agent())
        the_handler = AgentsMD(name=THE_HANDLER, config=self._config())
        tools = list(self.tools)
        if self.tool_rounds and not tools:
            tools = [Tool(name="look up")]
        rounds = self.tool_rounds or (1 if any(tool.agent or tool.interrupts or tool.error for tool in tools) else 0)
        turns = [Turn(tool_calls=(self._call(tools[0], n),)) for n in range(1, rounds + 1)]
        tools = [replace(t, agent=replace(t.agent, handlers=(the_handler,))) if t.agent else t for t in tools]
        return Agent(
            instruction=self.instruction,
            model=Model(turns=(*turns, Turn(text="done"))),
            tools=tuple(tools),
            handlers=(*self.before, the_handler, *self.after),
        )

    def _configured(self, agent: Agent) -> Agent:
        """The agent, whose AgentsMD middleware has the files that are configured."""
        return replace(
            agent,
            handlers=tuple(
                replace(one, config=self._config()) if isinstance(one, AgentsMD) else one for one in agent.handlers
            ),
        )

    @staticmethod
    def _call(tool: Tool, n: int) -> ToolCall:
        return ToolCall(id=f"call {n}", name=tool.name, args='{"request":"Look it up."}')

    def add_run(self, **details: object) -> None:
        """Add a run; the first has the conversation, and so has each further one that is given no history."""
        number = len(self.runs) + 1
        history = self.histories.get(number)
        run = Run(
            id=str(number),
            messages=self.messages,
            history=history,
            session=dict(self.session),
            streaming=self.streaming,
            cancellable=self.cancellable,
            cancels=tuple(self.cancels.get(number, ())),
        )
        own = dict(self.run_details.get(number, {}))
        own["session"] = {**self.session, **self.run_sessions.get(number, {})}
        own["call_answers"] = {**self.call_answers, **self.run_answers.get(number, {})} if "resume" in details else {}
        self.runs.append(replace(run, **{**own, **details}))

    def _workspace(self) -> Scene:
        """The Scene of a tool that reads a workspace, which has no agent."""
        workspace = Workspace(
            entries=self.entries,
            working_directory=self.working_directory,
            home=self.home,
            configured=self.configured_entries,
        )
        return Scene(act="read workspace", workspace=workspace)

    def scene(self) -> Scene:
        """The Scene."""
        if self.act == "read workspace":
            return self._workspace()
        if self.own:  # of a role that a product adds
            return Scene(act=self.act, own=self.own)
        if self.act == "read":  # no agent, and no configuration, takes part
            return Scene(act="read", files=self.stored, backend=tuple(self.backend))
        return Scene(
            act=self.act,
            files=self.stored or self.files,
            changes=tuple(self.changes),
            languages=tuple(self.languages),
            message_type=self.message_type,
            instructions=self._config(),
            messages=self.messages,
            times=self.times,
            tried=self.tried,
            agent=self._agent(),
            runs=tuple(self.runs),
            one_list=self.one_list,
            shared_lists=self.shared_lists,
            listens=self.listens,
            reads_log=self.reads_log,
            backend=tuple(self.backend),
            modules=tuple(self.modules.values()),
            lookups=self.lookups,
            traces=self.traces,
            tokens_per_word=self.tokens_per_word,
            held=tuple(self.held),
            workflow=Workflow(nodes=tuple(self.nodes), edges=tuple(self.edges)) if self.nodes else None,
        )
