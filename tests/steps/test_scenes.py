"""Scenes of several Givens: what a step adds to another, in which order, and what is there without a step."""

from __future__ import annotations

import pytest

from loopspec.contract.actions import Script
from loopspec.contract.agents import (
    Agent,
    AgentsMD,
    Config,
    Handler,
    Model,
    Plugin,
    Scripted,
    Summarization,
    TodoList,
    Tool,
    Turn,
)
from loopspec.contract.plugins import Module
from loopspec.contract.values import Appeared, Began, Called, Error, Json, Part, ToolCall
from loopspec_steps.actions import script_of
from loopspec_steps.builders.scene import OBSERVERS
from loopspec_steps.cells import calls_of
from loopspec_steps.gates import gate_of

from .saying import Step, built

ONE = 'a plugin module "m" with the providers p1'
ADDITIONAL = ('a model "m" that answers', [["text"], ["a"]])


def handlers_of(*steps: Step) -> tuple[Handler, ...]:
    """The handlers of an agent."""
    return built(*steps).agent.handlers


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


def test_a_gate_is_about_the_run_that_is_spoken_of() -> None:
    """Unless it names another."""
    assert gate_of("the run starts", "2") == Began(run="2")
    assert gate_of('the tool "t1" is called in run 1', "2") == Called(double="tool t1", run="1")


def test_what_is_done_where() -> None:
    """In a hook; maybe in one call of it, or around one tool."""
    assert script_of("after model call 2", "observes") == Script(hook="after model", calls=(2,))
    assert script_of('around tool call 3 "t1"', "observes") == Script(hook="around tool", calls=(3,), tools=("t1",))


def test_a_table_of_answers() -> None:
    """Calls are numbered through the table."""
    scene = built(
        (
            "a model that answers",
            [
                ["text", "calls", "fails with", "after chunks", "chunks", "held until", "second chunk held until"],
                [r"\ü*3\n*2", "t1, t2", "", "", "", "", ""],
                ["", "t1", "", "", "", "the run starts", ""],
                [r"a\nb", "", "e1", "1", "a/b", "", "event 1 is emitted"],
            ],
        )
    )

    assert scene.agent.model is not None
    first, second, third = scene.agent.model.turns
    assert [call.id for call in (*first.tool_calls, *second.tool_calls)] == ["call 1", "call 2", "call 3"]
    assert (first.text, first.held, second.held) == ("üüü\n*2", None, Began(run="1"))
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
        'a sub-agent "helper"',
        'the description "helps"',
        'a sub-agent "deeper"',
        *["an outer agent"] * 3,
        'a tool "t1" that returns "ok"',
        'a sub-agent "helper"',
        "an iteration limit of 3",
    )

    helper, tool = scene.agent.tools
    assert helper.agent is not None
    assert (helper.name, helper.agent.description, helper.agent.max_iterations) == ("helper", "helps", 3)
    assert [inner.name for inner in helper.agent.tools] == ["deeper"]
    assert tool == Tool(name="t1")


def test_a_middleware_said_again_has_all_of_it() -> None:
    """In the place where it was named first; those of another kind stand between them."""
    scene = built(
        'a middleware "A" that observes before model',
        'a handler "H" that observes before model',
        "AgentsMD with the configured files",
        'a middleware "B" without hooks',
        'a middleware "A" that observes after model and around tool "t"',
        'the hooks of "A" are synchronous functions',
        'a handler "H" that observes after model',
    )

    scripts = (Script(hook="before model"), Script(hook="after model"))
    around = Script(hook="around tool", tools=("t",))
    handlers = (
        Plugin(name="A", scripts=(*scripts, around), sync=True),
        Scripted(name="H", scripts=scripts),
        AgentsMD(config=Config()),
        Plugin(name="B"),
    )
    assert scene.agent == Agent(model=Model(), handlers=handlers)  # and nothing that was not given


def modules_of(*steps: Step) -> tuple[Module, ...]:
    """The plugin modules of a Scene."""
    return built(*steps, act="the plugin modules are loaded").modules


@pytest.mark.parametrize(
    "step",
    [
        'the metadata of "p1" has no name',
        'the metadata of "p1" has no label',
        'the class of "p1" is not marked',
        'the strategy "p1" requires the option "o"',
        'the factory of "p1" returns an invalid value',
        'the class of "p1" has no factory',
        'the factory of "p1" takes time',
        'the strategy "p1" creates the middleware "B"',
    ],
)
def test_more_is_said_of_a_strategy(step: str) -> None:
    """Of the one that was given last under the provider; those of other providers stay as they are."""
    given: list[Step] = [
        ('a plugin module "l" with the strategies', [["provider"], ["p1"]]),
        ('a plugin module "m" with the strategies', [["provider"], ["p1"], ["p2"]]),
        ('a plugin module "n" with the strategies', [["provider"], ["p3"]]),
    ]
    before, after = modules_of(*given), modules_of(*given, step)

    assert (after[0], after[2]) == (before[0], before[2])
    assert after[1].strategies[0] != before[1].strategies[0]
    assert after[1].strategies[1] == before[1].strategies[1]


def test_what_a_strategy_makes_is_not_attached_by_itself() -> None:
    """What was said of the middleware is what it makes."""
    scene = built(ONE, 'a middleware "A" that observes', 'the strategy "p1" creates the middleware "A"')

    assert scene.agent.handlers == ()
    assert scene.modules[0].strategies[0].makes == Plugin(name="A", scripts=OBSERVERS)


def test_a_second_summarization_is_like_the_first_one() -> None:
    """In everything but its name."""
    first, second = handlers_of(
        'a summarization with the limit {"messages": 4, "tokens": 20}',
        "the summarization keeps 2 messages",
        'the summaries begin with "Before: "',
        ("the model of the summarization answers", [["text"], ["short"], ["shorter"]]),
        'a second summarization "again" with the same configuration',
    )

    model = Model(name="summarizer", turns=(Turn(text="short"), Turn(text="shorter")))
    trigger: dict[str, Json] = {"messages": 4, "tokens": 20}
    assert first == Summarization(trigger=trigger, keep=2, prefix="Before: ", model=model)
    assert second == Summarization(name="again", trigger=trigger, keep=2, prefix="Before: ", model=model)


def test_a_to_do_list_said_again_has_all_of_it() -> None:
    """It is one middleware."""
    texts = 'a to-do list with the prompt "a"', 'a to-do list with the description "b"'

    assert handlers_of(*texts) == (TodoList(prompt="a", description="b"),)


def test_models_that_wrappers_may_let_answer_are_the_agents() -> None:
    """Unless they are there to fail over to."""
    scene = built('a middleware "A" without hooks', ADDITIONAL)

    assert [model.name for model in scene.agent.additional_models] == ["m"]
    assert built(ADDITIONAL, "a failover to the models m").agent.additional_models == ()


def test_what_no_step_says_is_not_there() -> None:
    """Neither an execution trace nor a count of tokens, a workflow or a run of its own."""
    bare = built("a to-do list")
    said = built("an execution trace", "the token counter counts 7 tokens per word", "a to-do list")
    listed = built(ONE, act="the implementation's own strategies are listed")

    assert (bare.traces, bare.tokens_per_word, bare.workflow) == (False, 1, None)
    assert (said.traces, said.tokens_per_word) == (True, 7)
    assert (listed.act, listed.runs) == ("catalog", ())
