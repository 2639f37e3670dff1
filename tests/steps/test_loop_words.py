"""The words of the loop's phrases: what they stand for, and what is none of them."""

from __future__ import annotations

import pytest

from loopspec.contract.actions import Insert, Script, SetSession
from loopspec.contract.agents import Agent, Model, Scripted, Tool
from loopspec.contract.around import CallInner, Rewrite
from loopspec.contract.observation import Load, Observation, Outside
from loopspec.contract.scene import Scene
from loopspec.contract.values import Appeared, Began, Called, Error, Gate, Message, Part, ToolCall
from loopspec_steps import PhraseError, ScenarioBuilder
from loopspec_steps.actions import actions_of, script_of
from loopspec_steps.cells import calls_of
from loopspec_steps.gates import gate_of
from loopspec_steps.phrasebook import Kind

from .saying import FAILED, asked, both, built, check_of, ended, hooked, said

Rows = list[list[str]]
SEEN = both(
    ended(FAILED),
    asked(said("user", "Hello.")),
    hooked(),
    Observation(outside=(Outside(what="set", error=FAILED),)),
    Observation(loads=(Load(n=0, error=FAILED),)),
)


def model_of(scene: Scene) -> Model:
    """The agent's model."""
    assert scene.agent.model is not None
    return scene.agent.model


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("", ()),
        ("nothing", ()),
        ("t1", (ToolCall(id="call 3", name="t1"),)),
        (
            't1, t2({"a": 1}) as c7, "t 3"()',
            (
                ToolCall(id="call 3", name="t1"),
                ToolCall(id="c7", name="t2", args='{"a": 1}'),
                ToolCall(id="call 5", name="t 3", args=""),
            ),
        ),
        (r"t1(\x7bno)", (ToolCall(id="call 3", name="t1", args="{no"),)),
    ],
)
def test_calls_of_a_cell(text: str, calls: tuple[ToolCall, ...]) -> None:
    """Numbered on, where they are given no id."""
    assert calls_of(text, 3) == calls


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("the run starts", Began(run="2")),
        ("the model is called", Called(double="model model", run="2")),
        ('the tool "t1" is called in run 1', Called(double="tool t1", run="1")),
        ('the result of "call 1" is emitted', Appeared(run="2", tool_call_id="call 1")),
        ("chunk 2 is emitted", Appeared(run="2", chunks=2)),
    ],
)
def test_a_gate_in_words(text: str, gate: Gate) -> None:
    """It is about the run that is spoken of, unless it names another."""
    assert gate_of(text, "2") == gate


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("observes", ()),
        ('adds the user message "a"', (Insert(at=None, message=Message(role="user", content="a")),)),
        (
            'calls the next handler; sets the session value "k" to "v"',
            (CallInner(), SetSession(key="k", value="v")),
        ),
        ('passes on the arguments {"a": 1}', (Rewrite(text='{"a": 1}'),)),
    ],
)
def test_actions_in_words(text: str, actions: tuple[object, ...]) -> None:
    """One after the other."""
    assert actions_of(text) == actions


def test_what_is_done_where() -> None:
    """In a hook; maybe in one call of it, or around one tool."""
    assert script_of("before model", "observes") == Script(hook="before model")
    assert script_of("after model call 2", "observes") == Script(hook="after model", calls=(2,))
    assert script_of('around tool call 3 "t1"', "observes") == Script(hook="around tool", calls=(3,), tools=("t1",))


@pytest.mark.parametrize(
    ("kind", "text", "table", "sentence"),
    [
        ("given", 'a handler "H" that, before model, dances', None, "'dances' is no action: the nearest action is"),
        (
            "given",
            'a handler "H" that, around model, calls the next handlr; dances',
            None,
            "'calls the next handlr' is no action: the nearest action is 'calls the next handler'; `loopspec ",
        ),
        (
            "given",
            'a handler "H" that, before model, sets the run-local value "c" to "a" "b"',
            None,
            """'sets the run-local value "c" to "a" "b"' is no action: the nearest action is 'sets the run-""",
        ),
        (
            "given",
            'a handler "H" that, before model, waits until noon',
            None,
            "'noon' is no gate: the nearest gate is '",
        ),
        (
            "given",
            'a handler "H" that observes sometimes',
            None,
            "'sometimes' is no hook: the hooks are before agent, ",
        ),
        ("given", 'a handler "H" that observes before lunch', None, "'before lunch' is no hook"),
        (
            "given",
            'a handler "H" with the actions',
            [["hook", "action"], ["at night", "observes"]],
            "'at night' is no hook",
        ),
        ("given", 'a handler "H" that, before tool, observes', None, "'before tool' is no hook"),
        (
            "given",
            "the handler under test, which claims to be quick",
            None,
            "'quick' is none of 'idempotent', 'a no-op'",
        ),
        (
            "given",
            "a model that answers",
            [["txt"], ["a"]],
            "'a model that answers' has no column 'txt' (did you mean 'text'?): it has text, calls, chunks, ",
        ),
        ("given", "a model that answers", [["held until"], ["noon"]], "'noon' is no gate: the nearest"),
        (
            "given",
            'a model "m" that answers',
            [["text", "tool"], ["a", "b"]],
            """'a model "{name}" that answers' has no column 'tool'""",
        ),
        (
            "given",
            "the tools",
            [["name", "return"], ["t1", "a"]],
            "'the tools' has no column 'return' (did you mean 'returns'?)",
        ),
        ("given", "the tools", [["name", "kind"], ["t1", "blocking"]], "'blocking' is none of 'invokable', "),
        ("given", "the tools", [["name", "actions"], ["t1", "dances"]], "'dances' is no action: the nearest"),
        (
            "given",
            "the additional tools",
            [["name", "x"], ["t1", "a"]],
            "'the additional tools' has no column 'x': it has name, returns, ",
        ),
        (
            "given",
            "a failover without reason",
            None,
            "'reason' is none of 'a backup selector', 'a failover predicate'",
        ),
        (
            "given",
            'reading "/p/a.md" succeeds from breakfast 2 on',
            None,
            "'breakfast 2' is no moment: the nearest moment",
        ),
        (
            "given",
            "files of these sizes",
            [["path", "bytes", "imports"], ["/p/a.md", "3", "/p/b.md"]],
            "/p/a.md: 3 bytes do not hold its imports",
        ),
        ("given", "the messages are short", None, "'short' is none of 'plain', 'agentic'"),
        (
            "given",
            "a cancel request that takes effect immediately is made when it rains",
            None,
            "'it rains' is no gate: the nearest gate is '",
        ),
    ],
)
def test_an_unknown_word_is_refused_when_it_is_compiled(
    kind: Kind, text: str, table: Rows | None, sentence: str
) -> None:
    """In a sentence that shows the words there are."""
    with pytest.raises(PhraseError) as error:
        ScenarioBuilder().take(kind, text, table)

    assert str(error.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "table", "sentence"),
    [
        ("the run fails because it is late", None, "'it is late' is none of 'the iteration limit is reached', "),
        ("run 1 fails because it is late", None, "'it is late' is none of"),
        ("loading fails with a headache", None, "'a headache' is none of 'a missing-file error', "),
        ("outside a run, sleep fails", None, "'sleep' is none of 'setting a run-local value', "),
        (
            "model call 1 receives",
            [["rôle"], ["user"]],
            "'model call {call} receives' has no column 'rôle' (did you mean 'role'?): ",
        ),
        ("model call 1 receives", [["calls"], ["t1(1)"]], "'t1(1)' has arguments: they have a column of their own"),
        ("the trace has, in this order", "\n", "'\\n' names no call"),
        (
            "the events are",
            [["evnt"], ["custom"]],
            "'the events are' has no column 'evnt' (did you mean 'event'?): it has event, role, ",
        ),
        (
            "the events are, with all custom ones or none",
            [["content"], ["half"]],
            "'the events are, with all custom ones or none' needs the column 'event': it has event, content",
        ),
        ("in any order, the events are", [["evnt"], ["custom"]], "'in any order, the events are' has no column 'evnt'"),
        (
            "the answer check callbacks are called with",
            [["x"], ["y"]],
            "'the {topic} callbacks are called with' has no column 'x': it has callback, number, ",
        ),
        (
            "the lunch callbacks are called with",
            [["number"], ["1"]],
            "'lunch' is none of 'answer check', 'back-off', 'failover'",
        ),
        (
            "the cancel requests return",
            [["contributed", "waiting returns"], ["yes", "no"]],
            "'no' is none of 'cancelled', ",
        ),
        ('before lunch, "H" is called', None, "no phrase says"),
        (
            '"H" is called once before model call 2',
            None,
            "'before model call 2' is more than a hook: say 'before model'",
        ),
        ('"H" is never called around tool "t1"', None, "'around tool \"t1\"' is more than a hook: say 'around tool'"),
        (
            'around tool "t1", "H" receives the answer "a"',
            None,
            "'around tool \"t1\"' names a tool: a Then is about all",
        ),
        (
            'after agent call 2, the context of "H" or of "I" has the value "v" under "k"',
            None,
            "'after agent call 2' is more than",
        ),
        ('"H" is called once before lunch', None, "'before lunch' is no hook"),
        (
            'before model, the model context of "H" has about retry configuration',
            None,
            "'about' is none of 'a', 'no'",
        ),
        (
            'before model, the model context of "H" has a failure configuration',
            None,
            "'failure' is none of 'retry', 'failover'",
        ),
    ],
)
def test_an_unknown_word_is_refused_when_a_then_checks_it(text: str, table: Rows | str | None, sentence: str) -> None:
    """The feature is wrong, whatever was seen: that is no mismatch."""
    with pytest.raises(PhraseError) as error:
        check_of(text, table)(SEEN)

    assert str(error.value).startswith(sentence)


def test_a_table_of_answers() -> None:
    """Every column of it."""
    scene = built(
        (
            "a model that answers",
            [
                ["text", "calls", "fails with", "after chunks", "chunks", "held until", "second chunk held until"],
                ["", "t1, t2", "", "", "", "", ""],
                ["", "t1", "", "", "", "the run starts", ""],
                [r"a\nb", "", "e1", "1", "a/b", "", "event 1 is emitted"],
            ],
        )
    )

    first, second, third = model_of(scene).turns
    assert [call.id for call in (*first.tool_calls, *second.tool_calls)] == ["call 1", "call 2", "call 3"]
    assert (first.held, second.held) == (None, Began(run="1"))
    assert (third.text, third.chunks, third.breaks, third.waits) == ("a\nb", ("a", "b"), 1, {1: Appeared(run="1")})
    assert third.error == Error(kind="scripted", code="e1")


def test_a_table_of_tools() -> None:
    """A second one of a name is another tool; pictures stand among the parts."""
    scene = built(
        (
            "the tools",
            [
                ["name", "returns", "kind", "parts", "actions", "echoes"],
                ["t1", "a/b", "", "", 'reads the run-local value "k"', ""],
                ["t1", "", "enhanced invokable and streamable", "a/image:b", "", "yes"],
            ],
        )
    )

    one, other = scene.agent.tools
    assert (one.name, one.texts, one.kinds, len(one.actions)) == ("t1", ("a", "b"), ("invokable",), 1)
    assert (other.name, other.kinds, other.echoes) == ("t1", ("enhanced invokable", "enhanced streamable"), True)
    assert other.parts == (Part(text="a"), Part(url="b"))


def test_sub_agents_are_described_one_after_the_other() -> None:
    """What follows is about the last one named, until the one above is."""
    scene = built(
        ('a sub-agent "helper", with', None),
        ('the description "helps"', None),
        ('a sub-agent "deeper", with', None),
        ("an outer agent, with", None),
        ("an outer agent, with", None),
        ("an outer agent, with", None),
        ('a tool "t1" that returns "ok"', None),
        ('a sub-agent "helper", with', None),
        ("an iteration limit of 3", None),
    )

    helper, tool = scene.agent.tools
    assert helper.agent is not None
    assert (helper.name, helper.agent.description, helper.agent.max_iterations) == ("helper", "helps", 3)
    assert [inner.name for inner in helper.agent.tools] == ["deeper"]
    assert tool == Tool(name="t1")


def test_a_handler_said_again_does_both() -> None:
    """In the place where it was named first."""
    scene = built(
        ('a handler "H" that observes before model', None),
        ('a handler "I" that overrides no hook', None),
        ('a handler "H" that observes after model and after agent', None),
    )

    scripts = tuple(Script(hook=hook) for hook in ("before model", "after model", "after agent"))
    assert scene.agent == Agent(
        model=Model(), handlers=(Scripted(name="H", scripts=scripts), Scripted(name="I"))
    )  # and nothing that was not given
