"""The AgentsMD middleware of the reference, in an agent and outside a run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from loopspec_reference import (
    AgenticMessage,
    ConfigError,
    ErrorEvent,
    Handler,
    InterruptEvent,
    InterruptRun,
    MemoryBackend,
    Message,
    MessageEvent,
    ModelContext,
    ReadRequest,
    State,
    ToolCall,
    ToolInfo,
)
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, Section, render

from ..doubles import QUESTION, Answers, agent, asks, drain, raising, returning, texts_of


class Counting(MemoryBackend):
    """Records the paths that are read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.read_paths: list[str] = []

    async def read(self, request: ReadRequest) -> str | bytes:
        """Record the path, and read."""
        self.read_paths.append(request.file_path)
        return await super().read(request)


class Forgetting(Handler[Message]):
    """Removes every marked message."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Remove marked messages."""
        return replace(state, messages=tuple(message for message in state.messages if MARKER not in message.extra))


def handler(backend: MemoryBackend, *files: str) -> AgentsMD[Message]:
    """An AgentsMD middleware for these files, or for the usual file."""
    return AgentsMD(Config(backend=backend, files=files or ("/p/a.md",)), Message)


def instructions(path: str = "/p/a.md", text: str = "Answer in French.") -> Message:
    """The instructions of one file."""
    return Message.user(render([Section(path, text)]), {MARKER: True})


def outside(agentsmd: AgentsMD[Message], messages: Sequence[Message]) -> State[Message]:
    """The state that the before-model hook returns outside a run."""
    return asyncio.run(agentsmd.before_model(State(tuple(messages), (ToolInfo("add"),)), ModelContext()))


@pytest.fixture
def backend() -> Counting:
    """A backend with two files."""
    return Counting({"/p/a.md": "Answer in French.", "/p/b.md": "Be brief."})


def test_every_model_call_receives_the_instructions_of_one_load(backend: Counting) -> None:
    """The instructions follow the system message, and are no event."""
    model = Answers(asks("add"), "4")
    agents = agent(model, instruction="Terse.", tools=[returning("add", "4")], handlers=[handler(backend)])
    events = drain(agents.run([QUESTION]))

    start = (Message.system("Terse."), instructions(), QUESTION)
    result = Message.tool_result(ToolCall("call-add", "add"), "4")
    assert model.given == [start, (*start, asks("add"), result)]
    assert (backend.read_paths, texts_of(events)) == (["/p/a.md"], ["", "4", "4"])


def test_every_run_loads_again(backend: Counting) -> None:
    """An edited file is loaded in the next run."""
    model = Answers("4")
    agents = agent(model, handlers=[handler(backend)])
    drain(agents.run([QUESTION]))
    backend.write("/p/a.md", "Answer in Czech.")
    drain(agents.run([QUESTION]))

    assert model.given == [(instructions(), QUESTION), (instructions(text="Answer in Czech."), QUESTION)]


def test_removed_instructions_are_inserted_again_without_a_read(backend: Counting) -> None:
    """The text belongs to the run."""
    model = Answers(asks("add"), "4")
    drain(agent(model, tools=[returning("add", "4")], handlers=[Forgetting(), handler(backend)]).run([QUESTION]))

    assert [given[0] for given in model.given] == [instructions()] * 2
    assert backend.read_paths == ["/p/a.md"]


def test_a_resumed_run_keeps_its_instructions(backend: Counting) -> None:
    """A new middleware finds the instructions in the checkpoint."""
    tools = [raising("stop", InterruptRun())]
    [*_, last] = drain(agent(Answers(asks("stop")), tools=tools, handlers=[handler(backend)]).run([QUESTION]))
    assert isinstance(last, InterruptEvent)
    model, handlers = Answers("4"), [Forgetting(), handler(backend)]
    drain(agent(model, tools=[returning("stop", "4")], handlers=handlers).resume(last.checkpoint))

    assert model.given[0][:2] == (instructions(), QUESTION)
    assert backend.read_paths == ["/p/a.md"]


def test_an_empty_load_is_not_repeated(backend: Counting) -> None:
    """An empty load adds no message and is not repeated."""
    backend.write("/p/a.md", "")
    model = Answers(asks("add"), "4")
    drain(agent(model, tools=[returning("add", "4")], handlers=[handler(backend)]).run([QUESTION]))

    assert (len(model.given[1]), backend.read_paths) == (3, ["/p/a.md"])


def test_middlewares_with_other_files_have_other_instructions(backend: Counting) -> None:
    """The second middleware does not use the text of the first."""
    model = Answers("4")
    drain(agent(model, handlers=[handler(backend), Forgetting(), handler(backend, "/p/b.md")]).run([QUESTION]))

    assert model.given == [(instructions("/p/b.md", "Be brief."), QUESTION)]


def test_a_marked_message_prevents_a_load(backend: Counting) -> None:
    """The hook returns the same state and reads nothing."""
    marked = Message.assistant("Answer in Czech.")
    state = State((QUESTION, Message(role="assistant", content=marked.content, extra={MARKER: None})))

    assert asyncio.run(handler(backend).before_model(state, ModelContext())) is state
    assert backend.read_paths == []


def test_outside_a_run_each_call_loads(backend: Counting) -> None:
    """Each call inserts the message and keeps the tools."""
    agentsmd = handler(backend)
    states = [outside(agentsmd, [QUESTION]) for _ in range(2)]

    assert states == [State((instructions(), QUESTION), (ToolInfo("add"),))] * 2
    assert backend.read_paths == ["/p/a.md"] * 2


def test_without_a_user_message_the_instructions_are_last(backend: Counting) -> None:
    """The instructions follow all other messages."""
    start = (Message.system("Terse."), Message.assistant("How can I help?"))

    assert outside(handler(backend), start).messages == (*start, instructions())


def test_an_agentic_conversation_gets_an_agentic_message(backend: Counting) -> None:
    """The text is the same."""
    agentsmd = AgentsMD(Config(backend=backend, files=["/p/a.md"]), AgenticMessage)
    state = asyncio.run(agentsmd.before_model(State((AgenticMessage.user("2 + 2?"),)), ModelContext()))

    assert state.messages[0] == AgenticMessage.user(instructions().text, {MARKER: True})


def test_an_invalid_configuration_is_rejected(backend: Counting) -> None:
    """Building the middleware fails before a read."""
    with pytest.raises(ConfigError):
        AgentsMD(Config(backend=backend, files=[]), Message)


def test_a_file_that_cannot_be_read_ends_the_run(backend: Counting) -> None:
    """The run fails before the model is called."""
    model = Answers("4")
    [event] = drain(agent(model, handlers=[handler(backend, "/p")]).run([QUESTION]))

    assert isinstance(event, ErrorEvent)
    assert (type(event.error), model.given) == (IsADirectoryError, [])


def test_a_missing_file_is_logged_and_the_run_continues(backend: Counting, caplog: pytest.LogCaptureFixture) -> None:
    """Without a callback, the warning is logged."""
    events = drain(agent(Answers("4"), handlers=[handler(backend, "/p/missing.md")]).run([QUESTION]))

    assert [(record.levelno, record.message) for record in caplog.records] == [
        (logging.WARNING, "/p/missing.md is left out: the file does not exist")
    ]
    assert events == [MessageEvent("agent", ("agent",), Message.assistant("4"))]
