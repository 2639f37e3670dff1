"""Code as users write it, which is type-checked and never run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

from msgspec.structs import replace

import loopspec
from loopspec.contract.doubles import NoInside
from loopspec.targets.python import PythonTarget
from loopspec_reference import (
    Agent,
    Handler,
    LocalBackend,
    Message,
    MessageEvent,
    ModelContext,
    ModelRequest,
    State,
    ToolContext,
    ToolInfo,
    ToolRequest,
    set_language,
)
from loopspec_reference.agentsmd import AgentsMD, Config, LoadWarning


class Echo:
    """A model."""

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Return the last message."""
        return Message.assistant(request.messages[-1].text)

    async def stream(self, request: ModelRequest[Message]) -> AsyncIterator[Message]:
        """Stream the last message letter by letter."""
        for letter in request.messages[-1].text:
            yield Message.assistant(letter)


class Clock:
    """A tool."""

    info = ToolInfo("clock", "returns the time")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the time."""
        return f"{context.call_id}: noon"


class Shouting(Handler[Message]):
    """A handler."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Add a message."""
        return replace(state, messages=(*state.messages, Message.user("LOUDER")))


async def run_an_agent(warnings: list[LoadWarning]) -> list[str]:
    """Use every public part of the reference."""
    set_language("zh")
    config = Config(backend=LocalBackend("."), files=["Agents.md"], max_bytes=10_000, on_warning=warnings.append)
    agent = Agent(
        name="echo",
        model=Echo(),
        message_type=Message,
        tools=[Clock()],
        handlers=[Shouting(), AgentsMD(config, Message)],
    )
    return [event.message.text async for event in agent.run([Message.user("Hello")]) if isinstance(event, MessageEvent)]


class Store:
    """A backend to be judged."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = files

    def read(self, request: loopspec.ReadRequest) -> bytes:
        """Read a file."""
        return self.files[request.file_path]


class Mine:
    """The object that a `py:` factory returns."""

    name = "mine"
    capabilities: Sequence[loopspec.Capability] = ("directories",)

    def open(self, files: Mapping[str, bytes]) -> loopspec.Backend:
        """Open a backend."""
        return Store(files)

    def middleware(self, config: loopspec.MiddlewareConfig | None) -> loopspec.Middleware:
        """Build a middleware."""
        return Silent()

    async def perform(self, stage: loopspec.Stage) -> None:
        """Perform the runs of an agent."""
        async for batch in stage.runs.concurrent_runs():
            for run in batch:
                with stage.runs.running(run):
                    messages = tuple(stage.runs.messages(run))
                    state = loopspec.State(messages=messages)
                    await stage.doubles.edit("before model", "H", state, NoInside(), view=loopspec.View())
                    await stage.doubles.generate("model", loopspec.ModelRequest(messages=messages))


class Silent:
    """A middleware that inserts nothing."""

    def before_model(
        self, messages: Sequence[loopspec.Message], run: loopspec.RunView | None
    ) -> Sequence[loopspec.Message]:
        """Return the messages unchanged."""
        return messages


def target() -> loopspec.Target:
    """A target made by the kit."""
    return PythonTarget(Mine, "mine")
