"""Properties of every agent, whatever the model, the tools and the handlers do."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from loopspec.contract.agents import Agent, Model, Tool, Turn
from loopspec.contract.observation import HookCall, Observation, Span
from loopspec.contract.scene import Cancel, Run
from loopspec.contract.values import Called, Gate, Message, Returned, ToolCall
from loopspec.specification.invariants import invariants
from loopspec.specification.invariants.scenes import Story
from loopspec_lab.fuzzing.doubles import HELLO, TOOLS
from loopspec_steps.then.observed import trace

from .agents import agents
from .scenes import observed, scene_of

ONE = Run(id="1", messages=(HELLO,))
STREAMED = Run(id="1", messages=(HELLO,), streaming=True)


@given(agents())
def test_traces_are_well_nested(agent: Agent) -> None:
    """A nested call begins and ends inside the enclosing call.

    Every span ends, except the stream of a tool that a tool wrapper does not read.
    """
    spans = observed(agent, ONE).spans
    known = {span.n: span for span in spans}

    for span in spans:
        if span.ended is None:
            assert span.inside is not None
            assert span.name.startswith("tool ")
        elif span.inside is not None:
            outer = known[span.inside]
            assert outer.n < span.n
            assert outer.ended is not None
            assert span.ended <= outer.ended


@given(agents())
def test_both_modes_agree(agent: Agent) -> None:
    """Both modes have the same calls and nesting, the same requests, the same final answer and the same error."""
    whole, streamed = observed(agent, ONE), observed(agent, STREAMED)

    assert _calls(whole) == _calls(streamed)
    assert [call.messages for call in whole.model_calls] == [call.messages for call in streamed.model_calls]
    assert [call.tools for call in whole.model_calls] == [call.tools for call in streamed.model_calls]
    assert _final(whole) == _final(streamed)
    assert [(end.error and (end.error.kind, end.error.code)) for end in whole.runs] == [
        (end.error and (end.error.kind, end.error.code)) for end in streamed.runs
    ]


def _calls(seen: Observation) -> list[str]:
    """The trace; concurrent calls are sorted."""
    lines = trace(seen.spans)
    return sorted(lines) if any(line.startswith(("around tool", "tool")) for line in lines) else lines


def _final(seen: Observation) -> list[tuple[Message, ...]]:
    return [call.messages for call in seen.hooks if call.handler == "last" and call.hook == "after agent"]


@given(agents())
def test_the_next_iteration_begins_with_the_last_state(agent: Agent) -> None:
    """The state before a model call is the state after the previous one, followed by the results."""
    seen = observed(agent, ONE)
    before = _hooks(seen, "first", "before model")
    after = _hooks(seen, "last", "after model")

    for left, found in zip(after, before[1:], strict=False):
        kept = found.messages[: len(left.messages)]
        results = found.messages[len(left.messages) :]
        assert kept == left.messages
        assert [message.tool_call_id for message in results] == [call.id for call in left.messages[-1].tool_calls]
        assert found.tools == left.tools


def _hooks(seen: Observation, handler: str, hook: str) -> list[HookCall]:
    return [call for call in seen.hooks if call.handler == handler and call.hook == hook]


@given(agents(), st.booleans())
def test_every_invariant_holds(agent: Agent, streaming: bool) -> None:
    """Those that apply to the scene. A run without an error calls the after-agent hooks once."""
    run = STREAMED if streaming else ONE
    seen = observed(agent, run)
    story = Story(scene_of(agent, run), seen)

    for invariant in invariants().values():
        if invariant.applies(story):
            invariant.look(story, seen)
    assert len(_hooks(seen, "last", "after agent")) == (seen.runs[0].error is None)


POINTS: st.SearchStrategy[Gate] = st.sampled_from(
    [
        *(Called(double=f"tool {name}", run="1") for name in TOOLS),
        *(Returned(double=f"tool {name}", run="1") for name in TOOLS),
        Called(double="model model", run="1"),
        Returned(double="model model", run="1"),
        Called(double="model model", times=2, run="1"),
    ]
)
CANCELS = st.builds(
    Cancel, at=POINTS, modes=st.sampled_from([(), ("after model",), ("after tools",), ("after model", "after tools")])
)
ROUNDS = st.lists(st.lists(st.sampled_from(TOOLS), min_size=1, max_size=3, unique=True), min_size=1, max_size=2)


def _calling(rounds: list[list[str]], waits: bool) -> Agent:
    """A model that calls these tools in rounds; with `waits`, t1 returns after t2."""
    turns = [
        Turn(tool_calls=tuple(ToolCall(id=f"{number} {name}", name=name) for name in names))
        for number, names in enumerate(rounds)
    ]
    after_t2 = Returned(double="tool t2") if waits and sorted(rounds[0])[:2] == ["t1", "t2"] else None
    tools = tuple(Tool(name=name, text=f"of {name}", held=after_t2 if name == "t1" else None) for name in TOOLS)
    return Agent(model=Model(turns=(*turns, Turn(text="done"))), tools=tools)


@given(ROUNDS, CANCELS, st.booleans(), st.booleans())
def test_a_cancelled_run_loses_no_result(rounds: list[list[str]], cancel: Cancel, waits: bool, streaming: bool) -> None:
    """A returned call is not repeated, and its result is in the conversation of the resumed run."""
    assume(_opens(rounds, cancel.at))
    agent = _calling(rounds, waits)
    first = Run(id="1", messages=(HELLO,), cancels=(cancel,), streaming=streaming)
    seen = observed(agent, first)
    if seen.runs[0].cancelled is not None:
        seen = observed(agent, first, Run(id="2", resume="1"))
        assert seen.runs[1].error is None

    done = [_call(seen, span) for span in seen.spans if span.name in _TOOLS and span.error is None]
    once = [call for call in done if done.count(call) == 1]
    finished = [_call(seen, span) for span in seen.spans if span.name in _TOOLS and span.run == "1" and _whole(span)]
    results = {message.tool_call_id: message.content for message in _sent(seen)[-1] if message.role == "tool"}
    assert set(finished) <= set(once)
    assert {call: results.get(call) for call in finished} == {call: f"of {call.split()[1]}" for call in finished}


def _opens(rounds: list[list[str]], gate: Gate) -> bool:
    """Whether the gate opens at all."""
    assert isinstance(gate, Called | Returned)
    return gate.double == "model model" or any(gate.double == f"tool {name}" for names in rounds for name in names)


def _whole(span: Span) -> bool:
    """Whether the call returned; a cancelled call has no end."""
    return span.ended is not None


_TOOLS = {f"tool {name}" for name in TOOLS}


def _call(seen: Observation, span: Span) -> str:
    return next(run.call.id for run in seen.tool_runs if run.n == span.n + 1)


def _sent(seen: Observation) -> list[tuple[Message, ...]]:
    return [call.messages for call in seen.model_calls]
