"""Given: an agent of the features about the loop: its model, its tools, and how it is configured."""

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
    Word("a way to choose a model", "The callback that chooses the next model.", "chooses"),
    Word("a way to decide", "The callback that decides whether a failed call fails over.", "asks"),
)


@given("an agent")
def an_agent(scene_builder: SceneBuilder) -> None:
    """An agent that has nothing but a model, which answers "done"."""
    scene_builder.loop_or_new()


@given("an agent without a model")
def an_agent_without_model(scene_builder: SceneBuilder) -> None:
    """A configuration in which the model is missing."""
    scene_builder.loop_or_new().without_model = True


@given('an agent with the instruction "{text}"')
def an_agent_with_instruction(scene_builder: SceneBuilder, text: str) -> None:
    """An agent and its instruction."""
    scene_builder.loop_or_new().instruction = text


@given("a model that answers", TURNS)
def model_that_answers(scene_builder: SceneBuilder, table: Table) -> None:
    """The agent's model, one answer per row."""
    loop = scene_builder.loop_or_new()
    name = "model" if loop.parent is None else f"{loop.name}'s"
    loop.model = Model(name=name, turns=turns_of(table))


@given('a model "{name}" that answers', TURNS)
def other_model_that_answers(scene_builder: SceneBuilder, name: str, table: Table) -> None:
    """Another model, one answer per row."""
    scene_builder.loop_or_new().models[name] = Model(name=name, turns=turns_of(table))


@given('a model that calls "{tool}" {times:Times} before it answers "{text}"')
def model_that_calls(scene_builder: SceneBuilder, tool: str, times: int, text: str) -> None:
    """The agent's model: so many answers with one call each, and then the text."""
    calls = [Turn(tool_calls=calls_of(tool, number)) for number in range(1, times + 1)]
    scene_builder.loop_or_new().model = Model(turns=(*calls, Turn(text=text)))


@given("the tools", TOOLS)
def the_tools(scene_builder: SceneBuilder, table: Table) -> None:
    """The agent's tools, one per row; a second one of a name is another tool."""
    loop = scene_builder.loop_or_new()
    for tool in tools_of(table):
        if tool.name in loop.tools:
            loop.twins.append(tool)
        else:
            loop.tools[tool.name] = tool


@given('a tool "{name}" that returns "{text}"')
def tool_that_returns(scene_builder: SceneBuilder, name: str, text: str) -> None:
    """A tool of the agent."""
    scene_builder.loop_or_new().tools[name] = Tool(name=name, text=as_text(text))


@given("the spare tools", TOOLS)
def the_additional_tools(scene_builder: SceneBuilder, table: Table) -> None:
    """Tools that the agent does not have, but which a handler may give it; columns as of the tools."""
    scene_builder.loop_or_new().additional_tools += tools_of(table)


@given("an iteration limit of {limit:d}")
def iteration_limit(scene_builder: SceneBuilder, limit: int) -> None:
    """How many model calls a run may make."""
    scene_builder.loop_or_new().max_iterations = limit


@given("the tools {tools} return directly")
def tools_return_directly(scene_builder: SceneBuilder, tools: str) -> None:
    """Tools whose result ends the run."""
    scene_builder.loop_or_new().return_directly |= dict.fromkeys(names(tools), True)


@given('the tool "{tool}" is said not to return directly')
def tool_does_not_return_directly(scene_builder: SceneBuilder, tool: str) -> None:
    """An entry for the tool among those that return directly which says no."""
    scene_builder.loop_or_new().return_directly[tool] = False


@given("the exit tool")
def the_exit_tool(scene_builder: SceneBuilder) -> None:
    """The agent has its implementation's own exit tool."""
    scene_builder.loop_or_new().exit_tool = True


@given('the output key "{key}"')
def the_output_key(scene_builder: SceneBuilder, key: str) -> None:
    """The final answer is to be stored in the session."""
    scene_builder.loop_or_new().output_key = key


@given("tool calls are made one after the other")
def sequential_calls(scene_builder: SceneBuilder) -> None:
    """The agent is told not to make the calls of one answer at the same time."""
    scene_builder.loop_or_new().sequential = True


@given("an input generation that puts before the conversation", CONVERSATION)
def input_generation(scene_builder: SceneBuilder, table: Table) -> None:
    """A custom input generation; the caller's messages follow."""
    scene_builder.loop_or_new().make_input = MakeInput(messages=conversation_of(table))


@given('an input generation that fails with "{code}"')
def failing_input_generation(scene_builder: SceneBuilder, code: str) -> None:
    """A custom input generation that fails."""
    scene_builder.loop_or_new().make_input = MakeInput(error=error_of(code))


@given("failed model calls are made again {times:Times} at most")
def retries(scene_builder: SceneBuilder, times: int) -> None:
    """Retry is configured."""
    scene_builder.loop_or_new().retrying(max_retries=times)


@given("they are made again only after the errors {codes}")
def retries_after(scene_builder: SceneBuilder, codes: str) -> None:
    """The retry configuration is asked about each error."""
    scene_builder.loop_or_new().retrying(codes=names(codes))


@given('the answer "{text}" is rejected')
def rejected_answer(scene_builder: SceneBuilder, text: str) -> None:
    """The retry configuration looks at answers, too."""
    known = scene_builder.loop_or_new().retrying()
    scene_builder.loop_or_new().retrying(rejects=(*known.rejects, text))


@given("as many seconds are waited before a retry as it has in its number")
def retry_delays(scene_builder: SceneBuilder) -> None:
    """A back-off function: one second before the first retry, two before the second."""
    scene_builder.loop_or_new().retrying(delays=True)


@given("a failover to the models {models}")
def failover(scene_builder: SceneBuilder, models: str) -> None:
    """Failover is configured, to these models in turn."""
    scene_builder.loop_or_new().failover = Failover(models=tuple(Model(name=name) for name in names(models)))


@given("a failover {times:Times} at most, to the models {models}")
def limited_failover(scene_builder: SceneBuilder, times: int, models: str) -> None:
    """The same, with a limit."""
    scene_builder.loop_or_new().failover = Failover(
        models=tuple(Model(name=name) for name in names(models)), limit=times
    )


@given("it fails over only after the errors {codes}")
def failover_after(scene_builder: SceneBuilder, codes: str) -> None:
    """The failover configuration agrees only for these."""
    scene_builder.loop_or_new().failing_over(codes=names(codes))


@given("the backup is sent", CONVERSATION)
def failover_messages(scene_builder: SceneBuilder, table: Table) -> None:
    """Choosing a model gives other messages with it."""
    scene_builder.loop_or_new().failing_over(messages=conversation_of(table))


@given('choosing a model fails with "{code}"')
def failover_fails(scene_builder: SceneBuilder, code: str) -> None:
    """The failover configuration cannot choose."""
    scene_builder.loop_or_new().failing_over(error=error_of(code))


@given("a failover without {what}", what=MISSING)
def incomplete_failover(scene_builder: SceneBuilder, what: str) -> None:
    """A failover of which one callback is missing: `a way to choose a model`, or `a way to decide`."""
    missing = {MISSING.read(what): False}
    scene_builder.loop_or_new().failover = replace(Failover(models=(Model(name="backup"),)), **missing)


@given("callbacks")
def with_callbacks(scene_builder: SceneBuilder) -> None:
    """Somebody is told about the real model calls and tool calls."""
    scene_builder.loop_or_new().callbacks = True


@given("a model that reports its own calls")
def reporting_model(scene_builder: SceneBuilder) -> None:
    """The agent's model tells callbacks about its calls by itself."""
    scene_builder.loop_or_new().callbacks = True
    scene_builder.loop_or_new().model = Model(reports=True)


@given("a model that cannot take tools")
def model_without_tools(scene_builder: SceneBuilder) -> None:
    """The agent's model cannot be offered any tool."""
    scene_builder.loop_or_new().model = Model(takes_tools=False)


@given('a sub-agent "{name}", with')
def sub_agent(scene_builder: SceneBuilder, name: str) -> None:
    """An agent that the present one has as a tool, described by that name. What follows is about it.

    Said again of the same one, it goes on about it.
    """
    parent = scene_builder.loop_or_new()
    known = parent.tools.get(name)
    new = AgentBuilder(name=name, parent=parent, description=f"what {name} does")
    scene_builder.loop = known if isinstance(known, AgentBuilder) else new
    parent.tools[name] = scene_builder.loop


@given("an agent above it, with")
def agent_above(scene_builder: SceneBuilder) -> None:
    """What follows is about the agent that has the present one as a tool."""
    loop = scene_builder.loop_or_new()
    scene_builder.loop = loop.parent or loop


@given('it is described as "{text}"')
def described_as(scene_builder: SceneBuilder, text: str) -> None:
    """The description of the present agent, maybe empty."""
    scene_builder.loop_or_new().description = text


@given("it has no name")
def has_no_name(scene_builder: SceneBuilder) -> None:
    """The present agent's name is empty."""
    scene_builder.loop_or_new().name = ""


@given("it is given the whole conversation")
def whole_history(scene_builder: SceneBuilder) -> None:
    """The present sub-agent gets the conversation so far."""
    scene_builder.loop_or_new().full_history = True


@given("it takes the arguments")
def takes_arguments(scene_builder: SceneBuilder, docstring: str) -> None:
    """The present sub-agent has an input schema of its own."""
    scene_builder.loop_or_new().schema = as_object(docstring)


@given("it takes any arguments")
def takes_any_arguments(scene_builder: SceneBuilder) -> None:
    """The present sub-agent has an input schema that names none."""
    scene_builder.loop_or_new().schema = {"type": "object"}


@given("the events of sub-agents are shown")
def internal_events(scene_builder: SceneBuilder) -> None:
    """The present agent shows the events of its sub-agents among its own."""
    scene_builder.loop_or_new().internal_events = True


@given("the messages are {kind}", kind=MESSAGE_TYPES)
def messages_are(scene_builder: SceneBuilder, kind: str) -> None:
    """The message type: plain or agentic."""
    scene_builder.message_type = MESSAGE_TYPES.read(kind)
