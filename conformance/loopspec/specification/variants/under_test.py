"""Variants for the role `handler`: the scenes of agents, with the handler under test as a further handler."""

from __future__ import annotations

from msgspec.structs import replace

from ...contract.actions import Raise, ReturnNothing, UseInvalidValue
from ...contract.agents import Agent, HandlerChange, Own
from ...contract.capabilities import Capability
from ...contract.needs import KEEPS
from ...contract.scene import Scene
from ...contract.values import Error
from .facts import Facts, found, with_agents
from .handlers import inert_first, inert_last
from .variant import Variant, Varied

_NAME = "the handler under test"


def _first(scene: Scene) -> Varied:
    def change(agent: Agent) -> Agent:
        return replace(agent, handlers=(Own(name=_NAME), *agent.handlers))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)))


def _last(scene: Scene) -> Varied:
    def change(agent: Agent) -> Agent:
        return replace(agent, handlers=(*agent.handlers, Own(name=_NAME)))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)))


def _looks_at(facts: Facts) -> frozenset[Capability]:
    """The capabilities of a handler that leaves unchanged what a scene looks at.

    Every scene looks at requests and answers. Tool calls, results and errors are there or not.
    """
    changes: list[HandlerChange] = ["requests", "answers"]
    if facts.tools or any(turn.tool_calls for model in facts.models for turn in model.turns):
        changes += ["tool-calls", "results"]
    if _may_fail(facts):
        changes += ["model-errors", "tool-errors"]
    needed: set[Capability] = {KEEPS[change] for change in changes}
    if facts.handlers:
        needed.add("several-handlers")
    return frozenset(needed)


def _may_fail(facts: Facts) -> bool:
    """Whether anything in the scene fails: a double, or the loop because of an answer, a result or a limit."""
    turns = [turn for model in facts.models for turn in model.turns]
    known = {tool.known_as or tool.name for tool in facts.tools}
    called = {call.name for turn in turns for call in turn.tool_calls}
    return (
        facts.has_actions((Raise, ReturnNothing, UseInvalidValue))
        or any(turn.crash or turn.nothing for turn in turns)
        or any(tool.crash or tool.nothing for tool in facts.tools)
        or any(tool.parses or tool.nameless for tool in facts.tools)
        or any(agent.max_iterations is not None for agent in facts.agents)
        or not called <= known
        or any(found(facts.scene, (Error,)))  # the last condition, since the search takes the most time
    )


VARIANTS = (
    Variant(
        name="handler-under-test-first",
        rule="HANDLER-17",
        applies=lambda facts: facts.is_plain_run,
        vary=_first,
        control=inert_first,
        roles=("agent",),
        judged_in="handler",
        needs_in=_looks_at,
    ),
    Variant(
        name="handler-under-test-last",
        rule="HANDLER-18",
        applies=lambda facts: facts.is_plain_run,
        vary=_last,
        control=inert_last,
        roles=("agent",),
        judged_in="handler",
        needs_in=_looks_at,
    ),
)
