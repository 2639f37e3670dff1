"""Mutants about the built-in to-do list of the plugin layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from loopspec_reference import AnyMessage, Json, ToolContext, ToolInfo, ToolRequest
from loopspec_reference.plugins import (
    Command,
    Middleware,
    MiddlewareContext,
    ModelCallRequest,
    ModelHandler,
    TodoListStrategy,
    todo_list,
)
from loopspec_reference.runs.run import current_run

from ..registry import mutant
from .built_ins import Options, making, reading


class _ReadTodos:
    """A tool that nobody asked for."""

    info = ToolInfo("read_todos", "Reads the to-do list.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Say something."""
        return "the list"


@mutant("XP-TODO-01", neighbors={"XP-TODO-07": "it shows all tools with their descriptions"})
def brings_a_second_tool() -> AbstractContextManager[object]:
    """Brings a tool to read the list with besides."""

    def make(create: Callable[[], Middleware], options: Options, context: MiddlewareContext) -> Middleware:
        made = create()
        return replace(made, tools=(*made.tools, _ReadTodos()))

    return making(TodoListStrategy, make)


def _guiding(
    guide: Callable[[ModelCallRequest, str], ModelCallRequest],
) -> AbstractContextManager[object]:
    """The request is passed on in another way."""

    async def wraps(self: todo_list._Guide, request: ModelCallRequest, handler: ModelHandler) -> AnyMessage:
        return await handler(guide(request, self.prompt))

    return patch.object(todo_list._Guide, "wrap_model_call", wraps)


def _with_callbacks(request: ModelCallRequest, prompt: str) -> ModelCallRequest:
    return replace(request, system=f"{request.system}\n\n{prompt}" if request.system else prompt)


@mutant(
    "XP-TODO-02",
    neighbors={
        "XP-TODO-07": "a configured prompt comes second there, too",
        "PLUGIN-44": "the system message of an agent with AgentsMD begins with the agent's instruction",
    },
)
def speaks_before_the_agents_own_prompt() -> AbstractContextManager[object]:
    """Puts its prompt in front of the agent's."""
    return _guiding(lambda request, prompt: replace(request, system=f"{prompt}\n\n{request.system}".strip()))


@mutant("XP-TODO-03", neighbors={"XP-TODO-11": "the prompt is in the conversation there"})
def needs_a_prompt_to_add_to() -> AbstractContextManager[object]:
    """Says nothing of the list where the agent has no system prompt."""
    return _guiding(lambda request, prompt: _with_callbacks(request, prompt) if request.system else request)


@mutant("XP-TODO-11")
def reminds_the_model_behind_each_result() -> AbstractContextManager[object]:
    """Adds a user message about the list when a tool has returned."""

    def guide(request: ModelCallRequest, prompt: str) -> ModelCallRequest:
        told, last = _with_callbacks(request, prompt), request.messages[-1]
        if last.role == "user" and request.messages[0] is last:
            return told
        return replace(told, messages=(*told.messages, type(last).user("Think of your list.")))

    return _guiding(guide)


Answer = str | Command


def _writing(write: Callable[[Answer], Answer]) -> AbstractContextManager[object]:
    """What the tool returns is changed."""
    invoke = todo_list.WriteTodos.invoke

    async def invokes(self: todo_list.WriteTodos, context: ToolContext, request: ToolRequest[str]) -> Answer:
        return write(await invoke(self, context, request))

    return patch.object(todo_list.WriteTodos, "invoke", invokes)


@mutant(
    "XP-TODO-04",
    neighbors={
        "XP-TODO-05": "there must be a list that can stay as it is",
        "XP-TODO-06": "there must be a list that can be replaced",
        "PLUGIN-44": "the state holds the list at the end of the run",
    },
)
def only_says_that_it_has_written() -> AbstractContextManager[object]:
    """Answers with the list and keeps nothing of it."""
    return _writing(lambda answer: answer.result.text if isinstance(answer, Command) else answer)


@mutant("XP-TODO-05")
@contextmanager
def takes_any_item() -> Iterator[None]:
    """Takes items without looking at them."""
    fields = msgspec.defstruct("Todos", [("todos", list[Any])])
    state = msgspec.defstruct("TodoState", [("todos", list[Any], msgspec.field(default_factory=list))], frozen=True)
    with patch.object(todo_list, "Todos", fields), patch.object(todo_list, "TodoState", state):
        yield


@mutant("XP-TODO-06")
def puts_new_items_to_the_old_ones() -> AbstractContextManager[object]:
    """Keeps the items that a new list does not name."""
    lists: dict[object, dict[str, Json]] = {}

    def write(answer: Answer) -> Answer:
        if not isinstance(answer, Command):
            return answer
        known = lists.setdefault(current_run.get(), {})
        known.update({one["content"]: one for one in answer.update["todos"]})
        return replace(answer, update={"todos": list(known.values())})

    return _writing(write)


@mutant("XP-TODO-07")
def describes_its_tool_as_it_likes() -> AbstractContextManager[object]:
    """Does not heed the description it is given."""
    return reading(todo_list, lambda options: options.pop("description", None))
