"""When: plugin modules and the registry."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..cells import names
from ..phrasebook import when


@when("the plugin modules are loaded")
def modules_are_loaded(scene_builder: SceneBuilder) -> None:
    """All plugin modules are registered in order, and the registry lists its strategies."""
    scene_builder.act = "look up"


@when("the plugin modules are loaded and the providers {providers} are looked up")
def providers_are_looked_up(scene_builder: SceneBuilder, providers: str) -> None:
    """All plugin modules are registered in order, and each provider is looked up in the registry."""
    scene_builder.act = "look up"
    scene_builder.lookups = names(providers)


@when("the implementation's own strategies are listed")
def own_strategies(scene_builder: SceneBuilder) -> None:
    """The implementation lists the strategies that it includes."""
    scene_builder.act = "catalog"
