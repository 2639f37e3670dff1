"""Given: an agent, its model, its tools and its configuration."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import Failover, MakeInput, Model, Tool, Turn

from ..builders.agent import AgentBuilder
from ..builders.scene import SceneBuilder
from ..cells import as_object, as_text, calls_of, names
from ..conversation import CONVERSATION, MESSAGE_TYPES, conversation_of
from ..declarations import ClosedList, Table, Word
from ..phrasebook import given
from .turns_and_tools import TOOLS, TURNS, error_of, tools_of, turns_of

MISSING: ClosedList[str] = ClosedList(
    "parts of a failover",
    "A part that is missing from a failover configuration.",
    Word("a backup selector", "The callback that chooses the next model.", "chooses"),
    Word("a failover predicate", "The callback that decides whether a failed call fails over.", "asks"),
)


@given("an agent")
def an_agent(scene_builder: SceneBuilder) -> None:
    """An agent that has only a model, which answers "done"."""
    scene_builder.loop_or_new()


@given("an agent without a model")
def an_agent_without_model(scene_builder: SceneBuilder) -> None:
    """A configuration of an agent without a model."""
    scene_builder.loop_or_new().without_model = True


@given('an agent with the instruction "{text}"')
def an_agent_with_instruction(scene_builder: SceneBuilder, text: str) -> None:
    """An agent with an instruction."""
    scene_builder.loop_or_new().instruction = text


@given("a model that answers", TURNS)
def model_that_answers(scene_builder: SceneBuilder, table: Table) -> None:
    """The agent's model, one answer per row."""
    loop = scene_builder.loop_or_new()
    name = "model" if loop.parent is None else f"{loop.name}'s"
    loop.model = Model(name=name, turns=turns_of(table))


@given('a model "{name}" that answers', TURNS)
def other_model_that_answers(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """A further model, one answer per row."""
    scene_builder.loop_or_new().models[name] = Model(name=name, turns=turns_of(table))


@given('a model that calls "{tool}" {times:Times} before it answers "{text}"')
def model_that_calls(scene_builder: SceneBuilder, tool: str, times: int, text: str) -> None:
    """The agent's model: this many answers with one tool call each, then an answer with the text."""
    calls = [Turn(tool_calls=calls_of(tool, number)) for number in range(1, times + 1)]
    scene_builder.loop_or_new().model = Model(turns=(*calls, Turn(text=text)))


@given("the tools", TOOLS)
def the_tools(scene_builder: SceneBuilder, table: Table) -> None:
    """The agent's tools, one per row. Two rows with the same name are two tools."""
    loop = scene_builder.loop_or_new()
    for tool in tools_of(table):
        if tool.name in loop.tools:
            loop.twins.append(tool)
        else:
            loop.tools[tool.name] = tool


@given('a tool "{name}" that returns "{text}"')
def tool_that_returns(scene_builder: SceneBuilder, name: str, text: str) -> None:
    """A tool of the agent that returns the text."""
    scene_builder.loop_or_new().tools[name] = Tool(name=name, text=as_text(text))


@given("the additional tools", TOOLS)
def the_additional_tools(scene_builder: SceneBuilder, table: Table) -> None:
    """Additional tools: the agent does not have them, and a handler can give them to the agent."""
    scene_builder.loop_or_new().additional_tools += tools_of(table)


@given("an iteration limit of {limit:d}")
def iteration_limit(scene_builder: SceneBuilder, limit: int) -> None:
    """The maximum number of model calls in a run."""
    scene_builder.loop_or_new().max_iterations = limit


@given("the tools {tools} return directly")
def tools_return_directly(scene_builder: SceneBuilder, tools: str) -> None:
    """Tools whose result ends the run."""
    scene_builder.loop_or_new().return_directly |= dict.fromkeys(names(tools), True)


@given('the tool "{tool}" is configured not to return directly')
def tool_does_not_return_directly(scene_builder: SceneBuilder, tool: str) -> None:
    """The configuration of the tools that return directly has an entry for the tool that says no."""
    scene_builder.loop_or_new().return_directly[tool] = False


@given("the exit tool")
def the_exit_tool(scene_builder: SceneBuilder) -> None:
    """The agent has the exit tool of the implementation."""
    scene_builder.loop_or_new().exit_tool = True


@given('the output key "{key}"')
def the_output_key(scene_builder: SceneBuilder, key: str) -> None:
    """The session key under which the final answer is stored."""
    scene_builder.loop_or_new().output_key = key


@given("tool calls run sequentially")
def sequential_calls(scene_builder: SceneBuilder) -> None:
    """The tool calls of one answer run one after the other."""
    scene_builder.loop_or_new().sequential = True


@given("a custom input function that prepends", CONVERSATION)
def input_generation(scene_builder: SceneBuilder, table: Table) -> None:
    """A custom input generation that inserts messages before the caller's messages."""
    scene_builder.loop_or_new().make_input = MakeInput(messages=conversation_of(table))


@given('a custom input function that fails with "{code}"')
def failing_input_generation(scene_builder: SceneBuilder, code: str) -> None:
    """A custom input generation that fails with the error."""
    scene_builder.loop_or_new().make_input = MakeInput(error=error_of(code))


@given("failed model calls are retried at most {times:Times}")
def retries(scene_builder: SceneBuilder, times: int) -> None:
    """Retry is configured with this maximum number of retries."""
    scene_builder.loop_or_new().retrying(max_retries=times)


@given("a retry predicate that accepts the errors {codes}")
def retries_after(scene_builder: SceneBuilder, codes: str) -> None:
    """The retry configuration decides about each error, and accepts only these for a retry."""
    scene_builder.loop_or_new().retrying(codes=names(codes))


@given('an answer check that rejects "{text}"')
def rejected_answer(scene_builder: SceneBuilder, text: str) -> None:
    """The retry configuration judges each answer, and rejects this text."""
    known = scene_builder.loop_or_new().retrying()
    scene_builder.loop_or_new().retrying(rejects=(*known.rejects, text))


@given("a back-off of N seconds before retry N")
def retry_delays(scene_builder: SceneBuilder) -> None:
    """A back-off function: one second before the first retry, two seconds before the second."""
    scene_builder.loop_or_new().retrying(delays=True)


@given("a failover to the models {models}")
def failover(scene_builder: SceneBuilder, models: str) -> None:
    """Failover is configured to these models in order."""
    scene_builder.loop_or_new().failover = Failover(models=tuple(Model(name=name) for name in names(models)))


@given("a failover, at most {times:Times}, to the models {models}")
def limited_failover(scene_builder: SceneBuilder, times: int, models: str) -> None:
    """Failover is configured to these models in order, with a maximum number of failovers."""
    scene_builder.loop_or_new().failover = Failover(
        models=tuple(Model(name=name) for name in names(models)), limit=times
    )


@given("a failover predicate that accepts the errors {codes}")
def failover_after(scene_builder: SceneBuilder, codes: str) -> None:
    """The failover configuration decides about each error, and fails over only after these."""
    scene_builder.loop_or_new().failing_over(codes=names(codes))


@given("a backup selector that replaces the messages with", CONVERSATION)
def failover_messages(scene_builder: SceneBuilder, table: Table) -> None:
    """The callback that chooses a model also returns other messages for the call."""
    scene_builder.loop_or_new().failing_over(messages=conversation_of(table))


@given("a backup selector that replaces the messages for the models {models} with", CONVERSATION)
def failover_messages_for(scene_builder: SceneBuilder, models: str, table: Table) -> None:
    """The callback that chooses a model also returns other messages, if it chooses one of these models."""
    scene_builder.loop_or_new().failing_over(messages=conversation_of(table), messages_for=names(models))


@given('a backup selector that fails with "{code}"')
def failover_fails(scene_builder: SceneBuilder, code: str) -> None:
    """The callback that chooses a model fails with the error."""
    scene_builder.loop_or_new().failing_over(error=error_of(code))


@given("a failover without {what}", what=MISSING)
def incomplete_failover(scene_builder: SceneBuilder, what: str) -> None:
    """A failover configuration in which one callback is missing."""
    missing = {MISSING.read(what): False}
    scene_builder.loop_or_new().failover = replace(Failover(models=(Model(name="backup"),)), **missing)


@given("callbacks for model and tool calls")
def with_callbacks(scene_builder: SceneBuilder) -> None:
    """The caller has callbacks around model calls and tool calls."""
    scene_builder.loop_or_new().callbacks = True


@given("a model that calls the callbacks itself")
def reporting_model(scene_builder: SceneBuilder) -> None:
    """The agent's model calls the callbacks about its own calls."""
    scene_builder.loop_or_new().callbacks = True
    scene_builder.loop_or_new().model = Model(reports=True)


@given("a model that does not support tools")
def model_without_tools(scene_builder: SceneBuilder) -> None:
    """The agent's model does not accept tools."""
    scene_builder.loop_or_new().model = Model(takes_tools=False)


@given('a sub-agent "{name}", with')
def sub_agent(scene_builder: SceneBuilder, name: str) -> None:
    """A sub-agent that the current agent has as a tool.

    The steps that follow describe the sub-agent. A second step about the sub-agent continues its description.
    """
    parent = scene_builder.loop_or_new()
    known = parent.tools.get(name)
    new = AgentBuilder(name=name, parent=parent, description=f"what {name} does")
    scene_builder.loop = known if isinstance(known, AgentBuilder) else new
    parent.tools[name] = scene_builder.loop


@given("an outer agent, with")
def agent_above(scene_builder: SceneBuilder) -> None:
    """The steps that follow describe the outer agent of the current agent."""
    loop = scene_builder.loop_or_new()
    scene_builder.loop = loop.parent or loop


@given('the description "{text}"')
def described_as(scene_builder: SceneBuilder, text: str) -> None:
    """The description of the current agent, which can be empty."""
    scene_builder.loop_or_new().description = text


@given("no name")
def has_no_name(scene_builder: SceneBuilder) -> None:
    """The name of the current agent is empty."""
    scene_builder.loop_or_new().name = ""


@given("the whole conversation as input")
def whole_history(scene_builder: SceneBuilder) -> None:
    """The current sub-agent receives the conversation so far."""
    scene_builder.loop_or_new().full_history = True


@given("the input schema")
def takes_arguments(scene_builder: SceneBuilder, docstring: str) -> None:
    """The current sub-agent has this JSON Schema for its arguments."""
    scene_builder.loop_or_new().schema = as_object(docstring)


@given("an input schema without properties")
def takes_any_arguments(scene_builder: SceneBuilder) -> None:
    """The current sub-agent has a schema for its arguments that names no argument."""
    scene_builder.loop_or_new().schema = {"type": "object"}


@given("the events of sub-agents are forwarded")
def internal_events(scene_builder: SceneBuilder) -> None:
    """The current agent emits the events of its sub-agents among its own."""
    scene_builder.loop_or_new().internal_events = True


@given("the caller passes the same lists of handlers and tools to all agents")
def lists_are_shared(scene_builder: SceneBuilder) -> None:
    """The caller passes one list object to all agents with equal handlers, and one to all agents with equal tools.

    Needs the capability shared-lists.
    """
    scene_builder.shared_lists = True


@given("the messages are {kind}", kind=MESSAGE_TYPES)
def messages_are(scene_builder: SceneBuilder, kind: str) -> None:
    """The message type of all agents."""
    scene_builder.message_type = MESSAGE_TYPES.read(kind)
