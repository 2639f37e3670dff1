"""The variant about an agent that runs as the sub-agent of another agent."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.observation import Event, HookCall, Interrupted, Observation, RunEnd, Span
from loopspec.contract.plugins import Node
from loopspec.contract.scene import Cancel, Scene
from loopspec.contract.values import Appeared, Began, Message, ToolCall

from .facts import Facts
from .restoring import SOURCES_BY_RUN
from .variant import Variant, Varied

_OUTER = "outer_agent"  # some frameworks name a Python function by it
_MODEL = "outer-model"
_CALL = "outer-call"


@dataclass(frozen=True)
class WithoutOuterAgent:
    """Removes the outer agent: its model calls, events and final answer.

    Its error event and its interrupts are those of the inner agent.
    """

    inner: str

    def __call__(self, seen: Observation) -> Observation:
        """The observation of the inner agent."""
        kept: dict[str, tuple[object, ...]] = {}
        for source in SOURCES_BY_RUN:
            kept[source] = tuple(self._of_inner(one) for one in getattr(seen, source) if not self.may_remove(one))
        return replace(seen, **kept)

    def may_remove(self, entry: object) -> bool:
        """Whether the entry is about the outer agent."""
        if isinstance(entry, Event):
            return entry.agent == _OUTER and (entry.error is None or entry.error.kind == "will_retry")
        return getattr(entry, "agent", None) == _OUTER or getattr(entry, "model", None) == _MODEL

    def _of_inner(self, entry: object) -> object:
        match entry:
            case Event(agent=agent, path=path):
                inner = self.inner if agent == _OUTER else agent
                return replace(entry, agent=inner, path=path[1:] if len(path) > 1 else (inner,))
            case RunEnd(interrupts=interrupts):
                return replace(entry, final=None, interrupts=tuple(map(_of_inner, interrupts)))
            case HookCall(
                handler=handler
            ):  # the double of a node has the name of its agent, unless that is the scene's
                return replace(entry, handler=handler.removeprefix(f"{self.inner}'s "))
            case Span(name=name):
                return replace(entry, name=name.replace(f" {self.inner}'s ", " "))
        return entry


def _of_inner(one: Interrupted) -> Interrupted:
    return replace(one, id=one.id.removeprefix(f"{_CALL}/"))


def can_be_inner(facts: Facts) -> bool:
    """Whether a named agent runs for one text, and no gate or cancel request is about the outer agent."""
    return (
        facts.is_run
        and bool(facts.scene.agent.name)
        and _asks_one_text(facts.scene)
        and (len(facts.agents) == 1 or not any(run.cancels for run in facts.scene.runs))
        and not any(isinstance(gate, Appeared) and not gate.tool_call_id for gate in facts.gates)
    )


def _asks_one_text(scene: Scene) -> bool:
    """Whether all runs that are not resumed have the same text of the user and nothing else."""
    fresh = [run for run in scene.runs if not run.resume]
    if not fresh or any(run.history or any(isinstance(one.at, Began) for one in run.cancels) for run in scene.runs):
        return False
    text = Message(role="user", content=fresh[0].messages[0].content if fresh[0].messages else "")
    return all(run.messages == (text,) for run in fresh)


def inside(scene: Scene) -> Varied:
    """The scene whose agent is the sub-agent of an outer agent."""
    inner = replace(scene.agent, description=scene.agent.description or "An agent.")
    text = next(run.messages[0].content for run in scene.runs if not run.resume)
    call = ToolCall(id=_CALL, name=inner.name, args=msgspec.json.encode({"request": text}).decode())
    turns = (Turn(text="I ask the agent.", tool_calls=(call,)), Turn(text="That is all."))
    outer = Agent(
        name=_OUTER,
        model=Model(name=_MODEL, turns=turns),
        tools=(Tool(name=inner.name, agent=inner),),
        internal_events=True,
    )
    runs = tuple([replace(run, cancels=tuple(map(_recursive, run.cancels))) for run in scene.runs])
    varied = replace(scene, agent=outer, runs=runs)
    if scene.workflow:
        nodes = (*scene.workflow.nodes, Node(key=_OUTER, kind="agent"))
        varied = replace(varied, workflow=replace(scene.workflow, nodes=nodes))
    return Varied(varied, (WithoutOuterAgent(inner.name),))


def _recursive(cancel: Cancel) -> Cancel:
    return replace(cancel, recursive=True)


EXEMPT = {
    "CANCEL-04 :: After the tool calls, requested during the last model call": "The end of the sub-agent is a safe "
    "point of the outer agent."
}

VARIANTS = (
    Variant(
        "inside-an-outer-agent",
        can_be_inner,
        inside,
        needs=frozenset({"agent-tool"}),
        # of a cancelled run, the messages that are emitted at its end are lost
        postures={"tool-failure": "ends", "message-events": "as-they-happen"},
        exempt=EXEMPT,
    ),
)
