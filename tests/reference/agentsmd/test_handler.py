"""The AgentsMD middleware of the reference, in an agent and outside a run."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from loopspec_reference import (
    MemoryBackend,
    Message,
    ModelContext,
    ReadRequest,
    State,
    ToolInfo,
)
from loopspec_reference.agentsmd import MARKER, AgentsMD, Config, Section, render

from ..doubles import QUESTION


class Counting(MemoryBackend):
    """Records the paths that are read."""

    def __init__(self, files: dict[str, str]) -> None:
        super().__init__(files)
        self.read_paths: list[str] = []

    async def read(self, request: ReadRequest) -> str | bytes:
        """Record the path, and read."""
        self.read_paths.append(request.file_path)
        return await super().read(request)


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
