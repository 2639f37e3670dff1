"""The variant about the order in which concurrent calls return: the scenes that hold them, one scene for each order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, permutations, zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from loopspec.contract.agents import Agent, Legacy, agents_in, tools_of
from loopspec.contract.observation import Observation, Span
from loopspec.contract.scene import HeldCall, Run, Scene
from loopspec.contract.values import Called, Json, Returned, ToolCall

from .facts import Facts
from .restoring import with_events_in_call_order
from .runs import ADDED, waits_for_nothing, with_another
from .variant import Variant, Varied

_LEAVES = ("model ", "tool ")  # the doubles that call nothing
_MOST = 4  # calls of a group that are put into all orders


class DoubleCall(NamedTuple):
    """One call of a double, by its number in a run. When it returns, it is the `nth` call of the double that does."""

    double: str
    run: str
    number: int
    nth: int


# Calls that may be under way together, in the order in which they were made.
Group = tuple[DoubleCall, ...]


def orders(scene: Scene, seen: Observation) -> Iterator[Iterator[Scene]]:
    """For each group of calls that may be under way together, the scenes that let its calls return in each order.

    `seen` is the observation of the scene. The calls of the other groups are not held.
    """
    for group in groups(scene, seen):
        yield (replace(scene, held=held_calls(order)) for order in permutations(group[:_MOST]))


def held_calls(order: Sequence[DoubleCall]) -> tuple[HeldCall, ...]:
    """What holds calls until all of them have been made, and then lets them return in this order."""
    first, *others = order
    held = [
        HeldCall(
            double=first.double,
            run=first.run,
            number=first.number,
            until=Called(double=other.double, run=other.run, times=other.number),
        )
        for other in sorted(others)
    ]
    for at, call in enumerate(others, start=1):
        before = order[at - 1]
        held.append(
            HeldCall(
                double=call.double,
                run=call.run,
                number=call.number,
                until=Returned(double=before.double, run=before.run, times=_returns(order, at)),
            )
        )
    return tuple(held)


def _returns(order: Sequence[DoubleCall], at: int) -> int:
    """How many calls of the double before this place have returned in the run when that one has."""
    double, run, *_ = order[at - 1]
    earlier = min(call.nth for call in order if (call.double, call.run) == (double, run)) - 1
    return earlier + sum((call.double, call.run) == (double, run) for call in order[:at])


def groups(scene: Scene, seen: Observation) -> Iterator[Group]:
    """The groups of calls that may be under way together: of one answer, and of concurrent runs."""
    calls = [(span, call) for span, call in _calls(seen) if span.name.startswith(_LEAVES)]
    for run in scene.runs:
        for agent in agents_in(scene.agent):
            yield from _of_answers(agent, [(span, call) for span, call in calls if call.run == run.id], seen)
    for batch in _batches(scene.runs):
        yield from _side_by_side(batch, scene, seen)


def orders_of_runs(scene: Scene, seen: Observation) -> Iterator[Iterator[Scene]]:
    """For each batch of concurrent runs, a scene for each run: the runs move call by call, and this run is first.

    `seen` is the observation of the scene.
    """
    for batch in _batches(scene.runs):
        if groups := list(_side_by_side(batch, scene, seen)):
            yield (
                replace(scene, held=tuple(held for group in groups for held in held_calls(_led_by(group, first.id))))
                for first in batch
            )


def alternating_orders_of_runs(scene: Scene, seen: Observation) -> Iterator[Iterator[Scene]]:
    """For each batch of concurrent runs, one scene in which another run is first at each place of the runs.

    Like `orders_of_runs`, this lets each run be first, but not at every place.
    """
    for batch in _batches(scene.runs):
        if groups := list(_side_by_side(batch, scene, seen)):
            leaders = cycle(run.id for run in reversed(batch))
            pairs = zip(groups, leaders, strict=False)
            yield iter(
                [replace(scene, held=tuple(held for group, run in pairs for held in held_calls(_led_by(group, run))))]
            )


def _side_by_side(batch: Sequence[Run], scene: Scene, seen: Observation) -> Iterator[Group]:
    """The calls of models, tools and hooks in concurrent runs that have the same place in their runs."""
    hooks = _hooks_that_wait(scene)
    calls = [call for span, call in _calls(seen) if span.name.startswith(_LEAVES) or span.name in hooks]
    of_runs = [[call for call in calls if call.run == run.id] for run in batch]
    for same_place in zip_longest(*of_runs):
        group = tuple(call for call in same_place if call is not None)
        if len(group) > 1:
            yield group


def _hooks_that_wait(scene: Scene) -> frozenset[str]:
    """The hooks before and after the agent and the model. A wrapper waits for its inner call; functions cannot wait."""
    doubles = (one for one in Facts(scene).doubles if not isinstance(one, Legacy) and not getattr(one, "sync", False))
    return frozenset(f"{hook} {one.name}" for one in doubles for hook in one.hooks if not hook.startswith("around"))


def _led_by(group: Group, run: str) -> Group:
    """The calls with that of one run at the front."""
    return tuple(sorted(group, key=lambda call: call.run != run))


def _calls(seen: Observation) -> Iterator[tuple[Span, DoubleCall]]:
    """The calls of doubles that have returned, in the order in which they were made."""
    made: Counter[tuple[str, str]] = Counter()
    ends: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for span in seen.spans:
        if span.run is not None and span.ended is not None:
            ends.setdefault((span.name, span.run), []).append((span.ended, span.n))
    for span in seen.spans:
        if span.run is not None:
            made[span.name, span.run] += 1
            if span.ended is not None:
                nth = sum(end <= (span.ended, span.n) for end in ends[span.name, span.run])
                yield span, DoubleCall(span.name, span.run, made[span.name, span.run], nth)


def _of_answers(agent: Agent, calls: Sequence[tuple[Span, DoubleCall]], seen: Observation) -> Iterator[Group]:
    """The tool calls of each answer of an agent in one run. A call of a sub-agent is held in its last call."""
    made: list[tuple[Span, DoubleCall]] = []
    asked: tuple[ToolCall, ...] | None = None
    answers = _answers(seen)
    for span, call in calls:
        if span.agent == agent.name and call.double.startswith("model "):
            yield from _group(agent, made, asked)
            made, asked = [], answers.get(call[:3], ())
        else:
            made.append((span, call))
    yield from _group(agent, made, asked)


def _answers(seen: Observation) -> Mapping[tuple[str, str, int], tuple[ToolCall, ...]]:
    """The tool calls of each answer, by the model, the run and the number of the model call."""
    found: dict[tuple[str, str, int], tuple[ToolCall, ...]] = {}
    made: Counter[tuple[str, str | None]] = Counter()
    for call in seen.model_calls:
        double = f"model {call.model}"
        made[double, call.run] += 1
        number = made[double, call.run]
        found[double, call.run or "", number] = call.answer.tool_calls if call.answer else ()
    return found


def _group(
    agent: Agent, made: Sequence[tuple[Span, DoubleCall]], asked: tuple[ToolCall, ...] | None
) -> Iterator[Group]:
    group = tuple(_members(agent, made, asked))
    if len(group) > 1:
        yield group


def _members(
    agent: Agent, made: Sequence[tuple[Span, DoubleCall]], asked: tuple[ToolCall, ...] | None
) -> Iterator[DoubleCall]:
    """The calls that stand for the tool calls of one answer: of each tool itself, of a sub-agent the last one."""
    inside = {name: tool.agent.name for tool in tools_of(agent) if tool.agent for name in _names(tool.agent)}
    of_agents: dict[str, list[DoubleCall]] = {}
    for span, call in made:
        if span.agent == agent.name:
            yield call
        elif span.agent in inside:
            of_agents.setdefault(inside[span.agent], []).append(call)
    for name, calls in of_agents.items():
        times = 1 if asked is None else sum(one.name == name for one in asked)
        if times == 1 or times == len(calls):  # otherwise the record does not say which call is whose
            yield from calls[-times:]


def _names(agent: Agent) -> Iterable[str]:
    return (one.name for one in agents_in(agent))


def _batches(runs: Sequence[Run]) -> Iterator[tuple[Run, ...]]:
    """The runs that are performed concurrently."""
    batch: tuple[Run, ...] = ()
    for run in runs:
        if not run.together:
            if len(batch) > 1:
                yield batch
            batch = ()
        batch += (run,)
    if len(batch) > 1:
        yield batch


def _every_order(scene: Scene) -> Varied:
    resumes = {run.id: run.resume for run in scene.runs}
    return Varied(scene, (with_events_in_call_order(frozenset(_direct(scene)), resumes),))


def _with_a_different_run(scene: Scene) -> Varied:
    """The scene with a concurrent run that has other messages and other values.

    In a bundle, the scene has an equal concurrent run already.
    """
    has_another = any(run.id == ADDED for run in scene.runs)
    varied = Varied(scene, with_another(scene).back) if has_another else with_another(scene)
    runs = tuple(_different(run) if run.id == ADDED else run for run in varied.scene.runs)
    return Varied(replace(varied.scene, runs=runs), varied.back)


def _different(run: Run) -> Run:
    """The run with other texts in its messages, its session and its context."""

    def other(value: Json) -> Json:
        return f"{value} (of another run)" if isinstance(value, str) and value else value

    return replace(
        run,
        messages=tuple(replace(message, content=other(message.content)) for message in run.messages),
        session={key: other(value) for key, value in run.session.items()},
        context=None if run.context is None else {key: other(value) for key, value in run.context.items()},
    )


def _direct(scene: Scene) -> Iterator[str]:
    """The tools whose result may be the final answer, so that the event of the result has a place of its own."""
    for agent in agents_in(scene.agent):
        yield from agent.return_directly
        if agent.exit_tool:
            yield "exit"


def _has_concurrent_calls(facts: Facts) -> bool:
    """Whether nothing waits, and an answer of a model has several calls, or several runs are performed concurrently."""
    several = any(_calls_several_tools(agent) for agent in facts.agents)
    together = any(run.together for run in facts.scene.runs)
    return facts.is_run and not (facts.gates or facts.hooks_interrupt) and (several or together)


def _calls_several_tools(agent: Agent) -> bool:
    """Whether an answer has several calls of the agent's tools, which need no turn and no approval."""
    tools = (tool for tool in tools_of(agent) if not tool.approval)
    known = {tool.known_as or (tool.agent.name if tool.agent else tool.name) for tool in tools}
    turns = agent.model.turns if agent.model and not agent.sequential else ()
    return any(sum(call.name in known for call in turn.tool_calls) > 1 for turn in turns)


VARIANTS = (
    Variant(
        "every-order",
        _has_concurrent_calls,
        _every_order,
        orders=orders,
        exempt={
            "XP-WRAP-10 :: One of two tool calls of an answer is denied": "Only one of the two calls reaches its tool.",
            "HOOK-AM-03 :: A hook that drops one of two tool calls": "Only one of the two calls reaches its tool.",
        },
    ),
    Variant(
        "runs-in-turns",
        waits_for_nothing,
        _with_a_different_run,
        needs=frozenset({"concurrent-runs"}),
        orders=orders_of_runs,
        orders_in_bundle=alternating_orders_of_runs,
        exempt={"HOOK-WM-03 :: A wrapper that makes two calls *, in a streaming run": "The first stream ends last."},
    ),
)
