"""Variants about runs that are stopped and resumed."""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from loopspec.contract.actions import Action, AddContext, GetLocal, GetSession, SendEvent
from loopspec.contract.agents import Model, Tool
from loopspec.contract.around import AddOption, AppendAnswer, CallInner, Rewrite
from loopspec.contract.scene import Cancel, Run, Scene, Stopped
from loopspec.contract.values import Called

from .facts import Facts, mapped, scripts_of
from .joining import WithAnsweredCalls, WithJoinedParts
from .variant import Variant, Varied


def _is_one_run(facts: Facts) -> bool:
    """Whether an agent without a failover makes one run, which nothing stops, and nothing waits for its events.

    A before-agent hook is called again when the agent is resumed: no such hook emits events or belongs to a sub-agent.
    """
    if not facts.is_run or len(facts.scene.runs) != 1 or any(agent.failover for agent in facts.agents):
        return False
    (run,) = facts.scene.runs
    if run.cancels or run.thread or not all(isinstance(gate, Called) for gate in facts.gates):
        return False
    return not any(
        agent is not facts.agents[0] or any(isinstance(action, SendEvent) for action in script.actions)
        for agent in facts.agents
        for script in scripts_of(agent)
        if script.hook == "before agent"
    )


def _calls_tools(facts: Facts) -> bool:
    calls = any(turn.tool_calls for model in facts.models for turn in model.turns)
    return _is_one_run(facts) and calls and not facts.hooks_interrupt


def _stopped(scene: Scene) -> Varied:
    """The scene whose run is stopped at the safe point after each model call."""
    (run,) = scene.runs
    ids = _ids(scene)
    models = Facts(scene).models

    def stopped(part: Run) -> Run:
        cancels = tuple(_at_the_first_call(model, part.id) for model in models)
        return replace(part, cancellable=True, cancels=cancels)

    first = stopped(replace(run, part="cancelled"))
    later = [stopped(_resumed(run, part, before, "cancelled")) for before, part in pairwise(ids)]
    return Varied(replace(scene, runs=(first, *later)), (WithJoinedParts(ids),))


def _at_the_first_call(model: Model, run: str) -> Cancel:
    return Cancel(at=Called(double=f"model {model.name}", run=run), modes=("after model",), recursive=True)


# The actions of a tool wrapper that may be repeated: they act on one call, and no effect outlives the call.
_REPEATABLE = (AddContext, AddOption, AppendAnswer, CallInner, GetLocal, GetSession, Rewrite)


def _interrupts_well(facts: Facts) -> bool:
    """Whether a tool of the scene can interrupt its first call, and all that is repeated with the call may be."""
    wrappers = [script for one in facts.doubles for script in one.scripts if script.hook == "around tool"]
    return (
        _calls_tools(facts)
        and not facts.gates
        and not any(tool.stops for tool in facts.tools)
        and not any(agent.callbacks for agent in facts.agents)
        and any(map(_can_interrupt, facts.tools))
        and not any(script.calls for script in wrappers)
        and all(_is_repeatable(action) for script in wrappers for action in script.actions)
    )


def _is_repeatable(action: Action) -> bool:
    if isinstance(action, CallInner):
        return action.fallback is None and action.tries == 1
    return isinstance(action, _REPEATABLE)


def _can_interrupt(tool: Tool) -> bool:
    """Whether the tool only returns a result, the same at each call and in one piece."""
    does_more = tool.agent or tool.error or tool.crash or tool.nothing or tool.texts or tool.actions or tool.parses
    return not does_more and not any("streamable" in kind for kind in tool.kinds)


def _interrupted(scene: Scene) -> Varied:
    """The scene whose tools interrupt the run at each call, and return their result when resumed."""
    (run,) = scene.runs
    ids = _ids(scene)
    first = replace(run, part="interrupted")
    later = [_resumed(run, part, before, "interrupted") for before, part in pairwise(ids)]
    agent = mapped(scene.agent, (Tool,), lambda tool: replace(tool, interrupts=True) if _can_interrupt(tool) else tool)
    return Varied(replace(scene, agent=agent, runs=(first, *later)), (WithAnsweredCalls(ids),))


def _ids(scene: Scene) -> tuple[str, ...]:
    """The ids of the parts: one more than the models have answers, so that the last part is never stopped."""
    (run,) = scene.runs
    stops = sum(len(model.turns) for model in Facts(scene).models)
    return (run.id, *(f"{run.id}.{number}" for number in range(2, stops + 2)))


def _resumed(run: Run, part: str, before: str, stopped: Stopped) -> Run:
    return Run(id=part, resume=before, streaming=run.streaming, context=run.context, part=stopped)


VARIANTS = (
    Variant(
        "stopped-after-model-calls",
        _calls_tools,
        _stopped,
        needs=frozenset({"cancel", "synchronous-cancel", "interrupt"}),
        # the messages of the stopped half are events only if they are events before the run ends
        postures={"message-events": "as-they-happen"},
        # a resumed part belongs to a new process
        exempt={
            "XP-REG-11 :: Two agents with one node each": "The factories of strategies are called in each process."
        },
    ),
    Variant(
        "interrupting-tools",
        _interrupts_well,
        _interrupted,
        needs=frozenset({"interrupt"}),
        exempt={
            "POSTURE-19 :: *": "The rule is about the end of the run, and the run ends at the interrupt, too.",
            "EXIT-01 :: An answer that calls the exit tool *": "The result of the exit tool is emitted before the run "
            "stops, so the last event of the resumed run is the result of the other tool.",
        },
    ),
)
