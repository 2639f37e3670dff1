"""The variant about lists that the caller uses for two agents."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from loopspec.contract.observation import Observation
from loopspec.contract.scene import Scene

from .facts import Facts
from .nesting import can_be_inner, inside
from .variant import Variant, Varied

_TWIN = "twin-agent"


@dataclass(frozen=True)
class WithOwner:
    """Attributes the calls of the shared doubles to the agent that runs, and no longer to the agent built first."""

    agent: str

    def __call__(self, seen: Observation) -> Observation:
        """The observation with one agent."""
        spans = tuple(replace(span, agent=self.agent) if span.agent == _TWIN else span for span in seen.spans)
        return replace(seen, spans=spans)


def _shared(scene: Scene) -> Varied:
    """The scene in which another agent is built before from the same lists of handlers and tools."""
    twin = replace(scene.agent, name=_TWIN, description="An agent that is never called.")
    nested = inside(replace(scene, shared_lists=True), (twin,))
    return Varied(nested.scene, (*nested.back, WithOwner(scene.agent.name)))


def _has_lists(facts: Facts) -> bool:
    agent = facts.scene.agent
    return can_be_inner(facts) and facts.is_plain_run and len(agent.handlers) + len(agent.tools) > 0


VARIANTS = (
    Variant(
        name="shared-lists",
        rule="VARIANT-20",
        includes=("inside-an-outer-agent",),
        applies=_has_lists,
        vary=_shared,
        needs=frozenset({"agent-tool", "shared-lists"}),
        postures={"tool-failure": "ends"},  # the failure of an inner run is that of a tool call
    ),
)
