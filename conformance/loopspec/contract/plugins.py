"""The plugin layer of a scene: strategies, and the workflow that attaches their middlewares to agents. Plain data."""

from __future__ import annotations

from collections.abc import MutableMapping, MutableSequence
from typing import Annotated, Literal

from .agents import Plugin
from .values import Json, Needs, Value


class StrategyMeta(Value, frozen=True):
    """The metadata of a strategy. Texts are by language; the schema is a JSON Schema."""

    name: str
    label: dict[str, str] = {}
    icon: str = ""
    description: dict[str, str] = {}
    config_schema: dict[str, Json] | None = None


class Strategy(Value, frozen=True):
    """A strategy that a plugin module registers under a provider name: its metadata, and its middleware.

    Its key is the index of its module and its own index, as in `0.1`: a factory names it. `decorated` off: nothing
    marks its class as a strategy. `lacks`: its class is without this part; without a maker, it cannot be constructed.
    `uses_up`: its factory removes all options from the mapping that it receives, and all that they hold.

    Scripted: `requires` are options that its factory refuses to do without. `slow`: its factory takes time; `invalid`:
    it returns what no factory may return; `makes` None: the strategy is only ever looked at.
    """

    provider: str
    meta: StrategyMeta = StrategyMeta(name="", label={"en_US": "A strategy"})
    makes: Plugin | None = None
    decorated: bool = True
    requires: tuple[str, ...] = ()
    slow: bool = False
    invalid: Annotated[bool, Needs("invalid-values")] = False
    lacks: Literal["metadata", "factory", "maker"] | None = None
    uses_up: Annotated[bool, Needs("mutable-options")] = False

    scripted = frozenset({"makes", "requires", "slow", "invalid"})


def use_up(options: object) -> None:
    """Remove all that a mapping or a list holds, and all that the values in it hold."""
    if isinstance(options, MutableMapping | MutableSequence):
        for value in options.values() if isinstance(options, MutableMapping) else options:
            use_up(value)
        options.clear()


class Module(Value, frozen=True):
    """A plugin module with its strategies."""

    name: str
    strategies: Annotated[tuple[Strategy, ...], Needs("registry")] = ()


def strategies_by_key(modules: tuple[Module, ...]) -> dict[str, Strategy]:
    """The strategies by their keys: the index of the module and the strategy's own index, as in `0.1`."""
    return {f"{at}.{n}": one for at, module in enumerate(modules) for n, one in enumerate(module.strategies)}


class Node(Value, frozen=True):
    """A node of a workflow. The key of an agent is its name; the key of a middleware becomes the double's name."""

    key: str
    kind: Literal["agent", "middleware", "other"] = "middleware"
    provider: str = ""
    options: dict[str, Json] = {}


class Edge(Value, frozen=True):
    """A connection between two nodes."""

    source: str
    target: str


class Workflow(Value, frozen=True):
    """The graph that connects agents with their middlewares. `nodes` and `edges` are in the order of definition."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
