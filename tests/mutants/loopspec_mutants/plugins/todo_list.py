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
    """An additional tool."""

    info = ToolInfo("read_todos", "Reads the to-do list.")

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return a fixed text."""
        return "the list"


@mutant("XP-TODO-01", neighbors={"XP-TODO-07": "the example compares all tools with their descriptions"})
def provides_a_second_tool() -> AbstractContextManager[object]:
    """Provides an additional tool that reads the list."""

    def make(create: Callable[[], Middleware], options: Options, context: MiddlewareContext) -> Middleware:
        made = create()
        return replace(made, tools=(*made.tools, _ReadTodos()))

    return making(TodoListStrategy, make)


def _guiding(
    guide: Callable[[ModelCallRequest, str], ModelCallRequest],
) -> AbstractContextManager[object]:
    """Patch the request that the wrapper passes."""

    async def wraps(self: todo_list._Guide, request: ModelCallRequest, handler: ModelHandler) -> AnyMessage:
        return await handler(guide(request, self.prompt))

    return patch.object(todo_list._Guide, "wrap_model_call", wraps)


def _with_prompt(request: ModelCallRequest, prompt: str) -> ModelCallRequest:
    return replace(request, system=f"{request.system}\n\n{prompt}" if request.system else prompt)


@mutant(
    "XP-TODO-02",
    neighbors={
        "XP-TODO-07": "a configured prompt also follows the instruction",
        "PLUGIN-44": "the system message of an agent with AgentsMD begins with the agent's instruction",
    },
)
def inserts_the_prompt_before_the_instruction() -> AbstractContextManager[object]:
    """Inserts its prompt before the agent's instruction."""
    return _guiding(lambda request, prompt: replace(request, system=f"{prompt}\n\n{request.system}".strip()))


@mutant("XP-TODO-03", neighbors={"XP-TODO-11": "the example reads the prompt from the conversation"})
def requires_an_instruction() -> AbstractContextManager[object]:
    """Inserts no prompt if the agent has no instruction."""
    return _guiding(lambda request, prompt: _with_prompt(request, prompt) if request.system else request)


@mutant("XP-TODO-11")
def appends_a_reminder_after_tool_results() -> AbstractContextManager[object]:
    """Appends a user message about the list after a tool result."""

    def guide(request: ModelCallRequest, prompt: str) -> ModelCallRequest:
        guided, last = _with_prompt(request, prompt), request.messages[-1]
        if last.role == "user" and request.messages[0] is last:
            return guided
        return replace(guided, messages=(*guided.messages, type(last).user("Remember the list.")))

    return _guiding(guide)


Answer = str | Command


def _writing(write: Callable[[Answer], Answer]) -> AbstractContextManager[object]:
    """Patch the result of the tool."""
    invoke = todo_list.WriteTodos.invoke

    async def invokes(self: todo_list.WriteTodos, context: ToolContext, request: ToolRequest[str]) -> Answer:
        return write(await invoke(self, context, request))

    return patch.object(todo_list.WriteTodos, "invoke", invokes)


@mutant(
    "XP-TODO-04",
    neighbors={
        "XP-TODO-05": "the example needs a list that can stay unchanged",
        "XP-TODO-06": "the example needs a list that can be replaced",
        "PLUGIN-44": "the state contains the list at the end of the run",
    },
)
def does_not_store_the_list() -> AbstractContextManager[object]:
    """Returns the list, but does not store it."""
    return _writing(lambda answer: answer.result.text if isinstance(answer, Command) else answer)


@mutant("XP-TODO-05")
@contextmanager
def accepts_any_item() -> Iterator[None]:
    """Accepts items of any shape."""
    fields = msgspec.defstruct("Todos", [("todos", list[Any])])
    state = msgspec.defstruct("TodoState", [("todos", list[Any], msgspec.field(default_factory=list))], frozen=True)
    with patch.object(todo_list, "Todos", fields), patch.object(todo_list, "TodoState", state):
        yield


@mutant("XP-TODO-06")
def merges_the_lists() -> AbstractContextManager[object]:
    """Keeps the items that a new list does not contain."""
    lists: dict[object, dict[str, Json]] = {}

    def write(answer: Answer) -> Answer:
        if not isinstance(answer, Command):
            return answer
        known = lists.setdefault(current_run.get(), {})
        known.update({one["content"]: one for one in answer.update["todos"]})
        return replace(answer, update={"todos": list(known.values())})

    return _writing(write)


@mutant("XP-TODO-07")
def ignores_the_description() -> AbstractContextManager[object]:
    """Ignores the configured description."""
    return reading(todo_list, lambda options: options.pop("description", None))
