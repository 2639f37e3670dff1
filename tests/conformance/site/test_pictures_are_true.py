"""What the pictures show is what a run of the reference does."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from contextlib import closing
from typing import Any, get_args

import pytest

from loopspec import Message, Observation
from loopspec.contract.acting import Hook
from loopspec.contract.actions import AddContext, Script, SendEvent
from loopspec.contract.agents import Agent, AgentsMD, Config, Failover, Legacy, Model, Retry, Scripted, Tool, Turn
from loopspec.contract.around import AppendAnswer
from loopspec.contract.roles import Role
from loopspec.contract.scene import Fault, File, Run, Scene
from loopspec.contract.values import MARKER, Error, MessageRole, ToolCall
from loopspec.engine.perform import perform
from loopspec.pages.rules import rules
from loopspec.specification.features import cases_of_rule
from loopspec.specification.order import order
from loopspec.targets.resolve import resolve
from loopspec_docs.site.pictures import FOLDER, NAMES, drawing, figures

HELLO = Message(role="user", content="Hello.")
HOOKS: tuple[Hook, ...] = get_args(Hook)
TOOL = Tool(name="t1", text="ok")
TWO_CALLS = Model(turns=(Turn(tool_calls=(ToolCall(id="c1", name="t1"),)), Turn(text="done")))
BUSY = Turn(error=Error(kind="scripted", code="busy"))
# What the files of the pictures say, with what a run does at each claim.
DATA: dict[str, Any] = {name: tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8")) for name in NAMES}
Claim = dict[str, Any]  # of a file
PLACES: list[Claim] = DATA["loop"]["claims"]
MODEL_CALL: list[Claim] = DATA["model-call"]["claims"]
TOOL_CALL: list[Claim] = DATA["tool-call"]["claims"]
LANES: list[Claim] = [claim for claim in DATA["context"]["claims"] if "source" in claim]


def performed(scene: Scene, role: Role = "agent") -> Observation:
    """What is seen of a scene on the reference."""
    with closing(resolve("reference")) as reference:
        return perform(reference, scene, role)


def run_of(agent: Agent, *, streaming: bool = False) -> Observation:
    """What is seen of one run of an agent."""
    run = Run(id="1", messages=(HELLO,), streaming=streaming)
    return performed(Scene(act="run", agent=agent, runs=(run,), listens=True))


def observer(name: str, *hooks: Hook) -> Scripted:
    """A handler that only observes."""
    return Scripted(name=name, scripts=tuple(Script(hook=hook) for hook in hooks))


def test_the_loop_emits_its_events_where_the_picture_says() -> None:
    """Each hook sends an event of its own: the places of the picture, in order, with their hooks and their events."""
    sending = tuple(Script(hook=hook, actions=(SendEvent(payload=hook),)) for hook in HOOKS if "around" not in hook)
    seen = run_of(Agent(model=TWO_CALLS, tools=(TOOL,), handlers=(Scripted(name="H", scripts=sending),)))
    found = [
        ("answer" if event.message.role == "assistant" else "result") if event.message else event.custom
        for event in seen.events
    ]
    hooks = [place.get("hook", "") for place in PLACES]
    first, asks = hooks.index("before model"), next(n for n, place in enumerate(PLACES) if place["label"].endswith("?"))
    last = hooks.index("after agent")
    passed = [*PLACES[:last], *PLACES[first : asks + 1], *PLACES[last:]]

    assert found == [place[what] for place in passed for what in ("hook", "event") if what in place]
    assert {*hooks} == {"", *(hook for hook in HOOKS if "around" not in hook)}
    assert [message.role for message in seen.model_calls[1].messages] == ["user", "assistant", "tool"]


def layers_passed(layers: Iterable[Claim], names: Iterable[str]) -> list[str]:
    """The layers that leave these lines in a trace, each once, in the order in which they are entered."""
    known = [layer for layer in layers if "trace" in layer]
    found = [layer["label"] for name in names for layer in known if name.startswith(layer["trace"])]
    return list(dict.fromkeys(found))


MODEL_LAYERS = [layer["label"] for layer in MODEL_CALL if "trace" in layer]


def everything_around_the_model(model: Model, backup: Model) -> Agent:
    """An agent with something in each layer of a model call; the wrapper adds to the answer."""
    around = Script(hook="around model", actions=(AppendAnswer(text=" and checked"),))
    after = Script(hook="after model", actions=(SendEvent(payload="after"),))
    return Agent(
        model=model,
        handlers=(Scripted(name="H", scripts=(Script(hook="before model"), around, after)),),
        legacy=(Legacy(name="L", scripts=(Script(hook="before model"), Script(hook="after model"))),),
        retry=Retry(max_retries=1),
        failover=Failover(models=(backup,), limit=1),
        callbacks=True,
    )


def names_of(seen: Observation) -> list[str]:
    """The lines of the trace, without those that end something."""
    return [span.name for span in seen.spans if not span.name.endswith(" end")]


@pytest.mark.parametrize("streaming", [False, True])
def test_a_model_call_passes_the_layers_of_the_picture(streaming: bool) -> None:
    """In their order; what is inside of failover and retry is passed again for each attempt, and nothing else."""
    model, backup = Model(turns=(BUSY, BUSY)), Model(name="backup", turns=(BUSY, Turn(text="done")))
    seen = run_of(everything_around_the_model(model, backup), streaming=streaming)
    names = names_of(seen)
    retry = next(number for number, layer in enumerate(MODEL_CALL) if layer["label"] == "Retry")
    inside = [layer for layer in MODEL_CALL[retry:] if layer["where"] == "around" and "trace" in layer]
    outside = [layer for layer in MODEL_CALL if layer not in inside and "trace" in layer]

    assert layers_passed(MODEL_CALL, names) == MODEL_LAYERS
    assert {layer["label"]: sum(name.startswith(layer["trace"]) for name in names) for layer in inside} == {
        layer["label"]: 4 for layer in inside
    }
    assert {sum(name.startswith(layer["trace"]) for name in names) for layer in outside} == {1}
    # Each model has all of its attempts before the next model is called: retry is inside failover.
    assert [name for name in names if name.startswith("model ")] == ["model model"] * 2 + ["model backup"] * 2
    labels = [layer["label"] for layer in MODEL_CALL]
    assert labels.index("Failover") < labels.index("Retry")


def shown_by(seen: Observation) -> list[object]:
    """The texts of the events, streams included."""
    return ["".join(chunk.content for chunk in event.chunks or ()) or event.custom for event in seen.events]


def test_the_event_of_an_answer_is_between_retry_and_the_wrappers() -> None:
    """Each attempt has an event; the event has what the wrapper adds; the event of a later hook follows."""
    breaks = Turn(text="done", chunks=("do", "ne"), error=Error(kind="scripted", code="busy"), breaks=1)
    observed = Agent(model=Model(turns=(breaks, Turn(text="done"))), retry=Retry(max_retries=1))
    everything = everything_around_the_model(Model(turns=(Turn(text="done"),)), Model(name="backup"))
    order = ["Retry", "Event of the answer", "Model wrappers", "After-model hooks"]

    assert shown_by(run_of(observed, streaming=True)) == ["do", "done"]
    assert shown_by(run_of(everything, streaming=True)) == ["done and checked", "after"]
    assert [layer["label"] for layer in MODEL_CALL if layer["label"] in order] == order


def test_a_tool_call_passes_the_layers_of_the_picture() -> None:
    """In their order; the event shows what the outermost wrapper has left."""
    added = tuple(
        Scripted(name=name, scripts=(Script(hook="around tool", actions=(AppendAnswer(text=f", {name}"),)),))
        for name in ("H", "M")
    )
    legacy = Legacy(name="L", scripts=(Script(hook="around tool"),))
    seen = run_of(
        Agent(
            model=TWO_CALLS,
            tools=(TOOL,),
            handlers=added[:1],
            tool_middlewares=added[1:],
            legacy=(legacy,),
            callbacks=True,
        )
    )
    labels = [layer["label"] for layer in TOOL_CALL]

    assert labels == ["Event of the result", *layers_passed(TOOL_CALL, names_of(seen))]
    assert [e.message.content for e in seen.events if e.message and e.message.role == "tool"] == ["ok, H, M"]
    assert all(layer["where"] == "around" for layer in TOOL_CALL)


SOURCES: dict[str, Script] = {
    "a before-agent hook": Script(hook="before agent"),
    "a before-model hook": Script(hook="before model", calls=(1,)),
    "a model wrapper": Script(hook="around model", calls=(1,)),
    "an after-model hook": Script(hook="after model", calls=(1,)),
    "a tool wrapper": Script(hook="around tool", calls=(1,)),
    "an after-agent hook": Script(hook="after agent"),
}


def contexts(seen: Observation, watcher: str) -> list[dict[str, object]]:
    """The context at each place of the picture: that of the watcher's hooks, of the model and of the tool."""

    def of_hook(hook: Hook) -> list[dict[str, object]]:
        return [call.context for call in seen.hooks if (call.handler, call.hook) == (watcher, hook)]

    calls = [
        (*of_hook("before model")[n : n + 1], of_hook("around model")[n], one.context, of_hook("after model")[n])
        for n, one in enumerate(seen.model_calls)
    ]
    tool = (*of_hook("around tool"), *(run.context for run in seen.tool_runs))
    return [*of_hook("before agent"), *calls[0], *tool, *calls[1], *of_hook("after agent")]


@pytest.mark.parametrize("lane", LANES, ids=lambda lane: lane["source"])
def test_a_context_value_reaches_what_the_picture_says(lane: Claim) -> None:
    """A later handler watches every place."""
    script = SOURCES[lane["source"]]
    setting = Script(hook=script.hook, calls=script.calls, actions=(AddContext(key="user", value="Ann"),))
    handlers = (Scripted(name="first", scripts=(setting,)), observer("second", *HOOKS))
    seen = run_of(Agent(model=TWO_CALLS, tools=(TOOL,), handlers=handlers))
    found = [place.get("user") == "Ann" for place in contexts(seen, "second")]

    assert len(found) == len(DATA["context"]["places"])
    assert found == [lane["from"] <= at <= lane["to"] for at in range(len(found))]
    column = [row[LANES.index(lane) + 1] for row in DATA["context"]["rows"]]
    says = [
        "set" if at == lane["from"] else "seen" if lane["from"] < at <= lane["to"] else "–" for at in range(len(found))
    ]
    assert column == says


def test_every_hook_is_in_the_pictures() -> None:
    """Each is a source of a context value, and a row of the table of hooks: `around model` is the model wrapper."""
    names = {"around model": "model wrapper", "around tool": "tool wrapper"}
    rows = [row[0] for row in DATA["hooks"]["rows"]]

    assert [lane["source"] for lane in LANES] == list(SOURCES)
    assert {script.hook for script in SOURCES.values()} == set(HOOKS)
    assert {names.get(hook, f"{hook.replace(' ', '-')} hook") for hook in HOOKS} <= set(rows)
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("load", DATA["loads"]["loads"], ids=lambda load: load["fault"])
def test_a_load_comes_to_what_its_row_says(load: Claim) -> None:
    """What is read, what the model receives, the warnings, and the error."""
    files = {path: File(text=text) for path, text in load["files"].items()}
    files |= {path: File(fault=Fault(kind=kind)) for path, kind in load.get("broken", {}).items()}
    config = Config(files=tuple(load["configured"]), max_bytes=load.get("limit", 0))
    seen = performed(Scene(act="load", files=files, instructions=config), "middleware")
    (done,) = seen.loads
    (row,) = (row for row in DATA["loads"]["rows"] if row[0].startswith(load["fault"]))
    warned, error = load.get("warned", []), load.get("error")

    assert [read.path for read in seen.reads] == load["read"]
    assert [section.path for section in done.sections] == load["shown"]
    assert [warning.path for warning in seen.warnings] == warned
    assert (done.error.kind if done.error else None) == error
    assert row[2:4] == [", ".join(load["read"]), ", ".join(load["shown"]) or "nothing"]
    assert re.findall(r"about (\S+?)(?=;| |$)", row[4]) == warned
    assert ("ends the load" in row[4]) == bool(error)


CONVERSATIONS = {
    "With user messages": ["You help Ada.", "How can I help?", "What is 2 + 2?", "4", "And times 3?"],
    "Without a user message": ["You help Ada.", "How can I help?"],
}
ROLES: tuple[MessageRole, ...] = ("system", "assistant", "user", "assistant", "user")


@pytest.mark.parametrize("title", CONVERSATIONS)
def test_the_picture_of_the_insertion_has_what_the_model_receives(title: str) -> None:
    """The caller's messages unchanged, and the instructions before the first user message, or last."""
    texts = CONVERSATIONS[title]
    given = tuple(Message(role=role, content=text) for role, text in zip(ROLES, texts, strict=False))
    scene = Scene(
        act="run",
        files={"agents.md": File(text="Answer in French.")},
        agent=Agent(handlers=(AgentsMD(config=Config(files=("agents.md",))),)),
        runs=(Run(id="run 1", messages=given),),
    )
    (call,) = performed(scene).model_calls
    said = ["the instructions" if MARKER in one.extra else one.content for one in call.messages]
    rows = [row for row in DATA["insertion"]["rows"] if row[0].startswith(title)]

    assert [row[2] for row in rows] == [f"{one.role}: {text}" for one, text in zip(call.messages, said, strict=True)]
    assert [row[1] for row in rows if row[1] != "–"] == [f"{one.role}: {one.content}" for one in given]
    shown = re.findall(
        r">([^<>]+)</text>", drawing("insertion").partition(f">{title}<")[2].partition('<text class="strong" x="0"')[0]
    )
    assert sorted(text for text in shown if text in said) == sorted([*said, *texts])
    users = [at for at, one in enumerate(call.messages) if one.role == "user"]
    assert said.index("the instructions") == users[0]


def end_of(seen: Observation) -> str:
    """How the first run ended, or what continues it after an interrupt."""
    end = next(end for end in seen.runs if not end.interrupted)
    return "cancelled" if end.cancelled else "error" if end.error else "answer"


STATES: dict[str, Claim] = {state["label"]: state for state in DATA["cancel"]["claims"]}
STOPPED = [rule for label in ("Waits for a safe point", "Immediate stop") for rule in STATES[label]["rules"]]
ENDED = [(rule, state["end"]) for state in STATES.values() if "end" in state for rule in state["rules"]]


@pytest.mark.parametrize(("rule", "expected"), [*((rule, "cancelled") for rule in STOPPED), *ENDED])
def test_a_cancelled_run_ends_as_the_picture_says(rule: str, expected: str) -> None:
    """The examples of the rules of a state end in the state that the arrows lead to."""
    cases = cases_of_rule(rule)

    assert cases
    assert {end_of(performed(case.scene)) for case in cases} == {expected}


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_and_every_row_names_rules_with_examples(name: str) -> None:
    """None is merged into another rule, withdrawn, or without a scenario. A mark of a drawing is that of a claim."""
    figure, text = figures()[name], drawing(name)
    ids = set(re.findall(r"[A-Z-]+-\d\d", str(figure)))
    marks = re.findall(r'class="in-disk[^>]*>([^<]+)<', text)
    known = [chr(65 + n) if figure.lettered else str(n + 1) for n in range(len(figure.claims))]

    assert ids
    assert {rule: rules()[rule].status for rule in ids} == dict.fromkeys(ids, "scenario")
    assert [claim.label for claim in figure.claims if not claim.rules] == []
    assert text or figure.rows
    assert {len(row) for row in figure.rows} <= {len(figure.columns)}
    assert sorted(marks, key=lambda mark: (len(mark), mark)) == known[: len(marks)]
    assert set(figure.areas) <= order().areas.keys()


@pytest.mark.parametrize("name", [name for name in NAMES if drawing(name)])
def test_a_drawing_leaves_its_colors_to_the_style_sheet(name: str) -> None:
    """Light and dark need nothing else; each class is styled, and a label of the drawing is that of its claim."""
    text = drawing(name)
    classes = {each for names in re.findall(r'class="([^"]*)"', text) for each in names.split()}
    styled = set(re.findall(r"\.([a-z][\w-]*)", (FOLDER.parent / "site.css").read_text(encoding="utf-8")))
    words = " ".join(re.findall(r">([^<>]+)</text>", text))

    assert re.findall(r'\b(?:fill|stroke|style|color)="', text) == []
    assert classes - {"picture", "ring", "ring-1", "lane-0", "step"} <= styled
    if not figures()[name].lettered and name != "insertion":
        marked = re.findall(r'class="in-disk', text)
        assert [one.label for one in figures()[name].claims[: len(marked)] if one.label not in words] == []
