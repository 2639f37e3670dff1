"""Then: model calls with instructions."""

from __future__ import annotations

from loopspec.contract.acting import Hook
from loopspec.contract.instructions import carries_instructions
from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import HookCall, ModelCall, Observation
from loopspec.contract.scene import Scene
from loopspec.contract.values import MARKER, Message, ToolCall

from ..cells import as_arguments, names
from ..conversation import CALLS, CONTENT, CONVERSATION, MARK
from ..declarations import Table
from ..holes import SIDES
from ..phrasebook import then
from .observed import hook_calls, model_call, model_calls, nth, require

INSTRUCTIONS = "{instructions}"


def _carriers(call: ModelCall | HookCall, scene: Scene) -> list[int]:
    """Where in a conversation the instructions stand."""
    return [at for at, message in enumerate(call.messages) if carries_instructions(message.content, scene)]


def the_instructions(call: ModelCall, scene: Scene) -> Message:
    """The one message that carries the instructions."""
    carriers = _carriers(call, scene)
    if len(carriers) != 1:
        raise Mismatch("the messages that carry the instructions", "one", _shapes(call))
    return call.messages[carriers[0]]


def _shape(message: Message) -> str:
    calls = f" calls {', '.join(call.name for call in message.tool_calls)}" if message.tool_calls else ""
    mark = f" marked {message.extra[MARKER]}" if MARKER in message.extra else ""
    return f"{message.role}: {message.text}{calls}{mark}"


def _shapes(call: ModelCall) -> list[str]:
    return list(map(_shape, call.messages))


def _content(message: Message, scene: Scene) -> str:
    return INSTRUCTIONS if carries_instructions(message.content, scene) else message.content


def _as_rows(messages: tuple[Message, ...], scene: Scene, columns: set[str]) -> list[str]:
    """Messages as far as a table says something of them, with the instructions written as such."""
    rows = []
    for message in messages:
        row = [message.role, _content(message, scene)]
        if CALLS.name in columns:
            row.append(", ".join(call.name for call in message.tool_calls))
        if MARK.name in columns:
            row.append(str(message.extra.get(MARKER, "")))
        rows.append(" | ".join(row))
    return rows


def _expected_rows(table: Table, scene: Scene) -> list[str]:
    rows = []
    for row, message in zip(table, CONVERSATION.read(table), strict=True):
        if CONTENT.text(row) == INSTRUCTIONS:
            rows.append(f"{message.role} | {INSTRUCTIONS}")
        else:
            rows += _as_rows((message,), scene, set(row))
    return rows


@then("the model is called {times:Times}")
def model_is_called(seen: Observation, times: int) -> None:
    """The number of model calls in all runs together."""
    expect("the number of model calls", times, len(seen.model_calls))


@then("the model receives no tools", tools="nothing", meaning="No model call receives a tool.")
@then("the model receives the tools {tools}", one='the model receives only the tool "{tools}"')
def model_receives_tools(seen: Observation, tools: str) -> None:
    """The names of the tools that every model call receives, in order."""
    for number, call in enumerate(model_calls(seen), 1):
        expect(f"the tools of model call {number}", names(tools), call.tools)


@then("the model receives", CONVERSATION)
def model_receives(seen: Observation, scene: Scene, table: Table) -> None:
    """The whole conversation that the first model call receives.

    `{instructions}` stands for the message with the instructions.
    """
    received = _as_rows(model_call(seen, 1).messages, scene, set(table[0]))
    expect("the conversation", _expected_rows(table, scene), received)


@then("apart from the instructions, the model receives in run {run:d}", CONVERSATION)
@then(
    "apart from the instructions, the model receives",
    CONVERSATION,
    meaning="The conversation that the first model call receives, without the instructions, which must be there.",
    run=1,
)
def model_receives_apart_from_instructions(seen: Observation, scene: Scene, run: int, table: Table) -> None:
    """The conversation that the first model call of the run receives, without the instructions, which must be there."""
    call = model_call(seen, 1, run)
    the_instructions(call, scene)
    rest = tuple(message for message in call.messages if not carries_instructions(message.content, scene))
    expect("the rest of the conversation", _expected_rows(table, scene), _as_rows(rest, scene, set(table[0])))


@then("the model receives {count:d} messages")
def model_receives_messages(seen: Observation, count: int) -> None:
    """The number of messages that the first model call receives."""
    call = model_call(seen, 1)
    if len(call.messages) != count:
        raise Mismatch("the number of messages", count, _shapes(call))


@then("every model call contains the instructions once")
def every_model_call_contains_instructions(seen: Observation, scene: Scene) -> None:
    """Every model call of every run and agent receives exactly one message with the instructions."""
    for call in model_calls(seen):
        the_instructions(call, scene)


@then("no model call contains the instructions")
def no_model_call_contains_instructions(seen: Observation, scene: Scene) -> None:
    """No model call receives a message with the instructions."""
    for number, call in enumerate(model_calls(seen), 1):
        carrying = [_shape(call.messages[at]) for at in _carriers(call, scene)]
        expect(f"the messages of model call {number} that carry the instructions", [], carrying)


@then("model call {call:d} of run {run:d} contains the instructions {times:Times}")
def model_call_contains_instructions(seen: Observation, scene: Scene, call: int, run: int, times: int) -> None:
    """The number of messages with the instructions that one model call receives."""
    found = len(_carriers(model_call(seen, call, run), scene))
    expect(f"how often model call {call} of run {run} carries the instructions", times, found)


@then("every model call contains {count:d} message with the marker")
def every_model_call_contains_marked(seen: Observation, count: int) -> None:
    """The number of marked messages that every model call receives."""
    for number, call in enumerate(model_calls(seen), 1):
        marked = sum(MARKER in message.extra for message in call.messages)
        expect(f"the number of marked messages in model call {number}", count, marked)


@then('every model call of run {run:d} contains the text "{text}"')
def every_model_call_contains_text(seen: Observation, run: int, text: str) -> None:
    """Every model call of the run receives a message that contains the text, as its content or in its parts."""
    for call in model_calls(seen, run):
        if not any(text in message.text for message in call.messages):
            raise Mismatch(f"a model call of run {run}", f"says {text!r}", _shapes(call))


@then('no model call of run {run:d} contains the text "{text}"')
def no_model_call_contains_text(seen: Observation, run: int, text: str) -> None:
    """No model call of the run receives a message that contains the text, and there is at least one call."""
    for call in model_calls(seen, run):
        if any(text in message.text for message in call.messages):
            raise Mismatch(f"a model call of run {run}", f"does not say {text!r}", _shapes(call))


@then('model call {call:d} contains the message "{text}"')
def model_call_contains_message(seen: Observation, call: int, text: str) -> None:
    """One message that the model call receives has exactly this content."""
    contents = [message.content for message in model_call(seen, call).messages]
    require(text in contents, f"the messages of model call {call}", f"{text!r} among them", contents)


@then('the instructions directly precede "{text}"')
def instructions_precede(seen: Observation, scene: Scene, text: str) -> None:
    """In every model call, the instructions directly precede a message with this content."""
    for call in model_calls(seen):
        _expect_before(call, scene, text)


@then('the instructions directly precede "{text}" in model call {call:d}')
def instructions_precede_in_model_call(seen: Observation, scene: Scene, text: str, call: int) -> None:
    """In one model call, the instructions directly precede a message with this content."""
    _expect_before(model_call(seen, call), scene, text)


def _expect_before(call: ModelCall, scene: Scene, text: str) -> None:
    contents = [_content(message, scene) for message in call.messages]
    at = contents.index(INSTRUCTIONS) if INSTRUCTIONS in contents else len(contents)
    require(contents[at : at + 2] == [INSTRUCTIONS, text], "the conversation", [INSTRUCTIONS, text], contents)


@then("the instructions are the last message")
def instructions_are_last(seen: Observation, scene: Scene) -> None:
    """The instructions are the last message that the first model call receives, and no other message has them."""
    call = model_call(seen, 1)
    the_instructions(call, scene)
    if _carriers(call, scene) != [len(call.messages) - 1]:
        raise Mismatch("the conversation", "the instructions last", _shapes(call))


@then("the instructions have the user role")
def instructions_have_user_role(seen: Observation, scene: Scene) -> None:
    """The message with the instructions has the user role."""
    expect("the role of the instructions", "user", the_instructions(model_call(seen, 1), scene).role)


@then("only the instructions are marked")
def only_instructions_are_marked(seen: Observation, scene: Scene) -> None:
    """In the first model call, the message with the instructions has the mark, and no other message has it."""
    call = model_call(seen, 1)
    the_instructions(call, scene)
    if [at for at, message in enumerate(call.messages) if MARKER in message.extra] != _carriers(call, scene):
        raise Mismatch("the conversation", "the instructions are marked, and no other message is", _shapes(call))


@then("each call of the hook returns the instructions once")
def each_hook_call_returns_instructions(seen: Observation, scene: Scene) -> None:
    """Every call of the hook returns a conversation with the instructions exactly once."""
    expect("the errors of the hook", [], [result.error for result in seen.hook_results if result.error])
    counts = [sum(carries_instructions(m.content, scene) for m in result.messages) for result in seen.hook_results]
    expect("how often the instructions come out of each call", [1] * scene.times, counts)


def _hook_calls(seen: Observation, side: str, hook: Hook) -> list[HookCall]:
    """The calls of the handler on one side of the AgentsMD middleware."""
    return hook_calls(seen, f"the handler {side} AgentsMD", hook)


@then("the handler {side} the AgentsMD middleware sees the instructions before model call {call:d}", side=SIDES)
def handler_sees_instructions(seen: Observation, scene: Scene, side: str, call: int) -> None:
    """The scripted handler receives the instructions exactly once before the model call."""
    calls = _hook_calls(seen, SIDES.read(side), "before model")
    called = nth("how often the handler is called", calls, call)
    expect("how often the handler sees the instructions", 1, len(_carriers(called, scene)))


@then("no file is read before the first model call is prepared")
def no_file_is_read_early(seen: Observation) -> None:
    """The run reads no file before the first hook of the handler after the AgentsMD middleware."""
    begun = _hook_calls(seen, "after", "before agent")
    require(begun, "the hook before the agent of the handler after it", "is called", "is not called")
    expect("the files read before that", [], [read.path for read in seen.reads if read.run and read.n < begun[0].n])


@then("the tool's arguments and result are not changed")
def tool_arguments_and_result_are_unchanged(seen: Observation, scene: Scene) -> None:
    """The tool receives the arguments of the model, compared as JSON, and the model receives the text of the tool."""
    assert scene.agent.model is not None, "an agent of this feature has a model"
    asked = [call for turn in scene.agent.model.turns for call in turn.tool_calls]
    reached = [_call_text(run.call) for run in seen.tool_runs]
    expect("the calls that reach the tool", [_call_text(call) for call in asked], reached)
    returned = [m.content for m in model_calls(seen)[-1].messages if m.role == "tool"]
    expect("the results that reach the model", [scene.agent.tools[0].text] * len(asked), returned)


def _call_text(call: ToolCall) -> str:
    return f"{call.id}: {call.name}({as_arguments(call.args)})"


@then("the handler after the AgentsMD middleware sees the answer unchanged")
def answer_is_unchanged(seen: Observation) -> None:
    """The final state that the handler receives ends with the answer of the model."""
    ends = _hook_calls(seen, "after", "after agent")
    expect("the last message of the final state", ["done"], [end.messages[-1].content for end in ends])


@then("no event contains the instructions")
def no_event_contains_instructions(seen: Observation, scene: Scene) -> None:
    """No event of the run contains the instructions, and there is at least one event with a message."""
    texts = [event.message.content for event in seen.events if event.message]
    require(texts, "the events", "some with messages", "none")
    texts += [str(event.custom) for event in seen.events if event.custom]
    expect("the events that carry the instructions", [], [t for t in texts if carries_instructions(t, scene)])
