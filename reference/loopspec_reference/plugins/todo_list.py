"""The to-do list middleware: a tool with which the model plans its work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ..runs.run import current_run
from ..tools.kinds import ToolContext, ToolInfo, ToolRequest
from ..values.messages import AnyMessage, Json
from .metadata import MiddlewareMeta, config_schema, read_options
from .middleware import Command, Middleware, ModelCallRequest, ModelHandler, ToolOutcome
from .registry import MiddlewareContext, middleware_strategy

PROVIDER = "todo-list"
TOOL = "write_todos"

_PROMPT = (
    f"For work that takes several steps you have a to-do list: the tool `{TOOL}`. Write the steps down before you "
    "begin, set one to `in_progress` when you turn to it, and to `completed` as soon as it is done, not later. Leave "
    "out steps that have become pointless. Each call replaces the whole list, so call it once at a time. For a simple "
    "question do without it."
)
_DESCRIPTION = "Replaces the whole to-do list. Each item has a `content` and a `status`."
_REFUSED = f"The list is unchanged: {TOOL} was called more than once in one answer. Call it once, with the whole list."


# Models and forms show these docstrings, so they name no rules (XP-TODO-05, XP-TODO-06, XP-TODO-07).
class Todo(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to do."""

    content: str
    status: Literal["pending", "in_progress", "completed"]


class TodoState(Struct, frozen=True):
    """The state of the middleware: the list, which is replaced whole."""

    todos: tuple[Todo, ...] = ()


class Todos(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole list."""

    todos: tuple[Todo, ...]


class TodoListOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a node: the texts for the model. A blank text means the default."""

    prompt: Annotated[str, Meta(extra_json_schema={"x-label": {"en_US": "Prompt", "zh_Hans": "提示词"}})] = ""
    description: Annotated[
        str, Meta(extra_json_schema={"x-label": {"en_US": "Description of the tool", "zh_Hans": "工具说明"}})
    ] = ""


@middleware_strategy(PROVIDER)
class TodoListStrategy:
    """Makes middlewares with a to-do list for the model."""

    meta = MiddlewareMeta(
        name=PROVIDER,
        label={"en_US": "To-do list", "zh_Hans": "待办清单"},
        icon="checklist",
        description={
            "en_US": "Gives the model a to-do list for work of several steps.",
            "zh_Hans": "为模型提供用于多步骤工作的待办清单。",
        },
        config_schema=config_schema(TodoListOptions),
    )

    def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Make the middleware: one tool, one wrapper and a state (XP-TODO-01, XP-TODO-11). Raises `OptionsError`."""
        read = read_options(TodoListOptions, options, context.node or PROVIDER)
        guide = _Guide(read.prompt if read.prompt.strip() else _PROMPT)
        tool = WriteTodos(read.description if read.description.strip() else _DESCRIPTION)
        return Middleware(
            context.node or PROVIDER, state_schema=TodoState, tools=(tool,), wrap_model_call=guide.wrap_model_call
        )


class _Guide(Struct, frozen=True):
    prompt: str

    async def wrap_model_call(self, request: ModelCallRequest, handler: ModelHandler) -> AnyMessage:
        """Append the instruction to the system prompt, for this call only (XP-TODO-02, XP-TODO-03)."""
        system = f"{request.system}\n\n{self.prompt}" if request.system else self.prompt
        return await handler(replace(request, system=system))


class WriteTodos:
    """The tool that replaces the list (XP-TODO-04).

    Invalid arguments, and several calls in one answer, leave the list unchanged; the result gives the model the reason.
    """

    def __init__(self, description: str = _DESCRIPTION) -> None:
        self.info = ToolInfo(TOOL, description, config_schema(Todos))

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Return a command that replaces the list, or the text of the mistake."""
        run = current_run.get()
        answer = run.conversation[-1] if run is not None and run.conversation else None
        if answer is not None and sum(call.name == context.name for call in answer.tool_calls) > 1:
            return _REFUSED
        try:
            read = msgspec.json.decode(request.arguments, type=Todos)
        except (msgspec.DecodeError, UnicodeError) as error:
            return f"The list is unchanged: {error}"
        todos: Json = msgspec.to_builtins(read.todos)
        return Command({"todos": todos}, result=ToolOutcome(f"The list is: {msgspec.json.encode(todos).decode()}"))
