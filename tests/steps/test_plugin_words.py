"""The words about middlewares of the plugin layer: the Scenes that they make."""

from __future__ import annotations

import pytest

from loopspec.contract.actions import Action, Insert, Script
from loopspec.contract.agents import (
    AgentsMD,
    Config,
    Field,
    Handler,
    Model,
    Plugin,
    Scripted,
    Summarization,
    TodoList,
    Tool,
    Turn,
)
from loopspec.contract.around import (
    AssignContext,
    CallInner,
    Count,
    GiveCommand,
    Jump,
    Redact,
    ReturnNothing,
    SetState,
    SetSystem,
    UseCache,
    UseInvalidValue,
    UseModel,
)
from loopspec.contract.calls import Command
from loopspec.contract.scene import Run
from loopspec.contract.values import Message
from loopspec_steps.actions import actions_of
from loopspec_steps.builders.scene import EVERY_HOOK

from .saying import Step, built

Rows = list[list[str]]
OBSERVERS = tuple(Script(hook=hook) for hook in EVERY_HOOK)
ONE = 'a plugin module "m" with the providers p1'


def handlers_of(*steps: Step) -> tuple[Handler, ...]:
    """The handlers of its agent."""
    return built(*steps).agent.handlers


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("calls the next handler up to 3 times while it fails", CallInner(tries=3)),
        ('passes on the system message "a"', SetSystem(text="a")),
        ('adds "a" to the system message passed on', SetSystem(text="a", append=True)),
        ('replaces the model with "m"', UseModel(model="m")),
        ('replaces each "a" with "b" in the request', Redact(text="a", by="b")),
        ("answers equal requests from a cache", UseCache()),
        ('inserts the system message "a" first', Insert(at=0, message=Message(role="system", content="a"))),
        ('sets the state "k" to {"a": ["b"]}', SetState(key="k", value={"a": ["b"]})),
        ('sets the state "k" to null', SetState(key="k", value=None)),
        ('increments "k" in the state', Count(key="k")),
        ('tries to set the runtime context "k" to "v"', AssignContext(key="k", value="v")),
        ('jumps to "end"', Jump(target="end")),
        ("returns nothing", ReturnNothing()),
        ("returns an invalid value", UseInvalidValue()),
        ("passes on an invalid value", UseInvalidValue(place="request")),
        ("adds an invalid value to the messages", UseInvalidValue(place="messages")),
        ('returns a command with the text "a"', GiveCommand(text="a")),
        (
            'returns a command with the text "a" that sets the state "k" to "v"',
            GiveCommand(text="a", state={"k": "v"}),
        ),
        ('returns a command with the text "a" that goes to "end"', GiveCommand(text="a", goto="end")),
        ('turns the answer into a command that sets the state "k" to 1', GiveCommand(state={"k": 1})),
        ('turns the answer into a command that goes to "end"', GiveCommand(goto="end")),
    ],
)
def test_an_action_of_the_plugin_layer_in_words(text: str, action: Action) -> None:
    """Alone, and between others."""
    assert actions_of(text) == (action,)
    assert actions_of(f'calls the next handler; {text}; jumps to "model"') == (
        CallInner(),
        action,
        Jump(target="model"),
    )


@pytest.mark.parametrize(
    ("steps", "plugin"),
    [
        (['a middleware "A" that observes'], Plugin(name="A", scripts=OBSERVERS)),
        (
            ['a middleware "A" that observes before model call 2 and around tool "t"'],
            Plugin(
                name="A", scripts=(Script(hook="before model", calls=(2,)), Script(hook="around tool", tools=("t",)))
            ),
        ),
        (
            ['a middleware "A" that, after model, increments "k" in the state; jumps to "end"'],
            Plugin(name="A", scripts=(Script(hook="after model", actions=(Count(key="k"), Jump(target="end"))),)),
        ),
        (
            [
                (
                    'a middleware "A" with the actions',
                    [["hook", "action"], ["before agent", "observes"], ["after agent", "returns nothing"]],
                )
            ],
            Plugin(
                name="A", scripts=(Script(hook="before agent"), Script(hook="after agent", actions=(ReturnNothing(),)))
            ),
        ),
        (['a middleware "A" without hooks'], Plugin(name="A")),
        (
            [
                (
                    'the state of "A" has the fields',
                    [
                        ["field", "type", "default", "required"],
                        ["a", "number", "0", ""],
                        ["b", "", "", "yes"],
                        ["c", "list", '["x"]', "no"],
                    ],
                )
            ],
            Plugin(
                name="A",
                state=(
                    Field(name="a", type="number", default=0),
                    Field(name="b", required=True),
                    Field(name="c", type="list", default=["x"]),
                ),
            ),
        ),
        (['the state of "A" is declared as an object'], Plugin(name="A")),
        (['the state of "A" is declared as an optional object'], Plugin(name="A", form="optional object")),
        (['the state of "A" is declared as an object with defaults'], Plugin(name="A", form="object with defaults")),
        (
            [('the context of "A" has the fields', [["field", "type"], ["user", "text"], ["x", "any"]])],
            Plugin(name="A", context=(Field(name="user", type="text"), Field(name="x"))),
        ),
        (['the hooks of "A" are synchronous functions'], Plugin(name="A", sync=True)),
        (['the hooks of "A" are objects that declare their jumps'], Plugin(name="A", declares=True)),
        (
            ['the hooks of "A" declare jumps to end, model only'],
            Plugin(name="A", declares=True, may_jump_to=("end", "model")),
        ),
        (['the hooks of "A" declare jumps to nothing only'], Plugin(name="A", declares=True, may_jump_to=())),
    ],
    ids=str,
)
def test_a_middleware_is_described(steps: list[Step], plugin: Plugin) -> None:
    """By each phrase alone."""
    assert handlers_of(*steps) == (plugin,)


def test_a_middleware_said_again_has_all_of_it() -> None:
    """In the place where it was named first; those of another kind stand between them."""
    handlers = handlers_of(
        'a middleware "A" that observes before model',
        'a handler "H" that observes before model',
        "AgentsMD with the configured files",
        'a middleware "B" without hooks',
        'a middleware "A" that observes after model',
        'the hooks of "A" are synchronous functions',
    )

    assert handlers == (
        Plugin(name="A", scripts=(Script(hook="before model"), Script(hook="after model")), sync=True),
        Scripted(name="H", scripts=(Script(hook="before model"),)),
        AgentsMD(config=Config()),
        Plugin(name="B"),
    )


def test_a_middleware_brings_tools() -> None:
    """Which may return commands, and be known by another name."""
    table = [
        ["name", "returns", "sets", "goes to", "known as"],
        ["t1", "a", "", "", ""],
        ["t2", "a", '{"k": 1}', "", "look up"],
        ["t3", "a", "", "end", ""],
        ["t4", "a", '{"k": null}', "model", ""],
    ]

    (plugin,) = handlers_of(('"A" provides the tools', table))

    assert plugin == Plugin(
        name="A",
        tools=(
            Tool(name="t1", text="a"),
            Tool(name="t2", text="a", command=Command(state={"k": 1}), known_as="look up"),
            Tool(name="t3", text="a", command=Command(goto="end")),
            Tool(name="t4", text="a", command=Command(state={"k": None}, goto="model")),
        ),
    )


def test_runs_have_contexts_and_threads() -> None:
    """Each its own; a context without values is none the less one."""
    scene = built(
        'a middleware "A" without hooks',
        'the runtime context {"user": "u"}',
        "run 2 has the runtime context {}",
        'run 1 belongs to the thread "t"',
        'run 2 belongs to the thread "t"',
        act="the agent runs twice",
    )

    assert [(run.id, run.context, run.thread) for run in scene.runs] == [("1", {"user": "u"}, "t"), ("2", {}, "t")]
    assert Run(id="1").context is None


def test_a_model_says_what_it_takes() -> None:
    """Before or after its answers are given; and so does the one of a summarization that is given later."""
    turns = (Turn(text="a"),)
    answers = ("a model that answers", [["text"], ["a"]])

    assert built("a model with a context size of 40 tokens").agent.model == Model(max_input_tokens=40)
    assert built(answers, "a model with a context size of 40 tokens").agent.model == Model(
        turns=turns, max_input_tokens=40
    )
    (before,) = handlers_of(
        'a summarization triggered by {"fraction": 0.5}', "a model with a context size of 40 tokens"
    )
    (summarization,) = handlers_of(
        "a model with a context size of 40 tokens", 'a summarization triggered by {"fraction": 0.5}'
    )
    summarizer = Model(name="summarizer")
    assert before == Summarization(trigger={"fraction": 0.5}, model=summarizer)
    assert summarization == Summarization(
        trigger={"fraction": 0.5}, model=Model(name="summarizer", max_input_tokens=40)
    )


def test_a_summarization_is_described() -> None:
    """All of it; a second one is like it in everything but its name."""
    first, second = handlers_of(
        'a summarization triggered by {"messages": 4, "tokens": 20}',
        "the summarization keeps 2 messages",
        'the summaries begin with "Before: "',
        ("the model of the summarization answers", [["text"], ["short"], ["shorter"]]),
        'a second summarization "again" with the same configuration',
    )

    model = Model(name="summarizer", turns=(Turn(text="short"), Turn(text="shorter")))
    assert first == Summarization(trigger={"messages": 4, "tokens": 20}, keep=2, prefix="Before: ", model=model)
    assert second == Summarization(
        name="again", trigger={"messages": 4, "tokens": 20}, keep=2, prefix="Before: ", model=model
    )
    (estimating,) = handlers_of("the summarization has no token counter")
    assert estimating == Summarization(model=Model(name="summarizer"), counts=False)
    (agents,) = handlers_of("a summarization triggered by nothing", "the summarization has no model of its own")
    assert agents == Summarization()
    last = ["a summarization triggered by nothing", "the summarization keeps the last message"]
    assert handlers_of(*last) == (Summarization(keep=1, model=Model(name="summarizer")),)


def test_a_to_do_list_is_described() -> None:
    """With its own texts or with others."""
    assert handlers_of("a to-do list") == (TodoList(),)
    assert handlers_of('a to-do list with the prompt "a"', 'a to-do list with the description "b"') == (
        TodoList(prompt="a", description="b"),
    )


def test_models_that_wrappers_may_let_answer_are_the_agents() -> None:
    """Unless they are there to fail over to."""
    additional = ('a model "m" that answers', [["text"], ["a"]])

    assert [model.name for model in built('a middleware "A" without hooks', additional).agent.additional_models] == [
        "m"
    ]
    assert built(additional, "a failover to the models m").agent.additional_models == ()


def test_the_execution_trace_is_observed_where_a_then_is_about_it() -> None:
    """And only there."""
    assert built("an execution trace", "a to-do list").traces
    assert not built("a to-do list").traces


def test_the_tokens_of_a_word_are_the_scenes() -> None:
    """One, unless the scenario says otherwise."""
    assert built("a to-do list").tokens_per_word == 1
    assert built("the token counter counts 7 tokens per word", "a to-do list").tokens_per_word == 7
