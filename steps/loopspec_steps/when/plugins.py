"""When: the acts of the features about the plugin layer, beside those that any agent has."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..cells import names
from ..phrasebook import when


@when("the plugin modules are loaded")
def modules_are_loaded(scene_builder: SceneBuilder) -> None:
    """All plugin modules are registered, in the order given, and the registry is asked what there is."""
    scene_builder.act = "look up"


@when("the plugin modules are loaded and the providers {providers} are looked up")
def providers_are_looked_up(scene_builder: SceneBuilder, providers: str) -> None:
    """The same, and the registry is asked for each of these."""
    scene_builder.act = "look up"
    scene_builder.lookups = names(providers)


@when("the implementation's own strategies are listed")
def own_strategies(scene_builder: SceneBuilder) -> None:
    """The implementation tells which strategies it brings along."""
    scene_builder.act = "catalog"
