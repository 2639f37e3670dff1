"""Variants about what comes before the first answer of a scene, and about one more call beside those of each answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

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
    tools_of,
)
from loopspec.contract.around import Jump
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Appeared, Began, Called, CancelAsked, Ended, Error, Failed, Returned, ToolCall

from .facts import Facts, mapped, with_agents
from .joining import WithResumedRound
from .limits import DEFAULT_LIMIT
from .nesting import EXEMPT, can_be_inner, in_workflow, inside
from .padding import depends_on_places
from .restoring import without_handlers
from .taking_out import AROUND_MODEL, WithoutCalls, WithoutFailedAttempt, asking
from .variant import Variant, Varied

_ROUND = "tool-before"
_ASKING = "tool-before-that-asks"
_OTHER = "agent-before"
_HANDLER = "handler-before"
_BESIDE = "tool-beside"
_LAST = 100  # more calls than a hook has in a run of a scene

# How many calls of the model and of each hook of the scene's agent precede the first ones of the scene.
Shift = Mapping[str, int]
_AFTER_AN_ATTEMPT = {"model": 1, "around model": 1, "back-off": 1}
_FAILED = Error(kind="scripted", code="failed before")


def _acting_later(scene: Scene, shift: Shift, resumed: Mapping[str, str]) -> Scene:
    """The scene with scripts of its agent that do nothing in the calls that precede those of the scene.

    `resumed` has the run that continues a run, where what the scene is about takes place there.
    """
    again = [run.id for run in scene.runs if run.resume]  # such a run counts its calls anew
    every = tuple([run.id for run in scene.runs]) if again or resumed else ()

    def later(script: Script) -> Iterator[Script]:
        runs = script.runs or every
        own = [run for run in runs if run not in again]
        parts = tuple([resumed[run] for run in own if run in resumed])
        if script.hook == "before agent":
            yield replace(script, runs=runs)
            starting = tuple([one for one in script.actions if "agent" in one.effects or isinstance(one, AddContext)])
            if parts and starting:
                yield replace(script, runs=parts, actions=starting)
        elif by := shift.get(script.hook, 0):
            calls = tuple([call + by for call in script.calls]) or tuple(range(by + 1, _LAST))
            if own or not runs:
                yield replace(script, calls=calls, runs=(*own, *parts))
            if len(own) < len(runs):
                yield replace(script, runs=tuple([run for run in runs if run in again]))
        else:
            yield replace(script, runs=(*runs, *parts))

    def acting(double: object) -> object:
        if not isinstance(double, Hooked):
            return double
        return replace(double, scripts=tuple([one for script in double.scripts for one in later(script)]))

    agent = scene.agent
    doubles = {name: tuple(map(acting, getattr(agent, name))) for name in ("handlers", "legacy", "tool_middlewares")}
    modules = mapped(scene.modules, Plugin, acting) if scene.workflow else scene.modules
    return replace(scene, agent=replace(agent, **doubles), modules=modules)


def _handlers(scene: Scene) -> frozenset[str]:
    """The names of the doubles of the scene's agent; the double of a node has the name of the node."""
    nodes = [node.key for node in scene.workflow.nodes] if scene.workflow else []
    return frozenset([*nodes, *(double.name for double in doubles_of(scene.agent))])


def _waiting_later(scene: Scene, shift: Shift, resumed: Mapping[str, str], events: int, chunks: int) -> Scene:
    """The scene whose gates count the calls and the events that precede those of the scene."""
    again = {run.id for run in scene.runs if run.resume}
    by = {f"{hook} {one.name}": shift[hook] for hook in shift for one in doubles_of(scene.agent)}
    by["back-off"] = shift.get("back-off", 0)
    by |= {f"model {scene.agent.model.name}": shift["model"]} if scene.agent.model else {}

    def of_call(gate: Called) -> Called:
        return gate if gate.run in again else replace(gate, times=gate.times + by.get(gate.double, 0))

    def of_return(gate: Returned) -> Returned:
        return gate if gate.run in again else replace(gate, times=gate.times + by.get(gate.double, 0))

    def of_event(gate: Appeared) -> Appeared:
        run = resumed.get(gate.run, gate.run)
        if gate.tool_call_id or gate.run in again:
            return replace(gate, run=run)
        if gate.chunks:
            return replace(gate, run=run, chunks=gate.chunks + chunks)
        return replace(gate, run=run, events=gate.events + events)

    for kind, change in ((Called, of_call), (Returned, of_return), (Appeared, of_event)):
        scene = mapped(scene, kind, change)
    for kind in (Ended, Failed, CancelAsked) if resumed else ():
        scene = mapped(scene, kind, lambda gate: replace(gate, run=resumed.get(gate.run, gate.run)))
    return scene


def _later(
    scene: Scene, shift: Shift, turns: tuple[Turn, ...], resumed: Mapping[str, str], events: int = 0, chunks: int = 0
) -> Scene:
    """The scene whose agent's model first has other answers in each run."""
    if any(Facts(scene).gates):
        scene = _waiting_later(scene, shift, resumed, events, chunks)
    model = _model_of(scene)
    scene = _acting_later(scene, shift, resumed)
    agent = replace(scene.agent, model=replace(model, turns=(*turns, *model.turns)))

    def run_later(run: Run) -> Run:
        return run if run.resume or model.name not in run.turns else _with_turns(run, model, turns)

    return replace(scene, agent=agent, runs=tuple(map(run_later, scene.runs)))


def _model_of(scene: Scene) -> Model:
    """The model of the scene's agent, which has one, as the predicates say."""
    assert scene.agent.model
    return scene.agent.model


def _with_turns(run: Run, model: Model, before: tuple[Turn, ...]) -> Run:
    return replace(run, turns={**run.turns, model.name: (*before, *run.turns[model.name])})


# -- a round before ----------------------------------------------------------------------------------------------------


def _with_tools(agent: Agent, *tools: Tool) -> Agent:
    """The agent with more tools, which its hooks leave in place."""
    names = tuple([tool.name for tool in tools])

    def change(action: SetTools) -> SetTools:
        return replace(action, tools=(*action.tools, *names))

    with_hooks = {name: mapped(getattr(agent, name), SetTools, change) for name in ("handlers", "legacy")}
    return replace(agent, tools=(*agent.tools, *tools), **with_hooks)


def _rounds(scene: Scene, names: tuple[str, ...], resumed: Mapping[str, str], fails: bool = False) -> Varied:
    """The scene whose agent first makes rounds, each with a call of one of these added tools and a call of another one.

    All calls at the same place have the same id. If it `fails`, the second round begins with a failed attempt.
    """
    turns = [Turn(text=asking(_ROUND), tool_calls=(_call(1, name), _call(2))) for name in names]
    number, interrupts = len(turns), names.count(_ASKING)
    shift = {**dict.fromkeys(("model", *AROUND_MODEL), number), "around tool": 2 * number + interrupts, "back-off": int(fails)}
    turns[1:1] = [Turn(error=_FAILED)] if fails else []
    # the events of an interrupted round are those of the answer and of the call that does not interrupt
    varied = _later(scene, shift, tuple(turns), resumed, 3 * number - 2 * interrupts, number - interrupts)
    agent = _with_tools(varied.agent, *(Tool(name=name, interrupts=name == _ASKING) for name in dict.fromkeys(names)))
    if agent.max_iterations is not None and agent.max_iterations > 0:
        agent = replace(agent, max_iterations=agent.max_iterations + number)
    back = WithoutCalls(
        (_ROUND, _ASKING, _OTHER), _handlers(scene), _model_of(scene).name, ("assistant", "tool", "tool") * number
    )
    return Varied(replace(varied, agent=agent), (back,))


def _call(number: int, tool: str = _ROUND) -> ToolCall:
    return ToolCall(id=f"{_ROUND}-{number}", name=tool, args='{"request": "Go on."}' if tool == _OTHER else "{}")


def _after_rounds(scene: Scene) -> Varied:
    """The scene whose agent first makes two rounds with a tool that only returns a result."""
    return _rounds(scene, (_ROUND, _ROUND), {})


def _after_an_interrupt(scene: Scene, fails: bool = False) -> Varied:
    """The scene whose agent first makes a round with a tool that interrupts, is resumed, and makes two more rounds."""
    resumed = {run.id: f"{run.id}.2" for run in scene.runs if not run.resume}
    varied = _rounds(scene, (_ASKING, _ROUND, _ROUND), resumed, fails)

    def parts(run: Run) -> Iterator[Run]:
        if run.resume:
            yield replace(run, resume=resumed.get(run.resume, run.resume))
            return
        yield replace(run, part="interrupted", cancels=())
        yield Run(
            id=resumed[run.id],
            resume=run.id,
            part="interrupted",
            streaming=run.streaming,
            context=run.context,
            thread=run.thread,
            cancellable=run.cancellable,
            cancels=run.cancels,
            turns=run.turns,
        )

    def in_parts(script: Script) -> Script:
        return replace(script, runs=(*script.runs, *[resumed[run] for run in script.runs if run in resumed]))

    runs = tuple([part for run in varied.scene.runs for part in parts(run)])
    agent = replace(varied.scene.agent, tools=mapped(varied.scene.agent.tools, Script, in_parts))
    return Varied(
        replace(varied.scene, agent=agent, runs=runs), (WithResumedRound(resumed, _handlers(scene)), *varied.back)
    )


def _can_come_later(facts: Facts) -> bool:
    """Whether an agent runs whose conversation may be longer before the first answer of the scene."""
    scene, agent = facts.scene, facts.scene.agent
    if not facts.is_run or agent.model is None or not agent.model.takes_tools or not _may_be_longer(facts):
        return False
    has_tools = agent.exit_tool or bool(tools_of(agent)) or any(getattr(one, "tools", ()) for one in agent.handlers)
    most = agent.max_iterations if agent.max_iterations and agent.max_iterations > 0 else DEFAULT_LIMIT
    return (
        (has_tools or not any(turn.tool_calls for turn in agent.model.turns))
        and (most < DEFAULT_LIMIT or len(agent.model.turns) < most - 2)
        and _counts_alone(facts)
        and not any(run.history or any(isinstance(one.at, Began) for one in run.cancels) for run in scene.runs)
    )


def _may_be_longer(facts: Facts) -> bool:
    """Whether nothing depends on the places of messages, nor on an agent without tools."""
    before = [
        script for one in facts.doubles for script in one.scripts if script.hook in ("before agent", "before model")
    ]
    return (
        not any(isinstance(one, Summarization) for one in facts.handlers)
        and not any(tool.full_history for tool in facts.tools)
        and not any(map(depends_on_places, facts.actions))
        and not any(isinstance(one, ReplaceLast | SetCalls | Jump) for script in before for one in script.actions)
        and not any(isinstance(one, SetTools) and not one.tools for one in facts.actions)
        and not any(agent.failover and agent.failover.messages is not None for agent in facts.agents)
    )


def _counts_alone(facts: Facts) -> bool:
    """Whether no other agent has a handler of the scene's agent, and no gate counts calls of several runs."""
    of_sub_agents = {double.name for agent in facts.agents[1:] for double in doubles_of(agent)}
    if of_sub_agents & _handlers(facts.scene) or (facts.scene.workflow and len(facts.agents) > 1):
        return False
    several = sum(not run.resume for run in facts.scene.runs) > 1
    return not several or not any(isinstance(gate, Called | Returned) and gate.run is None for gate in facts.gates)


# -- a failed attempt before -------------------------------------------------------------------------------------------


def _after_an_attempt(scene: Scene) -> Varied:
    """The scene whose agent has a retry, and whose model fails once, at first."""
    return _with_retry(_later(scene, _AFTER_AN_ATTEMPT, (Turn(error=_FAILED),), {}))


def _with_retry(scene: Scene) -> Varied:
    """The scene whose agent has a retry after the failed attempt of its model, which the way back removes."""
    agent = replace(scene.agent, retry=Retry(codes=("failed before",), delays=True))
    runs = frozenset(run.id for run in scene.runs if not run.resume)
    back = WithoutFailedAttempt(_model_of(scene).name, agent.name, _handlers(scene), runs)
    return Varied(replace(scene, agent=agent), (back,))


def _can_be_retried(facts: Facts) -> bool:
    """Whether an agent runs that has a model, no retry and no failover."""
    agent = facts.scene.agent
    return facts.is_run and agent.model is not None and not (agent.retry or agent.failover) and _counts_alone(facts)


# -- an outer agent that does both -------------------------------------------------------------------------------------


def _late_inside(scene: Scene) -> Varied:
    """The scene whose agent is called by an outer agent late in a resumed run, after a failure, beside another agent.

    The outer agent has a handler.
    """
    nested = inside(scene)
    outer, model = nested.scene.agent, _model_of(nested.scene)
    first, *others = model.turns
    asks = replace(first, tool_calls=(_call(3, _OTHER), _call(4, _OTHER), *first.tool_calls))
    answer = Turn(text="done", tool_calls=(_call(1), _call(2)))  # of an agent without tools, which makes no calls
    other = Agent(name=_OTHER, description="Another agent.", model=Model(name=_OTHER, turns=(answer, answer)))
    outer = replace(
        outer,
        model=replace(model, turns=(asks, *others)),
        tools=(Tool(name=_OTHER, agent=other), *outer.tools),
        handlers=(Scripted(name=_HANDLER, scripts=(Script(hook="after model"),)),),
    )
    later = _after_an_interrupt(in_workflow(replace(nested.scene, agent=outer), _OTHER), fails=True)
    retried = _with_retry(later.scene)
    joined, without_calls = later.back
    back = (joined, *retried.back, without_calls, without_handlers((_HANDLER,)), *nested.back)
    return Varied(retried.scene, back)


# -- a call beside -----------------------------------------------------------------------------------------------------


def _beside(scene: Scene, is_last: bool) -> Varied:
    """The scene in which each answer with calls has one more call, of a tool that only returns a result."""
    numbers, facts = count(1), Facts(scene)
    called = {call.name for model in facts.models for turn in model.turns for call in turn.tool_calls}
    own = called | {tool.name for tool in facts.tools} | {"write_todos"}

    def with_call(turn: Turn) -> Turn:
        if not turn.tool_calls:
            return turn
        call = ToolCall(id=f"{_BESIDE}-{next(numbers)}", name=_BESIDE)
        return replace(turn, tool_calls=(*turn.tool_calls, call) if is_last else (call, *turn.tool_calls))

    def acting(script: Script) -> Script:
        return script if script.hook != "around tool" or script.tools else replace(script, tools=tuple(sorted(own)))

    def change(agent: Agent) -> Agent:
        return _with_tools(agent, Tool(name=_BESIDE)) if _has_tools(agent) else agent

    varied = mapped(mapped(scene, Turn, with_call), Script, acting)
    return Varied(replace(varied, agent=with_agents(varied.agent, change)), (WithoutCalls((_BESIDE,)),))


def _has_tools(agent: Agent) -> bool:
    return agent.exit_tool or bool(tools_of(agent)) or any(getattr(one, "tools", ()) for one in agent.handlers)


def _can_have_a_call_beside(facts: Facts) -> bool:
    gates = [gate for gate in facts.gates if isinstance(gate, Called | Returned)]
    around = [script for one in facts.doubles for script in one.scripts if script.hook == "around tool"]
    return (
        facts.is_run
        and _may_be_longer(facts)
        and any(
            turn.tool_calls for agent in facts.agents if _has_tools(agent) and agent.model for turn in agent.model.turns
        )
        and not any(agent.callbacks for agent in facts.agents)
        and not any(script.calls for script in around)
        and not any(gate.double.startswith("around tool") for gate in gates)
        and not any(isinstance(gate, Appeared) and not gate.tool_call_id for gate in facts.gates)
    )


_CONTEXT = {
    "AMD-BACKEND-02 :: An earlier handler adds a context value": "The files are read in the added round, in which no "
    "handler adds a value."
}
_LANGUAGE = "The languages are chosen in each process."
_LANGUAGES = {"AMD-I18N-06 :: Klingon after Chinese": _LANGUAGE}
_NOT_STOPPED = "The first run fails before the added call, so that no part of it follows."

VARIANTS = (
    Variant("after-two-rounds", _can_come_later, _after_rounds, exempt=_CONTEXT),
    Variant(
        "after-an-interrupt",
        lambda facts: _can_come_later(facts) and not any(run.together for run in facts.scene.runs),
        _after_an_interrupt,
        needs=frozenset({"interrupt"}),
        exempt={
            **_CONTEXT,
            **_LANGUAGES,
            "AMD-CACHE-08 :: A file that is unreadable in the first run only": _NOT_STOPPED,
            "AMD-ERROR-07 :: A failed run before a successful run with the same messages": _NOT_STOPPED,
        },
    ),
    Variant("after-a-failed-attempt", _can_be_retried, _after_an_attempt, needs=frozenset({"clock", "retry"})),
    Variant(
        "late-in-an-outer-agent",
        lambda facts: can_be_inner(facts) and not any(run.together for run in facts.scene.runs),
        _late_inside,
        exempt={**_LANGUAGES, **EXEMPT, "AMD-I18N-08 :: Chinese *": _LANGUAGE},
        needs=frozenset({"after-model-hooks", "agent-tool", "clock", "interrupt", "retry"}),
        postures={"tool-failure": "ends"},
    ),
    Variant("call-beside-last", _can_have_a_call_beside, lambda scene: _beside(scene, True)),
    Variant("call-beside-first", _can_have_a_call_beside, lambda scene: _beside(scene, False)),
)
