"""The actions of scripted handlers and tools: a closed list, performed by the stage, never sent to an adapter.

A hook performs its actions in order. Around a model or tool call, `CallInner` calls the inner endpoint; without it and
without an `Answer`, the inner endpoint is called after all actions.
"""

from __future__ import annotations

from typing import Literal

from .values import Gate, Json, Message, ToolCall, Value

# A value of a type of the harness: one that the target has registered, or one that it has not.
Typed = Literal["registered", "unregistered"]


class Summarize(Value, frozen=True, tag="summarize", tag_field="do"):
    """If there are more than `over` messages apart from the system message, replace them by one user message.

    The last `keep` messages stay.
    """

    over: int
    keep: int = 1
    text: str = "(summary)"


class DropInstructions(Value, frozen=True, tag="drop instructions", tag_field="do"):
    """Remove the instructions from the conversation."""


class Insert(Value, frozen=True, tag="insert", tag_field="do"):
    """Insert a message before the message at this index; with None, at the end."""

    at: int | None
    message: Message


class ReplaceAll(Value, frozen=True, tag="replace all", tag_field="do"):
    """Replace the whole conversation by these messages."""

    messages: tuple[Message, ...] = ()


class ReplaceLast(Value, frozen=True, tag="replace last", tag_field="do"):
    """Replace the content of the last message, which keeps its role and its calls."""

    text: str


class SetCalls(Value, frozen=True, tag="set calls", tag_field="do"):
    """Replace the tool calls of the last message."""

    calls: tuple[ToolCall, ...] = ()


class OfferTools(Value, frozen=True, tag="offer tools", tag_field="do"):
    """Offer these tools to the model, by name; around a model call, in this request only."""

    tools: tuple[str, ...] = ()


class DeferTools(Value, frozen=True, tag="defer tools", tag_field="do"):
    """Give these tools to the model as deferred tools, by name."""

    tools: tuple[str, ...] = ()


class SetInstruction(Value, frozen=True, tag="set instruction", tag_field="do"):
    """Before the agent: replace the instruction, or with `append` extend it."""

    text: str
    append: bool = False


class SetTools(Value, frozen=True, tag="set tools", tag_field="do"):
    """Before the agent: replace the tools, by name, with some of its own and of the scene's additional tools."""

    tools: tuple[str, ...] = ()


class SetReturnDirectly(Value, frozen=True, tag="set return directly", tag_field="do"):
    """Before the agent: replace the set of return-directly tools."""

    tools: tuple[str, ...] = ()


class SetToolSearch(Value, frozen=True, tag="set tool search", tag_field="do"):
    """Before the agent: give the model a tool that searches for deferred tools."""

    tool: str


class AddContext(Value, frozen=True, tag="add context", tag_field="do"):
    """Add a value to the context of the inner calls."""

    key: str
    value: Json


class SetLocal(Value, frozen=True, tag="set local", tag_field="do"):
    """Set a run-local value; with `typed`, a value that is not JSON. A rejection is in the hook's record."""

    key: str
    value: Json = None
    typed: Typed | None = None


class GetLocal(Value, frozen=True, tag="get local", tag_field="do"):
    """Read a run-local value; the result is in the hook's record."""

    key: str


class DeleteLocal(Value, frozen=True, tag="delete local", tag_field="do"):
    """Delete a run-local value."""

    key: str


class SetSession(Value, frozen=True, tag="set session", tag_field="do"):
    """Set a session value."""

    key: str
    value: Json


class GetSession(Value, frozen=True, tag="get session", tag_field="do"):
    """Read a session value; the result is in the hook's record."""

    key: str


class SendEvent(Value, frozen=True, tag="send event", tag_field="do"):
    """Emit a custom event into the run's stream."""

    payload: Json


class Raise(Value, frozen=True, tag="raise", tag_field="do"):
    """Fail; `crash`: with an exception that the harness has not declared."""

    code: str
    crash: bool = False


class ReturnNothing(Value, frozen=True, tag="return nothing", tag_field="do"):
    """Return nothing instead of the required value."""


class UseInvalidValue(Value, frozen=True, tag="use invalid value", tag_field="do"):
    """In the plugin layer: return an invalid value, an object of the harness.

    Or pass the value as the `request`, around a call; or add it to the `messages`, in another hook.
    """

    place: Literal["answer", "request", "messages"] = "answer"


class Hold(Value, frozen=True, tag="hold", tag_field="do"):
    """Wait for a gate."""

    until: Gate


class Answer(Value, frozen=True, tag="answer", tag_field="do"):
    """Around a model or tool call: answer without calling the inner endpoint."""

    text: str


class Rewrite(Value, frozen=True, tag="rewrite", tag_field="do"):
    """Around a model or tool call: call the inner endpoint with an additional user message, or with these arguments."""

    text: str


class AddOption(Value, frozen=True, tag="add option", tag_field="do"):
    """Around a tool call: call the inner endpoint with an additional option."""

    key: str
    value: Json


class CallInner(Value, frozen=True, tag="call inner", tag_field="do"):
    """Around a model or tool call: call the inner endpoint; an error becomes the answer `fallback`, if set.

    A failing call is repeated until `tries` calls were made.
    """

    fallback: str | None = None
    tries: int = 1


class AppendAnswer(Value, frozen=True, tag="append answer", tag_field="do"):
    """Around a model or tool call, after the call: append to the text of the answer."""

    text: str


class SetSystem(Value, frozen=True, tag="set system", tag_field="do"):
    """Around a model call: send this system message; with `append`, append it to the existing one."""

    text: str
    append: bool = False


class UseModel(Value, frozen=True, tag="use model", tag_field="do"):
    """Around a model call: send this request to another model, by name."""

    model: str


class Redact(Value, frozen=True, tag="redact", tag_field="do"):
    """Around a model call: replace each occurrence of a text, in this request only."""

    text: str
    by: str = "***"


class UseCache(Value, frozen=True, tag="use cache", tag_field="do"):
    """Around a model call: repeat the answer to an equal request, or call the inner endpoint and store the answer."""


class SetState(Value, frozen=True, tag="set state", tag_field="do"):
    """In the plugin layer: update a field of the middleware's own state."""

    key: str
    value: Json


class Count(Value, frozen=True, tag="count", tag_field="do"):
    """In the plugin layer: increase a field of the middleware's own state by one."""

    key: str


class AssignContext(Value, frozen=True, tag="assign context", tag_field="do"):
    """In the plugin layer: try to change a value of the runtime context. A rejection is in the hook's record."""

    key: str
    value: Json


class Jump(Value, frozen=True, tag="jump", tag_field="do"):
    """In the plugin layer: jump to `model`, `tools` or `end`."""

    target: str


class GiveCommand(Value, frozen=True, tag="give command", tag_field="do"):
    """Around a tool call, in the plugin layer: return a command with its own text, or with that of the answer.

    `state` are fields of the middleware's own state, `goto` is the node where the run continues.
    """

    text: str | None = None
    state: dict[str, Json] = {}
    goto: str | None = None


Action = (
    Summarize
    | DropInstructions
    | Insert
    | ReplaceAll
    | ReplaceLast
    | SetCalls
    | OfferTools
    | DeferTools
    | SetInstruction
    | SetTools
    | SetReturnDirectly
    | SetToolSearch
    | AddContext
    | SetLocal
    | GetLocal
    | DeleteLocal
    | SetSession
    | GetSession
    | SendEvent
    | Raise
    | ReturnNothing
    | UseInvalidValue
    | Hold
    | Answer
    | Rewrite
    | AddOption
    | CallInner
    | AppendAnswer
    | SetSystem
    | UseModel
    | Redact
    | UseCache
    | SetState
    | Count
    | AssignContext
    | Jump
    | GiveCommand
)
