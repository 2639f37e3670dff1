"""The plugin layer of a scene: strategies, and the workflow that attaches what they make to agents. Plain data."""

from __future__ import annotations

from typing import Literal

from .agents import Plugin
from .values import Json, Value


class StrategyMeta(Value, frozen=True):
    """What a registry knows about a strategy. Texts are by language; the schema is a JSON Schema."""

    name: str
    label: dict[str, str] = {}
    icon: str = ""
    description: dict[str, str] = {}
    config_schema: dict[str, Json] | None = None


class Strategy(Value, frozen=True):
    """A strategy that a plugin module contributes under a provider name: its metadata, and what it makes.

    `decorated` off: it is an ordinary class that nothing marks. `requires` are options that its factory refuses to
    do without. `slow`: its factory takes time; `junk`: it returns what no factory may return; `makes` None: the
    strategy is only ever looked at. `lacks`: its class is without this part; without a maker it cannot be made.
    """

    provider: str
    meta: StrategyMeta = StrategyMeta(name="", label={"en_US": "A strategy"})
    makes: Plugin | None = None
    decorated: bool = True
    requires: tuple[str, ...] = ()
    slow: bool = False
    invalid: bool = False
    lacks: Literal["metadata", "factory", "maker"] | None = None


class Module(Value, frozen=True):
    """A plugin module: what it contributes."""

    name: str
    strategies: tuple[Strategy, ...] = ()


class Node(Value, frozen=True):
    """A node of a workflow. An agent's key is its name; a middleware's is the name of the double that it becomes."""

    key: str
    kind: Literal["agent", "middleware", "other"] = "middleware"
    provider: str = ""
    options: dict[str, Json] = {}


class Edge(Value, frozen=True):
    """A connection between two nodes."""

    source: str
    target: str


class Workflow(Value, frozen=True):
    """The graph from which agents get their middlewares. `nodes` and `edges` are in the order they were drawn in."""

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()
