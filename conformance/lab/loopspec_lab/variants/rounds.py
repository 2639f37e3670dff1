"""Variants about what precedes the first answer of a scene in the same run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from loopspec.contract.actions import AddContext, ReplaceLast, Script, SetCalls, SetTools
from loopspec.contract.agents import Agent, Model, Plugin, Retry, Scripted, Tool, Turn, doubles_of
from loopspec.contract.around import Jump
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Appeared, Called, CancelAsked, Ended, Error, Failed, ToolCall

from .facts import Facts, mapped
from .joining import WithResumedRound
from .nesting import EXEMPT, can_be_inner, inside
from .padding import may_be_preceded
from .restoring import without_handlers
from .taking_out import AROUND_MODEL, ASKING, WithoutEarlierCalls
from .variant import Variant, Varied

_TOOL, _ASKING, _AGENT, _HANDLER = "tool_before", "tool_before_that_asks", "agent_before", "handler-before"
_TOOLS = (_TOOL, _ASKING, _AGENT)
_PAUSE = "outer_pause"  # the tool that interrupts a run after its scene
_OF_A_RUN = (Appeared, Ended, Failed, CancelAsked)  # the gates that name a run
_FAILED = "failed before"  # the code of an error that is retried
_DEFAULT_LIMIT = 20  # model calls of an agent that sets no limit (MAXITER-05)
_LAST = 100  # more calls than a hook has in a run of a scene


def _call(number: int, tool: str = _TOOL) -> ToolCall:
    return ToolCall(id=f"{_TOOL}-{number}", name=tool, args='{"request": "Go on."}' if tool == _AGENT else "{}")


def _later(scene: Scene, rounds: tuple[str, ...], resumed: Mapping[str, str], fails: bool = False) -> Varied:
    """The scene whose agent first makes rounds, each with a call of one of these tools and a call of another tool.

    If it `fails`, the agent has a retry, and its model fails once, after the
    first round. `resumed` has the run that continues a run after the first round.
    """
    turns = [Turn(text=ASKING, tool_calls=(_call(2 * at, name), _call(2 * at + 1))) for at, name in enumerate(rounds)]
    turns[1:1] = [Turn(error=Error(kind="scripted", code=_FAILED))] if fails else []
    model, agent = scene.agent.model, scene.agent
    assert model, "as the predicates say"
    shift = {**dict.fromkeys(AROUND_MODEL, len(rounds)), "around tool": 2 * len(rounds) + rounds.count(_ASKING)}

    def acting(handler: object) -> object:
        if not isinstance(handler, Scripted | Plugin):
            return handler
        scripts = [one for script in handler.scripts for one in _acting_later(script, shift, resumed, scene)]
        return replace(handler, scripts=tuple(scripts))

    tools = [Tool(name=name, interrupts=name == _ASKING) for name in dict.fromkeys(rounds)]
    agent = replace(
        agent,
        model=replace(model, turns=(*turns, *model.turns)),
        tools=(*agent.tools, *tools),
        handlers=tuple(map(acting, agent.handlers)),
        retry=Retry(codes=(_FAILED,), delays=True) if fails else agent.retry,
    )
    handlers = frozenset(double.name for double in doubles_of(agent))
    back = WithoutEarlierCalls(_TOOLS, model.name, handlers, ("assistant", "tool", "tool") * len(rounds), fails)
    return Varied(replace(scene, agent=agent), (back,))


def _acting_later(
    script: Script, shift: Mapping[str, int], resumed: Mapping[str, str], scene: Scene
) -> Iterator[Script]:
    """The script, which does nothing in the calls before those of the scene.

    A before-agent hook is called again in a resumed run, and then only does what each start of a run needs.
    """
    runs = script.runs or (tuple([run.id for run in scene.runs]) if resumed else ())
    parts = tuple([resumed[run] for run in runs if run in resumed])
    if by := shift.get(script.hook):
        calls = tuple([call + by for call in script.calls]) or tuple(range(by + 1, _LAST))
        script = replace(script, calls=calls)
    yield replace(script, runs=runs if script.hook == "before agent" else (*runs, *parts))
    starting = tuple([one for one in script.actions if "agent" in one.effects or isinstance(one, AddContext)])
    if script.hook == "before agent" and parts and starting:
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
        session = run.session if any(one.resume == run.id and one.session for one in scene.runs) else {}
        part = replace(run, id=resumed[run.id], resume=run.id, part="interrupted")
        yield replace(part, messages=(), session=session, history=None)

    def in_parts(script: Script) -> Script:
        return replace(script, runs=(*script.runs, *[resumed[run] for run in script.runs if run in resumed]))

    def moved(gate: Appeared | Ended | Failed | CancelAsked) -> object:
        return replace(gate, run=resumed.get(gate.run, gate.run))

    made = replace(varied.scene, runs=tuple([part for run in scene.runs for part in parts(run)]))
    made = replace(made, agent=replace(made.agent, tools=mapped(made.agent.tools, (Script,), in_parts)))
    if Facts(scene).gates:
        parts_with_gates = ("agent", "runs", "changes")
        made = replace(made, **{part: mapped(getattr(made, part), _OF_A_RUN, moved) for part in parts_with_gates})
    handlers = frozenset(double.name for double in doubles_of(scene.agent))
    return Varied(made, (WithResumedRound(resumed, handlers), *varied.back))


def interrupted_afterwards(scene: Scene) -> Varied:
    """The scene whose agent is called by an outer agent, which is interrupted after the agent's end, and is resumed."""
    nested = inside(scene)
    outer, model = nested.scene.agent, nested.scene.agent.model
    assert model, "an outer agent has a model"
    first, *others = model.turns
    asks = Turn(tool_calls=(ToolCall(id=_PAUSE, name=_PAUSE, args="{}"),))
    tools = (*outer.tools, Tool(name=_PAUSE, interrupts=True))
    outer = replace(outer, model=replace(model, turns=(first, asks, *others)), tools=tools)
    (run,) = nested.scene.runs
    resumed = replace(run, id=f"{run.id}.last", resume=run.id, messages=(), session={}, part="interrupted")
    varied = replace(nested.scene, agent=outer, runs=(replace(run, part="interrupted"), resumed))
    return Varied(varied, (WithResumedRound({run.id: resumed.id}, ()), _without_pauses, *nested.back))


def _without_pauses(seen: Observation) -> Observation:
    return replace(seen, tool_runs=tuple([one for one in seen.tool_runs if one.tool != _PAUSE]))


def may_be_interrupted(facts: Facts) -> bool:
    """Whether the agent can be a sub-agent in its one run, and nothing stops, resumes or waits."""
    runs = facts.scene.runs
    stops = facts.hooks_interrupt or any(tool.stops for tool in facts.tools)
    stops = stops or any(run.resume or run.cancels for run in runs)
    return can_be_inner(facts) and len(runs) == 1 and not (stops or facts.gates or facts.scene.workflow)


def _late_inside(scene: Scene) -> Varied:
    """The scene whose agent is called by an outer agent with a handler, after an interrupt and a failed attempt.

    In the same answer, the outer agent calls another agent twice, whose only answer has calls that are not made. It is
    interrupted after the agent's end, if it may be.
    """
    nested = interrupted_afterwards(scene) if may_be_interrupted(Facts(scene)) else inside(scene)
    outer, model = nested.scene.agent, nested.scene.agent.model
    assert model, "an outer agent has a model"
    first, *others = model.turns
    asks = replace(first, tool_calls=(_call(6, _AGENT), _call(7, _AGENT), *first.tool_calls))
    answer = Turn(text="done", tool_calls=(_call(8), _call(9)))
    other = Agent(name=_AGENT, description="Another agent.", model=Model(name=_AGENT, turns=(answer, answer)))
    outer = replace(
        outer,
        model=replace(model, turns=(asks, *others)),
        tools=(Tool(name=_AGENT, agent=other), *outer.tools),
        handlers=(Scripted(name=_HANDLER, scripts=(Script(hook="after model"),)),),
    )
    later = _after_an_interrupt(replace(nested.scene, agent=outer), fails=True)
    return Varied(later.scene, (*later.back, without_handlers((_HANDLER,)), *nested.back))


def _can_come_later(facts: Facts) -> bool:
    """Whether an agent makes whole runs with a model and scripted handlers, and nothing depends on what precedes.

    No place in the conversation, no last message, no number of calls and no list of tools is one of the scene.
    """
    scene, agent, model = facts.scene, facts.scene.agent, facts.scene.agent.model
    others = {double.name for agent in facts.agents[1:] for double in doubles_of(agent)}
    before = [one for double in facts.doubles for one in double.scripts if one.hook in ("before agent", "before model")]
    return (
        facts.is_run
        and (model is not None and model.takes_tools and len(model.turns) + 2 < _DEFAULT_LIMIT)
        and not (facts.gates or scene.workflow or agent.callbacks or agent.max_iterations)
        and not (agent.legacy or agent.tool_middlewares)
        and not any(run.resume or run.history or run.cancels for run in scene.runs)
        and not others.intersection(double.name for double in doubles_of(agent))
        and (bool(agent.tools) or not any(turn.tool_calls for turn in model.turns))
        and may_be_preceded(facts)
        and not facts.has_actions((SetTools,))
        and not any(isinstance(one, ReplaceLast | SetCalls | Jump) for script in before for one in script.actions)
    )


def _can_be_late(facts: Facts) -> bool:
    """Whether the agent can be a sub-agent, without a workflow, no run is concurrent, and nothing waits for a retry."""
    waits = any(isinstance(gate, Called) and gate.double == "back-off" for gate in facts.gates)
    several = facts.scene.workflow or any(run.together for run in facts.scene.runs)
    return can_be_inner(facts) and not (several or waits)


_CONTEXT = {
    "AMD-BACKEND-02 :: An earlier handler adds a context value": "The files are read in an added round, in which no "
    "handler adds a value."
}
_LANGUAGE = "The languages are chosen in each process."
LANGUAGES = {"AMD-I18N-06 :: Klingon after Chinese": _LANGUAGE}

VARIANTS = (
    Variant("after-two-rounds", _can_come_later, lambda scene: _later(scene, (_TOOL, _TOOL), {}), exempt=_CONTEXT),
    Variant(
        "after-an-interrupt",
        lambda facts: _can_come_later(facts) and not any(run.together for run in facts.scene.runs),
        _after_an_interrupt,
        needs=frozenset({"interrupt"}),
        exempt={**_CONTEXT, **LANGUAGES},
    ),
    Variant(
        "late-in-an-outer-agent",
        _can_be_late,
        _late_inside,
        needs=frozenset({"after-model-hooks", "agent-tool", "clock", "interrupt", "retry"}),
        postures={"tool-failure": "ends", "calls-without-tools": "final", "message-events": "as-they-happen"},
        exempt={**EXEMPT, **LANGUAGES, "AMD-I18N-08 :: Chinese *": _LANGUAGE},
    ),
)
