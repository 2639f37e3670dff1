"""Generated actions of handlers and tools, by hook."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from hypothesis import strategies as st

from loopspec.contract.actions import (
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
from loopspec.contract.agents import Hook, Script
from loopspec.contract.capabilities import Capability
from loopspec.contract.needs import CAPABILITY_OF_HOOK
from loopspec.contract.values import Message, ToolCall

Actions = st.SearchStrategy[Action]
Offered = Iterable[tuple[frozenset[Capability], Actions]]  # with the capabilities that the actions need

TEXTS = st.sampled_from(["one", "two words", "规则 😀"])  # the hole of an action is never empty
KEYS = st.sampled_from(["k", "other key"])
CODES = st.sampled_from(["h1", "h2"])
ADDITIONAL_TOOL, ADDITIONAL_MODEL = "additional", "other"
_TOOL_SETS = st.sampled_from([(), ("t1",), ("t2", "t1"), ("t1", ADDITIONAL_TOOL)])

_FREE: frozenset[Capability] = frozenset()
_FAILURES: Offered = ((_FREE, st.builds(Raise, code=CODES)), (_FREE, st.builds(Raise, code=CODES, crash=st.just(True))))


def _needing(*capabilities: Capability) -> frozenset[Capability]:
    return frozenset(capabilities)


_VALUES: Offered = (
    (_needing("context-values"), st.builds(AddContext, key=KEYS, value=TEXTS)),
    (_needing("run-values"), st.builds(SetLocal, key=KEYS, value=TEXTS)),
    (_needing("run-values"), st.builds(GetLocal, key=KEYS)),
    (_needing("run-values"), st.builds(DeleteLocal, key=KEYS)),
    (_needing("session-values"), st.builds(SetSession, key=KEYS, value=TEXTS)),
    (_needing("session-values"), st.builds(GetSession, key=KEYS)),
    (_needing("send-event"), st.builds(SendEvent, payload=TEXTS)),
)


def _message(role: str) -> st.SearchStrategy[Message]:
    return st.builds(Message, role=st.just(role), content=TEXTS)


def _conversation(edits: Capability) -> Offered:
    """The edits of the conversation and of the tools, in a hook whose edits are this capability."""
    return (
        (_needing(edits), st.builds(Insert, at=st.just(None), message=_message("user") | _message("assistant"))),
        (_needing(edits), st.builds(Insert, at=st.just(0), message=_message("user") | _message("system"))),
        (_needing(edits), st.builds(ReplaceAll, messages=st.tuples(_message("user")))),
        (_needing(edits), st.just(ReplaceAll())),
        (_needing(edits), st.builds(ReplaceLast, text=TEXTS)),
        (_needing("tools-from-hooks"), st.builds(OfferTools, tools=_TOOL_SETS)),
        (_needing("tools-from-hooks", "deferred-tools"), st.builds(DeferTools, tools=_TOOL_SETS)),
    )


_ANSWER: Offered = (
    (_needing("after-model-edits"), st.just(SetCalls())),
    (_needing("after-model-edits"), st.just(SetCalls(calls=(ToolCall(id="x1", name="t1"),)))),
    (_needing("after-model-edits"), st.builds(ReplaceLast, text=TEXTS)),
)
_START: Offered = (
    (_needing("before-agent-edits"), st.builds(SetInstruction, text=TEXTS, append=st.booleans())),
    (_needing("before-agent-edits"), st.builds(SetTools, tools=_TOOL_SETS)),
    (
        _needing("before-agent-edits", "return-directly"),
        st.builds(SetReturnDirectly, tools=st.sampled_from([("t1",), ()])),
    ),
)
_AROUND: Offered = (
    (_FREE, st.just(CallInner())),
    (_FREE, st.builds(CallInner, fallback=TEXTS)),
    (_needing("repeated-inner-calls"), st.just(CallInner(tries=2))),
    (_FREE, st.builds(Answer, text=TEXTS)),
    (_FREE, st.builds(AppendAnswer, text=TEXTS)),
)
_MODEL: Offered = (
    (_FREE, st.builds(Rewrite, text=TEXTS)),
    (_FREE, st.builds(SetSystem, text=TEXTS, append=st.booleans())),
    (_FREE, st.builds(Redact, text=st.just("o"), by=st.just("0"))),
    (_FREE, st.builds(OfferTools, tools=_TOOL_SETS)),
    (_FREE, st.just(UseCache())),
    (_FREE, st.just(UseModel(model=ADDITIONAL_MODEL))),
)
_TOOL: Offered = (
    (_needing("raw-arguments"), st.builds(Rewrite, text=st.sampled_from(["no JSON", '{"b": 2}']))),
    (_needing("tool-options"), st.builds(AddOption, key=KEYS, value=TEXTS)),
)
_NOTHING: Offered = ((_needing("missing-results"), st.just(ReturnNothing())),)

_BY_HOOK: Mapping[Hook, Offered] = {
    "before agent": (*_START, *_VALUES, *_FAILURES, *_NOTHING),
    "before model": (*_conversation("before-model-edits"), *_VALUES, *_FAILURES, *_NOTHING),
    "around model": (*_AROUND, *_MODEL, *_VALUES, *_FAILURES, *_NOTHING),
    "after model": (*_ANSWER, *_conversation("after-model-edits"), *_VALUES, *_FAILURES, *_NOTHING),
    "around tool": (*_AROUND, *_TOOL, *_VALUES, *_FAILURES, *_NOTHING),
    "after agent": (*_VALUES, *_FAILURES),
}
HOOKS: tuple[Hook, ...] = tuple(_BY_HOOK)


@cache
def body_actions(shared: frozenset[Capability]) -> Actions | None:
    """The actions of the body of a tool; None if targets with these capabilities share none."""
    able = shared - {"context-values"}
    allowed = [actions for needed, actions in _VALUES if needed <= able]
    return st.one_of(allowed) if allowed else None


def hooks(shared: frozenset[Capability]) -> tuple[Hook, ...]:
    """The hooks that both targets call."""
    return tuple(hook for hook in HOOKS if CAPABILITY_OF_HOOK[hook] in shared)


@cache
def scripts(shared: frozenset[Capability], places: tuple[Hook, ...]) -> st.SearchStrategy[Script]:
    """The actions of a handler in one of these hooks, within the capabilities that both targets have."""
    return st.sampled_from(places).flatmap(lambda hook: _of_hook(hook, shared))


@cache
def _of_hook(hook: Hook, shared: frozenset[Capability]) -> st.SearchStrategy[Script]:
    allowed = st.one_of([actions for needed, actions in _BY_HOOK[hook] if needed <= shared])
    calls = st.sampled_from([(), (), (1,), (2,)])
    return st.builds(Script, hook=st.just(hook), actions=st.lists(allowed, max_size=2).map(tuple), calls=calls)
