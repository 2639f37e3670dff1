"""Properties of every workflow, of every use of middleware states, and of every summarized conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from loopspec_reference import Agent, AgenticMessage, AnyMessage, Json, Message, ModelRequest, ToolCall
from loopspec_reference.plugins import (
    Edge,
    GraphError,
    HookState,
    Middleware,
    MiddlewareContext,
    MiddlewareMeta,
    Node,
    Registry,
    Runtime,
    Stack,
    SummarizationStrategy,
    Workflow,
    get_agent_middlewares,
    middleware_strategy,
)

_KEYS = "abcdef"


@middleware_strategy("known")
class Known:
    """A strategy whose middlewares do nothing."""

    meta = MiddlewareMeta(name="known", label={"en_US": "Known"})

    def create_middleware(self, options: Mapping[str, Json], context: MiddlewareContext) -> Middleware:
        """Make a middleware."""
        return Middleware("m")


@st.composite
def _graphs(draw: st.DrawFn) -> tuple[list[Node], list[Edge]]:
    """Nodes in any order with edges mostly in one direction, sometimes to a missing node."""
    keys = draw(st.permutations(_KEYS[: draw(st.integers(1, 6))]))
    kinds = [draw(st.sampled_from(["agent", "middleware", "middleware", "knowledge"])) for _ in keys]
    nodes = [
        Node(key, kind, draw(st.sampled_from(["known", "known", "unknown"])))
        for key, kind in zip(keys, kinds, strict=True)
    ]
    among = st.sampled_from([*keys, *([_KEYS[-1]] if draw(st.integers(0, 9)) == 0 else [])])
    pairs = draw(st.lists(st.tuples(among, among), max_size=10))
    if draw(st.integers(0, 3)):
        pairs = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    return nodes, [Edge(*pair) for pair in pairs]


def _is_sound(keys: set[str], edges: Sequence[Edge]) -> bool:
    """Whether every edge has two ends and there is no cycle, found by trying all paths."""
    if any(end not in keys for edge in edges for end in (edge.source, edge.target)):
        return False
    reached = {(edge.source, edge.target) for edge in edges}
    for _ in keys:
        reached |= {(one, far) for one, near in reached for start, far in reached if near == start}
    return all(one != other for one, other in reached)


@given(_graphs())
def test_any_graph_has_the_order_of_its_edges(graph: tuple[list[Node], list[Edge]]) -> None:
    """An invalid graph is rejected with a reason; repeated calls give the same answer."""
    nodes, edges = graph
    sound = _is_sound({node.key for node in nodes}, edges)
    try:
        workflow = Workflow(nodes, edges)
    except GraphError:
        assert not sound
        return
    assert sound
    registry = Registry()
    registry.register(Known())
    for agent in (node.key for node in nodes if node.kind == "agent"):
        expected: list[str] = []
        for edge in edges:
            for node in nodes:
                mine = edge.source == agent and edge.target == node.key and node.key not in expected
                if mine and (node.kind, node.provider) == ("middleware", "known"):
                    expected.append(node.key)
        for _ in range(2):
            made = asyncio.run(get_agent_middlewares(workflow, agent, registry, MiddlewareContext()))
            assert [middleware.name for middleware in made] == expected


class _Own(msgspec.Struct):
    """A state."""

    a: int = 0
    b: list[int] = []


_UPDATES = st.fixed_dictionaries(
    {}, optional={"a": st.integers(-9, 9), "b": st.lists(st.integers(0, 9), max_size=2), "c": st.integers()}
)


class _Answers:
    """A model that answers immediately."""

    async def generate(self, request: ModelRequest[Message]) -> Message:
        """Answer."""
        return Message.assistant("4")

    def stream(self, request: ModelRequest[Message]) -> Any:
        """Not called."""
        raise NotImplementedError


@given(st.lists(st.tuples(st.sampled_from("xy"), st.tuples(_UPDATES, _UPDATES, _UPDATES)), max_size=4))
def test_no_middleware_sees_another_state(runs: list[tuple[str, tuple[dict[str, Json], ...]]]) -> None:
    """Three middlewares of two agents share a session: each reads only its own last values."""
    session: dict[str, Json] = {}
    expected = {(agent, name): {"a": 0, "b": []} for agent in "xy" for name in "mno"}
    for agent, updates in runs:
        seen: dict[str, object] = {}
        middlewares = [_writing(name, update, seen) for name, update in zip("mno", updates, strict=True)]
        built = Agent(name=agent, model=_Answers(), message_type=Message, handlers=[Stack(middlewares)])
        asyncio.run(_over(built, session))
        assert seen == {name: expected[agent, name] for name in "mno"}
        for name, update in zip("mno", updates, strict=True):
            expected[agent, name] |= {key: value for key, value in update.items() if key != "c"}


def _writing(name: str, update: Mapping[str, Json], seen: dict[str, object]) -> Middleware:
    def hook(state: HookState, runtime: Runtime) -> Mapping[str, Json]:
        seen[name] = msgspec.to_builtins(state.own)
        state.own.b.append(99)  # a copy
        return update

    return Middleware(name, state_schema=_Own, before_model=hook)


async def _over(agent: Agent[Message], session: dict[str, Json]) -> None:
    async for _ in agent.run([Message.user("2 + 2?")], session):
        pass


class _Summarizes:
    """A model that writes a short summary in messages of one type."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    async def generate(self, request: ModelRequest[Any]) -> Any:
        """Answer."""
        return self._kind.assistant("S")

    def stream(self, request: ModelRequest[Any]) -> Any:
        """Not called."""
        raise NotImplementedError


@st.composite
def _talks(draw: st.DrawFn) -> list[AnyMessage]:
    """A conversation of either type in which some answers call tools; other messages may precede the results."""
    kind: Any = draw(st.sampled_from([Message, AgenticMessage]))
    messages: list[AnyMessage] = [kind.system("Be brief.")] if draw(st.booleans()) else []
    for turn in range(draw(st.integers(0, 6))):
        messages.append(kind.user(f"question {turn}"))
        asked = draw(st.integers(0, 3))
        ids = [f"{turn}.{at}" if draw(st.booleans()) else f"{at}" for at in range(asked)]
        calls = [ToolCall(one, "add") for one in ids]
        messages.append(kind.assistant("" if calls else f"answer {turn}", calls))
        for call in calls:
            if draw(st.integers(0, 5)) == 0:
                messages.append(kind.user("by the way"))
            messages.append(kind.tool_result(call, f"result {turn}"))
    return messages


def _result_ids(message: AnyMessage) -> list[str]:
    found = msgspec.to_builtins(message)
    blocks = [found, *found.get("blocks", ())]
    return [block["call_id"] for block in blocks if block.get("call_id")]


@given(_talks(), st.integers(0, 6), st.integers(1, 8))
def test_a_summary_separates_no_call_from_its_result(messages: list[AnyMessage], keep: int, limit: int) -> None:
    """A summarized conversation is never longer, keeps the messages to keep, and is not summarized again."""
    kind = type(messages[0]) if messages else Message
    options = {"trigger": {"messages": limit}, "keep": keep}
    context = MiddlewareContext(model=_Summarizes(kind))
    hook: Any = SummarizationStrategy().create_middleware(options, context).before_model

    def after(before: Sequence[AnyMessage]) -> Sequence[AnyMessage] | None:
        update = asyncio.run(hook(HookState(tuple(before), (), None), Runtime("agent")))
        return None if update is None else list(update["messages"])

    left = after(messages)
    lead = [message for message in messages[:1] if message.role == "system"]
    if left is None:
        return
    history = messages[len(lead) :]
    tail = left[len(lead) + 1 :]
    assert len(history) >= limit
    assert len(left) <= len(messages)
    assert left[: len(lead)] == lead
    assert tail == (history[-len(tail) :] if tail else [])
    assert len(tail) >= min(keep, len(history) - 1)
    open_calls: list[str] = []
    for message in tail:
        for one in _result_ids(message):
            assert one in open_calls
            open_calls.remove(one)
        open_calls += [call.id for call in message.tool_calls]
    assert open_calls == []
    assert after(left) is None
