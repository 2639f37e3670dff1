"""Every action that a handler, tool or middleware can do: the sentence, what the action does, where it can stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from loopspec.contract.actions import (
    Action,
    AddContext,
    AddOption,
    Answer,
    AppendAnswer,
    AssignContext,
    CallInner,
    Count,
    DeferTools,
    DeleteLocal,
    GetLocal,
    GetSession,
    GiveCommand,
    Hold,
    Insert,
    Jump,
    OfferTools,
    Raise,
    Redact,
    ReplaceAll,
    ReplaceLast,
    ReturnNothing,
    Rewrite,
    SendEvent,
    SetCalls,
    SetInstruction,
    SetLocal,
    SetReturnDirectly,
    SetSession,
    SetState,
    SetSystem,
    SetTools,
    SetToolSearch,
    UseCache,
    UseInvalidValue,
    UseModel,
)
from loopspec.contract.agents import Hook
from loopspec.contract.values import Message

from .cells import CALLS, as_json, calls_of, names
from .declarations import Clause
from .gates import GATE, gate_of

Place = Hook | Literal["tool"]


@dataclass(frozen=True, eq=False)
class ActionClause(Clause[Action]):
    """An action in words. Allowed in `places` only, unless empty: hooks, and `tool` for the body of a tool."""

    places: tuple[Place, ...] = field(default=())


# The hooks that return a conversation; the wrappers do not.
_STATE: tuple[Place, ...] = ("before agent", "before model", "after model", "after agent")
_MODEL: tuple[Place, ...] = ("around model",)
_TOOL: tuple[Place, ...] = ("around tool",)
_AROUND: tuple[Place, ...] = ("around model", "around tool")
_HOOKS: tuple[Place, ...] = (*_STATE, *_AROUND)
_START: tuple[Place, ...] = ("before agent",)


def _user(text: str) -> Message:
    return Message(role="user", content=text)


ACTIONS: tuple[ActionClause, ...] = (
    # the conversation
    ActionClause(
        'adds the user message "{text}"',
        "Add a user message to the end of the conversation.",
        lambda text: Insert(at=None, message=_user(text)),
        places=_STATE,
    ),
    ActionClause(
        'adds the assistant message "{text}"',
        "Add an assistant message to the end of the conversation.",
        lambda text: Insert(at=None, message=Message(role="assistant", content=text)),
        places=_STATE,
    ),
    ActionClause(
        'inserts the user message "{text}" first',
        "Insert a user message at the start of the conversation.",
        lambda text: Insert(at=0, message=_user(text)),
        places=_STATE,
    ),
    ActionClause(
        'inserts the system message "{text}" first',
        "Insert a system message at the start of the conversation.",
        lambda text: Insert(at=0, message=Message(role="system", content=text)),
        places=_STATE,
    ),
    ActionClause(
        'replaces all messages with the user message "{text}"',
        "Replace the whole conversation with one user message.",
        lambda text: ReplaceAll(messages=(_user(text),)),
        places=_STATE,
    ),
    ActionClause(
        "removes all messages", "Replace the conversation with an empty one.", lambda: ReplaceAll(), places=_STATE
    ),
    ActionClause(
        'changes the last message to "{text}"',
        "Replace the content of the last message; its role and its tool calls stay.",
        lambda text: ReplaceLast(text=text),
        places=_STATE,
    ),
    ActionClause(
        "removes the tool calls", "Remove all tool calls from the last message.", lambda: SetCalls(), places=_STATE
    ),
    ActionClause(
        "makes the last message call {calls}",
        "Replace the tool calls of the last message.",
        lambda calls: SetCalls(calls=calls_of(calls)),
        holds={"calls": CALLS},
        places=_STATE,
    ),
    # the tools
    ActionClause(
        "offers the model the tools {tools}",
        "Replace the list of tools that the model receives; in a model wrapper, for one request only.",
        lambda tools: OfferTools(tools=names(tools)),
        places=(*_STATE, *_MODEL),
    ),
    ActionClause(
        "defers the tools {tools}",
        "Replace the list of deferred tools; in a model wrapper, for one request only.",
        lambda tools: DeferTools(tools=names(tools)),
        places=(*_STATE, *_MODEL),
    ),
    # the start of a run
    ActionClause(
        'sets the instruction to "{text}"',
        "Replace the instruction of the run.",
        lambda text: SetInstruction(text=text),
        places=_START,
    ),
    ActionClause(
        'adds "{text}" to the instruction',
        "Append a text to the instruction of the run.",
        lambda text: SetInstruction(text=text, append=True),
        places=_START,
    ),
    ActionClause(
        "sets the tools of the run to {tools}",
        "Replace the agent's tools with tools of the agent and additional tools.",
        lambda tools: SetTools(tools=names(tools)),
        places=_START,
    ),
    ActionClause(
        "makes the tools {tools} return directly",
        "Replace the set of tools whose result ends the run.",
        lambda tools: SetReturnDirectly(tools=names(tools)),
        places=_START,
    ),
    ActionClause(
        'sets the tool search to "{tool}"',
        "Give the model a tool that searches the deferred tools.",
        lambda tool: SetToolSearch(tool=tool),
        places=_START,
    ),
    # the run
    ActionClause(
        'sets the context value "{key}" to "{value}"',
        "Add a value to the context of the inner calls.",
        lambda key, value: AddContext(key=key, value=value),
    ),
    ActionClause(
        'sets the run-local value "{key}" to "{value}"',
        "Set a run-local value under a key.",
        lambda key, value: SetLocal(key=key, value=value),
    ),
    ActionClause(
        'sets the run-local value "{key}" to the empty value',
        "Set a run-local value that is null.",
        lambda key: SetLocal(key=key),
    ),
    ActionClause(
        'sets the run-local value "{key}" to the JSON value {args}',
        "Set a run-local value that is given as JSON.",
        lambda key, args: SetLocal(key=key, value=as_json(args)),
    ),
    ActionClause(
        'sets the run-local value "{key}" to a value of a registered type',
        "Set a run-local value of a type that the target has registered for checkpoints.",
        lambda key: SetLocal(key=key, typed="registered"),
    ),
    ActionClause(
        'sets the run-local value "{key}" to a value of an unregistered type',
        "Set a run-local value of a type that the target has not registered for checkpoints.",
        lambda key: SetLocal(key=key, typed="unregistered"),
    ),
    ActionClause(
        'reads the run-local value "{key}"',
        "Read a run-local value; a Then checks what was found.",
        lambda key: GetLocal(key=key),
    ),
    ActionClause('deletes the run-local value "{key}"', "Delete a run-local value.", lambda key: DeleteLocal(key=key)),
    ActionClause(
        'sets the session value "{key}" to "{value}"',
        "Set a session value under a key.",
        lambda key, value: SetSession(key=key, value=value),
    ),
    ActionClause(
        'reads the session value "{key}"',
        "Read a session value; a Then checks what was found.",
        lambda key: GetSession(key=key),
    ),
    ActionClause(
        'sends the event "{payload}"',
        "Emit a custom event with this payload.",
        lambda payload: SendEvent(payload=payload),
    ),
    # failures and waiting
    ActionClause(
        'fails with "{code}"',
        "Return an error with this code; in Python, raise a declared exception.",
        lambda code: Raise(code=code),
    ),
    ActionClause(
        'crashes with "{code}"',
        "Crash with this code, as an unexpected exception or a panic does.",
        lambda code: Raise(code=code, crash=True),
    ),
    ActionClause(
        "waits until {gate}",
        "Wait until the gate opens, then continue.",
        lambda gate: Hold(until=gate_of(gate)),
        holds={"gate": GATE},
    ),
    # around a call; without a call of the inner endpoint and without an answer, the inner endpoint is called last
    ActionClause(
        "calls the next handler", "Call the inner endpoint at this point.", lambda: CallInner(), places=_AROUND
    ),
    ActionClause(
        'calls the next handler and answers "{text}" if it fails',
        "Call the inner endpoint; if the call fails, answer with the text.",
        lambda text: CallInner(fallback=text),
        places=_AROUND,
    ),
    ActionClause(
        "calls the next handler up to {n:d} times while it fails",
        "Call the inner endpoint, and call again after a failure, up to the given number of calls.",
        lambda n: CallInner(tries=n),
        places=_AROUND,
    ),
    ActionClause(
        'short-circuits with "{text}"',
        "Short-circuit with an answer; the inner endpoint is not called.",
        lambda text: Answer(text=text),
        places=_AROUND,
    ),
    ActionClause(
        "short-circuits with an empty text",
        "Short-circuit with an empty answer.",
        lambda: Answer(text=""),
        places=_AROUND,
    ),
    ActionClause(
        'appends "{text}" to the answer',
        "Append a text to the answer of the inner endpoint.",
        lambda text: AppendAnswer(text=text),
        places=_AROUND,
    ),
    ActionClause(
        'passes on the additional user message "{text}"',
        "Call the inner endpoint with one more user message.",
        lambda text: Rewrite(text=text),
        places=_MODEL,
    ),
    ActionClause(
        "passes on the arguments {args}",
        "Call the inner endpoint with other arguments.",
        lambda args: Rewrite(text=args),
        places=_TOOL,
    ),
    ActionClause(
        'passes on the option "{key}" as "{value}"',
        "Call the inner endpoint with an additional option.",
        lambda key, value: AddOption(key=key, value=value),
        places=_TOOL,
    ),
    ActionClause(
        'passes on the system message "{text}"',
        "Call the inner endpoint with this system message in place of all others.",
        lambda text: SetSystem(text=text),
        places=_MODEL,
    ),
    ActionClause(
        'adds "{text}" to the system message passed on',
        "Call the inner endpoint with a text appended to the system message.",
        lambda text: SetSystem(text=text, append=True),
        places=_MODEL,
    ),
    ActionClause(
        'replaces the model with "{model}"',
        "Send the request to another model.",
        lambda model: UseModel(model=model),
        places=_MODEL,
    ),
    ActionClause(
        'replaces each "{text}" with "{by}" in the request',
        "Call the inner endpoint with one text replaced by another in all messages.",
        lambda text, by: Redact(text=text, by=by),
        places=_MODEL,
    ),
    ActionClause(
        "answers equal requests from a cache",
        "Short-circuit with the cached answer to an equal request; else cache the answer of the inner endpoint.",
        lambda: UseCache(),
        places=_MODEL,
    ),
    # in the plugin layer
    ActionClause(
        'sets the state "{key}" to {args}',
        "Set a field of the middleware's own state to a JSON value.",
        lambda key, args: SetState(key=key, value=as_json(args)),
        places=_STATE,
    ),
    ActionClause(
        'increments "{key}" in the state',
        "Increase a field of the middleware's own state by one.",
        lambda key: Count(key=key),
        places=_STATE,
    ),
    ActionClause(
        'tries to set the runtime context "{key}" to {args}',
        "Try to assign a JSON value in the runtime context, which is read-only.",
        lambda key, args: AssignContext(key=key, value=as_json(args)),
        places=_STATE,
    ),
    ActionClause(
        'jumps to "{target}"',
        "Make the run continue at `model`, `tools` or `end`; any other target is unknown.",
        lambda target: Jump(target=target),
        places=_STATE,
    ),
    ActionClause(
        "returns nothing", "Return nothing where the hook must return a value.", lambda: ReturnNothing(), places=_HOOKS
    ),
    ActionClause(
        "returns an invalid value",
        "Return an invalid value, an object of the harness.",
        lambda: UseInvalidValue(),
        places=_HOOKS,
    ),
    ActionClause(
        "passes on an invalid value",
        "Call the inner endpoint with an invalid value as its request.",
        lambda: UseInvalidValue(place="request"),
        places=_AROUND,
    ),
    ActionClause(
        "adds an invalid value to the messages",
        "Return a conversation that contains an invalid value.",
        lambda: UseInvalidValue(place="messages"),
        places=_STATE,
    ),
    ActionClause(
        'returns a command with the text "{text}"',
        "Short-circuit a tool call with a command that has only a text.",
        lambda text: GiveCommand(text=text),
        places=_TOOL,
    ),
    ActionClause(
        'returns a command with the text "{text}" that sets the state "{key}" to {args}',
        "Short-circuit a tool call with a command that sets a field of the middleware's own state.",
        lambda text, key, args: GiveCommand(text=text, state={key: as_json(args)}),
        places=_TOOL,
    ),
    ActionClause(
        'returns a command with the text "{text}" that goes to "{target}"',
        "Short-circuit a tool call with a command that jumps.",
        lambda text, target: GiveCommand(text=text, goto=target),
        places=_TOOL,
    ),
    ActionClause(
        'turns the answer into a command that sets the state "{key}" to {args}',
        "Turn the tool's answer into a command that sets a field of the middleware's own state.",
        lambda key, args: GiveCommand(state={key: as_json(args)}),
        places=_TOOL,
    ),
    ActionClause(
        'turns the answer into a command that goes to "{target}"',
        "Turn the tool's answer into a command that jumps.",
        lambda target: GiveCommand(goto=target),
        places=_TOOL,
    ),
)
