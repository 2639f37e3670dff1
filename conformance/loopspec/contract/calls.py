"""What passes a double of an agent: what a model is sent, what a tool is called with, what a hook gets and gives."""

from __future__ import annotations

from .values import Json, Message, Part, ToolInfo, ToolKind, Value


class ModelRequest(Value, frozen=True):
    """What a model is sent. `options` are settings of this one request.

    `model`, around a model call: the name of the model that is to answer it, instead of the agent's own.
    """

    messages: tuple[Message, ...] = ()
    tools: tuple[ToolInfo, ...] = ()
    deferred_tools: tuple[ToolInfo, ...] = ()
    tool_search: ToolInfo | None = None
    options: dict[str, Json] = {}
    streaming: bool = False
    model: str | None = None


class Resumed(Value, frozen=True):
    """Why a tool is called a second time: the state it left when it interrupted, and the caller's answer."""

    state: Json = None
    data: Json = None


class ToolRequest(Value, frozen=True):
    """What a tool is called with. `options` are what wrappers add to the call."""

    tool: str
    call_id: str = ""
    args: str = ""
    kind: ToolKind = "invokable"
    options: dict[str, Json] = {}
    resumed: Resumed | None = None


class Command(Value, frozen=True):
    """What a tool of the plugin layer, or a wrapper around one, wants besides an answer.

    `state` are new values of fields of its middleware's own state; `goto` says where the run goes on.
    """

    state: dict[str, Json] = {}
    goto: str | None = None


class ToolAnswer(Value, frozen=True):
    """What a tool returns, or one chunk of it: a text, or parts from an enhanced one; maybe a command, too."""

    text: str = ""
    parts: tuple[Part, ...] = ()
    command: Command | None = None


class Start(Value, frozen=True):
    """What a run starts with, as the hook before the agent gets and gives it: tools by name."""

    instruction: str = ""
    tools: tuple[str, ...] = ()
    return_directly: tuple[str, ...] = ()
    tool_search: str | None = None


class State(Value, frozen=True):
    """What the hooks around a model call get: the conversation, and the names of the tools offered."""

    messages: tuple[Message, ...] = ()
    tools: tuple[str, ...] = ()
    deferred_tools: tuple[str, ...] = ()


class InvalidValue(Value, frozen=True):
    """What no middleware, and no factory, may return. An adapter hands it on as it is."""


class Edited(Value, frozen=True):
    """The state a hook wants. A number stands for the message at this index of the state it got, kept as it is.

    In the plugin layer `own` are new values of fields of the middleware's own state, `jump` says where to go on, and
    `junk`, if there is any, is to be handed on behind the messages.
    """

    messages: tuple[Message | int, ...] = ()
    tools: tuple[str, ...] = ()
    deferred_tools: tuple[str, ...] = ()
    own: dict[str, Json] = {}
    jump: str | None = None
    invalid: InvalidValue | None = None


class View(Value, frozen=True):
    """What a middleware of the plugin layer sees besides the conversation, in each of its hooks.

    `own` is its own state as declared by its schema, `context` what it can read of the runtime context; None: nothing.
    """

    own: dict[str, Json] = {}
    context: dict[str, Json] | None = None


class ModelContext(Value, frozen=True):
    """What a hook is told about the model call: the tools of it, and whether it is retried or fails over."""

    tools: tuple[str, ...] = ()
    retry: bool = False
    failover: bool = False


class Decision(Value, frozen=True):
    """What becomes of an attempt: it is made again, or not."""

    retry: bool


class Chosen(Value, frozen=True):
    """The model to ask next, by name, if there is one; with `messages`, these are sent instead."""

    model: str | None = None
    messages: tuple[Message, ...] | None = None
