"""What a scripted handler or tool does: a closed list of actions, interpreted by the stage, never sent to an adapter.

A hook does its actions in order. Around a model or tool call, `CallInner` is where the inner endpoint is
called; without it and without an `Answer`, the inner endpoint is called after everything else.
"""

from __future__ import annotations

from typing import Literal

from .values import Gate, Json, Message, ToolCall, Value

# A value of a type of the harness's own: one that the target has registered, or one that it has not.
Typed = Literal["registered", "unregistered"]


class Summarize(Value, frozen=True, tag="summarize", tag_field="do"):
    """Once there are more than `over` messages apart from the system message, put one user message in their place.

    The last `keep` stay.
    """

    over: int
    keep: int = 1
    text: str = "(summary)"


class DropInstructions(Value, frozen=True, tag="drop instructions", tag_field="do"):
    """Take the instructions out of the conversation."""


class Insert(Value, frozen=True, tag="insert", tag_field="do"):
    """Put a message into the conversation before the message at this index; at its end with None."""

    at: int | None
    message: Message


class ReplaceAll(Value, frozen=True, tag="replace all", tag_field="do"):
    """Put these messages in the place of the whole conversation."""

    messages: tuple[Message, ...] = ()


class ReplaceLast(Value, frozen=True, tag="replace last", tag_field="do"):
    """Put a text in the last message's place; it keeps its role and its calls."""

    text: str


class SetCalls(Value, frozen=True, tag="set calls", tag_field="do"):
    """Let the last message ask for these calls and no others."""

    calls: tuple[ToolCall, ...] = ()


class OfferTools(Value, frozen=True, tag="offer tools", tag_field="do"):
    """Offer the model these tools, by name; around a model call, in this request only."""

    tools: tuple[str, ...] = ()


class DeferTools(Value, frozen=True, tag="defer tools", tag_field="do"):
    """Give the model these tools as deferred ones, by name."""

    tools: tuple[str, ...] = ()


class SetInstruction(Value, frozen=True, tag="set instruction", tag_field="do"):
    """Before the agent: change the instruction, or with `append` add to it."""

    text: str
    append: bool = False


class SetTools(Value, frozen=True, tag="set tools", tag_field="do"):
    """Before the agent: let it have these tools, by name, from among its own and the scene's additional ones."""

    tools: tuple[str, ...] = ()


class SetReturnDirectly(Value, frozen=True, tag="set return directly", tag_field="do"):
    """Before the agent: let these tools return directly, and no others."""

    tools: tuple[str, ...] = ()


class SetToolSearch(Value, frozen=True, tag="set tool search", tag_field="do"):
    """Before the agent: give the model a tool to search for deferred tools with."""

    tool: str


class AddContext(Value, frozen=True, tag="add context", tag_field="do"):
    """Add a value to the context of the inner calls."""

    key: str
    value: Json


class SetLocal(Value, frozen=True, tag="set local", tag_field="do"):
    """Keep a run-local value; with `typed`, one of a type that is no JSON. A refusal is in the hook's record."""

    key: str
    value: Json = None
    typed: Typed | None = None


class GetLocal(Value, frozen=True, tag="get local", tag_field="do"):
    """Read a run-local value; what is found is in the hook's record."""

    key: str


class DeleteLocal(Value, frozen=True, tag="delete local", tag_field="do"):
    """Forget a run-local value."""

    key: str


class SetSession(Value, frozen=True, tag="set session", tag_field="do"):
    """Set a session value."""

    key: str
    value: Json


class GetSession(Value, frozen=True, tag="get session", tag_field="do"):
    """Read a session value; what is found is in the hook's record."""

    key: str


class SendEvent(Value, frozen=True, tag="send event", tag_field="do"):
    """Put a custom event into the run's stream."""

    payload: Json


class Raise(Value, frozen=True, tag="raise", tag_field="do"):
    """Fail; `crash`: with an exception that is none of the harness's declared ones."""

    code: str
    crash: bool = False


class ReturnNothing(Value, frozen=True, tag="return nothing", tag_field="do"):
    """Return nothing where something is needed."""


class UseInvalidValue(Value, frozen=True, tag="use invalid value", tag_field="do"):
    """In the plugin layer: return an invalid value, an object of the harness's own.

    Or pass it on as the `request`, around a call; or put it among the `messages`, in another hook.
    """

    place: Literal["answer", "request", "messages"] = "answer"


class Hold(Value, frozen=True, tag="hold", tag_field="do"):
    """Wait."""

    until: Gate


class Answer(Value, frozen=True, tag="answer", tag_field="do"):
    """Around a model or tool call: answer without calling the inner endpoint."""

    text: str


class Rewrite(Value, frozen=True, tag="rewrite", tag_field="do"):
    """Around a model or tool call: call the inner endpoint with one more user message, or with these arguments."""

    text: str


class AddOption(Value, frozen=True, tag="add option", tag_field="do"):
    """Around a tool call: call the inner endpoint with this option in addition to the others."""

    key: str
    value: Json


class CallInner(Value, frozen=True, tag="call inner", tag_field="do"):
    """Around a model or tool call: call the inner endpoint now; an error becomes the answer `fallback`, if set.

    While it fails, it is called again, until `tries` calls were made.
    """

    fallback: str | None = None
    tries: int = 1


class AppendAnswer(Value, frozen=True, tag="append answer", tag_field="do"):
    """Around a model or tool call, after it: add to the text of the answer."""

    text: str


class SetSystem(Value, frozen=True, tag="set system", tag_field="do"):
    """Around a model call: send this system message; with `append`, what there is and then this."""

    text: str
    append: bool = False


class UseModel(Value, frozen=True, tag="use model", tag_field="do"):
    """Around a model call: let another model answer this request, by name."""

    model: str


class Redact(Value, frozen=True, tag="redact", tag_field="do"):
    """Around a model call: put another text in the place of each occurrence of one, in this request only."""

    text: str
    by: str = "***"


class UseCache(Value, frozen=True, tag="use cache", tag_field="do"):
    """Around a model call: repeat the answer to an equal request, else call the inner endpoint and keep it."""


class SetState(Value, frozen=True, tag="set state", tag_field="do"):
    """In the plugin layer: update a field of the middleware's own state."""

    key: str
    value: Json


class Count(Value, frozen=True, tag="count", tag_field="do"):
    """In the plugin layer: let a field of the middleware's own state be one more than it is."""

    key: str


class AssignContext(Value, frozen=True, tag="assign context", tag_field="do"):
    """In the plugin layer: try to change a value of the runtime context. A refusal is in the hook's record."""

    key: str
    value: Json


class Jump(Value, frozen=True, tag="jump", tag_field="do"):
    """In the plugin layer: let the run go on at `model`, `tools` or `end`."""

    target: str


class GiveCommand(Value, frozen=True, tag="give command", tag_field="do"):
    """Around a tool call, in the plugin layer: return a command. Its text is that of the answer, unless it has one.

    `state` are fields of the middleware's own state, `goto` says where the run continues.
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
