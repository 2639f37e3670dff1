"""The to-do list."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from loopspec_reference import Message, ToolCall
from loopspec_reference.plugins import OptionsError, Stack, TodoListStrategy

from ..doubles import QUESTION, Answers, agent, drain, texts_of
from .stacks import made_for

FIRST = {"content": "Add.", "status": "in_progress"}
SECOND = {"content": "Check.", "status": "pending"}


def writes(*lists: object) -> Message:
    """An answer with one call for each list."""
    calls = [ToolCall(str(at), "write_todos", msgspec.json.encode(one).decode()) for at, one in enumerate(lists)]
    return Message.assistant("", calls)


def run(model: Answers, instruction: str = "", options: dict[str, Any] | None = None) -> tuple[list[str], object]:
    """The texts, and the list at the end; None without a list."""
    middleware = TodoListStrategy().create_middleware(options or {}, made_for())
    session: dict[str, Any] = {}
    built = agent(model, handlers=[Stack([middleware])], instruction=instruction)
    texts = texts_of(drain(built.run([QUESTION], session)))
    return texts, session.get("plugins", {}).get("agent", {}).get("node", {}).get("todos")


def test_the_middleware_has_one_tool_one_wrapper_and_a_state() -> None:
    """The middleware has no hooks."""
    middleware = TodoListStrategy().create_middleware({}, made_for())

    assert [tool.info.name for tool in middleware.tools] == ["write_todos"]
    parts = ["before_agent", "before_model", "after_model", "after_agent", "wrap_tool_call", "context_schema"]
    assert [part for part in parts if getattr(middleware, part) is not None] == []
    assert middleware.own_schema is not None
    assert msgspec.to_builtins(middleware.own_schema()) == {"todos": ()}
    parameters = middleware.tools[0].info.parameters
    assert parameters["$defs"]["Todo"]["properties"]["status"]["enum"] == ["completed", "in_progress", "pending"]
    assert "XP-" not in str(parameters)


@pytest.mark.parametrize(
    ("arguments", "reason"), [("{", "Input data was truncated"), ("\ud800", "'utf-8' codec can't")]
)
def test_arguments_that_are_not_json_are_rejected(arguments: str, reason: str) -> None:
    """The result is that of an invalid list."""
    texts, todos = run(Answers(Message.assistant("", [ToolCall("1", "write_todos", arguments)]), "done"))

    assert texts[1].startswith(f"The list is unchanged: {reason}")
    assert todos is None


def test_two_lists_in_one_answer_are_rejected() -> None:
    """Both calls are rejected."""
    texts, todos = run(Answers(writes({"todos": [FIRST]}, {"todos": [SECOND]}), "done"))

    rejected = "The list is unchanged: write_todos was called more than once in one answer."
    assert [text.startswith(rejected) for text in texts] == [False, True, True, False]
    assert todos is None


def test_unknown_options_are_rejected() -> None:
    """The error names the node."""
    with pytest.raises(OptionsError, match=r"^the options of 'node' do not fit TodoListOptions: .* unknown field `x`$"):
        TodoListStrategy().create_middleware({"x": 1}, made_for())
