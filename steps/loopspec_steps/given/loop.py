"""Given: an agent, its model, its tools and its configuration."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import Failover, MakeInput, Model, Tool, Turn
from loopspec.contract.values import Error

from ..builders.scene import AgentBuilder, SceneBuilder
from ..cells import as_object, as_text, calls_of, names
from ..conversation import CONVERSATION, MESSAGE_TYPES
from ..declarations import ClosedList, Table, Word
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import AGENT, FAILOVER, RETRY, SCENE, SUB_AGENT
from .tables import TOOLS, TURNS

MISSING: ClosedList[str] = ClosedList(
    "parts of a failover",
    "A part that is missing from a failover configuration.",
    Word("a backup selector", "The callback that chooses the next model.", "chooses"),
    Word("a failover predicate", "The callback that decides whether a failed call fails over.", "asks"),
)


AGENT.given("an agent", 'An agent that has only a model, which answers "done".')
AGENT.given("an agent without a model", "A configuration of an agent without a model.", model=None)
AGENT.given('an agent with the instruction "{text}"', "An agent with an instruction.", instruction="{text}")


@given("a model that answers", TURNS)
def a_model_that_answers(scene_builder: SceneBuilder, table: Table) -> None:
    """The agent's model, one answer per row."""
    loop = scene_builder.described
    known = loop.agent.model or Model()  # what an earlier step says about the model
    loop.agent = replace(loop.agent, model=replace(known, name=loop.model_name, turns=TURNS.read(table)))


@given('a model "{name}" that answers', TURNS)
def a_named_model_that_answers(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """A further model, one answer per row."""
    scene_builder.described.models[name] = Model(name=name, turns=TURNS.read(table))


@given('a model that calls "{tool}" {times:Times} before it answers "{text}"')
def a_model_that_calls(scene_builder: SceneBuilder, tool: str, times: int, text: str) -> None:
    """The agent's model: this many answers with one tool call each, then an answer with the text."""
    calls = (Turn(tool_calls=calls_of(tool, number)) for number in range(1, times + 1))
    loop = scene_builder.described
    loop.agent = replace(loop.agent, model=Model(turns=(*calls, Turn(text=text))))


@given("the tools", TOOLS)
def the_tools(scene_builder: SceneBuilder, table: Table) -> None:
    """The agent's tools, one per row. Two rows with the same name are two tools."""
    loop = scene_builder.described
    for tool in TOOLS.read(table):
        if tool.name in loop.tools:
            loop.twins.append(tool)
        else:
            loop.tools[tool.name] = tool


@given('a tool "{name}" that returns "{text}"')
def a_tool_that_returns(scene_builder: SceneBuilder, name: str, text: str) -> None:
    """A tool of the agent that returns the text."""
    scene_builder.described.tools[name] = Tool(name=name, text=as_text(text))


AGENT.given(
    "the additional tools",
    "Additional tools: the agent does not have them, and a handler can give them to the agent.",
    TOOLS,
    additional_tools=hole("table"),
)
AGENT.given("an iteration limit of {limit:d}", "The most model calls of a run.", max_iterations=hole("limit"))


@given("the tools {tools} return directly", one='the tool "{tools}" returns directly')
def tools_return_directly(scene_builder: SceneBuilder, tools: str) -> None:
    """Tools whose result ends the run."""
    loop = scene_builder.described
    entries = {**loop.agent.return_directly, **dict.fromkeys(names(tools), True)}
    loop.agent = replace(loop.agent, return_directly=entries)


AGENT.given(
    'the tool "{tool}" is configured not to return directly',
    "The configuration of the tools that return directly has an entry for the tool that says no.",
    return_directly=Added({"{tool}": False}),
)

AGENT.given("the exit tool", "The agent has the exit tool of the implementation.", exit_tool=True)
AGENT.given('the output key "{key}"', "The session key under which the final answer is stored.", output_key="{key}")
AGENT.given("tool calls run sequentially", "The tool calls of one answer run one after the other.", sequential=True)
AGENT.given(
    "a custom input function that prepends",
    "A custom input generation that inserts messages before the caller's messages.",
    CONVERSATION,
    make_input=MakeInput(messages=hole("table")),
)
AGENT.given(
    'a custom input function that fails with "{code}"',
    "A custom input generation that fails with the error.",
    make_input=MakeInput(error=Error(kind="scripted", code="{code}")),
)

RETRY.given(
    "failed model calls are retried at most {times:Times}",
    "Retry is configured with this maximum number of retries.",
    max_retries=hole("times"),
)
RETRY.given(
    "a retry predicate that accepts the errors {codes}",
    "The retry configuration decides about each error, and accepts only these for a retry.",
    codes=hole("codes"),
    one='a retry predicate that accepts the error "{codes}"',
)
RETRY.given(
    'an answer check that rejects "{text}"',
    "The retry configuration judges each answer, and rejects this text.",
    rejects=Added("{text}"),
)
RETRY.given(
    'the answer check accepts the error "{code}"',
    "The answer check also judges each failure, and accepts one with this error.",
    accepts=Added("{code}"),
)
RETRY.given(
    "a back-off of N seconds before retry N",
    "A back-off function: one second before the first retry, two seconds before the second.",
    delays=True,
)


@given("a failover, at most {times:Times}, to no model", models="nothing", meaning="The backup selector returns none.")
@given(
    "a failover, at most {times:Times}, to the models {models}",
    one='a failover, at most {times:Times}, to the model "{models}"',
)
@given(
    "a failover to the models {models}",
    one='a failover to the model "{models}"',
    meaning="Failover is configured to these models in order.",
    times=None,
)
def failover_to(scene_builder: SceneBuilder, models: str, times: int | None) -> None:
    """Failover is configured to these models in order, with a maximum number of failovers."""
    failover = Failover(models=tuple(Model(name=name) for name in names(models)), limit=times)
    FAILOVER.put(scene_builder, failover)


@given("a failover without {what}", what=MISSING)
def failover_without(scene_builder: SceneBuilder, what: str) -> None:
    """A failover configuration in which one callback is missing."""
    FAILOVER.put(scene_builder, replace(Failover(models=(Model(name="backup"),)), **{MISSING.read(what): False}))


FAILOVER.given(
    "a failover predicate that accepts the errors {codes}",
    "The failover configuration decides about each error, and fails over only after these.",
    codes=hole("codes"),
    one='a failover predicate that accepts the error "{codes}"',
)
FAILOVER.given(
    "a backup selector that replaces the messages for the models {models} with",
    "The callback that chooses a model also returns other messages, if it chooses one of these models.",
    CONVERSATION,
    messages=hole("table"),
    messages_for=hole("models"),
    one='a backup selector that replaces the messages for the model "{models}" with',
)
FAILOVER.given(
    "a backup selector that replaces the messages with",
    "The callback that chooses a model also returns other messages for the call.",
    CONVERSATION,
    messages=hole("table"),
)
FAILOVER.given(
    'a backup selector that fails with "{code}"',
    "The callback that chooses a model fails with the error once no model is left.",
    error=Error(kind="scripted", code="{code}"),
)

AGENT.given(
    "a model that calls the callbacks itself",
    "The agent's model calls the callbacks about its own calls.",
    callbacks=True,
    model=Model(reports=True),
)
AGENT.given("callbacks for model and tool calls", "The caller has callbacks around each call.", callbacks=True)


AGENT.given("a model that does not support tools", "The agent's model takes no tools.", model=Model(takes_tools=False))


@given('a sub-agent "{name}"')
def a_sub_agent(scene_builder: SceneBuilder, name: str) -> None:
    """A sub-agent that the current agent has as a tool.

    The steps that follow describe the sub-agent. A second step about the sub-agent continues its description.
    """
    parent = scene_builder.described
    known = parent.tools.get(name)
    new = AgentBuilder(name=name, description=f"what {name} does", parent=parent)
    scene_builder.loop = known if isinstance(known, AgentBuilder) else new
    parent.tools[name] = scene_builder.loop


@given("an outer agent")
def an_outer_agent(scene_builder: SceneBuilder) -> None:
    """The steps that follow describe the outer agent of the current agent."""
    loop = scene_builder.described
    scene_builder.loop = loop.parent or loop


AGENT.given(
    'the description "{text}"', "The description of the current agent, which can be empty.", description="{text}"
)
AGENT.given("no name", "The name of the current agent is empty.", name="")
AGENT.given(
    "the events of sub-agents are forwarded",
    "The current agent emits the events of its sub-agents among its own.",
    internal_events=True,
)
SUB_AGENT.given("the whole conversation as input", "The sub-agent receives the conversation so far.", full_history=True)
SUB_AGENT.given(
    "an input schema without properties",
    "The current sub-agent has a schema for its arguments that names no argument.",
    schema={"type": "object"},
)


@given("the input schema")
def the_input_schema(scene_builder: SceneBuilder, docstring: str) -> None:
    """The current sub-agent has this JSON Schema for its arguments."""
    SUB_AGENT.put(scene_builder, replace(SUB_AGENT.of(scene_builder), schema=as_object(docstring)))


SCENE.given(
    "the caller passes the same lists of handlers and tools to all agents",
    "The caller passes one list object to all agents with equal handlers, and one to all agents with equal tools. "
    "Needs the capability shared-lists.",
    shared_lists=True,
)
SCENE.given(
    "the messages are {kind}",
    "The message type of all agents.",
    holds={"kind": MESSAGE_TYPES},
    message_type=hole("kind"),
)
