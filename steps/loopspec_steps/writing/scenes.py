"""The steps that build a Scene. What is written is read again: a Scene is never written as another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from loopspec.contract.agents import AgentsMD
from loopspec.contract.scene import Scene

from ..builders.scenario import ScenarioBuilder
from ..declarations import PhraseError
from ..holes import POINTS
from .agents import agent_steps
from .clauses import gate_text
from .steps import NotWritable, WrittenStep, take_step
from .texts import json_text, quoted, times
from .worlds import neighbor_steps, world_steps


def write_scene(scene: Scene) -> tuple[WrittenStep, ...]:
    """The Givens and the When that build the Scene.

    Raises `NotWritable`, with the path of a value, for a Scene that no steps build.
    """
    if scene.workflow or scene.modules or scene.lookups or scene.backend or scene.traces or scene.tokens_per_word != 1:
        raise NotWritable("the scene", "scenes of the roles plugins and backend are not written")
    # Two phrasings of agents: in full, and as what is around an AgentsMD middleware.
    ways = [_in_full, _around_agentsmd]
    if any(isinstance(handler, AgentsMD) for handler in scene.agent.handlers):
        ways.reverse()
    return _first_that_fits(scene, ways)


def _first_that_fits(scene: Scene, ways: Sequence[Callable[[Scene], Iterator[WrittenStep]]]) -> tuple[WrittenStep, ...]:
    problem: NotWritable | None = None
    for way in ways:
        try:
            steps = tuple(way(scene))
            _must_build(scene, steps)
        except NotWritable as error:
            problem = problem or error
        else:
            return steps
    assert problem is not None, "there are two ways"
    raise problem


def _in_full(scene: Scene) -> Iterator[WrittenStep]:
    yield from agent_steps(scene.agent)
    yield from world_steps(scene)
    yield from _run_steps(scene)
    yield _when(scene)


def _around_agentsmd(scene: Scene) -> Iterator[WrittenStep]:
    yield from world_steps(scene)
    yield from neighbor_steps(scene.agent)
    yield from _run_steps(scene)
    yield _when(scene)


def _run_steps(scene: Scene) -> Iterator[WrittenStep]:
    """The Givens about runs."""
    for number, run in enumerate(scene.runs, 1):
        if run.history:
            kept = "" if run.history.keep_extra else ", without extra data"
            start = f"the caller starts run {number} with the conversation of run {run.history.run}"
            yield WrittenStep("given", f"{start}{kept}")
    if not scene.runs:
        return
    first = scene.runs[0]
    for key, value in first.session.items():
        field = f"runs[0].session[{key!r}]"
        if not isinstance(value, str | int) or isinstance(value, bool):
            raise NotWritable(field, f"no phrase sets a session value to {json_text(value)}")
        held = f'"{quoted(value, field)}"' if isinstance(value, str) else f"the number {value}"
        yield WrittenStep("given", f'a session in which "{quoted(key, field)}" is {held}')
    if first.streaming:
        yield WrittenStep("given", "a streaming run")
    if first.cancellable:
        yield WrittenStep("given", "a run that can be cancelled")
    yield from _cancel_steps(scene)
    for tool, answer in _answers(scene).items():
        field = f"runs.answers[{tool!r}]"
        text = quoted(str(answer), field)
        yield WrittenStep("given", f'the caller resumes the tool "{quoted(tool, field)}" with "{text}"')


def _answers(scene: Scene) -> dict[str, object]:
    return {tool: answer for run in scene.runs for tool, answer in run.answers.items()}


def _cancel_steps(scene: Scene) -> Iterator[WrittenStep]:
    for at, cancel in enumerate(scene.runs[0].cancels):
        field = f"runs[0].cancels[{at}]"
        gate = gate_text(cancel.at, f"{field}.at")
        if cancel.timeout is not None and cancel.recursive:
            raise NotWritable(field, "no phrase has a timeout and sub-agents")
        also = ", also in sub-agents," if cancel.recursive else ""
        if cancel.timeout is not None:
            also = f", or after {cancel.timeout:g} seconds,"
        effect = f"a cancel request that takes effect {POINTS.text_of(cancel.modes)}{also} is made when {gate}"
        yield WrittenStep("given", effect)


def _when(scene: Scene) -> WrittenStep:
    match scene.act:
        case "load":
            text = "the instructions are loaded"
        case "create":
            text = "the AgentsMD middleware is created"
        case "hook":
            text = f"the hook is called {times(scene.times)} outside a run"
        case "outside" if scene.tried == ("send event",):
            text = "sending an event is tried outside a run"
        case "outside":
            text = "setting, reading and deleting a run-local value are tried outside a run"
        case "run":
            text = _run_when(scene)
        case _:
            raise NotWritable("act", f"the act {scene.act!r} is not written")
    return WrittenStep("when", text)


def _run_when(scene: Scene) -> str:
    resumed = [run for run in scene.runs if run.resume]
    together = [run for run in scene.runs if run.together]
    match len(scene.runs), len(resumed), len(together):
        case 1, 0, 0:
            return "the agent runs"
        case 2, 0, 0:
            return "the agent runs twice"
        case count, 0, others if count == others + 1:
            return f"the agent runs {times(count)} concurrently"
        case 2, 1, 0:
            return "the agent runs and is resumed"
        case 3, 2, 0:
            return "the agent runs, is resumed, and is resumed again from the new stop"
    raise NotWritable("runs", "no phrase has these runs")


def _must_build(scene: Scene, steps: Sequence[WrittenStep]) -> None:
    """Raise `NotWritable` unless the steps build the Scene."""
    builder = ScenarioBuilder()
    for step in steps:
        try:
            take_step(builder, step)
        except PhraseError as error:
            raise NotWritable(f"the step {step.text!r}", str(error)) from error
    if (found := first_difference(scene, builder.scene)) is not None:
        raise NotWritable(found, "no phrase of the writer says this value")


def first_difference(one: object, other: object, path: str = "") -> str | None:
    """The path of the first value in which two plain values differ; None for equal values."""
    if one == other and type(one) is type(other):
        return None
    if isinstance(one, Struct) and type(one) is type(other):
        pairs = ((f"{path}.{name}", getattr(one, name), getattr(other, name)) for name in one.__struct_fields__)
    elif isinstance(one, tuple) and isinstance(other, tuple):
        pairs = ((f"{path}[{at}]", *pair) for at, pair in enumerate(zip_longest(one, other)))
    elif isinstance(one, dict) and isinstance(other, dict):
        pairs = ((f"{path}[{key!r}]", one.get(key), other.get(key)) for key in {**one, **other})
    else:
        return path.lstrip(".")
    return next((found for where, a, b in pairs if (found := first_difference(a, b, where))), path.lstrip("."))
