"""What the pictures show is what a run of the reference does."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from typing import get_args

import pytest

from loopspec import Message, Observation
from loopspec.contract.acting import Hook
from loopspec.contract.actions import AddContext, Script, SendEvent
from loopspec.contract.agents import Agent, Config, Failover, Legacy, Model, Retry, Scripted, Tool, Turn
from loopspec.contract.around import AppendAnswer
from loopspec.contract.roles import Role
from loopspec.contract.scene import Fault, File, Run, Scene
from loopspec.contract.values import MARKER, Error, ToolCall
from loopspec.engine.perform import perform
from loopspec.specification.features import cases_of_rule
from loopspec.targets.resolve import resolve
from loopspec_docs.pictures import cancels, context, hooks, insertion, loads, loop, onions

HELLO = Message(role="user", content="Hello.")
HOOKS: tuple[Hook, ...] = get_args(Hook)
TOOL = Tool(name="t1", text="ok")
TWO_CALLS = Model(turns=(Turn(tool_calls=(ToolCall(id="c1", name="t1"),)), Turn(text="done")))
BUSY = Turn(error=Error(kind="scripted", code="busy"))


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
    asks = next(number for number, place in enumerate(loop.TURN) if place.label.endswith("?"))
    passed = (*loop.BEFORE, *loop.TURN, *loop.TURN[:asks], *loop.AFTER)

    assert found == [what for place in passed for what in (place.hook, place.event) if what]
    assert {place.hook for place in loop.PLACES} == {"", *(hook for hook in HOOKS if "around" not in hook)}
    assert [message.role for message in seen.model_calls[1].messages] == ["user", "assistant", "tool"]


def layers_passed(layers: Iterable[onions.Layer], names: Iterable[str]) -> list[str]:
    """The layers that leave these lines in a trace, each once, in the order in which they are entered."""
    known = [layer for layer in layers if layer.trace]
    found = [layer.label for name in names for layer in known if name.startswith(layer.trace)]
    return list(dict.fromkeys(found))


MODEL_LAYERS = [layer.label for layer in onions.MODEL_CALL if layer.trace]


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
    retry = next(number for number, layer in enumerate(onions.MODEL_CALL) if layer.label == "Retry")
    inside = [layer for layer in onions.MODEL_CALL[retry:] if layer.where == "around" and layer.trace]
    outside = [layer for layer in onions.MODEL_CALL if layer not in inside and layer.trace]

    assert layers_passed(onions.MODEL_CALL, names) == MODEL_LAYERS
    assert {layer.label: sum(name.startswith(layer.trace) for name in names) for layer in inside} == {
        layer.label: 4 for layer in inside
    }
    assert {sum(name.startswith(layer.trace) for name in names) for layer in outside} == {1}
    # Each model has all of its attempts before the next model is called: retry is inside failover.
    assert [name for name in names if name.startswith("model ")] == ["model model"] * 2 + ["model backup"] * 2
    labels = [layer.label for layer in onions.MODEL_CALL]
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
    assert [layer.label for layer in onions.MODEL_CALL if layer.label in order] == order


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
    labels = [layer.label for layer in onions.TOOL_CALL]

    assert labels == ["Event of the result", *layers_passed(onions.TOOL_CALL, names_of(seen))]
    assert [e.message.content for e in seen.events if e.message and e.message.role == "tool"] == ["ok, H, M"]
    assert all(layer.where == "around" for layer in onions.TOOL_CALL)


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


@pytest.mark.parametrize("lane", context.LANES, ids=lambda lane: lane.source)
def test_a_context_value_reaches_what_the_picture_says(lane: context.Lane) -> None:
    """A later handler watches every place."""
    script = SOURCES[lane.source]
    setting = Script(hook=script.hook, calls=script.calls, actions=(AddContext(key="user", value="Ann"),))
    handlers = (Scripted(name="first", scripts=(setting,)), observer("second", *HOOKS))
    seen = run_of(Agent(model=TWO_CALLS, tools=(TOOL,), handlers=handlers))
    found = [place.get("user") == "Ann" for place in contexts(seen, "second")]

    assert len(found) == len(context.PLACES)
    assert found == [lane.start <= at <= lane.end for at in range(len(context.PLACES))]


def test_every_source_of_a_context_value_is_in_the_picture() -> None:
    """Each hook and each wrapper of a handler."""
    assert [lane.source for lane in context.LANES] == list(SOURCES)
    assert {script.hook for script in SOURCES.values()} == set(HOOKS)


def test_every_hook_is_in_the_table_of_hooks() -> None:
    """By the names of the contract: `around model` is the model wrapper."""
    names = {"around model": "model wrapper", "around tool": "tool wrapper"}
    rows = [row[0].text for row in hooks.TABLE.rows]

    assert {names.get(hook, f"{hook.replace(' ', '-')} hook") for hook in HOOKS} <= set(rows)
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("row", loads.LOADS, ids=lambda row: row.fault)
def test_a_load_comes_to_what_its_row_says(row: loads.FaultyLoad) -> None:
    """What is read, what the model receives, the warnings, and the error."""
    files = {path: File(text=text) for path, text in row.files.items()}
    files |= {path: File(fault=Fault(kind=kind)) for path, kind in row.broken.items()}
    config = Config(files=row.configured, max_bytes=row.limit)
    seen = performed(Scene(act="load", files=files, instructions=config), "middleware")
    (load,) = seen.loads

    assert tuple(read.path for read in seen.reads) == row.read
    assert tuple(section.path for section in load.sections) == row.shown
    assert tuple(warning.path for warning in seen.warnings) == row.warned
    assert (load.error.kind if load.error else None) == row.error


def test_the_picture_of_the_insertion_has_what_the_model_receives() -> None:
    """The caller's messages unchanged, and the instructions before the first user message, or last."""
    first, second = (insertion.received(conversation) for conversation in insertion.CONVERSATIONS)
    for conversation, messages in zip(insertion.CONVERSATIONS, (first, second), strict=True):
        assert tuple(message for message in messages if MARKER not in message.extra) == conversation.messages
    users = [number for number, message in enumerate(first) if message.role == "user"]

    assert MARKER in first[users[0]].extra
    assert MARKER in second[-1].extra
    assert [message.role for message in second] == ["system", "assistant", "user"]
    assert "Answer in French." in first[users[0]].content
    drawing = str(insertion.figure().drawing)
    assert drawing.count(">the instructions<") == 2
    assert drawing.index(">the instructions<") < drawing.rindex(">What is 2 + 2?<")


def end_of(seen: Observation) -> cancels.End:
    """How the first run ended, or what continues it after an interrupt."""
    end = next(end for end in seen.runs if not end.interrupted)
    return "cancelled" if end.cancelled else "error" if end.error else "answer"


STOPPED = [rule for state in (cancels.WAITS, cancels.AT_ONCE) for rule in state.rules]
ENDED = [(rule, state.end) for state in cancels.STATES if state.end for rule in state.rules]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [*((rule, "cancelled") for rule in STOPPED), *ENDED],
)
def test_a_cancelled_run_ends_as_the_picture_says(rule: str, expected: cancels.End) -> None:
    """The examples of the rules of a state end in the state that the arrows lead to."""
    cases = cases_of_rule(rule)

    assert cases
    assert {end_of(performed(case.scene)) for case in cases} == {expected}
