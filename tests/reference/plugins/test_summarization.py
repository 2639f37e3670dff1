"""The summarization shortens a long conversation."""

from __future__ import annotations

import re
from typing import Any

import pytest

from loopspec_reference import AgenticMessage, Json, Message, ToolCall
from loopspec_reference.plugins import (
    Execution,
    MiddlewareContext,
    OptionsError,
    Stack,
    SummarizationStrategy,
    estimated_tokens,
)

from ..doubles import Answers, agent, drain, texts_of
from .stacks import Notes, made_for


def dialog(count: int) -> list[Message]:
    """A conversation of messages with four characters, which are one token each."""
    return [Message.user(f"u{at:03}") if at % 2 == 0 else Message.assistant(f"a{at:03}") for at in range(count)]


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
