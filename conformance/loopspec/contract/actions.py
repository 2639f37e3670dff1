"""The actions of scripted handlers and tools: a closed list, performed by the stage, never sent to an adapter.

A hook performs its actions in order. Around a model or tool call, `CallInner` calls the inner endpoint; without it and
without an `Answer`, the inner endpoint is called after all actions. To add an action, write its class here, and perform
it in the stage.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias, Union, get_args

from .acting import MODEL, START, STATE, ActionKind, Hole, Hook, says
from .around import *  # noqa: F403  # an action of a scene, whichever of the two modules has its class
from .around import CallInner, Rewrite
from .capabilities import Capability
from .values import Gate, Json, Message, MessageRole, Needs, ToolCall, Value, is_raw

# A value of a type of the harness: one that the target has registered, or one that it has not.
Typed = Literal["registered", "unregistered"]


def _message(role: MessageRole) -> Message:
    """The message of a sentence with the hole `text`."""
    return Message(role=role, content="{text}")


# -- the conversation --------------------------------------------------------------------------------------------------


class Summarize(ActionKind, frozen=True):
    """If there are more than `over` messages apart from the system message, replace them by one user message.

    The last `keep` messages stay.
    """

    over: int
    keep: int = 1
    text: str = "(summary)"
    places = STATE
    effects = {"conversation", "results"}
    in_middleware = True


class DropInstructions(ActionKind, frozen=True):
    """Remove the instructions from the conversation."""

    places = STATE
    effects = {"conversation"}
    in_middleware = True


class Insert(ActionKind, frozen=True):
    """Insert a message before the message at this index; with None, at the end."""

    at: int | None
    message: Message
    places = STATE
    effects = {"conversation", "results"}
    in_middleware = True
    sentences = (
        says(
            'adds the user message "{text}"',
            "Add a user message to the end of the conversation.",
            at=None,
            message=_message("user"),
        ),
        says(
            'adds the assistant message "{text}"',
            "Add an assistant message to the end of the conversation.",
            at=None,
            message=_message("assistant"),
        ),
        says(
            'inserts the user message "{text}" first',
            "Insert a user message at the start of the conversation.",
            at=0,
            message=_message("user"),
        ),
        says(
            'inserts the system message "{text}" first',
            "Insert a system message at the start of the conversation.",
            at=0,
            message=_message("system"),
        ),
    )


class ReplaceAll(ActionKind, frozen=True):
    """Replace the whole conversation by these messages."""

    messages: tuple[Message, ...] = ()
    places = STATE
    effects = {"conversation", "results", "course"}
    sentences = (
        says(
            'replaces all messages with the user message "{text}"',
            "Replace the whole conversation with one user message.",
            messages=(_message("user"),),
        ),
        says("removes all messages", "Replace the conversation with an empty one."),
    )


class ReplaceLast(ActionKind, frozen=True):
    """Replace the content of the last message; its role and its tool calls stay."""

    text: str
    places = STATE
    effects = {"conversation", "results", "course"}
    sentences = (says('changes the last message to "{text}"'),)


class SetCalls(ActionKind, frozen=True):
    """Replace the tool calls of the last message."""

    calls: tuple[ToolCall, ...] = ()
    places = STATE
    effects = {"conversation", "results", "course"}
    sentences = (
        says("removes the tool calls", "Remove all tool calls from the last message."),
        says("makes the last message call {calls}"),
    )


# -- the tools, and the start of a run ---------------------------------------------------------------------------------


class OfferTools(ActionKind, frozen=True):
    """Replace the list of tools that the model receives; in a model wrapper, for one request only."""

    tools: tuple[str, ...] = ()
    places = (*STATE, *MODEL)
    effects = {"tools"}
    sentences = (
        says("offers the model no tools", "Empty the list of tools that the model receives.", tools=()),
        says("offers the model the tools {tools}"),
    )


class DeferTools(ActionKind, frozen=True):
    """Replace the list of deferred tools; in a model wrapper, for one request only."""

    tools: tuple[str, ...] = ()
    places = (*STATE, *MODEL)
    needs = ("deferred-tools",)
    effects = {"tools"}
    sentences = (says("defers the tools {tools}"),)


class SetInstruction(ActionKind, frozen=True):
    """Replace the instruction of the run."""

    text: str
    append: Annotated[bool, Needs("reports-instruction")] = False
    places = START
    effects = {"agent"}
    sentences = (
        says('sets the instruction to "{text}"'),
        says('adds "{text}" to the instruction', "Append a text to the instruction of the run.", append=True),
    )


class SetTools(ActionKind, frozen=True):
    """Replace the agent's tools with tools of the agent and additional tools."""

    tools: tuple[str, ...] = ()
    places = START
    effects = {"agent", "course"}
    sentences = (says("sets the tools of the run to {tools}"),)


class SetReturnDirectly(ActionKind, frozen=True):
    """Replace the set of tools whose result ends the run."""

    tools: tuple[str, ...] = ()
    places = START
    needs = ("return-directly",)
    effects = {"agent", "course"}
    sentences = (says("sets the return-directly tools to {tools}"),)


class SetToolSearch(ActionKind, frozen=True):
    """Give the model a tool that searches the deferred tools."""

    tool: str
    places = START
    needs = ("tool-search",)
    effects = {"agent"}
    sentences = (says('sets the tool search to "{tool}"'),)


# -- the values of a run, failures and waiting -------------------------------------------------------------------------


class AddContext(ActionKind, frozen=True):
    """Add a value to the context of the inner calls."""

    key: str
    value: Json
    needs = ("context-values",)
    in_middleware = True
    sentences = (says('sets the context value "{key}" to "{value}"'),)


class SetLocal(ActionKind, frozen=True):
    """Set a run-local value under a key.

    With `typed`, it is a value that is not JSON. A rejection is in the hook's record.
    """

    key: str
    value: Json = None
    typed: Annotated[Typed | None, Needs("custom-types")] = None
    needs = ("run-values",)
    in_middleware = True
    sentences = (
        says('sets the run-local value "{key}" to "{value}"'),
        says('sets the run-local value "{key}" to the empty value', "Set a run-local value that is null."),
        says(
            'sets the run-local value "{key}" to the JSON value {args}',
            "Set a run-local value that is given as JSON.",
            value=Hole("args"),
        ),
        says(
            'sets the run-local value "{key}" to a value of a registered type',
            "Set a run-local value of a type that the target has registered for checkpoints.",
            typed="registered",
        ),
        says(
            'sets the run-local value "{key}" to a value of an unregistered type',
            "Set a run-local value of a type that the target has not registered for checkpoints.",
            typed="unregistered",
        ),
    )


class GetLocal(ActionKind, frozen=True):
    """Read a run-local value; a Then checks what was found."""

    key: str
    needs = ("run-values",)
    in_middleware = True
    sentences = (says('reads the run-local value "{key}"'),)


class DeleteLocal(ActionKind, frozen=True):
    """Delete a run-local value."""

    key: str
    needs = ("run-values",)
    sentences = (says('deletes the run-local value "{key}"'),)


class SetSession(ActionKind, frozen=True):
    """Set a session value under a key."""

    key: str
    value: Json
    needs = ("session-values",)
    sentences = (says('sets the session value "{key}" to "{value}"'),)


class GetSession(ActionKind, frozen=True):
    """Read a session value; a Then checks what was found."""

    key: str
    needs = ("session-values",)
    sentences = (says('reads the session value "{key}"'),)


class SendEvent(ActionKind, frozen=True):
    """Emit a custom event with this payload."""

    payload: Json
    needs = ("send-event",)
    sentences = (says('sends the event "{payload}"'),)


class SendMessage(ActionKind, frozen=True):
    """Send the run under way a user message with this text."""

    text: str
    needs = ("messages-during-runs",)
    effects = {"conversation", "course"}
    sentences = (says('sends the run the user message "{text}"'),)


class Raise(ActionKind, frozen=True):
    """Return an error with this code; in Python, raise a declared exception.

    With `crash`, the exception is one that the harness has not declared.
    """

    code: str
    crash: bool = False
    effects = {"course"}
    in_middleware = True
    sentences = (
        says('fails with "{code}"'),
        says('crashes with "{code}"', "Crash with this code, as an unexpected exception or a panic does.", crash=True),
    )


class InterruptOnce(ActionKind, frozen=True):
    """Interrupt the run; do nothing when the call of the hook receives the caller's answer."""

    places = ("before model", "around model", "after model", "around tool")
    needs = ("interrupt",)
    effects = {"course"}
    sentences = (says("interrupts the run"),)


class Hold(ActionKind, frozen=True):
    """Wait until the gate opens, then continue."""

    until: Gate
    in_middleware = True
    sentences = (says("waits until {gate}", until=Hole("gate")),)


# Every action: those of this module, and then those around a call.
KINDS: tuple[type[ActionKind], ...] = tuple(
    sorted(ActionKind.__subclasses__(), key=lambda kind: kind.__module__ != __name__)
)

# An action of a scene. `msgspec` decodes a union of all classes; a type checker needs to know their base only.
if TYPE_CHECKING:
    Action: TypeAlias = ActionKind
else:
    Action = Union[KINDS]  # noqa: UP007  # no class is listed a second time


class Script(Value, frozen=True):
    """A hook that a handler has. `jumps_to` is where the hook of a middleware of the plugin layer may jump to.

    Scripted: the actions in this hook; with `calls`, only in those calls of a run, counted from 1. `tools` restricts it
    to the calls of these tools, `runs` to these runs. An adapter sees one entry for each hook.
    """

    hook: Hook
    actions: tuple[Action, ...] = ()
    calls: tuple[int, ...] = ()
    tools: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    jumps_to: tuple[str, ...] = ()

    scripted = frozenset({"actions", "calls", "tools", "runs"})

    @property
    def needs(self) -> Collection[Capability]:
        """The capabilities that the actions need together, or in this hook."""
        rewritten = [action.text for action in self.actions if isinstance(action, Rewrite)]
        needed: list[Capability] = (
            ["raw-arguments"] if self.hook == "around tool" and any(map(is_raw, rewritten)) else []
        )
        if InterruptOnce() in self.actions:
            needed.append("interrupting-tool-wrappers" if self.hook == "around tool" else "interrupting-model-hooks")
        calls = sum(action.tries for action in self.actions if isinstance(action, CallInner))
        return [*needed, "repeated-inner-calls"] if calls > 1 else needed


def one_of_each_hook(hooks: frozenset[Hook]) -> tuple[Script, ...]:
    """An entry without a script for each hook, in the order of the calls."""
    order: tuple[Hook, ...] = get_args(Hook)
    return tuple(Script(hook=hook) for hook in order if hook in hooks)
