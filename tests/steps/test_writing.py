"""A Scene that is written as steps is built again by them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from loopspec.contract.actions import Insert, Script, SendEvent, SetSession
from loopspec.contract.agents import Agent, Model, Plugin, Scripted, Tool, Turn
from loopspec.contract.scene import File, Meanwhile, Run, Scene, Write
from loopspec.contract.values import Called, Error, Json, Message, Part, ToolCall
from loopspec.contract.workspaces import Entry, Workspace
from loopspec.specification.cases import Case
from loopspec.specification.compiling import compile_feature
from loopspec.specification.features import compiled
from loopspec.specification.sources import cases_in
from loopspec.targets.python import PythonTarget
from loopspec_lab.fuzzing.scenes import scenes
from loopspec_reference_adapter import Reference
from loopspec_steps.writing.scenes import first_difference, write_scene
from loopspec_steps.writing.steps import NotWritable, WrittenStep, scenario_text

HEAD = "Feature: F\n\n  @X-01 @clarified\n  Rule: R\n\n"
LONG = File(text="x", repeat=99_999)
THEN = WrittenStep("then", "the model is called once")
REFERENCE = PythonTarget(Reference, "reference")
ROLES = {"agent", "loader", "workspace"}
HELLO = Message(role="user", content="Hello.")


def built_from_text(scene: Scene) -> Scene:
    """The Scene of the written scenario, read by the parser of Gherkin and by the phrases."""
    text = HEAD + scenario_text("T", [*write_scene(scene), THEN])
    return msgspec.json.decode(compile_feature("f.feature", text.encode()).cases[0].scene, type=Scene)


def streaming_too() -> list[Case]:
    """The cases of these roles, each as a streaming run, too."""
    plain = [case for case in compiled() if ROLES & set(case.roles)]
    return [each for case in plain for each in (case, *cases_in(case, ["streaming"]))]


def changed_by_writing(cases: Sequence[Case]) -> list[str]:
    """The names of the cases whose Scenes do not come back equal."""
    return [case.id for case in cases if first_difference(built_from_text(case.scene), case.scene) is not None]


def test_scenes_of_every_feature_are_written() -> None:
    """Every eighth case; the long test has them all."""
    cases = streaming_too()[::8]

    assert len(cases) > 250
    assert changed_by_writing(cases) == []


@pytest.mark.long
def test_every_scene_of_an_agent_a_loader_and_a_workspace_is_written() -> None:
    """The Scenes of all cases of these roles come back equal, as streaming runs, too."""
    cases = streaming_too()

    assert len(cases) > 2000
    assert changed_by_writing(cases) == []


@pytest.mark.parametrize(
    ("entry", "field"),
    [
        (Entry(text="x", repeat=2), "repeat"),
        (Entry(kind="forbidden", text="x"), "workspace.entries['p/a.md']"),
        (Entry(kind="repository"), "workspace.entries['p/a.md']"),
        (Entry(kind="link", target='"'), "workspace.entries['p/a.md']"),
        (Entry(base64=b"x"), "workspace.entries['p/a.md']"),
    ],
)
def test_an_entry_of_a_workspace_that_no_phrase_gives_is_an_error(entry: Entry, field: str) -> None:
    """The error names the entry."""
    with pytest.raises(NotWritable) as raised:
        write_scene(Scene(act="read workspace", workspace=Workspace(entries={"p/a.md": entry})))
    assert field in raised.value.field


def test_a_workspace_of_all_entries_comes_back() -> None:
    """Bytes that are no text, quotes, and names with spaces."""
    entries = {
        "p/{first name}": Entry(text='This is "p/(first name)".\nsay "x" | \\n\n'),
        "p/b.md": Entry(base64=b"\xff\x00"),
        "p/c d.md": Entry(kind="folder"),
        "p/e.md": Entry(kind="hard-link", target="b.md"),
        "p/.git": Entry(kind="repository"),
    }
    for configured in (None, (), ("p/x y.md", "p/z.md")):
        place = Workspace(entries=entries, working_directory="p", home="p/h", configured=configured)
        scene = Scene(act="read workspace", workspace=place)
        assert built_from_text(scene) == scene


GENERATED = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], deadline=None)


@GENERATED
@given(scenes(REFERENCE))
def test_generated_scenes_come_back_equal(scene: Scene) -> None:
    """The text of a generated scene compiles to the scene."""
    assert built_from_text(scene) == scene


@pytest.mark.long
@settings(GENERATED, max_examples=1000, derandomize=True, database=None)
@given(scenes(REFERENCE))
def test_a_thousand_generated_scenes_come_back_equal(scene: Scene) -> None:
    """The same, more often."""
    assert built_from_text(scene) == scene


def scene_of(agent: Agent) -> Scene:
    """One run of an agent, as steps build it."""
    empty = next(case.scene for case in compiled() if case.scene.act == "run" and len(case.scene.runs) == 1)
    return replace(empty, agent=agent, messages=(HELLO,), runs=(Run(id="1", messages=(HELLO,)),), files={}, changes=())


def scene_of_runs(*runs: Run) -> Scene:
    """Several runs of an agent, as steps build them."""
    return replace(scene_of(Agent()), runs=runs)


@pytest.mark.parametrize(
    "sessions",
    [
        ({"left": 0}, {"left": False}),
        ({"left": 1}, {"left": True}),
        ({"left": 1, "k": "same"}, {"k": "same"}),
        ({"left": 'say "x"'}, {"left": ""}),
        ({"left": None}, {"left": [None, {"a": "|"}]}),
        ({"left": -3}, {"left": -3}),
        ({}, {"left": 1.0}),
    ],
)
def test_session_values_of_two_runs_come_back(sessions: tuple[dict[str, Json], ...]) -> None:
    """Values that are equal in all runs, and values of one run."""
    runs = (Run(id=str(number), messages=(HELLO,), session=values) for number, values in enumerate(sessions, 1))
    scene = scene_of_runs(*runs)

    assert first_difference(built_from_text(scene), scene) is None


def resumed_twice(first: dict[str, Json], second: dict[str, Json], stop: str) -> Scene:
    """A run that is resumed in run 2, and again in run 3 from the stop of a run."""
    return scene_of_runs(
        Run(id="1", messages=(HELLO,)),
        Run(id="2", resume="1", call_answers=first),
        Run(id="3", resume=stop, call_answers=second),
    )


@pytest.mark.parametrize("stop", ["1", "2"])
@pytest.mark.parametrize(
    "answers",
    [
        ({"a": "yes"}, {"a": "no"}),
        ({"a": {"ok": True}}, {"a": {"ok": True}, "b": ""}),
        ({"a": "yes", "b": 0}, {"b": 0}),
    ],
)
def test_answers_by_call_of_two_resumptions_come_back(
    answers: tuple[dict[str, Json], dict[str, Json]], stop: str
) -> None:
    """Answers of both resumptions, and answers of one, from the first stop and from the new one."""
    scene = resumed_twice(*answers, stop)

    assert first_difference(built_from_text(scene), scene) is None


@pytest.mark.parametrize(
    ("scene", "field"),
    [
        (replace(scene_of(Agent()), falsy=True), "falsy"),
        (scene_of_runs(Run(id="1", messages=(HELLO,), part="cancelled")), "runs[0].part"),
        (scene_of_runs(Run(id="1", messages=(HELLO,), turns={"other": (Turn(text="x"),)})), "runs[0].turns['other']"),
        (resumed_twice({"a": "yes"}, {"a": 1}, "1"), "runs[2].call_answers['a']"),
        (Scene(act="read", files={"a.md": LONG}), "files['a.md']"),
        (Scene(act="read", backend=(Write(path="a.md", file=LONG),)), "backend[0]"),
        (Scene(act="read", backend=(Write(path="a.md", file=File()), Meanwhile(requests=(), steps=()))), "backend[1]"),
    ],
)
def test_what_no_scenario_says_is_an_error_that_names_the_field(scene: Scene, field: str) -> None:
    """No phrase says parts of runs, answers of other models in one run, false objects, or several concurrent reads."""
    with pytest.raises(NotWritable) as raised:
        write_scene(scene)
    assert raised.value.field == field


ODD_TEXTS = [
    "",
    " ",
    "a | b",
    "back\\slash",
    "\\n",
    "two\nlines",
    " edge ",
    '"quoted"',
    "规则 😀",
    "\u2028",
    "<a>",
    "x\t",
]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_odd_texts_in_tables_come_back(text: str) -> None:
    """Texts of answers, results and contents survive the escapes of cells, twice."""
    call = ToolCall(id="call 1", name="t1", args='{"a": "|"}')
    model = Model(turns=(Turn(text=text, tool_calls=(call,)), Turn(text="end")))
    scene = scene_of(Agent(model=model, tools=(Tool(name="t1", text=text),)))
    filed = replace(scene, files={"/p/a | b.md": File(text=text)})

    assert built_from_text(scene) == scene
    assert built_from_text(filed) == filed


def test_bytes_that_are_no_text_come_back() -> None:
    """The content of a file may be any bytes."""
    scene = replace(scene_of(Agent()), files={"/p/a.md": File(base64=b"a\xff\\x \x00\xc3")})

    assert built_from_text(scene) == scene


@pytest.mark.parametrize(
    ("agent", "field"),
    [
        (Agent(handlers=(Plugin(name="p"),)), "agent.handlers[0]"),
        (Agent(instruction='say "x"'), "agent.instruction"),
        (Agent(tools=(Tool(name="t", chunks=("a/b",)),)), "agent.tools[0].chunks"),
        (Agent(tools=(Tool(name="t", chunks=("",)),)), "agent.tools[0].chunks"),
        (Agent(tools=(Tool(name="t", parts=(Part(text="a", url="b"),)),)), "agent.tools[0].parts"),
        (Agent(tools=(Tool(name="t", text="a/b"),)), "agent.tools[0].text"),
        (Agent(tools=(Tool(name="t", error=Error(kind="io")),)), "agent.tools[0].error"),
        (Agent(tools=(Tool(name="t", error=Error(kind="scripted")),)), "agent.tools[0].error"),
        (Agent(model=Model(turns=(Turn(waits={2: Called(double="model model", run="1")}),))), "model.turns[0].waits"),
        (Agent(handlers=(Scripted(name="H", scripts=(Script(hook="before model", calls=(1, 2)),)),)), "handlers[0]"),
        (Agent(handlers=(Scripted(name="H", scripts=(Script(hook="before model", runs=("1", "2")),)),)), "handlers[0]"),
        (Agent(max_iterations=2, name="other"), "agent.name"),
        (Agent(model=Model(max_input_tokens=3)), "agent.model.max_input_tokens"),
        (Agent(tools=(Tool(name="t", description="d"),)), "agent.tools[0]"),
    ],
)
def test_what_no_phrase_says_is_an_error_that_names_the_field(agent: Agent, field: str) -> None:
    """A Scene is never written as another one."""
    with pytest.raises(NotWritable) as raised:
        write_scene(scene_of(agent))
    assert field in raised.value.field


@pytest.mark.parametrize("action", [SendEvent(payload="a; b"), SendEvent(payload=3), SetSession(key='"', value="x")])
def test_an_action_that_no_clause_says_is_an_error(action: SendEvent | SetSession) -> None:
    """Neither a separator nor a quote inside a text is written."""
    script = Script(hook="before model", actions=(Insert(at=None, message=HELLO), action))

    with pytest.raises(NotWritable, match="handlers"):
        write_scene(scene_of(Agent(handlers=(Scripted(name="H", scripts=(script,)),))))


def test_the_first_difference_has_its_path() -> None:
    """The path leads through fields, entries and keys."""
    one = scene_of(Agent(tools=(Tool(name="a"), Tool(name="b"))))
    other = scene_of(Agent(tools=(Tool(name="a"), Tool(name="b", text="x"))))

    assert first_difference(one, one) is None
    assert first_difference(one, other) == "agent.tools[1].text"
    assert first_difference(one, replace(one, files={"a": File()})) == "files['a']"
    assert first_difference(one, scene_of(Agent(tools=(Tool(name="a"),)))) == "agent.tools[1]"
    assert first_difference({"a": [0]}, {"a": [False]}) == "['a'][0]"
    assert first_difference({"a": None}, {}) == "['a']"
