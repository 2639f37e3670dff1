"""The variant about lists that the caller uses for two agents."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene

from .facts import Facts
from .nesting import can_be_inner, inside
from .variant import Variant, Varied

_TWIN = "twin-agent"


def _shared(scene: Scene) -> Varied:
    """The scene in which another agent is built before from the same lists of handlers and tools."""
    twin = replace(scene.agent, name=_TWIN, description="An agent that is never called.")
    nested = inside(replace(scene, shared_lists=True), (twin,))

    def with_owner(seen: Observation) -> Observation:
        """Attribute the calls of the shared doubles to the agent that runs, and no longer to the one built first."""
        spans = (replace(span, agent=scene.agent.name) if span.agent == _TWIN else span for span in seen.spans)
        return replace(seen, spans=tuple(spans))

    return Varied(nested.scene, (*nested.back, with_owner))


def _has_lists(facts: Facts) -> bool:
    agent = facts.scene.agent
    return can_be_inner(facts) and facts.is_plain_run and len(agent.handlers) + len(agent.tools) > 0


VARIANTS = (
    Variant(
        "shared-lists",
        _has_lists,
        _shared,
        includes=("inside-an-outer-agent",),
        needs=frozenset({"agent-tool", "shared-lists"}),
        postures={"tool-failure": "ends", "message-events": "as-they-happen"},
    ),
)
