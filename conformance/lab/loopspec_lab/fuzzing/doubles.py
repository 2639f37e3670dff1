"""Generated models and tools, within the capabilities that two targets share."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st
from msgspec.structs import replace

from loopspec.contract.agents import Tool, Turn
from loopspec.contract.capabilities import Capability
from loopspec.contract.values import Error, Message, Part, ToolCall, ToolKind

from .actions import TEXTS, body_actions

_TEXTS_OR_NONE = TEXTS | st.just("")

TOOLS = ("t1", "t2", "t3")
HELLO = Message(role="user", content="Hello.")

_ERRORS = st.sampled_from([Error(kind="scripted", code="a"), Error(kind="scripted", code="b")])
_ARGUMENTS = ("{}", "{}", '{"a": 1}')
_RAW_ARGUMENTS = ("no JSON", "")
_CHUNKS = st.sampled_from([(), ("one", " two"), ("a", "", "b")])
_TOOL_FEATURES = ("text", "texts", "error", "crash", "echoes", "actions", "interrupts", "nothing")
_PLAIN: tuple[tuple[ToolKind, ...], ...] = (("invokable",),)
_STREAMING: tuple[tuple[ToolKind, ...], ...] = (("streamable",), ("invokable", "streamable"))
_ENHANCED: tuple[tuple[ToolKind, ...], ...] = (("enhanced invokable",),)


@cache
def tool_lists(shared: frozenset[Capability]) -> st.SearchStrategy[tuple[Tool, ...]]:
    """Up to three tools."""
    return st.integers(0, len(TOOLS)).flatmap(lambda count: st.tuples(*(tools(name, shared) for name in TOOLS[:count])))


@cache
@st.composite
def tools(draw: st.DrawFn, name: str, shared: frozenset[Capability]) -> Tool:
    """A tool that returns a text, or that has one feature more."""
    kinds = (*_PLAIN, *_PLAIN)
    if "streaming-tools" in shared:
        kinds += _STREAMING
    if "enhanced-tools" in shared:
        kinds += _ENHANCED
    tool = Tool(name=name, kinds=draw(st.sampled_from(kinds)))
    if tool.kinds in _ENHANCED:
        return replace(tool, parts=(Part(text="part"), Part(url="image")))
    return with_feature(draw, tool, draw(st.sampled_from([*("plain",) * 3, *_TOOL_FEATURES])), shared)


def with_feature(draw: st.DrawFn, tool: Tool, feature: str, shared: frozenset[Capability]) -> Tool:
    match feature:
        case "text":
            return replace(tool, text=draw(_TEXTS_OR_NONE))
        case "texts":
            return replace(tool, text="first", texts=("first", "second"))
        case "error" | "crash":
            return replace(tool, error=draw(_ERRORS), crash=feature == "crash")
        case "echoes":
            return replace(tool, echoes=True)
        case "nothing" if "missing-results" in shared:
            return replace(tool, nothing=True)
        case "interrupts" if "interrupt" in shared:
            return replace(tool, interrupts=True)
        case "actions" if (actions := body_actions(shared)) is not None:
            return replace(tool, actions=(draw(actions),))
    return tool


@cache
@st.composite
def model_turns(
    draw: st.DrawFn, names: tuple[str, ...], shared: frozenset[Capability], failing: bool = False
) -> tuple[Turn, ...]:
    """The answers of a model: rounds of tool calls with unique ids, then a text; some answers fail, if they may."""
    arguments = st.sampled_from((*_ARGUMENTS, *_RAW_ARGUMENTS) if "raw-arguments" in shared else _ARGUMENTS)
    known = (*names, *names, *names, "unknown") if names and failing else names
    answers: list[Turn] = []
    number = 1
    for _ in range(draw(st.integers(0, 3)) if known else 0):
        called = draw(st.lists(st.sampled_from(known), min_size=1, max_size=3))
        calls = tuple(
            ToolCall(id=f"call {number + at}", name=name, args=draw(arguments)) for at, name in enumerate(called)
        )
        number += len(calls)
        answers.append(Turn(text=draw(_TEXTS_OR_NONE), tool_calls=calls))
    chunks = draw(_CHUNKS) if "streaming" in shared else ()
    answers.append(Turn(text="".join(chunks) or draw(_TEXTS_OR_NONE), chunks=chunks))
    if failing:
        at = draw(st.integers(0, len(answers) - 1))
        answers.insert(at, draw(failing_turn(shared)))
    return tuple(answers)


@st.composite
def failing_turn(draw: st.DrawFn, shared: frozenset[Capability]) -> Turn:
    kind = draw(st.sampled_from(["error", "error", "stream", "crash", "nothing"]))
    match kind:
        case "nothing" if "missing-results" in shared:
            return Turn(nothing=True)
        case "stream" if "streaming" in shared:
            return Turn(error=draw(_ERRORS), text="one two", chunks=("one", " two"), breaks=draw(st.integers(0, 1)))
        case _:
            return Turn(error=draw(_ERRORS), crash=kind == "crash")
