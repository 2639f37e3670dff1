"""The features of a generated agent: each changes a scene in one respect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.actions import Script
from loopspec.contract.agents import Agent, Failover, Legacy, MakeInput, Model, Retry, Scripted, Tool, Turn
from loopspec.contract.capabilities import Capability
from loopspec.contract.scene import Cancel, HeldCall, Scene
from loopspec.contract.values import Called, Ended, Gate, Json, Message, Returned, ToolCall

from .actions import ADDITIONAL_MODEL, ADDITIONAL_TOOL, HOOKS, TEXTS, hooks, scripts
from .doubles import model_turns
from .runs import Shared, resumed, together, twice

POINTS = st.sampled_from([("after model",), ("after tools",), ("after model", "after tools")])  # where a run can stop

Changes: TypeAlias = Callable[[st.DrawFn, Scene, Shared], Scene]


class Feature(NamedTuple):
    """A feature, and the capability that it needs, if it needs one."""

    changes: Changes
    needs: Capability | None = None


def _with_agent(scene: Scene, **details: object) -> Scene:
    return replace(scene, agent=replace(scene.agent, **details))


def _each_run(scene: Scene, **details: object) -> Scene:
    return replace(scene, runs=tuple(replace(run, **details) for run in scene.runs))


def _agent_with(**fields: object) -> Changes:
    """Gives these fields of the agent the values, or draws their values."""
    return lambda draw, scene, shared: _with_agent(scene, **_drawn(draw, fields))


def _runs_with(**fields: object) -> Changes:
    """Gives these fields of all runs the values, or draws one value for all runs."""
    return lambda draw, scene, shared: _each_run(scene, **_drawn(draw, fields))


def _drawn(draw: st.DrawFn, fields: Mapping[str, object]) -> dict[str, object]:
    return {name: draw(one) if isinstance(one, st.SearchStrategy) else one for name, one in fields.items()}


def _handlers(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    if not (places := hooks(shared)):
        return scene
    script = scripts(shared, places)
    handlers = [Scripted(name="H1", scripts=tuple(draw(st.lists(script, min_size=1, max_size=2))))]
    if "several-handlers" in shared and draw(st.booleans()):
        handlers.append(Scripted(name="H2", scripts=tuple(draw(st.lists(script, max_size=2)))))
    models = () if scene.agent.failover else (Model(name=ADDITIONAL_MODEL, turns=(Turn(text="other"),)),)
    return _with_agent(
        scene, handlers=tuple(handlers), additional_tools=(Tool(name=ADDITIONAL_TOOL),), additional_models=models
    )


def _observers(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    places = hooks(shared)
    if not places or ("several-handlers" not in shared and scene.agent.handlers):
        return scene
    names = ("first", "second") if "several-handlers" in shared else ("first",)
    watching = tuple(Scripted(name=name, scripts=tuple(Script(hook=hook) for hook in places)) for name in names)
    return _with_agent(scene, handlers=(*watching, *scene.agent.handlers))


def _failover(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    backups = tuple(Model(name=name, turns=draw(model_turns((), shared, failing=True))) for name in ("b1", "b2"))
    failover = st.builds(
        Failover,
        models=st.sampled_from([backups[:1], backups]),
        codes=st.sampled_from([None, None, ("a",)]),
        limit=st.sampled_from([None, 1, 2]),
        messages=st.sampled_from([None, None, (Message(role="user", content="other"),)]),
    )
    return _with_agent(scene, failover=draw(failover), additional_models=())


def _exit_tool(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    model = scene.agent.model
    assert model is not None, "a generated agent has a model"
    call = ToolCall(id="e1", name="exit", args='{"final_result": "bye"}')
    turns = (Turn(tool_calls=(call,)), *model.turns)
    return _with_agent(scene, exit_tool=True, model=replace(model, turns=turns))


def _legacy(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    script = scripts(shared, HOOKS).filter(
        lambda script: script.hook in ("before model", "after model", "around tool") and bool(script.actions)
    )
    legacy = Legacy(
        name="L",
        instruction=draw(st.sampled_from(["", "Be kind."])),
        tools=draw(st.sampled_from([(), (Tool(name="legacy tool"),)])),
        scripts=tuple(draw(st.lists(script, max_size=1))),
    )
    return _with_agent(scene, legacy=(legacy,))


def _tool_middleware(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    script = scripts(shared, HOOKS).filter(lambda script: script.hook == "around tool" and bool(script.actions))
    made = Scripted(name="M", scripts=(replace(draw(script), calls=()),))
    return _with_agent(scene, tool_middlewares=(made,))


def _sub_agent(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    failing = draw(st.booleans())
    inner = Agent(
        name="helper",
        description="what helper does",
        model=Model(name="helper's", turns=draw(model_turns(("i1",), shared, failing=failing))),
        tools=(Tool(name="i1", interrupts="interrupt" in shared and draw(st.booleans())),),
    )
    model = scene.agent.model
    assert model is not None, "a generated agent has a model"
    call = ToolCall(id="s1", name="helper", args='{"request": "Help."}')
    return _with_agent(
        scene,
        tools=(*scene.agent.tools, Tool(name="helper", agent=inner, full_history=draw(st.booleans()))),
        model=replace(model, turns=(Turn(tool_calls=(call,)), *model.turns)),
        internal_events=draw(st.booleans()),
    )


def _conversation(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    texts = TEXTS | st.just("")
    message = st.builds(Message, role=st.sampled_from(["user", "assistant", "system"]), content=texts)
    messages = tuple(draw(st.lists(message, max_size=3)))
    if draw(st.booleans()):
        messages = (*messages, *messages[-1:])  # equal messages
    return _each_run(replace(scene, messages=messages), messages=messages)


def _cancel(draw: st.DrawFn, scene: Scene, shared: Shared) -> Scene:
    """A cancel request that is made while a call waits for its answer: what the run has reached is the same everywhere.

    The call that an immediate request cuts off does not return by itself: its answer could arrive before the request.
    For the same reason, no request is made when an event is emitted, since the run continues meanwhile.
    """
    model = scene.agent.model
    assert model is not None, "a generated agent has a model"
    called = {call.name for turn in model.turns for call in turn.tool_calls}
    tools = [f"tool {tool.name}" for tool in scene.agent.tools if tool.name in called and not tool.agent]
    double, times = draw(st.sampled_from(["model model", *tools])), draw(st.sampled_from([1, 1, 2]))
    when_called, when_returned = (gate(double=double, times=times, run="1") for gate in (Called, Returned))
    gates: st.SearchStrategy[Gate] = st.sampled_from([when_called, when_returned])
    immediate = st.builds(Cancel, at=st.just(when_called), recursive=st.booleans())
    cancel = draw(immediate | st.builds(Cancel, at=gates, modes=POINTS, recursive=st.booleans()))
    scene = replace(scene, runs=(replace(scene.runs[0], cancellable=True, cancels=(cancel,)),))
    if cancel.modes:
        return scene
    if "sequential-tools" in shared and draw(st.booleans()):
        scene = _with_agent(scene, sequential=True)
    return replace(scene, held=(HeldCall(double=double, run="1", number=times, until=Ended(run="1")),))


_RETRIES = st.builds(
    Retry,
    max_retries=st.sampled_from([1, 2, 0]),
    codes=st.sampled_from([None, None, ("a",)]),
    rejects=st.sampled_from([(), (), ("one",)]),
)
_INPUTS = st.builds(MakeInput, messages=st.tuples(st.builds(Message, role=st.just("user"), content=TEXTS)))
_SESSIONS: st.SearchStrategy[dict[str, Json]] = st.sampled_from([{"name": "Ada"}, {"name": 3}, {"name": "", "k": "x"}])

# In the order in which they are applied: a run that is repeated has what the first run has.
FEATURES: Mapping[str, Feature] = {
    "errors": Feature(_agent_with()),  # the turns are drawn with errors
    "failover": Feature(_failover, "failover"),
    "handlers": Feature(_handlers),
    "observers": Feature(_observers),
    "instruction": Feature(
        _agent_with(instruction=st.sampled_from(["Be brief.", "Hello {name}.", "{name} {{x}} {", "{"]))
    ),
    "limit": Feature(_agent_with(max_iterations=st.sampled_from([1, 2, 3, 0]))),
    "sequential tools": Feature(_agent_with(sequential=True), "sequential-tools"),
    "return directly": Feature(
        _agent_with(return_directly=st.sampled_from([{"t1": True}, {"t1": True, "t2": True}])), "return-directly"
    ),
    "retry": Feature(_agent_with(retry=_RETRIES), "retry"),
    "custom input": Feature(_agent_with(make_input=_INPUTS), "custom-input"),
    "exit tool": Feature(_exit_tool, "exit-tool"),
    "output key": Feature(_agent_with(output_key="result"), "output-key"),
    "legacy": Feature(_legacy, "legacy"),
    "tool middleware": Feature(_tool_middleware, "tool-middlewares"),
    "sub-agent": Feature(_sub_agent, "agent-tool"),
    "session": Feature(_runs_with(session=_SESSIONS), "session-values"),
    "conversation": Feature(_conversation),
    "streaming": Feature(_runs_with(streaming=True), "streaming"),
    "agentic": Feature(lambda draw, scene, shared: replace(scene, message_type="agentic"), "agentic-messages"),
    "cancel": Feature(_cancel, "cancel"),
    "resumed": Feature(resumed, "interrupt"),
    "twice": Feature(twice),
    "together": Feature(together, "concurrent-runs"),
}
