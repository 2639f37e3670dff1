"""Generated actions of handlers and tools, by hook."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from hypothesis import strategies as st

from loopspec.contract.acting import Hook
from loopspec.contract.actions import (
    Action,
    AddContext,
    DeferTools,
    DeleteLocal,
    GetLocal,
    GetSession,
    Insert,
    OfferTools,
    Raise,
    ReplaceAll,
    ReplaceLast,
    Script,
    SendEvent,
    SetCalls,
    SetInstruction,
    SetLocal,
    SetReturnDirectly,
    SetSession,
    SetTools,
)
from loopspec.contract.around import (
    AddOption,
    Answer,
    AppendAnswer,
    CallInner,
    Redact,
    ReturnNothing,
    Rewrite,
    SetSystem,
    UseCache,
    UseModel,
)
from loopspec.contract.capabilities import Capability
from loopspec.contract.needs import CAPABILITY_OF_HOOK, needs_of_effects
from loopspec.contract.values import Message, ToolCall

Actions = st.SearchStrategy[Action]


class _Offer(NamedTuple):
    """Actions of one kind. `more` are capabilities that their texts or numbers need, in addition to the kind's."""

    kind: type[Action]
    actions: Actions
    more: tuple[Capability, ...] = ()

    def is_within(self, shared: frozenset[Capability], hook: Hook | None) -> bool:
        """Whether targets with these capabilities can do the actions in a hook, or in the body of a tool."""
        needed = {*self.kind.needs, *self.more}
        return needed | (needs_of_effects(hook, self.kind.effects) if hook else set()) <= shared


Offered = tuple[_Offer, ...]

TEXTS = st.sampled_from(["one", "two words", "规则 😀", ""])
KEYS = st.sampled_from(["k", "other key"])
CODES = st.sampled_from(["h1", "h2"])
ADDITIONAL_TOOL, ADDITIONAL_MODEL = "additional", "other"
_TOOL_SETS = st.sampled_from([(), ("t1",), ("t2", "t1"), ("t1", ADDITIONAL_TOOL)])


def _message(role: str) -> st.SearchStrategy[Message]:
    return st.builds(Message, role=st.just(role), content=TEXTS)


def _offer(kind: type[Action], *more: Capability, **fields: st.SearchStrategy[object]) -> _Offer:
    """Actions of a kind with these fields."""
    return _Offer(kind, st.builds(kind, **fields), more)


_FAILURES: Offered = (_offer(Raise, code=CODES), _offer(Raise, code=CODES, crash=st.just(True)))
_VALUES: Offered = (
    _offer(AddContext, key=KEYS, value=TEXTS),
    _offer(SetLocal, key=KEYS, value=TEXTS),
    _offer(GetLocal, key=KEYS),
    _offer(DeleteLocal, key=KEYS),
    _offer(SetSession, key=KEYS, value=TEXTS),
    _offer(GetSession, key=KEYS),
    _offer(SendEvent, payload=TEXTS.filter(bool)),
)
_CONVERSATION: Offered = (
    _offer(Insert, at=st.just(None), message=_message("user") | _message("assistant")),
    _offer(Insert, at=st.just(0), message=_message("user") | _message("system")),
    _offer(ReplaceAll, messages=st.tuples(_message("user"))),
    _offer(ReplaceAll),
    _offer(ReplaceLast, text=TEXTS),
    _offer(OfferTools, tools=_TOOL_SETS),
    _offer(DeferTools, tools=_TOOL_SETS),
)
_ANSWER: Offered = (
    _offer(SetCalls),
    _offer(SetCalls, calls=st.just((ToolCall(id="x1", name="t1"),))),
    _offer(ReplaceLast, text=TEXTS),
)
_START: Offered = (
    _offer(SetInstruction, text=TEXTS, append=st.booleans()),
    _offer(SetTools, tools=_TOOL_SETS),
    _offer(SetReturnDirectly, tools=st.sampled_from([("t1",), ()])),
)
_AROUND: Offered = (
    _offer(CallInner),
    _offer(CallInner, fallback=TEXTS),
    _offer(CallInner, "repeated-inner-calls", tries=st.just(2)),
    _offer(Answer, text=TEXTS),
    _offer(AppendAnswer, text=TEXTS),
)
_MODEL: Offered = (
    _offer(Rewrite, text=TEXTS),
    _offer(SetSystem, text=TEXTS, append=st.booleans()),
    _offer(Redact, text=st.just("o"), by=st.just("0")),
    _offer(OfferTools, tools=_TOOL_SETS),
    _offer(UseCache),
    _offer(UseModel, model=st.just(ADDITIONAL_MODEL)),
)
_TOOL: Offered = (
    _offer(Rewrite, "raw-arguments", text=st.sampled_from(["no JSON", '{"b": 2}'])),
    _offer(AddOption, key=KEYS, value=TEXTS),
)
_NOTHING: Offered = (_offer(ReturnNothing),)

_BY_HOOK: Mapping[Hook, Offered] = {
    "before agent": (*_START, *_VALUES, *_FAILURES, *_NOTHING),
    "before model": (*_CONVERSATION, *_VALUES, *_FAILURES, *_NOTHING),
    "around model": (*_AROUND, *_MODEL, *_VALUES, *_FAILURES, *_NOTHING),
    "after model": (*_ANSWER, *_CONVERSATION, *_VALUES, *_FAILURES, *_NOTHING),
    "around tool": (*_AROUND, *_TOOL, *_VALUES, *_FAILURES, *_NOTHING),
    "after agent": (*_VALUES, *_FAILURES),
}
HOOKS: tuple[Hook, ...] = tuple(_BY_HOOK)


@cache
def body_actions(shared: frozenset[Capability]) -> Actions | None:
    """The actions of the body of a tool; None if targets with these capabilities share none."""
    able = shared - {"context-values"}
    allowed = [offer.actions for offer in _VALUES if offer.is_within(able, None)]
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
    allowed = st.one_of([offer.actions for offer in _BY_HOOK[hook] if offer.is_within(shared, hook)])
    calls = st.sampled_from([(), (), (1,), (2,)])
    return st.builds(Script, hook=st.just(hook), actions=st.lists(allowed, max_size=2).map(tuple), calls=calls)
