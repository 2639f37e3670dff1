"""What a plugin's middleware is made of: state, context, tools, and functions around the steps of a run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, Protocol, TypeAlias, Union, get_args, get_origin

from msgspec import Struct

from ..calls.models import Model
from ..runs.run import Target
from ..tools.kinds import AnyTool, HasInfo, ToolContext, ToolInfo, ToolRequest
from ..values.messages import AnyMessage, Json, Part, ToolCall
from .errors import JumpError, StrategyError

TARGETS: tuple[str, ...] = get_args(Target)
RESERVED = ("messages", "tools", "jump_to")  # what an update can hold besides the middleware's own state

# An instance of the middleware's own schema. Only the middleware itself knows which type that is.
Own: TypeAlias = Any


@dataclass(frozen=True)
class Runtime:
    """What a hook can read of the run: the agent's name, and what the caller gave it to read (XP-CTX-01).

    `context` is an instance of the middleware's context schema and cannot be assigned to (XP-CTX-03); None without
    a schema.
    """

    agent: str
    context: Own = None


@dataclass(frozen=True)
class HookState:
    """What a state hook sees: the conversation, the tools offered, and the middleware's own state.

    `own` is an instance of its state schema with the defaults filled in (XP-STATE-03).
    """

    messages: tuple[AnyMessage, ...]
    tools: tuple[ToolInfo, ...]
    own: Own


Update = Mapping[str, Json]
StateHook = Callable[[HookState, Runtime], Update | Awaitable[Update | None] | None]


@dataclass(frozen=True)
class Hook:
    """A state hook with the targets it may jump to; None: any. Raises `JumpError` for a target that is none."""

    function: StateHook
    can_jump_to: frozenset[str] | None = None

    def __post_init__(self) -> None:
        """Refuse what no run could follow."""
        for target in sorted(self.can_jump_to or ()):
            if target not in TARGETS:
                raise JumpError(f"a hook declares a jump to {target!r}: choose from {', '.join(TARGETS)}")


@dataclass(frozen=True)
class ToolOutcome:
    """What a tool call comes to: a text, or parts for an enhanced tool."""

    text: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Command:
    """A tool call's outcome that also changes the middleware's own state, or says where the run goes (XP-WRAP-12).

    `goto` is one of the jump targets. The update is for the state of the middleware whose tool or wrapper made the
    command, whoever passes it on or replaces its result; `owner` is filled in accordingly, by nobody else.
    """

    update: Update = field(default_factory=dict)
    goto: str | None = None
    result: ToolOutcome = field(default_factory=ToolOutcome)
    owner: object = field(default=None, repr=False, compare=False, kw_only=True)


class CommandTool(HasInfo, Protocol):
    """A tool of a middleware that may answer with a command."""

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str | Command:
        """Do it."""
        ...


@dataclass(frozen=True)
class ModelCallRequest:
    """One model call, as a wrapper sees it and may pass it on, changed for this call only (XP-WRAP-06).

    `system` is the text of the leading system message, which `messages` are without. `model` is asked instead of the
    agent's own (XP-WRAP-07). `state` is the middleware's own state; the next wrapper sees its own.
    """

    messages: tuple[AnyMessage, ...]
    system: str = ""
    tools: tuple[ToolInfo, ...] = ()
    model: Model[Any] | None = None  # Any: of the message type of the agent, which is not known here
    state: Own = None
    runtime: Runtime = Runtime("")


@dataclass(frozen=True)
class ToolCallRequest:
    """One tool call, as a wrapper sees it. The arguments may be passed on changed."""

    call: ToolCall
    own: Own = None
    runtime: Runtime = Runtime("")


ModelHandler = Callable[[ModelCallRequest], Awaitable[AnyMessage]]
ModelWrapper = Callable[[ModelCallRequest, ModelHandler], AnyMessage | Awaitable[AnyMessage]]
ToolAnswer = ToolOutcome | Command
ToolHandler = Callable[[ToolCallRequest], Awaitable[ToolAnswer]]
ToolWrapper = Callable[[ToolCallRequest, ToolHandler], ToolAnswer | Awaitable[ToolAnswer]]


@dataclass(frozen=True)
class Middleware:
    """One middleware of one agent. Everything but the name may be missing (XP-HOOK-08).

    All functions may be plain or `async` (XP-HOOK-16). A state hook returns nothing, or a mapping: `messages` is the
    whole conversation from now on, `tools` what the model is offered from now on, `jump_to` a target, and the rest
    are fields of its own state; what the state schema does not declare is dropped (XP-STATE-07). A state schema may
    be optional as a whole: `Own | None` is read as `Own` (XP-STATE-02). Raises `StrategyError` for what cannot work.
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
        """Refuse what no run could use."""
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
        """The state schema itself, where it is given as one that may be missing."""
        found = [one for one in get_args(self.state_schema) if one is not NoneType]
        optional = get_origin(self.state_schema) in (Union, UnionType) and len(found) == 1
        own: Any = found[0] if optional else self.state_schema  # Any: whatever was given
        return own  # type: ignore[no-any-return]  # it is looked at when the middleware is made
