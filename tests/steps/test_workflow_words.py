"""The words about plugin modules and workflows: the Scenes that they make."""

from __future__ import annotations

import pytest

from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Plugin
from loopspec.contract.plugins import Edge, Module, Node, Strategy, StrategyMeta, Workflow
from loopspec.contract.scene import Act
from loopspec_steps.builders.scene import EVERY_HOOK

from .saying import Step, built

Rows = list[list[str]]
OBSERVERS = tuple(Script(hook=hook) for hook in EVERY_HOOK)
ONE = 'a plugin module "m" with the providers p1'


def modules_of(*steps: Step, act: str = "the plugin modules are loaded") -> tuple[Module, ...]:
    """The plugin modules of a Scene."""
    return built(*steps, act=act).modules


def test_a_plugin_module_contributes_strategies() -> None:
    """Each with its metadata, as far as given; named again, it has more."""
    table = [
        ["provider", "name", "label", "label zh", "icon", "description", "description zh", "schema"],
        ["p1", "n", "L", "标", "i", "D", "述", '{"type": "object"}'],
        ["p2", "", "", "标", "", "", "", ""],
        ["p3", "", "", "", "", "", "", ""],
    ]

    module, other = modules_of(
        ('a plugin module "m" with the strategies', table), 'a plugin module "n" with the providers p3', ONE
    )

    meta = StrategyMeta(
        name="n",
        label={"en_US": "L", "zh_Hans": "标"},
        icon="i",
        description={"en_US": "D", "zh_Hans": "述"},
        config_schema={"type": "object"},
    )
    assert [module.name, other.name] == ["m", "n"]
    assert module.strategies[:3] == (
        Strategy(provider="p1", meta=meta),
        Strategy(provider="p2", meta=StrategyMeta(name="p2", label={"zh_Hans": "标"})),
        Strategy(provider="p3", meta=StrategyMeta(name="p3", label={"en_US": "p3"})),
    )
    assert [strategy.provider for strategy in module.strategies] == ["p1", "p2", "p3", "p1"]
    made = Plugin(name="p3", scripts=OBSERVERS)
    assert other.strategies == (
        Strategy(provider="p3", meta=StrategyMeta(name="p3", label={"en_US": "p3"}), makes=made),
    )


@pytest.mark.parametrize(
    ("step", "strategy"),
    [
        (
            'the metadata of "p1" has no name',
            Strategy(provider="p1", meta=StrategyMeta(name="", label={"en_US": "p1"})),
        ),
        ('the metadata of "p1" has no label', Strategy(provider="p1", meta=StrategyMeta(name="p1"))),
        (
            'the class of "p1" is not marked',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), decorated=False),
        ),
        (
            'the strategy "p1" requires the option "o"',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), requires=("o",)),
        ),
        (
            'the factory of "p1" returns an invalid value',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), invalid=True),
        ),
        (
            'the class of "p1" has no metadata',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), lacks="metadata"),
        ),
        (
            'the class of "p1" has no factory',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), lacks="factory"),
        ),
        (
            'the factory of "p1" takes time',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), slow=True),
        ),
        (
            'the strategy "p1" creates the middleware "B"',
            Strategy(provider="p1", meta=StrategyMeta(name="p1", label={"en_US": "p1"}), makes=Plugin(name="B")),
        ),
    ],
)
def test_more_is_said_of_a_strategy(step: str, strategy: Strategy) -> None:
    """Of the one that was given last under the provider; those of other providers stay as they are."""
    rows = ('a plugin module "m" with the strategies', [["provider"], ["p1"], ["p2"]])
    before = ('a plugin module "l" with the strategies', [["provider"], ["p1"]])
    after = ('a plugin module "n" with the strategies', [["provider"], ["p3"]])
    untouched = modules_of(before, rows, after)

    first, middle, last = modules_of(before, rows, after, step)

    assert (first, last) == (untouched[0], untouched[2])
    assert middle.strategies == (strategy, untouched[1].strategies[1])


def test_what_a_strategy_makes_is_not_attached_by_itself() -> None:
    """What was said of the middleware is what it makes."""
    scene = built(ONE, 'a middleware "A" that observes', 'the strategy "p1" creates the middleware "A"')

    assert scene.agent.handlers == ()
    assert scene.modules[0].strategies[0].makes == Plugin(name="A", scripts=OBSERVERS)


def test_a_workflow_is_drawn() -> None:
    """Nodes and connections, in the order given; without nodes there is none."""
    table = [
        ["key", "provider", "options", "kind"],
        ["agent", "", "", ""],
        ["m1", "p1", '{"a": 1}', ""],
        ["x", "", "", "other"],
        ["m2", "", "", "middleware"],
        ["y", "p2", "", "agent"],
    ]

    scene = built(("a workflow with the nodes", table), "the connections agent to m1, m1 to x")

    assert scene.workflow == Workflow(
        nodes=(
            Node(key="agent", kind="agent"),
            Node(key="m1", provider="p1", options={"a": 1}),
            Node(key="x", kind="other"),
            Node(key="m2"),
            Node(key="y", kind="agent", provider="p2"),
        ),
        edges=(Edge(source="agent", target="m1"), Edge(source="m1", target="x")),
    )
    lonely = built(("a workflow with the nodes", table[:2]), "the connections none")
    assert lonely.workflow == Workflow(nodes=(Node(key="agent", kind="agent"),))
    assert built("a to-do list").workflow is None


@pytest.mark.parametrize(
    ("text", "act", "lookups"),
    [
        ("the plugin modules are loaded", "look up", ()),
        ("the plugin modules are loaded and the providers p1, p9 are looked up", "look up", ("p1", "p9")),
        ("the implementation's own strategies are listed", "catalog", ()),
    ],
)
def test_what_is_done_with_registries(text: str, act: Act, lookups: tuple[str, ...]) -> None:
    """Without any run."""
    scene = built(ONE, act=text)

    assert (scene.act, scene.lookups, scene.runs) == (act, lookups, ())
    assert scene.agent == Agent(handlers=scene.agent.handlers, model=scene.agent.model)
