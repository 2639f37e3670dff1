"""Variants for the role `handler`: the scenes of agents, with the handler under test as a further handler."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Raise
from loopspec.contract.agents import KEEPS, Agent, HandlerChange, Own
from loopspec.contract.around import ReturnNothing, UseInvalidValue
from loopspec.contract.capabilities import Capability
from loopspec.contract.scene import Scene
from loopspec.contract.values import Error

from .facts import Facts, found, with_agents
from .handlers import Place, first, inert_first, inert_last, last
from .variant import Variant, Varied

_NAME = "the handler under test"


def _under_test(name: str, place: Place, control: Callable[[Scene, Iterable[Hook]], Varied]) -> Variant:
    """The variant with the handler under test at a place among the handlers of each agent."""

    def change(agent: Agent) -> Agent:
        return replace(agent, handlers=place(agent.handlers, Own(name=_NAME)))

    return Variant(
        name,
        lambda facts: facts.is_plain_run,
        lambda scene: Varied(replace(scene, agent=with_agents(scene.agent, change))),
        control=control,
        roles=("agent",),
        judged_in="handler",
        needs_in=_looks_at,
    )


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
    _under_test("handler-under-test-first", first, inert_first),
    _under_test("handler-under-test-last", last, inert_last),
)
