"""Variants about what precedes the first answer of a scene in the same run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from loopspec.contract.actions import AddContext, ReplaceLast, Script, SetCalls, SetTools
from loopspec.contract.agents import (
    Agent,
    Hooked,
    Model,
    Plugin,
    Retry,
    Scripted,
    Summarization,
    Tool,
    Turn,
    doubles_of,
)
from loopspec.contract.around import Jump
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Appeared, Called, CancelAsked, Ended, Error, Failed, Returned, ToolCall

from .facts import Facts, mapped
from .joining import WithResumedRound
from .limits import DEFAULT_LIMIT
from .nesting import EXEMPT, can_be_inner, in_workflow, inside
from .padding import depends_on_places
from .restoring import without_handlers
from .taking_out import AROUND_MODEL, WithoutEarlierCalls, asking
from .variant import Variant, Varied

_TOOL, _ASKING, _AGENT, _HANDLER = "tool-before", "tool-before-that-asks", "agent-before", "handler-before"
_TOOLS = (_TOOL, _ASKING, _AGENT)
_FAILED = Turn(error=Error(kind="scripted", code="failed before"))
_RETRY = Retry(codes=("failed before",), delays=True)
_LAST = 100  # more calls than a hook has in a run of a scene


def _model_of(scene: Scene) -> Model:
    assert scene.agent.model, "as each predicate says"
    return scene.agent.model


def _handlers(scene: Scene) -> frozenset[str]:
    """The names of the doubles of the scene's agent; the double of a node has the name of the node."""
    nodes = [node.key for node in scene.workflow.nodes] if scene.workflow else []
    return frozenset([*nodes, *(double.name for double in doubles_of(scene.agent))])


def _call(number: int, tool: str = _TOOL) -> ToolCall:
    return ToolCall(id=f"{_TOOL}-{number}", name=tool, args='{"request": "Go on."}' if tool == _AGENT else "{}")


def _later(scene: Scene, rounds: tuple[str, ...], resumed: Mapping[str, str], fails: bool = False) -> Varied:
    """The scene whose agent first makes rounds, each with a call of one of these tools and a call of another tool.

    All calls at one place have the same id. If it `fails`, the agent has a retry, and its model fails once, after the
    first round. `resumed` has the run that continues a run after the first round.
    """
    turns = [Turn(text=asking(_TOOLS), tool_calls=(_call(1, name), _call(2))) for name in rounds]
    turns[1:1] = [_FAILED] if fails else []
    number, model, handlers = len(rounds), _model_of(scene), _handlers(scene)
    shift = {**dict.fromkeys(AROUND_MODEL, number), "around tool": 2 * number + rounds.count(_ASKING)}
    shift["around model"] += fails
    tools = tuple([Tool(name=name, interrupts=name == _ASKING) for name in dict.fromkeys((*rounds, *rounds[-1:]))])

    def change(action: SetTools) -> SetTools:
        return replace(action, tools=(*action.tools, *[tool.name for tool in tools]))

    def acting(double: object) -> object:
        if not isinstance(double, Hooked):
            return double
        scripts = tuple([one for script in double.scripts for one in _acting_later(script, shift, resumed, scene)])
        return mapped(replace(double, scripts=scripts), SetTools, change)

    kinds = ("handlers", "legacy", "tool_middlewares")
    agent = replace(scene.agent, **{kind: tuple(map(acting, getattr(scene.agent, kind))) for kind in kinds})
    agent = replace(agent, model=replace(model, turns=(*turns, *model.turns)), tools=(*agent.tools, *tools))
    if agent.max_iterations is not None and agent.max_iterations > 0:
        agent = replace(agent, max_iterations=agent.max_iterations + number)
    modules = mapped(scene.modules, Plugin, acting) if scene.workflow else scene.modules
    runs = frozenset(run.id for run in scene.runs if not run.resume)
    added = ("assistant", "tool", "tool") * number
    back = WithoutEarlierCalls(_TOOLS, agent.name, model.name, handlers, runs, added, fails)
    return Varied(replace(scene, agent=replace(agent, retry=_RETRY) if fails else agent, modules=modules), (back,))


def _acting_later(
    script: Script, shift: Mapping[str, int], resumed: Mapping[str, str], scene: Scene
) -> Iterator[Script]:
    """The script, which does nothing in the calls before those of the scene.

    A before-agent hook is called again in a resumed run, and then only does what each start of a run needs.
    """
    runs = script.runs or (tuple([run.id for run in scene.runs]) if resumed else ())
    parts = tuple([resumed[run] for run in runs if run in resumed])
    if script.hook != "before agent":
        by = shift.get(script.hook, 0)
        calls = tuple([call + by for call in script.calls]) or (tuple(range(by + 1, _LAST)) if by else ())
        yield replace(script, calls=calls, runs=(*runs, *parts))
        return
    yield replace(script, runs=runs)
    starting = tuple([one for one in script.actions if "agent" in one.effects or isinstance(one, AddContext)])
    if parts and starting:
        yield replace(script, runs=parts, actions=starting)


def _after_an_interrupt(scene: Scene, fails: bool = False) -> Varied:
    """The scene whose agent first makes a round with a tool that interrupts, is resumed, and makes two more rounds."""
    resumed = {run.id: f"{run.id}.2" for run in scene.runs if not run.resume}
    varied = _later(scene, (_ASKING, _TOOL, _TOOL), resumed, fails)

    def parts(run: Run) -> Iterator[Run]:
        if run.resume:
            yield replace(run, resume=resumed.get(run.resume, run.resume))
            return
        yield replace(run, part="interrupted", cancels=())
        part = replace(run, id=resumed[run.id], resume=run.id, part="interrupted")
        yield replace(part, messages=(), session={}, history=None)

    def in_parts(script: Script) -> Script:
        return replace(script, runs=(*script.runs, *[resumed[run] for run in script.runs if run in resumed]))

    made = replace(varied.scene, runs=tuple([part for run in scene.runs for part in parts(run)]))
    made = replace(made, agent=replace(made.agent, tools=mapped(made.agent.tools, Script, in_parts)))
    for kind in (Appeared, Ended, Failed, CancelAsked) if Facts(scene).gates else ():
        made = mapped(made, kind, lambda gate: replace(gate, run=resumed.get(gate.run, gate.run)))
    return Varied(made, (WithResumedRound(resumed, _handlers(scene)), *varied.back))


def _late_inside(scene: Scene) -> Varied:
    """The scene whose agent is called by an outer agent with a handler, after an interrupt and a failed attempt.

    In the same answer, the outer agent calls another agent twice, whose only answer has calls that are not made.
    """
    nested = inside(scene)
    outer, model = nested.scene.agent, _model_of(nested.scene)
    first, *others = model.turns
    asks = replace(first, tool_calls=(_call(3, _AGENT), _call(4, _AGENT), *first.tool_calls))
    answer = Turn(text="done", tool_calls=(_call(1), _call(2)))
    other = Agent(name=_AGENT, description="Another agent.", model=Model(name=_AGENT, turns=(answer, answer)))
    outer = replace(
        outer,
        model=replace(model, turns=(asks, *others)),
        tools=(Tool(name=_AGENT, agent=other), *outer.tools),
        handlers=(Scripted(name=_HANDLER, scripts=(Script(hook="after model"),)),),
    )
    later = _after_an_interrupt(in_workflow(replace(nested.scene, agent=outer), _AGENT), fails=True)
    return Varied(later.scene, (*later.back, without_handlers((_HANDLER,)), *nested.back))


def _can_come_later(facts: Facts) -> bool:
    """Whether an agent with a model runs to its end, and nothing depends on what precedes the scene.

    No place in the conversation, no last message, no number of calls and no missing tool is one of the scene.
    """
    scene, agent = facts.scene, facts.scene.agent
    before = [
        script for one in facts.doubles for script in one.scripts if script.hook in ("before agent", "before model")
    ]
    has_tools = agent.exit_tool or any(
        [agent.tools, agent.legacy, *[getattr(one, "tools", ()) for one in agent.handlers]]
    )
    return (
        _counts_alone(facts)
        and (has_tools or not any(turn.tool_calls for turn in _model_of(scene).turns))
        and len(_model_of(scene).turns) + 2 < max(DEFAULT_LIMIT, agent.max_iterations or 0)
        and not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(tool.full_history for tool in facts.tools)
        and not (agent.failover and agent.failover.messages is not None)
        and not any(map(depends_on_places, facts.actions))
        and not any(isinstance(one, ReplaceLast | SetCalls | Jump) for script in before for one in script.actions)
        and not any(isinstance(one, SetTools) and not one.tools for one in facts.actions)
    )


def _counts_alone(facts: Facts) -> bool:
    """Whether an agent that supports tools makes runs, and no other agent, gate or run counts its calls."""
    scene, agent = facts.scene, facts.scene.agent
    others = {double.name for agent in facts.agents[1:] for double in doubles_of(agent)}
    return (
        facts.is_run
        and agent.model is not None
        and agent.model.takes_tools
        and not others & _handlers(scene)
        and not (scene.workflow and len(facts.agents) > 1)
        and not any(run.resume or run.history or run.cancels for run in scene.runs)
        and all(isinstance(one, Ended | CancelAsked) or _is_about_a_tool(one) for one in facts.gates)
    )


def _is_about_a_tool(gate: object) -> bool:
    return isinstance(gate, Called | Returned) and gate.double.startswith("tool ")


def _can_be_late(facts: Facts) -> bool:
    """Whether the agent can be a sub-agent, no run is concurrent, and nothing waits for a retry."""
    waits = any(isinstance(gate, Called) and gate.double == "back-off" for gate in facts.gates)
    return can_be_inner(facts) and not waits and not any(run.together for run in facts.scene.runs)


_CONTEXT = {
    "AMD-BACKEND-02 :: An earlier handler adds a context value": "The files are read in an added round, in which no "
    "handler adds a value."
}
_LANGUAGE = "The languages are chosen in each process."
_NOT_STOPPED = "The first run fails before the added calls, so that no part of it follows."

VARIANTS = (
    Variant("after-two-rounds", _can_come_later, lambda scene: _later(scene, (_TOOL, _TOOL), {}), exempt=_CONTEXT),
    Variant(
        "after-an-interrupt",
        lambda facts: _can_come_later(facts) and not any(run.together for run in facts.scene.runs),
        _after_an_interrupt,
        needs=frozenset({"interrupt"}),
        exempt={
            **_CONTEXT,
            "AMD-I18N-06 :: Klingon after Chinese": _LANGUAGE,
            "AMD-CACHE-08 :: A file that is unreadable in the first run only": _NOT_STOPPED,
            "AMD-ERROR-07 :: A failed run before a successful run with the same messages": _NOT_STOPPED,
        },
    ),
    Variant(
        "after-a-failed-attempt",
        lambda facts: _counts_alone(facts) and not (facts.scene.agent.retry or facts.scene.agent.failover),
        lambda scene: _later(scene, (), {}, fails=True),
        needs=frozenset({"clock", "retry"}),
    ),
    Variant(
        "late-in-an-outer-agent",
        _can_be_late,
        _late_inside,
        needs=frozenset({"after-model-hooks", "agent-tool", "clock", "interrupt", "retry"}),
        postures={"tool-failure": "ends"},
        exempt={**EXEMPT, "AMD-I18N-06 :: Klingon after Chinese": _LANGUAGE, "AMD-I18N-08 :: Chinese *": _LANGUAGE},
    ),
)
