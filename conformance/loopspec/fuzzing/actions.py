"""Generated actions of handlers and tools, by hook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from hypothesis import strategies as st

from ..contract.actions import (
    Action,
    AddContext,
    AddOption,
    Answer,
    AppendAnswer,
    CallInner,
    DeferTools,
    DeleteLocal,
    GetLocal,
    GetSession,
    Insert,
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
    SetSystem,
    SetTools,
    UseCache,
    UseModel,
)
from ..contract.agents import Hook, Script
from ..contract.capabilities import Capability
from ..contract.values import Message, ToolCall

Actions = st.SearchStrategy[Action]
Offered = Iterable[tuple[Capability | None, Actions]]

TEXTS = st.sampled_from(["one", "two words", "规则 😀"])  # the hole of an action is never empty
KEYS = st.sampled_from(["k", "other key"])
CODES = st.sampled_from(["h1", "h2"])
ADDITIONAL_TOOL, ADDITIONAL_MODEL = "additional", "other"
_TOOL_SETS = st.sampled_from([(), ("t1",), ("t2", "t1"), ("t1", ADDITIONAL_TOOL)])

_FAILURES: Offered = ((None, st.builds(Raise, code=CODES)), (None, st.builds(Raise, code=CODES, crash=st.just(True))))
_VALUES: Offered = (
    ("context-values", st.builds(AddContext, key=KEYS, value=TEXTS)),
    ("run-values", st.builds(SetLocal, key=KEYS, value=TEXTS)),
    ("run-values", st.builds(GetLocal, key=KEYS)),
    ("run-values", st.builds(DeleteLocal, key=KEYS)),
    ("session-values", st.builds(SetSession, key=KEYS, value=TEXTS)),
    ("session-values", st.builds(GetSession, key=KEYS)),
    ("send-event", st.builds(SendEvent, payload=TEXTS)),
)


def _message(role: str) -> st.SearchStrategy[Message]:
    return st.builds(Message, role=st.just(role), content=TEXTS)


_CONVERSATION: Offered = (
    (None, st.builds(Insert, at=st.just(None), message=_message("user") | _message("assistant"))),
    (None, st.builds(Insert, at=st.just(0), message=_message("user") | _message("system"))),
    (None, st.builds(ReplaceAll, messages=st.tuples(_message("user")))),
    (None, st.just(ReplaceAll())),
    (None, st.builds(ReplaceLast, text=TEXTS)),
    (None, st.builds(OfferTools, tools=_TOOL_SETS)),
    ("deferred-tools", st.builds(DeferTools, tools=_TOOL_SETS)),
)
_ANSWER: Offered = (
    (None, st.just(SetCalls())),
    (None, st.just(SetCalls(calls=(ToolCall(id="x1", name="t1"),)))),
    (None, st.builds(ReplaceLast, text=TEXTS)),
)
_START: Offered = (
    (None, st.builds(SetInstruction, text=TEXTS, append=st.booleans())),
    (None, st.builds(SetTools, tools=_TOOL_SETS)),
    ("return-directly", st.builds(SetReturnDirectly, tools=st.sampled_from([("t1",), ()]))),
)
_AROUND: Offered = (
    (None, st.just(CallInner())),
    (None, st.builds(CallInner, fallback=TEXTS)),
    (None, st.just(CallInner(tries=2))),
    (None, st.builds(Answer, text=TEXTS)),
    (None, st.builds(AppendAnswer, text=TEXTS)),
)
_MODEL: Offered = (
    (None, st.builds(Rewrite, text=TEXTS)),
    (None, st.builds(SetSystem, text=TEXTS, append=st.booleans())),
    (None, st.builds(Redact, text=st.just("o"), by=st.just("0"))),
    (None, st.builds(OfferTools, tools=_TOOL_SETS)),
    (None, st.just(UseCache())),
    (None, st.just(UseModel(model=ADDITIONAL_MODEL))),
)
_TOOL: Offered = (
    (None, st.builds(Rewrite, text=st.sampled_from(["no JSON", '{"b": 2}']))),
    (None, st.builds(AddOption, key=KEYS, value=TEXTS)),
)
_NOTHING: Offered = ((None, st.just(ReturnNothing())),)

_BY_HOOK: Mapping[Hook, Offered] = {
    "before agent": (*_START, *_VALUES, *_FAILURES, *_NOTHING),
    "before model": (*_CONVERSATION, *_VALUES, *_FAILURES, *_NOTHING),
    "around model": (*_AROUND, *_MODEL, *_VALUES, *_FAILURES, *_NOTHING),
    "after model": (*_ANSWER, *_CONVERSATION, *_VALUES, *_FAILURES, *_NOTHING),
    "around tool": (*_AROUND, *_TOOL, *_VALUES, *_FAILURES, *_NOTHING),
    "after agent": (*_VALUES, *_FAILURES),
}


@cache
def body_actions(shared: frozenset[Capability]) -> Actions | None:
    """The actions of the body of a tool; None if targets with these capabilities share none."""
    allowed = [actions for capability, actions in _VALUES if capability in shared and capability != "context-values"]
    return st.one_of(allowed) if allowed else None


@cache
def scripts(shared: frozenset[Capability]) -> st.SearchStrategy[Script]:
    """What a handler does in one hook, within the capabilities that both targets have."""
    return st.sampled_from(list(_BY_HOOK)).flatmap(lambda hook: _of_hook(hook, shared))


@cache
def _of_hook(hook: Hook, shared: frozenset[Capability]) -> st.SearchStrategy[Script]:
    allowed = st.one_of([actions for capability, actions in _BY_HOOK[hook] if capability in {None, *shared}])
    calls = st.sampled_from([(), (), (1,), (2,)])
    return st.builds(Script, hook=st.just(hook), actions=st.lists(allowed, max_size=2).map(tuple), calls=calls)
