"""The handler, in an agent and by itself."""

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

from ..doubles import QUESTION, Answers, agent, asks, heard, raising, returning, said


class Counting(MemoryBackend):
    """Remembers what was read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.read_paths: list[str] = []

    async def read(self, request: ReadRequest) -> str | bytes:
        """Note, and read."""
        self.read_paths.append(request.file_path)
        return await super().read(request)


class Forgetting(Handler[Message]):
    """Keeps nothing that is marked."""

    async def before_model(self, state: State[Message], context: ModelContext[Message]) -> State[Message]:
        """Remove it."""
        return replace(state, messages=tuple(message for message in state.messages if MARKER not in message.extra))


def handler(backend: MemoryBackend, *files: str) -> AgentsMD[Message]:
    """A handler for these files, or for the usual one."""
    return AgentsMD(Config(backend=backend, files=files or ("/p/a.md",)), Message)


def instructions(path: str = "/p/a.md", text: str = "Answer in French.") -> Message:
    """The message for one file."""
    return Message.user(render([Section(path, text)]), {MARKER: True})


def outside(agentsmd: AgentsMD[Message], messages: Sequence[Message]) -> State[Message]:
    """The hook, called outside a run."""
    return asyncio.run(agentsmd.before_model(State(tuple(messages), (ToolInfo("add"),)), ModelContext()))


@pytest.fixture
def backend() -> Counting:
    """Two files."""
    return Counting({"/p/a.md": "Answer in French.", "/p/b.md": "Be brief."})


def test_every_model_call_has_the_instructions_and_they_are_read_once(backend: Counting) -> None:
    """Between the system message and the question; they are no event."""
    model = Answers(asks("add"), "4")
    agents = agent(model, instruction="Terse.", tools=[returning("add", "4")], handlers=[handler(backend)])
    events = heard(agents.run([QUESTION]))

    start = (Message.system("Terse."), instructions(), QUESTION)
    result = Message.tool_result(ToolCall("call-add", "add"), "4")
    assert model.given == [start, (*start, asks("add"), result)]
    assert (backend.read_paths, said(events)) == (["/p/a.md"], ["", "4", "4"])


def test_every_run_loads_again(backend: Counting) -> None:
    """An edited file counts from the next run on."""
    model = Answers("4")
    agents = agent(model, handlers=[handler(backend)])
    heard(agents.run([QUESTION]))
    backend.write("/p/a.md", "Answer in Czech.")
    heard(agents.run([QUESTION]))

    assert model.given == [(instructions(), QUESTION), (instructions(text="Answer in Czech."), QUESTION)]


def test_what_was_removed_comes_back_without_reading(backend: Counting) -> None:
    """The text is the run's."""
    model = Answers(asks("add"), "4")
    heard(agent(model, tools=[returning("add", "4")], handlers=[Forgetting(), handler(backend)]).run([QUESTION]))

    assert [given[0] for given in model.given] == [instructions()] * 2
    assert backend.read_paths == ["/p/a.md"]


def test_a_resumed_run_finds_what_it_had_loaded(backend: Counting) -> None:
    """In a new handler, from the checkpoint alone."""
    tools = [raising("stop", InterruptRun())]
    [*_, last] = heard(agent(Answers(asks("stop")), tools=tools, handlers=[handler(backend)]).run([QUESTION]))
    assert isinstance(last, InterruptEvent)
    model, handlers = Answers("4"), [Forgetting(), handler(backend)]
    heard(agent(model, tools=[returning("stop", "4")], handlers=handlers).resume(last.checkpoint))

    assert model.given[0][:2] == (instructions(), QUESTION)
    assert backend.read_paths == ["/p/a.md"]


def test_nothing_found_is_found_once(backend: Counting) -> None:
    """An empty load is not repeated, and adds no message."""
    backend.write("/p/a.md", "")
    model = Answers(asks("add"), "4")
    heard(agent(model, tools=[returning("add", "4")], handlers=[handler(backend)]).run([QUESTION]))

    assert (len(model.given[1]), backend.read_paths) == (3, ["/p/a.md"])


def test_handlers_with_other_files_have_other_texts(backend: Counting) -> None:
    """The second does not find what the first one loaded."""
    model = Answers("4")
    heard(agent(model, handlers=[handler(backend), Forgetting(), handler(backend, "/p/b.md")]).run([QUESTION]))

    assert model.given == [(instructions("/p/b.md", "Be brief."), QUESTION)]


def test_a_marked_message_ends_the_matter(backend: Counting) -> None:
    """The very same state comes back and nothing is read."""
    marked = Message.assistant("Answer in Czech.")
    state = State((QUESTION, Message(role="assistant", content=marked.content, extra={MARKER: None})))

    assert asyncio.run(handler(backend).before_model(state, ModelContext())) is state
    assert backend.read_paths == []


def test_outside_a_run_each_call_loads(backend: Counting) -> None:
    """And puts the message in, with the tools left as they were."""
    agentsmd = handler(backend)
    states = [outside(agentsmd, [QUESTION]) for _ in range(2)]

    assert states == [State((instructions(), QUESTION), (ToolInfo("add"),))] * 2
    assert backend.read_paths == ["/p/a.md"] * 2


def test_without_a_user_message_they_stand_last(backend: Counting) -> None:
    """After everything that was said."""
    start = (Message.system("Terse."), Message.assistant("How can I help?"))

    assert outside(handler(backend), start).messages == (*start, instructions())


def test_an_agentic_conversation_gets_an_agentic_message(backend: Counting) -> None:
    """With the same text."""
    agentsmd = AgentsMD(Config(backend=backend, files=["/p/a.md"]), AgenticMessage)
    state = asyncio.run(agentsmd.before_model(State((AgenticMessage.user("2 + 2?"),)), ModelContext()))

    assert state.messages[0] == AgenticMessage.user(instructions().text, {MARKER: True})


def test_a_configuration_that_cannot_work_is_refused_at_once(backend: Counting) -> None:
    """Before anything is read."""
    with pytest.raises(ConfigError):
        AgentsMD(Config(backend=backend, files=[]), Message)


def test_a_file_that_cannot_be_read_ends_the_run(backend: Counting) -> None:
    """Before the model is called."""
    model = Answers("4")
    [event] = heard(agent(model, handlers=[handler(backend, "/p")]).run([QUESTION]))

    assert isinstance(event, ErrorEvent)
    assert (type(event.error), model.given) == (IsADirectoryError, [])


def test_a_missing_file_is_logged_and_the_run_goes_on(backend: Counting, caplog: pytest.LogCaptureFixture) -> None:
    """When no callback takes the warnings."""
    events = heard(agent(Answers("4"), handlers=[handler(backend, "/p/missing.md")]).run([QUESTION]))

    assert [(record.levelno, record.message) for record in caplog.records] == [
        (logging.WARNING, "/p/missing.md is left out: the file does not exist")
    ]
    assert events == [MessageEvent("agent", ("agent",), Message.assistant("4"))]
