"""What a scene needs of a target is derived from the scene."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from loopspec import Message, ReadRequest
from loopspec.contract.actions import (
    Action,
    AddContext,
    AddOption,
    Answer,
    AppendAnswer,
    AssignContext,
    CallInner,
    Count,
    DeferTools,
    DeleteLocal,
    DropInstructions,
    GetLocal,
    GetSession,
    GiveCommand,
    Hold,
    Insert,
    Jump,
    OfferTools,
    Raise,
    Redact,
    ReplaceAll,
    ReplaceLast,
    ReturnNothing,
    Rewrite,
    SendEvent,
    SetCalls,
    SetInstruction,
    SetLocal,
    SetReturnDirectly,
    SetSession,
    SetState,
    SetSystem,
    SetTools,
    SetToolSearch,
    Summarize,
    UseCache,
    UseInvalidValue,
    UseModel,
)
from loopspec.contract.agents import (
    Agent,
    AgentsMD,
    Failover,
    Hook,
    Legacy,
    MakeInput,
    Model,
    Own,
    Retry,
    Script,
    Scripted,
    Tool,
    Turn,
)
from loopspec.contract.capabilities import CAPABILITIES, Capability
from loopspec.contract.needs import needed_capabilities, needs_a_loop, serving_roles
from loopspec.contract.roles import ROLES, Role
from loopspec.contract.scene import Ask, Break, Cancel, Change, File, History, Run, Scene, Write
from loopspec.contract.values import Began, Error, Part

HELLO = Message(role="user", content="Hello.")
NOW = Began(run="1")
MIDDLEWARE = AgentsMD()


def scene_of(agent: Agent | None = None, *runs: Run) -> Scene:
    """A scene in which an agent with instructions runs."""
    agent = agent or Agent()
    agent = replace(agent, handlers=(MIDDLEWARE, *agent.handlers))
    return Scene(act="run", agent=agent, runs=runs or (Run(id="1", messages=(HELLO,)),))


def doing(*actions: Action, hook: Hook = "before model") -> Agent:
    """An agent whose handler performs these actions."""
    return Agent(handlers=(Scripted(name="H", scripts=(Script(hook=hook, actions=actions),)),))


def test_roles_and_capabilities_are_sorted_and_described() -> None:
    """Names are in alphabetical order, and each has a description."""
    assert list(CAPABILITIES) == sorted(CAPABILITIES)
    assert all(CAPABILITIES.values())
    assert all(ROLES.values())


PLAIN: list[Scene] = [
    scene_of(),
    scene_of(Agent(name="a", instruction="Be brief.", max_iterations=3, tools=(Tool(name="t", text="x"),))),
    scene_of(Agent(tools=(Tool(name="t", error=Error(kind="io"), held=NOW),))),
    scene_of(Agent(model=Model(name="m", turns=(Turn(text="x", held=NOW), Turn(error=Error(kind="io")))))),
    scene_of(None, Run(id="1", messages=(HELLO,)), Run(id="2", history=History(run="1"), together=True)),
    *(
        scene_of(doing(action))
        for action in (
            Summarize(over=1),
            DropInstructions(),
            Insert(at=0, message=HELLO),
            AddContext(key="k", value=1),
            SetLocal(key="k"),
            GetLocal(key="k"),
            Raise(code="E"),
            Hold(until=NOW),
        )
    ),
    scene_of(doing(Insert(at=0, message=HELLO), hook="after model")),
]


@pytest.mark.parametrize("scene", PLAIN)
def test_a_middleware_can_stand_for_an_agent(scene: Scene) -> None:
    """The middleware role performs a scene where the harness can play the rest of the agent."""
    assert not needs_a_loop(scene)
    assert serving_roles(scene) == ("agent", "middleware")


IN_A_LOOP: list[Scene] = [
    replace(scene_of(), listens=True),
    Scene(act="run", runs=(Run(id="1"),)),
    *(scene_of(doing(hook=hook)) for hook in ("before agent", "around model", "around tool", "after agent")),
    *(
        scene_of(doing(action))
        for action in (
            ReplaceAll(),
            ReplaceLast(text="x"),
            SetCalls(),
            OfferTools(),
            DeferTools(),
            SetInstruction(text="x"),
            SetTools(),
            SetReturnDirectly(),
            SetToolSearch(tool="t"),
            DeleteLocal(key="k"),
            SetSession(key="k", value=1),
            GetSession(key="k"),
            SendEvent(payload=1),
            ReturnNothing(),
            Answer(text="x"),
            Rewrite(text="x"),
            AddOption(key="k", value=1),
            CallInner(),
            AppendAnswer(text="x"),
            SetSystem(text="x"),
            UseModel(model="x"),
            Redact(text="x"),
            UseCache(),
            SetState(key="k", value=1),
            Count(key="k"),
            AssignContext(key="k", value=1),
            Jump(target="end"),
            GiveCommand(),
            UseInvalidValue(),
        )
    ),
    *(
        scene_of(agent)
        for agent in (
            Agent(model=None),
            Agent(model=Model(takes_tools=False)),
            Agent(model=Model(reports=True)),
            Agent(model=Model(turns=(Turn(nothing=True),))),
            Agent(model=Model(turns=(Turn(crash=True),))),
            Agent(description="x"),
            Agent(additional_tools=(Tool(name="t"),)),
            Agent(make_input=MakeInput()),
            Agent(exit_tool=True),
            Agent(return_directly={"t": True}),
            Agent(output_key="k"),
            Agent(sequential=True),
            Agent(retry=Retry()),
            Agent(failover=Failover()),
            Agent(legacy=(Legacy(name="L"),)),
            Agent(tool_middlewares=(Scripted(name="M"),)),
            Agent(callbacks=True),
            Agent(internal_events=True),
            Agent(tools=(Tool(name="t", agent=Agent(name="inner")),)),
            Agent(tools=(Tool(name="t", interrupts=True),)),
            Agent(tools=(Tool(name="t", kinds=("streamable",)),)),
            Agent(tools=(Tool(name="t", texts=("a", "b")),)),
            Agent(tools=(Tool(name="t", nothing=True),)),
            Agent(tools=(Tool(name="t", actions=(GetLocal(key="k"),)),)),
        )
    ),
    *(
        scene_of(None, run)
        for run in (
            Run(id="1", resume="0"),
            Run(id="1", answers={"t": 1}),
            Run(id="1", session={"k": 1}),
            Run(id="1", streaming=True),
            Run(id="1", cancellable=True),
            Run(id="1", cancels=(Cancel(at=NOW),)),
        )
    ),
]


@pytest.mark.parametrize("scene", IN_A_LOOP)
def test_some_scenes_need_a_whole_agent(scene: Scene) -> None:
    """A scene needs an agent because of its configuration, its runs, or its other handlers."""
    assert needs_a_loop(scene)
    assert serving_roles(scene) == ("agent",)


def test_every_action_has_a_scene_here_and_survives_json() -> None:
    """A new action without a scene here fails the test."""
    scenes = [*PLAIN, *IN_A_LOOP]
    handlers = [handler for scene in scenes for handler in scene.agent.handlers if isinstance(handler, Scripted)]
    done = {type(action) for handler in handlers for script in handler.scripts for action in script.actions}

    assert done == set(get_args(Action))
    assert [msgspec.json.decode(msgspec.json.encode(scene), type=Scene) for scene in scenes] == scenes


def test_a_scene_with_a_handler_under_test_has_the_handler_role() -> None:
    """A scene with a handler under test has the role `handler` only."""
    assert serving_roles(scene_of(Agent(handlers=(Own(),)))) == ("handler",)


@pytest.mark.parametrize(
    ("scene", "roles"),
    [
        (Scene(act="read"), ("backend",)),
        (Scene(act="load through"), ("backend",)),
        (Scene(act="load"), ("loader", "middleware", "agent")),
        (Scene(act="create"), ("middleware", "agent")),
        (Scene(act="hook"), ("middleware",)),
        (Scene(act="outside"), ("agent",)),
    ],
)
def test_each_act_has_its_roles(scene: Scene, roles: tuple[Role, ...]) -> None:
    """Roles are listed in order of preference."""
    assert serving_roles(scene) == roles


# The scenes of this module have the AgentsMD middleware, so that a before-model hook is a second one.
BEFORE_MODEL: set[Capability] = {"before-model-hooks", "several-handlers"}
STREAMING = Tool(name="t", kinds=("invokable", "streamable"))
BOTH = Tool(name="t", kinds=("enhanced streamable",), parts=(Part(text="x"),))
MIXED = Tool(name="t", kinds=("invokable", "enhanced streamable"))
EXTRA = Turn(extras=({"k": 1},))


@pytest.mark.parametrize(
    ("agent", "needed"),
    [
        (Agent(), set()),
        (Agent(callbacks=True), {"callbacks"}),
        (Agent(make_input=MakeInput()), {"custom-input"}),
        (Agent(exit_tool=True), {"exit-tool"}),
        (Agent(failover=Failover()), {"failover"}),
        (Agent(legacy=(Legacy(name="L"),)), {"legacy"}),
        (Agent(output_key="k"), {"output-key"}),
        (Agent(retry=Retry()), {"retry"}),
        (Agent(return_directly={"t": True}), {"return-directly"}),
        (Agent(sequential=True), {"sequential-tools"}),
        (Agent(tool_middlewares=(Scripted(name="M"),)), {"tool-middlewares"}),
        (Agent(tools=(STREAMING,)), {"streaming-tools"}),
        (Agent(tools=(BOTH,)), {"streaming-tools", "enhanced-tools"}),
        (Agent(tools=(Tool(name="t", kinds=("enhanced invokable",)),)), {"enhanced-tools"}),
        (Agent(tools=(Tool(name="t", interrupts=True),)), {"interrupt"}),
        (Agent(tools=(MIXED,)), {"streaming-tools", "enhanced-tools", "mixed-tools"}),
        (Agent(model=Model(turns=(EXTRA,))), {"extra-data"}),
        (Agent(failover=Failover(models=(Model(turns=(EXTRA,)),))), {"failover", "extra-data"}),
        (Agent(additional_models=(Model(turns=(EXTRA,)),)), {"extra-data"}),
        (Agent(additional_tools=(STREAMING,)), {"streaming-tools"}),
        (Agent(legacy=(Legacy(name="L", tools=(STREAMING,)),)), {"legacy", "streaming-tools"}),
        (Agent(tools=(Tool(name="t", agent=Agent(name="inner", retry=Retry())),)), {"agent-tool", "retry"}),
        (Agent(tools=(Tool(name="t", actions=(SendEvent(payload=1),)),)), {"send-event"}),
        (doing(AddContext(key="k", value=1)), BEFORE_MODEL | {"context-values"}),
        (doing(SetLocal(key="k")), BEFORE_MODEL | {"run-values"}),
        (doing(SetLocal(key="k", typed="registered")), BEFORE_MODEL | {"run-values", "custom-types"}),
        (doing(SetLocal(key="k", typed="unregistered")), BEFORE_MODEL | {"run-values", "custom-types"}),
        (doing(GetLocal(key="k")), BEFORE_MODEL | {"run-values"}),
        (doing(DeleteLocal(key="k")), BEFORE_MODEL | {"run-values"}),
        (doing(SetSession(key="k", value=1)), BEFORE_MODEL | {"session-values"}),
        (doing(GetSession(key="k")), BEFORE_MODEL | {"session-values"}),
        (doing(DeferTools()), BEFORE_MODEL | {"deferred-tools", "tools-from-hooks"}),
        (
            doing(SetToolSearch(tool="t"), hook="before agent"),
            {"tool-search", "before-agent-hooks", "before-agent-edits"},
        ),
        (
            doing(SetReturnDirectly(), hook="before agent"),
            {"return-directly", "before-agent-hooks", "before-agent-edits"},
        ),
        (
            doing(Summarize(over=1), OfferTools(), Hold(until=NOW)),
            BEFORE_MODEL | {"before-model-edits", "tools-from-hooks"},
        ),
        (
            Agent(legacy=(Legacy(name="L", scripts=(Script(hook="before model", actions=(GetLocal(key="k"),)),)),)),
            {"legacy", "run-values"},
        ),
        (
            Agent(
                tool_middlewares=(
                    Scripted(name="M", scripts=(Script(hook="around tool", actions=(SendEvent(payload=1),)),)),
                )
            ),
            {"tool-middlewares", "send-event"},
        ),
    ],
)
def test_what_an_agent_needs(agent: Agent, needed: set[Capability]) -> None:
    """Needs follow from the configuration, the tools, the handlers and the sub-agents."""
    assert needed_capabilities(scene_of(agent)) == needed | {"agentsmd"}


@pytest.mark.parametrize(
    ("run", "needed"),
    [
        (Run(id="2"), set()),
        (Run(id="2", together=True), {"concurrent-runs"}),
        (Run(id="2", resume="1"), {"interrupt"}),
        (Run(id="2", session={"k": 1}), {"session-values"}),
        (Run(id="2", resume="1", session={"k": 1}), {"interrupt", "session-values", "session-on-resume"}),
        (Run(id="2", streaming=True), {"streaming"}),
        (Run(id="2", cancellable=True), {"cancel"}),
        (Run(id="2", cancels=(Cancel(at=NOW),)), {"cancel"}),
    ],
)
def test_what_a_run_needs(run: Run, needed: set[Capability]) -> None:
    """Needs follow from each run of the scene."""
    assert needed_capabilities(scene_of(None, Run(id="1"), run)) == needed | {"agentsmd"}


def test_a_resumed_run_with_the_session_of_the_first_one_needs_no_more() -> None:
    """Only another session has to be passed on resumption."""
    runs = (Run(id="1", session={"k": 1}), Run(id="2", resume="1", session={"k": 1}))

    assert "session-on-resume" not in needed_capabilities(scene_of(None, *runs))


def test_a_checkpoint_that_is_resumed_twice_is_needed() -> None:
    """Two resumptions in a row, each from its own checkpoint, do not need it."""
    again, later = Run(id="3", resume="1"), Run(id="3", resume="2")
    needs = [needed_capabilities(scene_of(None, Run(id="1"), Run(id="2", resume="1"), run)) for run in (again, later)]

    assert ["checkpoint-reuse" in needed for needed in needs] == [True, False]


FILES = {"/p/a.md": File(text="A.")}


@pytest.mark.parametrize(
    ("scene", "needed"),
    [
        (Scene(act="hook", message_type="agentic"), {"agentic-messages"}),
        (Scene(act="hook", languages=("en",)), set()),
        (Scene(act="hook", languages=("en", "zh")), {"language-zh"}),
        (Scene(act="run", changes=(Change(at=NOW, language="zh"),)), {"language-zh"}),
        (Scene(act="load", files={"/p/a.md": File(nothing=True)}), {"nil-values"}),
        (Scene(act="hook", reads_log=True), {"default-warning-sink"}),
        (Scene(act="run", shared_lists=True), {"shared-lists"}),
        (Scene(act="outside"), {"run-values", "send-event"}),
        (Scene(act="outside", tried=("get", "set")), {"run-values"}),
        (Scene(act="outside", tried=("send event",)), {"send-event"}),
        (Scene(act="read", backend=(Write(path="/p/a.md", file=File(text="B.")),)), {"edits"}),
        (Scene(act="read", backend=(Break(path="/p/a.md", kind="permission"),)), {"fault-permission"}),
        (Scene(act="read", backend=(Break(path="/p/a.md", kind="io"),)), {"fault-io"}),
        (Scene(act="read", backend=(Break(path="/p/a.md", kind="outside"),)), {"fault-outside"}),
        (Scene(act="read", files=FILES, backend=(Ask(requests=(ReadRequest(file_path="/p/a.md"),)),)), set()),
        (Scene(act="read", files=FILES, backend=(Ask(requests=(ReadRequest(file_path="/p"),)),)), {"directories"}),
        (Scene(act="read", backend=(Ask(requests=(ReadRequest(file_path="/p", offset=2),)),)), {"line-ranges"}),
        (Scene(act="read", backend=(Ask(requests=(ReadRequest(file_path="/p", limit=1),)),)), {"line-ranges"}),
    ],
)
def test_what_the_rest_of_a_scene_needs(scene: Scene, needed: set[Capability]) -> None:
    """Needs follow from the files, the languages and the backend."""
    assert needed_capabilities(scene) == needed


def test_what_a_handler_under_test_needs_is_what_it_claims() -> None:
    """A handler under test that claims nothing needs nothing."""
    needed = [
        needed_capabilities(scene_of(Agent(handlers=(Own(claim=claim),)))) for claim in (None, "idempotent", "no-op")
    ]
    assert needed == [{"agentsmd"}, {"agentsmd", "idempotent"}, {"agentsmd", "no-op"}]
