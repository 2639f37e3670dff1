"""Outcomes without what is never judged, the first difference of each source, and known differences."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.capabilities import Capability
from loopspec.contract.faults import UsageError
from loopspec.contract.observation import Event, Interrupted, Load, ModelCall, Observation, RunEnd, Section, Warned
from loopspec.contract.scene import Run, Scene
from loopspec.contract.values import Error, Message, ToolCall
from loopspec_lab.comparing.differences import Difference, differences
from loopspec_lab.comparing.outcomes import outcome_of, trouble
from loopspec_lab.fuzzing.known import KnownDifference, KnownDifferences, load_known
from loopspec_lab.fuzzing.printing import entry_of

NONE: frozenset[Capability] = frozenset()
RUN = Scene(act="run", runs=(Run(id="1"),))
LOAD = Scene(act="load")


def compared(ours: Observation, theirs: Observation, scene: Scene = RUN) -> list[tuple[str, str]]:
    """The source and the path of each difference."""
    found = differences(outcome_of(scene, ours, NONE), outcome_of(scene, theirs, NONE))
    return [(difference.source, difference.path) for difference in found]


def ended(**details: object) -> Observation:
    """An observation of a run that ended."""
    return Observation(runs=(replace(RunEnd(n=1, run="1"), **details),))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ended(n=1), ended(n=9)),
        (ended(error=Error(kind="scripted", code="a", message="x")), ended(error=Error(kind="scripted", code="a"))),
        (ended(error=Error(kind="other", message="x")), ended(error=Error(kind="outside_run"))),
        (
            ended(interrupted=True, interrupts=(Interrupted(id="x", info="t1"),)),
            ended(interrupted=True, interrupts=(Interrupted(id="y", info="t1"),)),
        ),
        (ended(checkpoint=b"1"), ended(checkpoint=b"2")),
    ],
)
def test_what_is_never_judged_is_no_difference(one: Observation, other: Observation) -> None:
    """Places, texts of errors, kinds that no rule names, ids of interrupts, bytes of checkpoints."""
    assert compared(one, other) == []


@pytest.mark.parametrize(
    ("one", "other", "path"),
    [
        (ended(), ended(error=Error(kind="other")), "1.error"),
        (ended(error=Error(kind="jump")), ended(error=Error(kind="other")), "1.error"),
        (ended(error=Error(kind="scripted", code="a")), ended(error=Error(kind="scripted", code="b")), "1.error"),
        (ended(interrupted=True), ended(), "1.interrupted"),
        (Observation(), ended(), "1"),
    ],
)
def test_how_runs_end_is_compared(one: Observation, other: Observation, path: str) -> None:
    """Errors by code or kind, and interrupts."""
    assert compared(one, other) == [("runs", path)]
    assert compared(other, one) == [("runs", path)]


def result(call: str, text: str) -> Event:
    """The event of a tool result."""
    return Event(n=1, run="1", agent="agent", message=Message(role="tool", content=text, tool_call_id=call))


def test_results_of_calls_made_together_have_no_order() -> None:
    """In turn, they have."""
    one = Observation(events=(result("c1", "a"), result("c2", "b")))
    other = Observation(events=(result("c2", "b"), result("c1", "a")))

    assert compared(one, other) == []
    assert compared(one, other, replace(RUN, agent=Agent(sequential=True))) == [("events", "run 1.1.message.content")]
    assert compared(one, Observation(events=(result("c1", "a"), result("c2", "x")))) == [
        ("events", "run 1.2.message.content")
    ]


def custom(payload: str) -> Event:
    """The event of a call, or of a hook."""
    return Event(n=1, run="1", agent="agent", custom=payload)


def test_custom_events_of_calls_made_together_have_no_order() -> None:
    """A custom event after the last result has its place, and so has each one where no answer has several calls."""
    calls = (ToolCall(id="c1", name="t1"), ToolCall(id="c2", name="t2"))

    def seen(*events: Event, several: bool = True) -> Observation:
        answer = Message(role="assistant", tool_calls=calls if several else calls[:1])
        return Observation(model_calls=(ModelCall(n=1, model="model", run="1", answer=answer),), events=events)

    one, other = result("c1", "a"), result("c2", "b")
    in_order, mixed = (custom("x"), one, custom("y"), other), (custom("y"), custom("x"), other, one)
    assert compared(seen(*in_order), seen(*mixed)) == []
    assert compared(seen(*in_order), seen(*mixed), replace(RUN, agent=Agent(sequential=True))) != []
    assert compared(seen(*in_order), seen(custom("x"), one, other)) == [("events", "run 1.2")]
    assert compared(seen(*in_order, custom("z")), seen(custom("z"), *in_order)) != []
    assert compared(seen(custom("x"), one, several=False), seen(one, custom("x"), several=False)) == [
        ("events", "run 1.1.message")
    ]


def test_arguments_are_compared_as_json() -> None:
    """Spaces and the order of keys are no difference, and other values are."""

    def called(args: str) -> Observation:
        message = Message(role="assistant", tool_calls=(ToolCall(id="c", name="t", args=args),))
        return Observation(events=(Event(n=1, run="1", agent="agent", message=message),))

    assert compared(called('{"a": 1, "b": 2}'), called('{"b":2.0,"a":1}')) == []
    assert compared(called('{"a": 1}'), called('{"a": 2}')) == [("events", "run 1.1.message.calls.1.args.a")]


def test_each_source_has_its_first_difference() -> None:
    """A missing entry is a difference, too."""

    def seen(*texts: str) -> Observation:
        return Observation(
            model_calls=tuple(ModelCall(n=1, model="model", run="1") for _ in texts),
            events=tuple(
                Event(n=1, run="1", agent="agent", message=Message(role="assistant", content=text)) for text in texts
            ),
        )

    assert compared(seen("a", "b"), seen("a", "x", "y")) == [("model calls", "run 1 model.3"), ("events", "run 1.2")]
    assert compared(seen("b"), seen("a", "b")) == [("model calls", "run 1 model.2"), ("events", "run 1.1")]
    assert compared(seen("a", "b"), seen("a", "x")) == [("events", "run 1.2.message.content")]


def test_loads_are_compared() -> None:
    """Files in order, and the paths of warnings in normal form; not their texts."""
    files = (Section(path="/a", text="x"), Section(path="/b", text="y"))
    one = Observation(loads=(Load(n=1, sections=files),), warnings=(Warned(n=1, path="/x/../c", message="gone"),))
    same = Observation(loads=(Load(n=5, sections=files, text="whole"),), warnings=(Warned(n=2, path="/c"),))
    other = Observation(loads=(Load(n=1, sections=files[::-1]),))

    assert compared(one, same, LOAD) == []
    assert compared(one, other, LOAD) == [("loads", "1.files.1.path"), ("warnings", "1")]


def test_a_crash_is_a_difference() -> None:
    """Unless both targets have it."""
    fine = outcome_of(RUN, ended(), NONE)

    assert [one.source for one in differences(trouble("crashes"), fine)] == ["trouble"]
    assert differences(trouble("crashes"), trouble("crashes")) == ()


def test_kinds_have_no_names_and_numbers() -> None:
    """Two differences with one cause have one kind; the name of an error kind stays."""
    one = Difference(source="events", path="run 1.3.message.content", ours="a", theirs="b")
    other = Difference(source="events", path="run 2.1.message.content", ours="x", theirs="y")
    error = Difference(source="runs", path="1.error", ours=None, theirs="jump")

    assert one.kind == other.kind
    assert str(error.kind) == "runs.*.error: None ≠ jump"
    assert error.kind.is_like(Difference(source="runs", path="2.error", ours="hook", theirs="jump").kind)
    assert not error.kind.is_like(Difference(source="runs", path="2.error", ours="hook", theirs="cancel").kind)
    assert not error.kind.is_like(one.kind)


def test_traces_are_compared_where_calls_are_made_in_turn() -> None:
    """Calls that are made together may begin in any order."""
    calls = (ToolCall(id="c1", name="t1"), ToolCall(id="c2", name="t1"))
    agent = Agent(model=Model(turns=(Turn(tool_calls=calls), Turn())), tools=(Tool(name="t1"),))
    answer = Message(role="assistant", tool_calls=calls)
    seen = Observation(model_calls=(ModelCall(n=1, model="model", run="1", answer=answer),))

    assert outcome_of(replace(RUN, agent=agent), seen, NONE)["trace"] == {}


ERROR = Difference(source="runs", path="1.error", ours=None, theirs="instruction")


def entry(**details: str) -> KnownDifference:
    """An entry with a reason."""
    return KnownDifference(**{"source": "runs", "reason": "why", **details})


@pytest.mark.parametrize(
    ("details", "fits"),
    [
        ({}, True),
        ({"path": "1.error"}, True),
        ({"path": "*.error"}, True),
        ({"ours": "null"}, True),
        ({"theirs": "*uct*"}, True),
        ({"path": "*", "ours": "null", "theirs": "instruction"}, True),
        ({"source": "events"}, False),
        ({"path": "2.error"}, False),
        ({"path": "error"}, False),
        ({"ours": "nothing"}, False),
        ({"theirs": "null"}, False),
        ({"theirs": "instr"}, False),
        ({"theirs": "[a-z]*"}, False),
        ({"theirs": "instructio?"}, False),
    ],
)
def test_an_entry_fits_if_every_part_does(details: dict[str, str], fits: bool) -> None:
    """An omitted pattern is any text, a value that is no text is compared as JSON, and only a star is a wildcard."""
    assert entry(**details).fits(ERROR) is fits


def test_a_missing_value_is_nothing() -> None:
    """A value that is absent is not the value null."""
    absent = Difference(source="runs", path="2", theirs={"run": "2"}, lacks="ours")

    assert entry(ours="nothing").fits(absent)
    assert not entry(ours="null").fits(absent)


def test_the_first_entry_that_fits_counts() -> None:
    """Entries are tried in order."""
    known = KnownDifferences((entry(path="2*"), entry(), entry(path="1.error")))

    assert known.index(ERROR) == 1
    assert known.index(Difference(source="loads", path="")) is None


def test_the_printed_entry_fits_its_difference(tmp_path: Path) -> None:
    """An entry can be pasted; only its reason is missing, and a reason is required."""
    odd = Difference(source="events", path="run 1.1.content", ours='a "quote"\n', theirs="x\\y [1] 规则")
    path = tmp_path / "known.toml"
    text = "\n".join(entry_of(odd))
    path.write_text(text.replace('reason = ""', 'reason = "why"'), encoding="utf-8")

    assert load_known(path).index(odd) == 0
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="line 1: the entry has no reason"):
        load_known(path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[difference]]\nsource = 3\n", "line 1: "),
        ('[[difference]]\nsource = "runs"\nreason = "a"\n\n[[difference]]\nreason = "a"\n', "line 5: "),
        ('[[difference]]\nsource = "runs"\nreason = "a"\npaht = "a"\n', "line 1: .*paht"),
        ("[[difference\n", "are not valid TOML"),
    ],
)
def test_an_unusable_file_is_a_usage_error(text: str, sentence: str, tmp_path: Path) -> None:
    """The sentence names the file and the line."""
    path = tmp_path / "known.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(UsageError, match=sentence):
        load_known(path)


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    """The sentence names the file."""
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        load_known(tmp_path / "known.toml")
