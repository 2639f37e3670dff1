"""Given: a conversation, and an agent with the AgentsMD middleware."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.actions import Action, AddContext, DeferTools, DropInstructions, Insert, Script, Summarize
from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Scripted, Tool, Turn
from loopspec.contract.scene import History
from loopspec.contract.values import Error, Message

from ..builders.scene import OBSERVERS, SceneBuilder
from ..cells import names
from ..conversation import CONVERSATION, MESSAGE_TYPES
from ..holes import SIDES
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import AROUND, NEIGHBORS, RUN, RUNS, SCENE

SCENE.given("an empty conversation", "The caller passes no message.", messages=())
SCENE.given(
    "the conversation", "The messages that the caller passes to each run.", CONVERSATION, messages=hole("table")
)
SCENE.given(
    "a conversation of {kind} messages",
    "The messages that the caller passes to each run, in one of the two message types.",
    CONVERSATION,
    holds={"kind": MESSAGE_TYPES},
    message_type=hole("kind"),
    messages=hole("table"),
)
SCENE.given(
    "the caller passes the same list of messages to each run",
    "The caller passes one list object to all runs, so that a run that changes the list changes the input of the next "
    "run.",
    one_list=True,
)
SCENE.given("a listener reads the events", "The caller reads the event streams, which only an agent has.", listens=True)

RUNS.given(
    'a session in which "{key}" is "{value}"',
    "A session value with which each run begins. Needs the capability session-values.",
    session=Added({"{key}": hole("value")}),
)
RUNS.given(
    'a session in which "{key}" is the number {number:d}',
    "A session value that is a number, with which each run begins. Needs the capability session-values.",
    session=Added({"{key}": hole("number")}),
)
RUNS.given(
    'a session in which "{key}" is the JSON value {value}',
    "A session value that is given as JSON, with which each run begins. Needs the capability session-values.",
    session=Added({"{key}": hole("value")}),
)
RUN.given(
    'a session of run {run:d} in which "{key}" is "{value}"',
    "A session value that the caller passes to one run. Needs the capability session-values. "
    "A resumed run also needs the capability session-on-resume.",
    session=Added({"{key}": hole("value")}),
)
RUN.given(
    'a session of run {run:d} in which "{key}" is the JSON value {value}',
    "A session value that is given as JSON and that the caller passes to one run. "
    "Needs the capability session-values. A resumed run also needs the capability session-on-resume.",
    session=Added({"{key}": hole("value")}),
)
RUN.given(
    "the caller starts run {run:d} with the conversation of run {earlier:d}",
    "The caller stores the conversation of a run with its instructions, and passes the conversation to another run.",
    history=History(run="{earlier}"),
)
RUN.given(
    "the caller starts run {run:d} with the conversation of run {earlier:d}, without extra data",
    "The caller stores only roles and contents of a run's conversation, and passes them to another run.",
    history=History(run="{earlier}", keep_extra=False),
)

AROUND.given(
    'an instruction "{text}"', "The agent's instruction, which becomes the system message.", instruction="{text}"
)


@given("the tools {tools:Names}")
def tools(scene_builder: SceneBuilder, tools: str) -> None:
    """The tools of the agent."""
    more = tuple(Tool(name=name) for name in names(tools))
    scene_builder.around = replace(scene_builder.around, tools=(*scene_builder.around.tools, *more))


@given("a model that calls a tool {times:Times} before it answers")
def model_that_calls_a_tool(scene_builder: SceneBuilder, times: int) -> None:
    """Each run makes this many model calls with a tool call, and one more."""
    scene_builder.tool_rounds = times


AROUND.given(
    "a tool that interrupts the run",
    "A tool that the model calls once, and that returns only when the run is resumed.",
    tools=Added(Tool(name="ask a person", interrupts=True)),
)
AROUND.given(
    "a tool that fails",
    "A tool that the model calls once in each run, and that ends the run with an error.",
    tools=Added(Tool(name="fail", error=Error(kind="scripted", code="no luck"))),
)
_HELPER = Agent(name="helper", description="helps", model=Model(name="helper's model", turns=(Turn(text="helped"),)))
AROUND.given(
    "a sub-agent with the same middleware",
    "A sub-agent that the model calls once, with the handler under test. Needs the capability agent-tool.",
    tools=Added(Tool(name="helper", agent=_HELPER, schema={"type": "object"})),
)


def _scripted(name: str, action: Action, calls: tuple[int, ...] = ()) -> Scripted:
    return Scripted(name=name, scripts=(Script(hook="before model", actions=(action,), calls=calls),))


NEIGHBORS.given(
    "a handler {side} the AgentsMD middleware that observes",
    "A handler with every hook that only observes, before or after the handler under test.",
    holds={"side": SIDES},
    handlers=Added(Scripted(name="the handler {side} AgentsMD", scripts=OBSERVERS)),
)
NEIGHBORS.given(
    "a handler {side} the AgentsMD middleware that removes the instructions",
    "A handler that removes the instructions from the conversation before each model call.",
    holds={"side": SIDES},
    handlers=Added(_scripted("remover", DropInstructions())),
)
NEIGHBORS.given(
    'a handler {side} the AgentsMD middleware that replaces more than {count:d} messages with "(summary)"',
    'A handler that replaces all but the last of more messages with "(summary)"; system messages stay.',
    holds={"side": SIDES},
    handlers=Added(_scripted("summarizer", Summarize(over=hole("count")))),
)
NEIGHBORS.given(
    'a handler {side} the AgentsMD middleware that inserts "{text}" first in model call {call:d}',
    "A handler that inserts a user message at the start of the conversation before one model call.",
    holds={"side": SIDES},
    handlers=Added(
        _scripted("inserter", Insert(at=0, message=Message(role="user", content="{text}")), calls=(hole("call"),))
    ),
)
NEIGHBORS.given(
    'a handler {side} the AgentsMD middleware that adds "{key}" to the context',
    "A handler that adds a context value before each model call. Needs the capability context-values.",
    holds={"side": SIDES},
    handlers=Added(_scripted("context adder", AddContext(key="{key}", value="the {key}"))),
)
NEIGHBORS.given(
    'a handler {side} the AgentsMD middleware that defers the tool "{tool}"',
    "A handler that defers one tool before the first model call. Needs the capability deferred-tools.",
    holds={"side": SIDES},
    handlers=Added(_scripted("deferrer", DeferTools(tools=("{tool}",)), calls=(1,))),
)

NEIGHBORS.given(
    'a second AgentsMD middleware for "{path}"',
    "A second AgentsMD middleware, after all other handlers so far.",
    side="after",
    handlers=Added(AgentsMD(name="second", config=Config(files=("{path}",)))),
)
NEIGHBORS.given(
    "a second AgentsMD middleware for the files {paths}",
    "A second AgentsMD middleware with several configured files, after all other handlers so far.",
    side="after",
    handlers=Added(AgentsMD(name="second", config=Config(files=hole("paths")))),
    one='a second AgentsMD middleware for the file "{paths}"',
)
