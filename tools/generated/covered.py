"""Scenes with given settings: a covering array says the settings, and everything else is drawn.

What happens during a step, at a call of a model, a tool or a hook, is a setting: a request to cancel, a second run of
the same agent, or a change of a file. No scene can say a change of the caller's own list, or a run that a tool starts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Raise
from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Scripted, Tool, Turn
from loopspec.contract.scene import Cancel, Change, File, HeldCall, Run, Scene
from loopspec.contract.values import Called, Ended, Part, ToolCall, ToolKind
from loopspec_lab.fuzzing.actions import ADDITIONAL_MODEL, ADDITIONAL_TOOL, HOOKS, TEXTS, scripts
from loopspec_lab.fuzzing.doubles import HELLO, TOOLS, failing_turn, tools, with_feature
from loopspec_lab.fuzzing.features import FEATURES, POINTS
from loopspec_lab.fuzzing.runs import Shared

Settings = Mapping[str, str]

# The settings whose values name features of `loopspec fuzz`, or nothing.
_FEATURES: Mapping[str, tuple[str, ...]] = {
    "calls": ("parallel", "sequential tools"),
    "mode": ("synchronous", "streaming"),
    "messages": ("plain", "agentic"),
    "recovery": ("none", "retry", "failover"),
    "end": ("answer", "return directly", "exit tool", "limit"),
    "nesting": ("none", "sub-agent"),
    "wrappers": ("none", "observers", "legacy", "tool middleware"),
    "input": ("plain", "session", "instruction", "conversation", "custom input", "output key"),
    "runs": ("once", "twice", "together", "resumed"),
}
_CALLS = {"one": (1,), "two together": (2,), "two in turn": (1, 1), "many": (2, 2, 1)}  # of each answer
_KINDS: Mapping[str, tuple[ToolKind, ...]] = {
    "invokable": ("invokable",),
    "streamable": ("streamable",),
    "both": ("invokable", "streamable"),
    "enhanced": ("enhanced invokable",),
    "enhanced streamable": ("enhanced streamable",),
}
_NUMBERS: Mapping[str, tuple[int, ...]] = {"each call": (), "first call": (1,), "second call": (2,)}
SETTINGS: Mapping[str, tuple[str, ...]] = {
    **_FEATURES,
    "tool calls": tuple(_CALLS),
    "kind": tuple(_KINDS),
    "tool": ("plain", "texts", "echoes", "interrupts", "actions"),
    "failure": ("none", "first answer", "later answer", "error", "crash", "nothing", "hook"),
    "hook": ("none", *HOOKS),
    "when": tuple(_NUMBERS),
    "during": ("nothing", "cancel at once", "cancel at a safe point", "a second run", "a change of a file"),
    "step": ("model", "tool", "hook"),
}
_STEPS = ("before agent", "before model", "after model", "after agent")  # a wrapper is no step of its own
_RUNS_OF: Mapping[str, tuple[str, ...]] = {  # by what happens during a step
    "cancel at once": ("resumed",),
    "cancel at a safe point": ("once", "resumed"),
    "a second run": ("together",),
    "a change of a file": ("twice",),
}
# The settings of which not all values are possible together, and those that are.
TOGETHER: tuple[tuple[tuple[str, ...], Callable[[Settings], bool]], ...] = (
    (("during", "runs"), lambda row: row["runs"] in _RUNS_OF.get(row["during"], _FEATURES["runs"])),
    (
        ("during", "step", "hook"),
        lambda row: row["during"] == "nothing" or row["step"] != "hook" or row["hook"] in _STEPS,
    ),
    (("kind", "tool"), lambda row: "enhanced" not in row["kind"] or row["tool"] not in ("texts", "echoes")),
    (("kind", "failure"), lambda row: "enhanced" not in row["kind"] or row["failure"] != "nothing"),
    (("hook", "failure"), lambda row: row["hook"] != "none" or row["failure"] != "hook"),
    (
        ("runs", "during", "tool"),
        lambda row: (row["runs"], row["during"]) != ("resumed", "nothing") or row["tool"] == "interrupts",
    ),
)


@st.composite
def covered_scenes(draw: st.DrawFn, row: Settings, shared: Shared) -> Scene:
    """A scene with these settings."""
    tool = with_feature(draw, Tool(name=TOOLS[0], kinds=_KINDS[row["kind"]]), row["tool"], shared)
    if row["failure"] in ("error", "crash", "nothing"):
        tool = with_feature(draw, tool, row["failure"], shared)
    if "enhanced" in row["kind"]:
        tool = replace(tool, parts=(Part(text="part"), Part(url="image")))
    known = (tool, *(draw(tools(name, shared)) for name in TOOLS[1 : draw(st.integers(1, 3))]))
    agent = Agent(model=Model(turns=_turns(draw, row, known, shared)), tools=known)
    runs = (Run(id="1", messages=(HELLO,)),)
    scene = Scene(act="run", instructions=Config(), messages=(HELLO,), agent=agent, runs=runs)
    if row["hook"] != "none":
        scene = replace(scene, agent=_with_handler(draw, agent, row, shared))
    during = _DURING.get(row["during"])
    chosen = {row[setting] for setting in _FEATURES if not (during and setting == "runs")}
    if row["recovery"] == "retry" and draw(st.booleans()):
        chosen.add("failover")
    for name, feature in FEATURES.items():
        if name in chosen:
            scene = feature.changes(draw, scene, shared)
    if row["nesting"] == "sub-agent":
        scene = replace(scene, agent=_with_later_call(draw, scene.agent))
    return during(draw, scene, row) if during else scene


def _with_later_call(draw: st.DrawFn, agent: Agent) -> Agent:
    """The agent with a later call of the sub-agent, next to the first one or in its place."""
    assert agent.model is not None, "a generated agent has a model"
    first, *others = agent.model.turns
    at = draw(st.integers(0, len(others) - 1))
    later = replace(first, tool_calls=tuple(replace(call, id="s2") for call in first.tool_calls))
    turns = (first,) * draw(st.integers(0, 1)) + (*others[:at], later, *others[at:])
    return replace(agent, model=replace(agent.model, turns=turns))


def _turns(draw: st.DrawFn, row: Settings, known: tuple[Tool, ...], shared: Shared) -> tuple[Turn, ...]:
    """Answers with tool calls, of which the first calls the first tool, then a text; one or two answers may fail."""
    answers: list[Turn] = []
    number = 1
    for size in _CALLS[row["tool calls"]]:
        names = [known[0].name, *(draw(st.sampled_from(known)).name for _ in range(size - 1))]
        calls = tuple(ToolCall(id=f"call {number + at}", name=name) for at, name in enumerate(names))
        answers.append(Turn(text=draw(TEXTS | st.just("")), tool_calls=calls))
        number += size
    answers.append(Turn(text=draw(TEXTS)))
    if "answer" in row["failure"]:
        at = 0 if row["failure"] == "first answer" else draw(st.integers(1, len(answers) - 1))
        answers[at:at] = [draw(failing_turn(shared)) for _ in range(draw(st.integers(1, 2)))]
    return tuple(answers)


def _with_handler(draw: st.DrawFn, agent: Agent, row: Settings, shared: Shared) -> Agent:
    """The agent with a handler that acts in one hook, and maybe in another one."""
    hook = cast("Hook", row["hook"])
    script = replace(draw(scripts(shared, (hook,))), calls=() if "agent" in hook else _NUMBERS[row["when"]])
    if row["failure"] == "hook":
        script = replace(script, actions=(*script.actions[:1], Raise(code="h1", crash=draw(st.booleans()))))
    others = draw(st.lists(scripts(shared, tuple(other for other in HOOKS if other != hook)), max_size=1))
    return replace(
        agent,
        handlers=(Scripted(name="H1", scripts=(script, *others)),),
        additional_tools=(Tool(name=ADDITIONAL_TOOL),),
        additional_models=(Model(name=ADDITIONAL_MODEL, turns=(Turn(text="other"),)),),
    )


# -- during a step -----------------------------------------------------------------------------------------------------


def _step(row: Settings) -> tuple[str, int]:
    """The double whose call is the step, and the number of the call."""
    double = {"model": "model model", "tool": f"tool {TOOLS[0]}"}.get(row["step"], f"{row['hook']} H1")
    return double, 2 if row["when"] == "second call" and " agent " not in double else 1


def _cancelled(draw: st.DrawFn, scene: Scene, row: Settings) -> Scene:
    """A request is made during a call of the first run. The run may then be resumed."""
    double, number = _step(row)
    modes = POINTS if row["during"] == "cancel at a safe point" else st.just(())
    at = Called(double=double, times=number, run="1")
    cancel = draw(st.builds(Cancel, at=st.just(at), modes=modes, recursive=st.booleans()))
    held = () if cancel.modes else (HeldCall(double=double, run="1", number=number, until=Ended(run="1")),)
    first = replace(scene.runs[0], cancellable=True, cancels=(cancel,))
    later = (replace(first, id="2", messages=(), resume="1", cancels=()),) if row["runs"] == "resumed" else ()
    return replace(scene, runs=(first, *later), held=held)


def _second_run(draw: st.DrawFn, scene: Scene, row: Settings) -> Scene:
    """A call of the first run waits until a call of the second run's model is made."""
    double, number = _step(row)
    until = Called(double="model model", times=draw(st.sampled_from([1, 1, 2])), run="2")
    second = replace(scene.runs[0], id="2", together=True)
    held = HeldCall(double=double, run="1", number=number, until=until)
    return replace(scene, runs=(*scene.runs, second), held=(held,))


def _changed_file(draw: st.DrawFn, scene: Scene, row: Settings) -> Scene:
    """A file of the instructions is changed during a call of the first run, before the second run."""
    double, number = _step(row)
    instructions = AgentsMD(config=Config(files=("/p/a.md",)))
    handlers = [instructions, *scene.agent.handlers]
    new = draw(st.sampled_from([File(text="Two."), File(text="See @b.md"), File(text="")]))
    return replace(
        scene,
        files={"/p/a.md": File(text="One."), "/p/b.md": File(text="B.")},
        changes=(Change(at=Called(double=double, times=number, run="1"), path="/p/a.md", file=new),),
        instructions=instructions.config,
        agent=replace(scene.agent, handlers=tuple(handlers if draw(st.booleans()) else reversed(handlers))),
        runs=(*scene.runs, replace(scene.runs[0], id="2")),
    )


_DURING: Mapping[str, Callable[[st.DrawFn, Scene, Settings], Scene]] = {
    "cancel at once": _cancelled,
    "cancel at a safe point": _cancelled,
    "a second run": _second_run,
    "a change of a file": _changed_file,
}
