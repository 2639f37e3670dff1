"""What scenes of the plugin layer need of a target."""

from __future__ import annotations

import pytest

from loopspec.contract.actions import GiveCommand, Jump, UseInvalidValue
from loopspec.contract.agents import Agent, AgentsMD, Field, Handler, Plugin, Script, Summarization, TodoList, Tool
from loopspec.contract.calls import Command
from loopspec.contract.capabilities import Capability
from loopspec.contract.needs import needed_capabilities, serving_roles
from loopspec.contract.plugins import Module, Strategy, Workflow
from loopspec.contract.roles import Role
from loopspec.contract.scene import Run, Scene


@pytest.mark.parametrize(
    ("handler", "needed"),
    [
        (Plugin(name="A"), set()),
        (Plugin(name="A", state=(Field(name="n"),), context=(Field(name="c"),)), set()),
        (Plugin(name="A", form="optional object"), {"schema-forms"}),
        (Plugin(name="A", form="object with defaults"), {"schema-forms"}),
        (
            Plugin(name="A", scripts=(Script(hook="before model", actions=(Jump(target="end"),)),)),
            {"before-model-hooks", "jump"},
        ),
        (
            Plugin(name="A", scripts=(Script(hook="around tool", actions=(GiveCommand(),)),)),
            {"tool-wrappers", "command"},
        ),
        (
            Plugin(name="A", scripts=(Script(hook="before agent", actions=(UseInvalidValue(),)),)),
            {"before-agent-hooks", "invalid-values"},
        ),
        (Plugin(name="A", tools=(Tool(name="t", command=Command()),)), {"command"}),
        (Summarization(), {"summarization"}),
        (TodoList(), {"todo-list"}),
        (AgentsMD(), {"agentsmd"}),
    ],
)
def test_what_a_middleware_needs(handler: Handler, needed: set[Capability]) -> None:
    """Needs follow from a middleware's actions and its declaration; a target's own middleware adds none."""
    assert needed_capabilities(Scene(act="run", agent=Agent(handlers=(handler,)))) == needed


STRATEGY = Strategy(
    provider="p", makes=Plugin(name="p", scripts=(Script(hook="after model", actions=(Jump(target="end"),)),))
)


@pytest.mark.parametrize(
    ("scene", "roles", "needed"),
    [
        (Scene(act="look up"), ("plugins",), set()),
        (Scene(act="look up", lookups=("p",)), ("plugins",), {"registry"}),
        (Scene(act="catalog"), ("plugins",), {"registry"}),
        (
            Scene(act="look up", modules=(Module(name="m", strategies=(STRATEGY,)),)),
            ("plugins",),
            {"registry", "jump"},
        ),
        (
            Scene(act="run", modules=(Module(name="m", strategies=(Strategy(provider="p", invalid=True),)),)),
            ("agent",),
            {"registry", "invalid-values"},
        ),
        (
            Scene(act="run", modules=(Module(name="m", strategies=(Strategy(provider="p", uses_up=True),)),)),
            ("agent",),
            {"registry", "mutable-options"},
        ),
        (
            Scene(act="run", modules=(Module(name="m", strategies=(STRATEGY,)),), workflow=Workflow()),
            ("plugins",),
            {"registry", "after-model-hooks", "jump", "graph"},
        ),
        (Scene(act="run", workflow=Workflow()), ("plugins",), {"graph"}),
        (Scene(act="run", traces=True), ("agent",), {"execution-trace"}),
        (Scene(act="run", agent=Agent(handlers=(Plugin(name="A"),))), ("plugins",), set()),
        (Scene(act="run", agent=Agent(handlers=(AgentsMD(), TodoList()))), ("plugins",), {"agentsmd", "todo-list"}),
        (Scene(act="run", runs=(Run(id="1", thread="t"),)), ("agent",), {"threads"}),
    ],
)
def test_what_the_plugin_layer_needs(scene: Scene, roles: tuple[Role, ...], needed: set[Capability]) -> None:
    """Needs follow from strategies, from a workflow, and from the attached middlewares."""
    assert serving_roles(scene) == roles
    assert needed_capabilities(scene) == needed
