"""The variant about the order in which concurrent calls return: the scenes that hold them, one scene for each order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from ...contract.agents import Agent
from ...contract.observation import Observation, Span
from ...contract.scene import HeldCall, Run, Scene
from ...contract.values import Called, Returned, ToolCall
from .facts import Facts, agents_in, tools_of
from .restoring import WithEventsInCallOrder
from .runs import waits_for_nothing, with_another
from .variant import Variant, Varied

_MOST = 4  # calls of a group that are put into all orders


class DoubleCall(NamedTuple):
    """One call of a scripted model or tool, by its number in a run."""

    double: str
    run: str
    number: int


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
    double, run, _ = order[at - 1]
    earlier = min(call.number for call in order if (call.double, call.run) == (double, run)) - 1
    return earlier + sum((call.double, call.run) == (double, run) for call in order[:at])


def groups(scene: Scene, seen: Observation) -> Iterator[Group]:
    """The groups of calls that may be under way together: of one answer, and of concurrent runs."""
    calls = list(_calls(seen))
    for run in scene.runs:
        for agent in agents_in(scene.agent):
            yield from _of_answers(agent, [(span, call) for span, call in calls if call.run == run.id], seen)
    for batch in _batches(scene.runs):
        yield from _side_by_side(batch, calls)


def orders_of_runs(scene: Scene, seen: Observation) -> Iterator[Iterator[Scene]]:
    """For each batch of concurrent runs, the scenes in which the runs move call by call, each run first in one of them.

    `seen` is the observation of the scene.
    """
    calls = list(_calls(seen))
    for batch in _batches(scene.runs):
        if groups := list(_side_by_side(batch, calls)):
            yield (
                replace(scene, held=tuple(held for group in groups for held in held_calls(_led_by(group, first.id))))
                for first in batch
            )


def _side_by_side(batch: Sequence[Run], calls: Sequence[tuple[Span, DoubleCall]]) -> Iterator[Group]:
    """The calls of concurrent runs that have the same place in their runs."""
    of_runs = [[call for _, call in calls if call.run == run.id] for run in batch]
    for same_place in zip_longest(*of_runs):
        group = tuple(call for call in same_place if call is not None)
        if len(group) > 1:
            yield group


def _led_by(group: Group, run: str) -> Group:
    """The calls with that of one run at the front."""
    return tuple(sorted(group, key=lambda call: call.run != run))


def _calls(seen: Observation) -> Iterator[tuple[Span, DoubleCall]]:
    """The calls of scripted models and tools that have returned, in the order in which they were made."""
    made: dict[tuple[str, str], int] = {}
    for span in seen.spans:
        if span.run is not None and span.name.startswith(("model ", "tool ")):
            made[span.name, span.run] = number = made.get((span.name, span.run), 0) + 1
            if span.ended is not None:
                yield span, DoubleCall(span.name, span.run, number)


def _of_answers(agent: Agent, calls: Sequence[tuple[Span, DoubleCall]], seen: Observation) -> Iterator[Group]:
    """The tool calls of each answer of an agent in one run. A call of a sub-agent is held in its last call."""
    made: list[tuple[Span, DoubleCall]] = []
    asked: tuple[ToolCall, ...] | None = None
    answers = _answers(seen)
    for span, call in calls:
        if span.agent == agent.name and call.double.startswith("model "):
            yield from _group(agent, made, asked)
            made, asked = [], answers[call]
        else:
            made.append((span, call))
    yield from _group(agent, made, asked)


def _answers(seen: Observation) -> Mapping[DoubleCall, tuple[ToolCall, ...]]:
    """The tool calls that each model call was answered with."""
    found: dict[DoubleCall, tuple[ToolCall, ...]] = {}
    made: Counter[tuple[str, str | None]] = Counter()
    for call in seen.model_calls:
        double = f"model {call.model}"
        made[double, call.run] += 1
        number = made[double, call.run]
        found[DoubleCall(double, call.run or "", number)] = call.answer.tool_calls if call.answer else ()
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
    return Varied(scene, (WithEventsInCallOrder(frozenset(_direct(scene)), {run.id: run.resume for run in scene.runs}),))


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
    return facts.is_run and not facts.has_gates and (several or together)


def _calls_several_tools(agent: Agent) -> bool:
    """Whether an answer has several calls of the agent's tools, which need not be made in turn."""
    known = {tool.known_as or (tool.agent.name if tool.agent else tool.name) for tool in tools_of(agent)}
    turns = agent.model.turns if agent.model and not agent.sequential else ()
    return any(sum(call.name in known for call in turn.tool_calls) > 1 for turn in turns)


VARIANTS = (
    Variant(
        name="every-order",
        rule="VARIANT-30",
        applies=_has_concurrent_calls,
        vary=_every_order,
        orders=orders,
        exempt={
            "XP-WRAP-10 :: One of two tool calls of an answer is denied": "Only one of the two calls reaches its tool."
        },
    ),
    Variant(
        name="runs-in-turns",
        rule="VARIANT-31",
        applies=waits_for_nothing,
        vary=with_another,
        needs=frozenset({"concurrent-runs"}),
        orders=orders_of_runs,
    ),
)
