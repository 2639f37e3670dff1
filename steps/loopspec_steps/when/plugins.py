"""When: the acts of the features about the plugin layer, beside those that any agent has."""

from __future__ import annotations

from ..builders.scene import Draft
from ..cells import names
from ..phrasebook import when


@when("the plugin modules are loaded")
def modules_are_loaded(draft: Draft) -> None:
    """All plugin modules are registered, in the order given, and the registry is asked what there is."""
    draft.act = "look up"


@when("the plugin modules are loaded and the providers {providers} are looked up")
def providers_are_looked_up(draft: Draft, providers: str) -> None:
    """The same, and the registry is asked for each of these."""
    draft.act = "look up"
    draft.lookups = names(providers)


@when("the implementation's own strategies are listed")
def own_strategies(draft: Draft) -> None:
    """The implementation tells which strategies it brings along."""
    draft.act = "catalogue"
