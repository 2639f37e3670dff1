"""Given: the conversation, the model, its tools, and handlers beside the one under test."""

from __future__ import annotations

from loopspec.contract.actions import AddContext, DropInstructions, Insert, Summarise
from loopspec.contract.agents import Agent, AgentsMD, Config, Model, Script, Scripted, Tool, Turn
from loopspec.contract.scene import History
from loopspec.contract.values import Error, Message

from ..builders.agent import EVERY_HOOK
from ..builders.scene import SceneBuilder
from ..cells import names
from ..conversation import CONVERSATION, MESSAGE_TYPES, conversation_of
from ..declarations import Table
from ..hooks import SIDES, name_of_neighbor
from ..phrasebook import given


@given("the conversation", CONVERSATION)
def conversation(scene_builder: SceneBuilder, table: Table) -> None:
    """The messages the caller hands to each run, by role and content."""
    scene_builder.messages = conversation_of(table)


@given("a conversation of {kind} messages", CONVERSATION, kind=MESSAGE_TYPES)
def conversation_of_kind(scene_builder: SceneBuilder, kind: str, table: Table) -> None:
    """The same, in messages of one of the two types: plain or agentic."""
    scene_builder.message_type = MESSAGE_TYPES.read(kind)
    scene_builder.messages = conversation_of(table)


@given("an empty conversation")
def empty_conversation(scene_builder: SceneBuilder) -> None:
    """The caller hands over no message."""
    scene_builder.messages = ()


@given("the caller hands each run the very same list of messages")
def caller_hands_one_list(scene_builder: SceneBuilder) -> None:
    """The same list object, not only equal messages: an implementation that changes it changes the next run's."""
    scene_builder.one_list = True


@given('an instruction "{text}"')
def instruction(scene_builder: SceneBuilder, text: str) -> None:
    """The agent's instruction, which becomes its system message."""
    scene_builder.instruction = text


@given('a session in which "{key}" is "{value}"')
def session(scene_builder: SceneBuilder, key: str, value: str) -> None:
    """A value the runs are given. Needs the capability session-values."""
    scene_builder.session[key] = value


@given('a session in which "{key}" is the number {number:d}')
def session_number(scene_builder: SceneBuilder, key: str, number: int) -> None:
    """The same, and the value is a number."""
    scene_builder.session[key] = number


@given("the tools {tools:Names}")
def tools(scene_builder: SceneBuilder, tools: str) -> None:
    """Tools the agent has."""
    scene_builder.tools += [Tool(name=name) for name in names(tools)]


@given("a model that asks for a tool {times:Times} before it answers")
def model_that_asks(scene_builder: SceneBuilder, times: int) -> None:
    """Each run makes one model call more than that."""
    scene_builder.tool_rounds = times


@given("a tool that interrupts the run")
def tool_that_interrupts(scene_builder: SceneBuilder) -> None:
    """A tool that the model asks for once, and which answers only when the run is resumed."""
    scene_builder.tools.append(Tool(name="ask a person", interrupts=True))


@given("a tool that fails")
def tool_that_fails(scene_builder: SceneBuilder) -> None:
    """A tool that the model asks for once in each run, and which ends the run with an error."""
    scene_builder.tools.append(Tool(name="fail", error=Error(kind="scripted", code="no luck")))


@given("a tool that is an agent with the same handler")
def tool_that_is_an_agent(scene_builder: SceneBuilder) -> None:
    """A sub-agent that the model asks for once, with the handler under test. Needs the capability agent-tool."""
    helper = Agent(name="helper", description="helps", model=Model(name="helper's model", turns=(Turn(text="helped"),)))
    scene_builder.tools.append(Tool(name="helper", agent=helper, schema={"type": "object"}))


@given("a handler {side} it that looks on", side=SIDES)
def handler_that_looks_on(scene_builder: SceneBuilder, side: str) -> None:
    """A handler that is called in every hook and changes nothing, registered before or behind the one under test."""
    scene_builder.add_handler(
        SIDES.read(side),
        Scripted(name=name_of_neighbor(SIDES.read(side)), scripts=tuple(Script(hook=h) for h in EVERY_HOOK)),
    )


@given("a handler {side} it that removes the instructions", side=SIDES)
def handler_that_removes(scene_builder: SceneBuilder, side: str) -> None:
    """A handler that takes the instructions out of the conversation before each model call."""
    script = Script(hook="before model", actions=(DropInstructions(),))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="remover", scripts=(script,)))


@given("a handler {side} it that summarises more than {count:d} messages", side=SIDES)
def handler_that_summarises(scene_builder: SceneBuilder, side: str, count: int) -> None:
    """A handler that puts "(summary)" in the place of all but the last message, system messages apart."""
    script = Script(hook="before model", actions=(Summarise(over=count),))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="summariser", scripts=(script,)))


@given('a handler {side} it that puts "{text}" first in model call {call:d}', side=SIDES)
def handler_that_puts_first(scene_builder: SceneBuilder, side: str, text: str, call: int) -> None:
    """A handler that puts a user message in front of the conversation, before that model call."""
    insert = Insert(at=0, message=Message(role="user", content=text))
    script = Script(hook="before model", actions=(insert,), calls=(call,))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="inserter", scripts=(script,)))


@given('a handler {side} it that adds "{key}" to the context', side=SIDES)
def handler_that_adds_context(scene_builder: SceneBuilder, side: str, key: str) -> None:
    """A handler that adds a context value before each model call. Needs the capability context-values."""
    script = Script(hook="before model", actions=(AddContext(key=key, value=f"the {key}"),))
    scene_builder.add_handler(SIDES.read(side), Scripted(name="context adder", scripts=(script,)))


@given('a second AgentsMD handler for "{path}"')
def second_handler(scene_builder: SceneBuilder, path: str) -> None:
    """Another handler of the kind under test, behind all others so far."""
    scene_builder.add_handler("behind", AgentsMD(name="second", config=Config(files=(path,))))


@given("the caller begins run {run:d} with the conversation of run {earlier:d}")
def caller_keeps_conversation(scene_builder: SceneBuilder, run: int, earlier: int) -> None:
    """The caller has stored the conversation, the instructions in it included, and hands it over again."""
    scene_builder.histories[run] = History(run=str(earlier))


@given("the caller begins run {run:d} with the conversation of run {earlier:d}, without its extra data")
def caller_loses_extra(scene_builder: SceneBuilder, run: int, earlier: int) -> None:
    """The same, but the store kept roles and texts only."""
    scene_builder.histories[run] = History(run=str(earlier), keep_extra=False)


@given("somebody listens to the events")
def somebody_listens(scene_builder: SceneBuilder) -> None:
    """The runs' event streams are looked at, which only an agent has."""
    scene_builder.listens = True
