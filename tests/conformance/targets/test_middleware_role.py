"""The middleware role of a Python object, and the harness's loop around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from loopspec import AdapterError, Message, MiddlewareConfig, ReadRequest, RunView, ToolCall
from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Tool, Turn
from loopspec.contract.scene import File, Run, Scene

from ..staging import performed

HELLO = Message(role="user", content="Hello.")
FILES = {"/p/a.md": File(text="Answer in English.")}  # an even number of bytes: `read` returns text
CONFIG = Config(files=("/p/a.md",))
SYSTEM = Message(role="system", content="Be brief.")


class Plain:
    """A synchronous middleware that reads once in each run and inserts the content first."""

    def __init__(self, config: MiddlewareConfig | None) -> None:
        if config is None or config.backend is None or not config.files:
            raise ValueError("no configuration, no backend or no files")
        self.config = config

    def before_model(self, messages: Sequence[Message], run: RunView | None) -> object:
        """Insert the content."""
        if run is None:
            raise LookupError("outside a run")
        if "text" in run.local:
            return messages
        backend: Any = self.config.backend
        run.local["text"] = backend.read(ReadRequest(file_path="/p/a.md"))
        if self.config.on_warning:
            self.config.on_warning("/p/b.md", "why")
        return [Message(role="user", content=run.local["text"]), *messages]


class Awaiting(Plain):
    """An asynchronous middleware."""

    async def before_model(self, messages: Sequence[Message], run: RunView | None) -> object:
        """Insert the content."""
        if run is None:
            raise LookupError("outside a run")
        if "text" in run.local:
            return messages
        backend: Any = self.config.backend
        run.local["text"] = await backend.read(ReadRequest(file_path="/p/a.md"))
        assert self.config.on_warning
        self.config.on_warning("/p/b.md")
        return [Message(role="user", content=run.local["text"]), *messages]


def call(n: int) -> ToolCall:
    """A call of the tool."""
    return ToolCall(id=f"c{n}", name="t", args="{}")


def test_the_loop_ends_with_the_last_iteration() -> None:
    """The limit of the agent ends a model that always calls tools; without tools, the model is called once."""
    turns = tuple(Turn(tool_calls=(call(n),)) for n in range(9))
    limited = Agent(
        model=Model(turns=turns), tools=(Tool(name="t"),), handlers=(AgentsMD(config=CONFIG),), max_iterations=3
    )
    toolless = Agent(model=Model(turns=turns), handlers=(AgentsMD(config=CONFIG),))
    runs = (Run(id="1", messages=(HELLO,)),)

    counts = [
        len(
            performed(Scene(act="run", files=FILES, agent=agent, runs=runs), "middleware", middleware=Plain).model_calls
        )
        for agent in (limited, toolless)
    ]

    assert counts == [3, 1]


@pytest.mark.parametrize("middleware", [Plain, Awaiting])
def test_runs_have_separate_views_and_share_the_middleware(middleware: object) -> None:
    """Values of one run are missing in the next run. A middleware may await or not."""
    runs = tuple(Run(id=str(n), messages=(HELLO,), together=n > 1) for n in (1, 2, 3))
    model = Model(turns=(Turn(tool_calls=(call(1),)), Turn(text="done")))
    agent = Agent(model=model, tools=(Tool(name="t"),), handlers=(AgentsMD(config=CONFIG),))

    seen = performed(Scene(act="run", files=FILES, agent=agent, runs=runs), "middleware", middleware=middleware)

    assert sorted(read.run or "" for read in seen.reads) == ["1", "2", "3"]
    assert sorted((warning.path, warning.run) for warning in seen.warnings) == [("/p/b.md", n) for n in "123"]
    assert [call.messages[0].content for call in seen.model_calls] == ["Answer in English."] * 6


def test_a_configuration_is_passed_unchanged() -> None:
    """A value that the scene omits is None."""
    configs: list[MiddlewareConfig] = []

    def middleware(config: MiddlewareConfig) -> object:
        configs.append(config)
        return Plain(MiddlewareConfig(backend=config.backend, files=["x"]))

    full = Config(files=("/p/a.md",), max_bytes=7)
    bare = Config(files=None, callback=False, backend=False)
    scenes = [Scene(act="hook", instructions=each, message_type="agentic") for each in (full, full)]
    for scene in scenes:
        performed(scene, "middleware", middleware=middleware)
    with pytest.raises(AdapterError, match="before_model"):
        performed(Scene(act="hook", instructions=bare), "middleware", middleware=lambda config: configs.append(config))

    assert [(c.files, c.max_bytes, c.message_type, c.backend is None, c.on_warning is None) for c in configs] == [
        (["/p/a.md"], 7, "agentic", False, False),
        (["/p/a.md"], 7, "agentic", False, False),
        (None, None, "message", True, True),
    ]


@pytest.mark.parametrize("result", [None, [HELLO, "Hello."], "Hello."])
def test_a_wrong_conversation_is_the_adapters_fault(result: object) -> None:
    """A conversation is a list of messages."""

    class Hook:
        def before_model(self, messages: object, run: object) -> object:
            return result

    scene = Scene(act="hook", instructions=CONFIG, messages=(HELLO,))

    with pytest.raises(AdapterError, match=r"before_model\(\) returned .*: return a list of loopspec\.Message"):
        performed(scene, "middleware", middleware=lambda config: Hook())


@pytest.mark.parametrize("config", [None, CONFIG])
def test_a_middleware_may_be_built_asynchronously(config: Config | None) -> None:
    """An error of the asynchronous constructor is a rejection as well."""
    made: list[object] = []

    async def make(config: MiddlewareConfig | None) -> object:
        if config and config.backend:
            reading: Any = config.backend.read(ReadRequest(file_path="/p/a.md"))
            made.append(await reading)
        return Plain(config)

    seen = performed(Scene(act="create", files=FILES, instructions=config), "middleware", middleware=make)

    assert (seen.created is None, made) == ((True, ["Answer in English."]) if config else (False, []))
