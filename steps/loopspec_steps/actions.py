"""What handlers and tools do, in words: each is one or several of a closed list, with `; ` between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, get_args

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
from loopspec.contract.agents import Hook, Script
from loopspec.contract.values import (
    Appeared,
    Began,
    Called,
    CancelAsked,
    Ended,
    Gate,
    Message,
    Returned,
    ToolCall,
)

from .cells import as_json, as_text, names, one_of
from .phrasebook import PhraseError

if TYPE_CHECKING:
    import parse

_CALL = re.compile(r"\s*([^,(]+?)(?:\((.*?)\))?(?: as ([^,]+))?(?:,|$)")


def calls_of(text: str, first: int = 1) -> tuple[ToolCall, ...]:
    """The tool calls of a cell: `t1, t2({"a": 1}) as c7`. Ids are `call 1` and so on, where none is given."""
    if not text or text == "nothing":
        return ()
    found = _CALL.findall(text)
    return tuple(
        ToolCall(id=as_given or f"call {number}", name=name.strip('"'), args=as_text(args) or "{}")
        for number, (name, args, as_given) in enumerate(found, first)
    )


@cache
def _parser(pattern: str) -> parse.Parser:
    import parse  # needed to compile features only

    return parse.compile(pattern, case_sensitive=True)


def gate_of(text: str, run: str = "1") -> Gate:
    """When something happens, in words."""
    for pattern, meaning in _GATES.items():
        if found := _parser(pattern).parse(text):
            return meaning(run, **found.named)
    raise PhraseError(f"nobody knows when {text!r} is: it is none of {', '.join(map(repr, _GATES))}")


_GATES: Mapping[str, Callable[..., Gate]] = {
    "the run begins": lambda run: Began(run=run),
    "the run has ended": lambda run: Ended(run=run),
    "the model is called": lambda run: Called(double="model model", run=run),
    'the model "{model}" is called': lambda run, model: Called(double=f"model {model}", run=run),
    'the tool "{tool}" is called': lambda run, tool: Called(double=f"tool {tool}", run=run),
    'the tool "{tool}" has returned': lambda run, tool: Returned(double=f"tool {tool}", run=run),
    'the tool "{tool}" is called in run {other:d}': lambda run, tool, other: Called(
        double=f"tool {tool}", run=str(other)
    ),
    'the result of "{call}" has appeared': lambda run, call: Appeared(run=run, tool_call_id=call),
    "event {n:d} has appeared": lambda run, n: Appeared(run=run, events=n),
    "chunk {n:d} has appeared": lambda run, n: Appeared(run=run, chunks=n),
    "the cancellation is asked for": lambda run: CancelAsked(run=run),
    "the cancellation is asked for {n:d} times": lambda run, n: CancelAsked(run=run, times=n),
}

_HOOKS: Mapping[str, Hook] = {hook: hook for hook in get_args(Hook)}

_ACTIONS: Mapping[str, Callable[..., Action]] = {
    # the conversation
    'adds the user message "{text}"': lambda text: Insert(at=None, message=Message(role="user", content=text)),
    'adds the assistant message "{text}"': lambda text: Insert(
        at=None, message=Message(role="assistant", content=text)
    ),
    'puts the user message "{text}" first': lambda text: Insert(at=0, message=Message(role="user", content=text)),
    'replaces all messages by the user message "{text}"': lambda text: ReplaceAll(
        messages=(Message(role="user", content=text),)
    ),
    "removes all messages": lambda: ReplaceAll(),
    'changes the last message to "{text}"': lambda text: ReplaceLast(text=text),
    "drops the tool calls": lambda: SetCalls(),
    "makes the last message call {calls}": lambda calls: SetCalls(calls=calls_of(calls)),
    # the tools
    "offers the tools {tools}": lambda tools: OfferTools(tools=names(tools)),
    "defers the tools {tools}": lambda tools: DeferTools(tools=names(tools)),
    # the start of a run
    'sets the instruction to "{text}"': lambda text: SetInstruction(text=text),
    'adds "{text}" to the instruction': lambda text: SetInstruction(text=text, append=True),
    "gives the agent the tools {tools}": lambda tools: SetTools(tools=names(tools)),
    "lets the tools {tools} return directly": lambda tools: SetReturnDirectly(tools=names(tools)),
    'sets the tool search to "{tool}"': lambda tool: SetToolSearch(tool=tool),
    # the run
    'sets "{key}" to "{value}" in the context': lambda key, value: AddContext(key=key, value=value),
    'keeps "{value}" as "{key}"': lambda key, value: SetLocal(key=key, value=value),
    'keeps the empty value as "{key}"': lambda key: SetLocal(key=key),
    'keeps under "{key}" the value {args}': lambda key, args: SetLocal(key=key, value=as_json(args)),
    'keeps a value of a registered type as "{key}"': lambda key: SetLocal(key=key, typed="registered"),
    'keeps a value of an unregistered type as "{key}"': lambda key: SetLocal(key=key, typed="unregistered"),
    'looks up "{key}"': lambda key: GetLocal(key=key),
    'forgets "{key}"': lambda key: DeleteLocal(key=key),
    'sets the session value "{key}" to "{value}"': lambda key, value: SetSession(key=key, value=value),
    'looks up the session value "{key}"': lambda key: GetSession(key=key),
    'sends the event "{payload}"': lambda payload: SendEvent(payload=payload),
    # what goes wrong, and when
    'fails with "{code}"': lambda code: Raise(code=code),
    'fails unforeseen with "{code}"': lambda code: Raise(code=code, crash=True),
    "waits until {gate}": lambda gate: Hold(until=gate_of(gate)),
    # around a call
    "calls further in": lambda: CallInner(),
    'calls further in and answers "{text}" if that fails': lambda text: CallInner(fallback=text),
    'answers "{text}" itself': lambda text: Answer(text=text),
    'adds "{text}" to the answer': lambda text: AppendAnswer(text=text),
    'passes on the user message "{text}" besides': lambda text: Rewrite(text=text),
    "passes on the arguments {args}": lambda args: Rewrite(text=args),
    'passes on the option "{key}" as "{value}"': lambda key, value: AddOption(key=key, value=value),
    "calls further in, up to {n:d} times while that fails": lambda n: CallInner(tries=n),
    'passes on the system message "{text}"': lambda text: SetSystem(text=text),
    'adds "{text}" to the system message passed on': lambda text: SetSystem(text=text, append=True),
    'lets the model "{model}" answer': lambda model: UseModel(model=model),
    'passes on "{by}" for each "{text}"': lambda text, by: Redact(text=text, by=by),
    "gives the answer that an equal request has got, or keeps the one it gets": lambda: UseCache(),
    # in the plugin layer
    'puts the system message "{text}" first': lambda text: Insert(at=0, message=Message(role="system", content=text)),
    'sets the state "{key}" to {args}': lambda key, args: SetState(key=key, value=as_json(args)),
    'counts "{key}" in the state': lambda key: Count(key=key),
    'tries to set the runtime context "{key}" to {args}': lambda key, args: AssignContext(key=key, value=as_json(args)),
    'jumps to "{target}"': lambda target: Jump(target=target),
    "returns nothing": lambda: ReturnNothing(),
    "returns junk": lambda: UseInvalidValue(),
    "passes on junk": lambda: UseInvalidValue(place="request"),
    "adds junk to the messages": lambda: UseInvalidValue(place="messages"),
    'returns a command with the text "{text}"': lambda text: GiveCommand(text=text),
    'returns a command with the text "{text}" that sets the state "{key}" to {args}': lambda text, key, args: (
        GiveCommand(text=text, state={key: as_json(args)})
    ),
    'returns a command with the text "{text}" that goes to "{target}"': lambda text, target: GiveCommand(
        text=text, goto=target
    ),
    'makes the answer a command that sets the state "{key}" to {args}': lambda key, args: GiveCommand(
        state={key: as_json(args)}
    ),
    'makes the answer a command that goes to "{target}"': lambda target: GiveCommand(goto=target),
}


def actions_of(text: str) -> tuple[Action, ...]:
    """The actions that a text names."""
    if text == "looks on":
        return ()
    return tuple(_action(part.strip()) for part in text.split("; "))


def _action(text: str) -> Action:
    fitting = [
        meaning(**found.named)
        for pattern, meaning in _ACTIONS.items()
        if text.startswith(pattern.partition("{")[0])
        and (found := _parser(pattern).parse(text))
        and all(
            value.count('"') == 0 or pattern.endswith(("{args}", "{tools}", "{calls}", "{gate}"))
            for value in found.named.values()
            if isinstance(value, str)
        )
    ]
    if not fitting:
        raise PhraseError(f"nobody knows how to do this: {text!r} is none of {', '.join(map(repr, _ACTIONS))}")
    return fitting[0]


_WHERE = re.compile(
    rf"(?P<hook>{'|'.join(_HOOKS)})"
    r"(?: call (?P<call>\d+))?(?: \"(?P<tool>[^\"]+)\")?$"
)


def script_of(where: str, actions: str) -> Script:
    """What a handler does in a hook: `before model`, `before model call 2`, `around tool "t1"`."""
    found = _WHERE.match(where)
    if found is None:
        raise PhraseError(f"{where!r} is no hook: the hooks are {', '.join(_HOOKS)}")
    return Script(
        hook=one_of(found["hook"], _HOOKS),
        actions=actions_of(actions),
        calls=(int(found["call"]),) if found["call"] else (),
        tools=(found["tool"],) if found["tool"] else (),
    )
