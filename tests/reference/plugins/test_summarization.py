"""The summarization shortens a long conversation."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Any

import pytest

from loopspec_reference import AgenticMessage, AnyMessage, Json, Message, ModelRequest, ToolCall, ToolInfo
from loopspec_reference.plugins import (
    Execution,
    HookState,
    MiddlewareContext,
    ModelProfile,
    OptionsError,
    Runtime,
    Stack,
    SummarizationStrategy,
    estimated_tokens,
)

from ..doubles import Answers, agent, drain, texts_of
from .stacks import Notes, made_for

PREFIX = "What was said and done before, in short:"


class Profiled(Answers):
    """A model with a context size."""

    def __init__(self, size: int | None, *answers: Message | str | Exception) -> None:
        super().__init__(*answers)
        self.profile = ModelProfile(size)


def dialog(count: int) -> list[Message]:
    """A conversation of messages with four characters, which are one token each."""
    return [Message.user(f"u{at:03}") if at % 2 == 0 else Message.assistant(f"a{at:03}") for at in range(count)]


def after(
    options: dict[str, Json], context: MiddlewareContext, messages: Sequence[AnyMessage]
) -> Sequence[AnyMessage] | None:
    """The messages that the hook returns, or None if it changes nothing."""
    middleware = SummarizationStrategy().create_middleware(options, context)
    hook: Any = middleware.before_model
    update = asyncio.run(hook(HookState(tuple(messages), (ToolInfo("x"),), None), Runtime("agent")))
    assert update is None or list(update) == ["messages"]
    return None if update is None else list(update["messages"])


def test_the_older_part_becomes_one_message() -> None:
    """The summary is a user message with the prefix; the last 20 messages are kept, and the trace has the execution."""
    model, notes, messages = Answers("  They talked.\n"), Notes(), dialog(25)
    left = after({"trigger": {"messages": 25}}, made_for(model, notes), messages)

    assert left == [Message.user(f"{PREFIX}\n\nThey talked."), *messages[5:]]
    assert notes.executions == [Execution("agent", "node", tuple(messages[:5]), "They talked.", None)]
    (prompt,) = model.given
    assert [message.role for message in prompt] == ["system", "user"]
    assert prompt[1].text == "user: u000\n\nassistant: a001\n\nuser: u002\n\nassistant: a003\n\nuser: u004"


@pytest.mark.parametrize(
    ("trigger", "size", "fires_at"),
    [
        ({"messages": 3}, None, 3),
        ({"tokens": 7}, None, 7),
        ({"fraction": 0.07}, 100, 7),
        ({"fraction": 1}, 5, 5),
        ({"fraction": 0.5, "tokens": 9}, 10, 5),
        ({"fraction": 0.5, "tokens": 9}, None, 9),
    ],
)
def test_a_trigger_includes_its_limit(trigger: dict[str, Json], size: int | None, fires_at: int) -> None:
    """One message less causes no summarization and no model call. An absolute limit needs no context size."""
    for count in (fires_at - 1, fires_at):
        model = Profiled(size, "S")
        left = after({"trigger": trigger, "keep": 1}, made_for(model), dialog(count))
        assert (left is not None) == (count == fires_at) == (len(model.requests) == 1)


def test_a_fraction_refers_to_the_agents_model() -> None:
    """The agent's model determines the context size, whichever model summarizes; tokens are counted as configured."""
    small = Profiled(1, "S")
    context = made_for(Profiled(50), models={"small": small}, count_tokens=lambda messages: 10 * len(messages))
    options = {"model": "small", "trigger": {"fraction": 1.0}, "keep": 0}

    assert after(options, context, dialog(4)) is None
    assert after(options, context, dialog(5)) == [Message.user(f"{PREFIX}\n\nS")]
    assert len(small.requests) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"trigger": {}},
            "give one of tokens, messages and fraction, or tokens with fraction; not [] - at `$.trigger`",
        ),
        (
            {"trigger": {"tokens": 1, "messages": 1}},
            "tokens with fraction; not ['tokens', 'messages'] - at `$.trigger`",
        ),
        ({"trigger": {"messages": 1, "fraction": 1}}, "not ['messages', 'fraction'] - at `$.trigger`"),
        ({"trigger": {"fraction": 0}}, "Expected `float` > 0.0 - at `$.trigger.fraction`"),
        ({"trigger": {"fraction": 1.5}}, "Expected `float` <= 1.0 - at `$.trigger.fraction`"),
        ({"trigger": {"messages": 2.5}}, "Expected `int | null`, got `float` - at `$.trigger.messages`"),
        ({"trigger": {"messages": 0}}, "Expected `int` >= 1 - at `$.trigger.messages`"),
        ({"trigger": {"tokens": 0}}, "Expected `int` >= 1 - at `$.trigger.tokens`"),
        ({"keep": -1}, "Expected `int` >= 0 - at `$.keep`"),
        ({"kept": 1}, "Object contains unknown field `kept`"),
        ({"model": "nope"}, "the option `model` names 'nope', which is unknown; the models are: 'other'"),
        (
            {"trigger": {"fraction": 0.5}},
            "needs a model with a `profile.max_input_tokens`, which this model does not have: set `trigger.tokens`",
        ),
    ],
)
def test_invalid_options_are_rejected(options: dict[str, Json], sentence: str) -> None:
    """The error is raised when the middleware is built."""
    context = made_for(Answers("S"), models={"other": Answers("S")})
    with pytest.raises(OptionsError, match=re.escape(sentence)):
        SummarizationStrategy().create_middleware(options, context)


def test_a_trigger_needs_a_model() -> None:
    """Without a trigger, no model is needed and there is no hook."""
    with pytest.raises(OptionsError, match=r"^a summarization needs a model: set the option `model`, or"):
        SummarizationStrategy().create_middleware({"trigger": {"messages": 1}}, made_for())

    middleware = SummarizationStrategy().create_middleware({}, MiddlewareContext())
    assert (middleware.name, middleware.before_model) == ("summarization", None)


@pytest.mark.parametrize("count", [0, 1, 20])
def test_a_conversation_without_messages_to_replace_is_unchanged(count: int) -> None:
    """The limit does not matter."""
    model, notes = Answers("S"), Notes()

    assert after({"trigger": {"messages": 1}}, made_for(model, notes), dialog(count)) is None
    assert (model.requests, notes.executions) == ([], [])


def test_a_summary_is_not_summarized_again() -> None:
    """A summary alone is not summarized again; a summary with further messages is."""
    model = Answers("S")
    options = {"trigger": {"messages": 1}, "keep": 2}
    left = after(options, made_for(model), dialog(5))
    assert left is not None

    assert after(options, made_for(model), left) is None
    assert after(options, made_for(model), [*left, *dialog(1)]) == [
        left[0],
        left[2],
        *dialog(1),
    ]


def test_the_instruction_stays_first() -> None:
    """The instruction is neither counted nor summarized."""
    model, system = Answers("S"), Message.system("Be brief.")

    assert after({"trigger": {"messages": 2}, "keep": 0}, made_for(model), [system, *dialog(1)]) is None
    left = after({"trigger": {"messages": 2}, "keep": 0}, made_for(model), [system, *dialog(2)])
    assert left == [system, Message.user(f"{PREFIX}\n\nS")]
    assert "Be brief." not in model.given[0][1].text


@pytest.mark.parametrize("kind", [Message, AgenticMessage])
@pytest.mark.parametrize("keep", [1, 2, 3])
def test_a_call_and_its_results_stay_together(kind: Any, keep: int) -> None:
    """The cut moves before the call."""
    calls = [ToolCall("1", "add"), ToolCall("2", "add")]
    results = [kind.tool_result(call, "four") for call in calls]
    messages = [kind.user("2 + 2?"), kind.assistant("", calls), *results]

    left = after({"trigger": {"messages": 4}, "keep": keep}, made_for(_Speaks(kind)), messages)
    assert left == [kind.user(f"{PREFIX}\n\nS"), *messages[1:]]


def test_calls_within_calls_stay_together() -> None:
    """A late result keeps the messages before it; pending calls are not cut off."""
    first, second = ToolCall("1", "add"), ToolCall("2", "add")
    late = [Message.assistant("", [first]), Message.assistant("", [second])]
    late += [Message.tool_result(first, "one"), Message.tool_result(second, "two")]
    context, options = made_for(Answers("S")), {"trigger": {"messages": 1}, "keep": 1}

    assert after(options, context, late) is None
    assert after(options, context, [*dialog(2), *late]) == [Message.user(f"{PREFIX}\n\nS"), *late]
    pending = [*dialog(2), late[0]]
    assert after({**options, "keep": 0}, context, pending) == [Message.user(f"{PREFIX}\n\nS"), late[0]]


def test_the_whole_conversation_is_summarized() -> None:
    """Calls and results are included; configured texts are used unless they are blank."""
    call = ToolCall("1", "add", "[2,2]")
    messages = [Message.assistant("Let me see.", [call]), Message.tool_result(call, "four"), Message.assistant("4")]
    model = Answers("S")
    options = {"trigger": {"messages": 3}, "keep": 0, "prefix": "Before:", "prompt": "In rhyme."}

    assert after(options, made_for(model), messages) == [Message.user("Before:\n\nS")]
    conversation = "assistant: Let me see.\n\nassistant calls add: [2,2]\n\ntool: four\n\nassistant: 4"
    assert model.given == [(Message.system("In rhyme."), Message.user(conversation))]

    blank = {**options, "prefix": " ", "prompt": ""}
    assert after(blank, made_for(model), messages) == [Message.user(f"{PREFIX}\n\nS")]
    assert model.given[1][0].text.startswith("You are given the older part")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (LookupError("no model today"), "LookupError: no model today"),
        (" \n", "NothingReturnedError: the model has returned an empty summary"),
    ],
)
def test_a_failing_model_changes_nothing(answer: Any, error: str, caplog: pytest.LogCaptureFixture) -> None:
    """The conversation is unchanged; log and trace have the error, and the run continues."""
    notes, own, messages = Notes(), Answers("4"), dialog(3)
    context = made_for(own, notes, models={"bad": Answers(answer)})
    options = {"model": "bad", "trigger": {"messages": 3}, "keep": 1}
    stack: Stack[Message] = Stack([SummarizationStrategy().create_middleware(options, context)])

    assert texts_of(drain(agent(own, handlers=[stack]).run(messages))) == ["4"]
    assert own.given == [tuple(messages)]
    assert notes.executions == [Execution("agent", "node", tuple(messages[:2]), None, error)]
    assert caplog.messages == [f"the conversation of 'agent' stays unchanged: its summarization failed: {error}"]


def test_tokens_are_about_four_characters() -> None:
    """The estimate is rounded up; calls and results count in both types of messages."""
    call = ToolCall("1", "add", "[2,2]")

    assert estimated_tokens([]) == 0
    assert estimated_tokens([Message.user("12345")]) == 2
    for kind in (Message, AgenticMessage):
        assert estimated_tokens([kind.assistant("", [call])]) == 3
        assert estimated_tokens([kind.tool_result(call, "12345678")]) == 2


class _Speaks:
    """A model that answers S in messages of one type."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind

    async def generate(self, request: ModelRequest[Any]) -> Any:
        """Answer S."""
        assert all(isinstance(message, self.kind) for message in request.messages)
        return self.kind.assistant("S")

    def stream(self, request: ModelRequest[Any]) -> Any:
        """Not called."""
        raise NotImplementedError
