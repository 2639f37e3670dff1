"""The parts of a middleware: state, context, tools, and functions around the steps of a run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Protocol, TypeAlias, Union, get_args, get_origin

from msgspec import Struct

from ..calls.models import Model
from ..runs.run import Target
from ..tools.kinds import AnyTool, HasInfo, ToolContext, ToolInfo, ToolRequest
from ..values.messages import AnyMessage, Json, Part, ToolCall
from .errors import JumpError, StrategyError

TARGETS: tuple[str, ...] = get_args(Target)
RESERVED = ("messages", "tools", "jump_to")  # the keys of an update that are not fields of the middleware's own state

# An instance of the middleware's own schema. Only the middleware itself knows the type.
Own: TypeAlias = Any


class Runtime(Struct, frozen=True):
    """What a hook can read of the run: the agent's name and the caller's context (XP-CTX-01).

    `context` is a frozen instance of the middleware's context schema (XP-CTX-03); None without a schema.
    """

    agent: str
    context: Own = None


class HookState(Struct, frozen=True):
    """What a state hook receives: the conversation, the offered tools, and the middleware's own state.

    `own` is an instance of its state schema, with default values where nothing is stored (XP-STATE-03).
    """

    messages: tuple[AnyMessage, ...]
    tools: tuple[ToolInfo, ...]
    own: Own


Update = Mapping[str, Json]
StateHook = Callable[[HookState, Runtime], Update | Awaitable[Update | None] | None]


class Hook(Struct, frozen=True):
    """A state hook with the targets of its jumps; None means any target. Raises `JumpError` for an unknown target."""

    function: StateHook
    can_jump_to: frozenset[str] | None = None

    def __post_init__(self) -> None:
        """Refuse an unknown target."""
        for target in sorted(self.can_jump_to or ()):
            if target not in TARGETS:
                raise JumpError(f"a hook declares a jump to {target!r}: choose from {', '.join(TARGETS)}")


class ToolOutcome(Struct, frozen=True):
    """The result of a tool call: a text, or parts for an enhanced tool."""

    text: str = ""
    parts: tuple[Part, ...] = ()


class Command(Struct, frozen=True):
    """The outcome of a tool call that also changes the middleware's own state, or makes the run jump (XP-WRAP-12).

    `goto` is one of the jump targets. The update changes the state of the middleware whose tool or wrapper made the
    command, also if another middleware passes it on or replaces its result. The layer sets `owner`; leave it out.
    """

    update: Update = {}
    goto: str | None = None
    result: ToolOutcome = ToolOutcome()
    owner: object = None


class CommandTool(HasInfo, Protocol):
    """A tool of a middleware that can return a command."""

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Run the tool."""


class ModelCallRequest(Struct, frozen=True):
    """One model call as a wrapper receives it; a changed copy holds for this call only (XP-WRAP-06).

    `system` is the text of the leading system message, and `messages` are the other messages. `model` is called instead
    of the agent's own (XP-WRAP-07). `state` is the middleware's own state; the next wrapper receives its own.
    """

    messages: tuple[AnyMessage, ...]
    system: str = ""
    tools: tuple[ToolInfo, ...] = ()
    model: Model[Any] | None = None  # Any: of the agent's message type, which is not known here
    state: Own = None
    runtime: Runtime = Runtime("")


class ToolCallRequest(Struct, frozen=True):
    """One tool call as a wrapper receives it. A wrapper can pass on changed arguments."""

    call: ToolCall
    own: Own = None
    runtime: Runtime = Runtime("")


ModelHandler = Callable[[ModelCallRequest], Awaitable[AnyMessage]]
ModelWrapper = Callable[[ModelCallRequest, ModelHandler], AnyMessage | Awaitable[AnyMessage]]
ToolAnswer = ToolOutcome | Command
ToolHandler = Callable[[ToolCallRequest], Awaitable[ToolAnswer]]
ToolWrapper = Callable[[ToolCallRequest, ToolHandler], ToolAnswer | Awaitable[ToolAnswer]]


class Middleware(Struct, frozen=True):
    """One middleware of one agent. Everything except the name is optional (XP-HOOK-08).

    All functions can be plain or `async` (XP-HOOK-16). A state hook returns nothing, or a mapping: `messages` is the
    whole conversation from now on, `tools` are the tools offered from now on, `jump_to` is a target, and other keys are
    fields of its own state. A key that the state schema does not declare is dropped (XP-STATE-07). An optional state
    schema, `Own | None`, is read as `Own` (XP-STATE-02). Raises `StrategyError` if the middleware cannot work.
    """

    name: str
    state_schema: type[Struct] | UnionType | None = None
    context_schema: type[Struct] | None = None
    tools: Sequence[AnyTool | CommandTool] = ()
    before_agent: StateHook | Hook | None = None
    before_model: StateHook | Hook | None = None
    after_model: StateHook | Hook | None = None
    after_agent: StateHook | Hook | None = None
    wrap_model_call: ModelWrapper | None = None
    wrap_tool_call: ToolWrapper | None = None

    def __post_init__(self) -> None:
        """Refuse a middleware that cannot work."""
        if not self.name:
            raise StrategyError("a middleware has no name: give it one, the key of its node for example")
        for part, schema in (("state_schema", self.own_schema), ("context_schema", self.context_schema)):
            if schema is not None and not (isinstance(schema, type) and issubclass(schema, Struct)):
                raise StrategyError(f"the {part} of {self.name!r} is {schema!r:.80}: give a subclass of msgspec.Struct")
            if schema is not None and schema.__struct_config__.array_like:
                raise StrategyError(f"the {part} of {self.name!r} is an array: give a schema of fields with names")
        for field_name in self.own_schema.__struct_fields__ if self.own_schema is not None else ():
            if field_name in RESERVED:
                raise StrategyError(
                    f"the state_schema of {self.name!r} declares {field_name!r}, which every run has: rename the field"
                )
        for part in ("before_agent", "before_model", "after_model", "after_agent", "wrap_model_call", "wrap_tool_call"):
            hook = getattr(self, part)
            if hook is not None and not isinstance(hook, Hook) and not callable(hook):
                raise StrategyError(f"the {part} of {self.name!r} is {hook!r:.80}: give a function, or nothing")

    @property
    def own_schema(self) -> type[Struct] | None:
        """The state schema itself, also where it is given as an optional schema."""
        found = [one for one in get_args(self.state_schema) if one is not NoneType]
        optional = get_origin(self.state_schema) in (Union, UnionType) and len(found) == 1
        own: Any = found[0] if optional else self.state_schema  # Any: the type is checked by `__post_init__`
        return own  # type: ignore[no-any-return]  # likewise
