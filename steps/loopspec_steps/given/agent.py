"""Given: a conversation, and an agent with the AgentsMD middleware."""

from __future__ import annotations

from loopspec.contract.actions import AddContext, DropInstructions, Insert, Summarize
from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Script, Scripted, Tool, Turn
from loopspec.contract.scene import History
from loopspec.contract.values import Error, Message

from ..builders.agent import EVERY_HOOK
from ..builders.scene import SceneBuilder
from ..cells import as_json, names
from ..conversation import CONVERSATION, MESSAGE_TYPES, conversation_of
from ..declarations import Table
from ..hooks import SIDES, name_of_neighbor
from ..phrasebook import given


@given("the conversation", CONVERSATION)
def conversation(scene_builder: SceneBuilder, table: Table) -> None:
    """The messages that the caller passes to each run."""
    scene_builder.messages = conversation_of(table)


@given("a conversation of {kind} messages", CONVERSATION, kind=MESSAGE_TYPES)
def conversation_of_kind(scene_builder: SceneBuilder, kind: str, table: Table) -> None:
    """The messages that the caller passes to each run, in one of the two message types."""
    scene_builder.message_type = MESSAGE_TYPES.read(kind)
    scene_builder.messages = conversation_of(table)


@given("an empty conversation")
def empty_conversation(scene_builder: SceneBuilder) -> None:
    """The caller passes no message."""
    scene_builder.messages = ()


@given("the caller passes the same list of messages to each run")
def caller_hands_one_list(scene_builder: SceneBuilder) -> None:
    """The caller passes one list object to all runs, so that a run that changes the list changes the input of the next
    run.
    """
    scene_builder.one_list = True


@given('an instruction "{text}"')
def instruction(scene_builder: SceneBuilder, text: str) -> None:
    """The agent's instruction, which becomes the system message."""
    scene_builder.instruction = text


@given('a session in which "{key}" is "{value}"')
def session(scene_builder: SceneBuilder, key: str, value: str) -> None:
    """A session value with which each run begins. Needs the capability session-values."""
    scene_builder.session[key] = value


@given('a session in which "{key}" is the number {number:d}')
def session_number(scene_builder: SceneBuilder, key: str, number: int) -> None:
    """A session value that is a number, with which each run begins. Needs the capability session-values."""
    scene_builder.session[key] = number


@given('a session in which "{key}" is the JSON value {value}')
def session_json(scene_builder: SceneBuilder, key: str, value: str) -> None:
    """A session value that is given as JSON, with which each run begins. Needs the capability session-values."""
    scene_builder.session[key] = as_json(value)


@given('a session of run {run:d} in which "{key}" is "{value}"')
def session_of_run(scene_builder: SceneBuilder, run: int, key: str, value: str) -> None:
    """A session value that the caller passes to one run. Needs the capability session-values.

    A resumed run also needs the capability session-on-resume.
    """
    scene_builder.run_sessions.setdefault(run, {})[key] = value


@given('a session of run {run:d} in which "{key}" is the JSON value {value}')
def session_json_of_run(scene_builder: SceneBuilder, run: int, key: str, value: str) -> None:
    """A session value that is given as JSON and that the caller passes to one run.

    Needs the capability session-values. A resumed run also needs the capability session-on-resume.
    """
    scene_builder.run_sessions.setdefault(run, {})[key] = as_json(value)


@given("the tools {tools:Names}")
def tools(scene_builder: SceneBuilder, tools: str) -> None:
    """The tools of the agent."""
    scene_builder.tools += [Tool(name=name) for name in names(tools)]


@given("a model that calls a tool {times:Times} before it answers")
def model_that_asks(scene_builder: SceneBuilder, times: int) -> None:
    """Each run makes this many model calls with a tool call, and one more."""
    scene_builder.tool_rounds = times


@given("a tool that interrupts the run")
def tool_that_interrupts(scene_builder: SceneBuilder) -> None:
    """A tool that the model calls once, and that returns only when the run is resumed."""
    scene_builder.tools.append(Tool(name="ask a person", interrupts=True))


@given("a tool that fails")
def tool_that_fails(scene_builder: SceneBuilder) -> None:
    """A tool that the model calls once in each run, and that ends the run with an error."""
    scene_builder.tools.append(Tool(name="fail", error=Error(kind="scripted", code="no luck")))


@given("a sub-agent with the same middleware")
def tool_that_is_an_agent(scene_builder: SceneBuilder) -> None:
    """A sub-agent that the model calls once, with the handler under test. Needs the capability agent-tool."""
    helper = Agent(name="helper", description="helps", model=Model(name="helper's model", turns=(Turn(text="helped"),)))
    scene_builder.tools.append(Tool(name="helper", agent=helper, schema={"type": "object"}))


@given("a handler {side} the AgentsMD middleware that observes", side=SIDES)
def handler_that_observes(scene_builder: SceneBuilder, side: str) -> None:
    """A handler with every hook that only observes, before or after the handler under test."""
    scene_builder.add_handler(
        SIDES.read(side),
        Scripted(name=name_of_neighbor(SIDES.read(side)), scripts=tuple(Script(hook=h) for h in EVERY_HOOK)),
    )


@given("a handler {side} the AgentsMD middleware that removes the instructions", side=SIDES)
def handler_that_removes(scene_builder: SceneBuilder, side: str) -> None:
    """A handler that removes the instructions from the conversation before each model call."""
    script = Script(hook="before model", actions=(DropInstructions(),))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="remover", scripts=(script,)))


@given(
    'a handler {side} the AgentsMD middleware that replaces more than {count:d} messages with "(summary)"', side=SIDES
)
def handler_that_summarizes(scene_builder: SceneBuilder, side: str, count: int) -> None:
    """A handler that replaces all but the last of more messages with "(summary)"; system messages stay."""
    script = Script(hook="before model", actions=(Summarize(over=count),))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="summarizer", scripts=(script,)))


@given('a handler {side} the AgentsMD middleware that inserts "{text}" first in model call {call:d}', side=SIDES)
def handler_that_puts_first(scene_builder: SceneBuilder, side: str, text: str, call: int) -> None:
    """A handler that inserts a user message at the start of the conversation before one model call."""
    insert = Insert(at=0, message=Message(role="user", content=text))
    script = Script(hook="before model", actions=(insert,), calls=(call,))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="inserter", scripts=(script,)))


@given('a handler {side} the AgentsMD middleware that adds "{key}" to the context', side=SIDES)
def handler_that_adds_context(scene_builder: SceneBuilder, side: str, key: str) -> None:
    """A handler that adds a context value before each model call. Needs the capability context-values."""
    script = Script(hook="before model", actions=(AddContext(key=key, value=f"the {key}"),))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="context adder", scripts=(script,)))


@given('a second AgentsMD middleware for "{path}"')
def second_handler(scene_builder: SceneBuilder, path: str) -> None:
    """A second AgentsMD middleware, after all other handlers so far."""
    scene_builder.add_handler("after", AgentsMD(name="second", config=Config(files=(path,))))


@given("a second AgentsMD middleware for the files {paths}")
def second_handler_for(scene_builder: SceneBuilder, paths: str) -> None:
    """A second AgentsMD middleware with several configured files, after all other handlers so far."""
    scene_builder.add_handler("after", AgentsMD(name="second", config=Config(files=names(paths))))


@given("the caller starts run {run:d} with the conversation of run {earlier:d}")
def caller_keeps_conversation(scene_builder: SceneBuilder, run: int, earlier: int) -> None:
    """The caller stores the conversation of a run with its instructions, and passes the conversation to another run."""
    scene_builder.histories[run] = History(run=str(earlier))


@given("the caller starts run {run:d} with the conversation of run {earlier:d}, without extra data")
def caller_loses_extra(scene_builder: SceneBuilder, run: int, earlier: int) -> None:
    """The caller stores only roles and contents of a run's conversation, and passes them to another run."""
    scene_builder.histories[run] = History(run=str(earlier), keep_extra=False)


@given("a listener reads the events")
def listener_reads(scene_builder: SceneBuilder) -> None:
    """The caller reads the event streams of the runs, which only an agent has."""
    scene_builder.listens = True
