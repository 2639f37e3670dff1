"""Generated agents: a scripted model, three tools, and handlers with actions."""

from __future__ import annotations

from hypothesis import strategies as st

from loopspec.contract.acting import Hook
from loopspec.contract.actions import Action, Insert, OfferTools, Raise, ReplaceLast, Script, SetCalls
from loopspec.contract.agents import Agent, Model, Scripted, Tool, Turn
from loopspec.contract.around import Answer, AppendAnswer, CallInner, ReturnNothing, Rewrite
from loopspec.contract.values import Error, Message, Part, ToolCall, ToolKind
from loopspec_lab.fuzzing.doubles import TOOLS

LIMIT = 6  # model calls

_TEXTS = st.sampled_from(["", "one", "two words", "{x}"])
_ERRORS = st.sampled_from([Error(kind="scripted", code="a"), Error(kind="scripted", code="b")])
_CODES = st.sampled_from(["h1", "h2"])
_KINDS: st.SearchStrategy[tuple[ToolKind, ...]] = st.sampled_from(
    [("invokable",), ("streamable",), ("invokable", "streamable"), ("enhanced invokable",), ("enhanced streamable",)]
)


@st.composite
def tools(draw: st.DrawFn, name: str) -> Tool:
    """A tool with the same result in each of its interfaces."""
    chunks = tuple(draw(st.lists(_TEXTS, max_size=3)))
    return Tool(
        name=name,
        text="".join(chunks),
        kinds=draw(_KINDS),
        chunks=chunks,
        parts=(Part(text="part"), Part(url="image")),
        error=draw(st.none() | st.none() | _ERRORS),
    )


@st.composite
def turns(draw: st.DrawFn) -> tuple[Turn, ...]:
    """The turns of a model in a run: calls with unique ids, texts in chunks, and possibly a final error."""
    answers, number = [], 0
    for _ in range(draw(st.integers(0, LIMIT - 2))):
        names = draw(st.lists(st.sampled_from(TOOLS), min_size=1, max_size=3))
        calls = tuple(ToolCall(id=f"c{number + at}", name=name) for at, name in enumerate(names))
        number += len(calls)
        answers.append(Turn(text=draw(_TEXTS), tool_calls=calls))
    chunks = tuple(draw(st.lists(_TEXTS, max_size=3)))
    error = draw(st.none() | st.none() | _ERRORS)
    answers.append(Turn(text="".join(chunks), chunks=chunks, error=error, breaks=draw(st.integers(0, 2))))
    return tuple(answers)


_MESSAGES = st.builds(Message, role=st.just("user"), content=_TEXTS)
_EDITS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Insert, at=st.sampled_from([0, None]), message=_MESSAGES),
    st.builds(OfferTools, tools=st.sampled_from([(), ("t1",), ("t1", "t2")])),
    st.just(ReturnNothing()),
    st.builds(Raise, code=_CODES),
)
_LAST: st.SearchStrategy[Action] = st.one_of(
    st.builds(ReplaceLast, text=_TEXTS), st.just(SetCalls()), st.builds(Raise, code=_CODES)
)
_WRAPS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Answer, text=_TEXTS),
    st.builds(AppendAnswer, text=_TEXTS),
    st.builds(Rewrite, text=_TEXTS),
    st.builds(CallInner, fallback=_TEXTS),
    st.just(CallInner()),
    st.builds(Raise, code=_CODES),
)


def _scripts(hook: Hook, actions: st.SearchStrategy[Action]) -> st.SearchStrategy[Script]:
    calls = st.sampled_from([(), (1,), (2,)])
    return st.builds(Script, hook=st.just(hook), actions=st.lists(actions, max_size=2).map(tuple), calls=calls)


def handlers(name: str) -> st.SearchStrategy[Scripted]:
    """A handler with some hooks and some actions."""
    script = st.one_of(
        st.builds(Script, hook=st.sampled_from(["before agent", "after agent"])),
        _scripts("before model", _EDITS),
        _scripts("around model", _WRAPS),
        _scripts("after model", _LAST),
        _scripts("around tool", _WRAPS),
    )
    return st.builds(Scripted, name=st.just(name), scripts=st.lists(script, max_size=3).map(tuple))


OBSERVED: tuple[Hook, ...] = ("before model", "after model", "after agent")


@st.composite
def agents(draw: st.DrawFn) -> Agent:
    """An agent whose first and last handlers only observe."""
    first, last = (Scripted(name=name, scripts=tuple(map(Script, OBSERVED))) for name in ("first", "last"))
    return Agent(
        instruction=draw(st.sampled_from(["", "Be brief."])),
        model=Model(turns=draw(turns())),
        tools=tuple(draw(tools(name)) for name in TOOLS),
        handlers=(first, draw(handlers("H1")), draw(handlers("H2")), last),
        max_iterations=draw(st.sampled_from([None, 2, LIMIT])),
        sequential=draw(st.booleans()),
        return_directly=draw(st.sampled_from([{}, {}, {"t2": True}])),
    )
