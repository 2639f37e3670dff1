"""The middleware role of a Python object, and the harness's loop around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from loopspec import AdapterError, Message, MiddlewareConfig, ReadRequest, RunView, ToolCall
from loopspec.contract.actions import Action, DeleteLocal, GetLocal, Insert, Script, SetLocal
from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Scripted, Tool, Turn
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


def test_the_harness_plays_the_loop_around_a_middleware() -> None:
    """The loop has the system message, the hook before every model call, tools, and other scripted handlers."""
    notes = [Message(role="user", content=f"Note {n}.") for n in range(2)]
    before: dict[str, tuple[Action, ...]] = {
        "first": (Insert(at=0, message=notes[0]), SetLocal(key="k", value=1)),
        "last": (GetLocal(key="k"), DeleteLocal(key="k")),
    }
    first, last = (
        Scripted(name=name, scripts=(Script(hook="before model", actions=actions, calls=(1,)),))
        for name, actions in before.items()
    )
    after = Script(hook="after model", actions=(Insert(at=0, message=notes[1]),), calls=(1,))
    last = replace(last, scripts=(*last.scripts, after))
    agent = Agent(
        instruction="Be brief.",
        model=Model(name="m", turns=(Turn(tool_calls=(call(1), call(2))), Turn(text="done"))),
        tools=(Tool(name="t", text="found"),),
        handlers=(first, AgentsMD(config=CONFIG), last),
    )
    scene = Scene(act="run", files=FILES, agent=agent, runs=(Run(id="1", messages=(HELLO,)),))

    seen = performed(scene, "middleware", middleware=Plain)

    messages = (Message(role="user", content="Answer in English."), notes[0], SYSTEM, HELLO)
    results = [Message(role="tool", content="found", tool_call_id=f"c{n}", tool_name="t") for n in (1, 2)]
    answer = Message(role="assistant", tool_calls=(call(1), call(2)))
    assert [(turn.messages, turn.tools) for turn in seen.model_calls] == [
        (messages, ("t",)),
        ((notes[1], *messages, answer, *results), ("t",)),
    ]
    assert [(hook.handler, hook.hook, hook.tools, hook.found) for hook in seen.hooks[:3]] == [
        ("first", "before model", ("t",), {}),
        ("last", "before model", ("t",), {"k": 1}),
        ("last", "after model", ("t",), {}),
    ]


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
