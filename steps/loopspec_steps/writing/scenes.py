"""The steps that build a Scene. What is written is read again: a Scene is never written as another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from loopspec.contract.agents import AgentsMD
from loopspec.contract.scene import Scene

from ..builders.scenario import ScenarioBuilder
from ..declarations import PhraseError
from .agents import agent_steps
from .backends import backend_steps
from .runs import run_steps
from .steps import NotWritable, WrittenStep, take_step
from .texts import times
from .workspaces import workspace_steps
from .worlds import neighbor_steps, world_steps

_MISSING = object()  # an entry that only one of two values has


def write_scene(scene: Scene) -> tuple[WrittenStep, ...]:
    """The Givens and the When that build the Scene.

    Raises `NotWritable`, with the path of a value, for a Scene that no steps build.
    """
    if scene.workflow or scene.modules or scene.lookups or scene.traces or scene.tokens_per_word != 1:
        raise NotWritable("the scene", "scenes of the role plugins are not written")
    if scene.act == "read":
        return _first_that_fits(scene, [backend_steps])
    if scene.workspace is not None:
        return _first_that_fits(scene, [_in_workspace])
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
    assert problem is not None, "there is a way"
    raise problem


def _in_full(scene: Scene) -> Iterator[WrittenStep]:
    yield from agent_steps(scene.agent)
    yield from world_steps(scene)
    yield from run_steps(scene)
    yield _when(scene)


def _around_agentsmd(scene: Scene) -> Iterator[WrittenStep]:
    yield from world_steps(scene)
    yield from neighbor_steps(scene.agent)
    yield from run_steps(scene)
    yield _when(scene)


def _in_workspace(scene: Scene) -> Iterator[WrittenStep]:
    assert scene.workspace is not None, "asked before"
    yield from workspace_steps(scene.workspace)
    yield _when(scene)


def _when(scene: Scene) -> WrittenStep:
    match scene.act:
        case "read workspace":
            text = "the tool reads the workspace"
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
        case 3, 2, 0 if scene.runs[2].resume == scene.runs[0].id:
            return "the agent runs, is resumed, and is resumed again from the first stop"
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
    """The path of the first value in which two plain values differ; None for equal values.

    Equal values of two types differ: `0` is not `false`.
    """
    if type(one) is not type(other):
        return path.lstrip(".")
    pairs: Iterable[tuple[str, object, object]]
    if isinstance(one, Struct):
        pairs = ((f"{path}.{name}", getattr(one, name), getattr(other, name)) for name in one.__struct_fields__)
    elif isinstance(one, tuple | list) and isinstance(other, tuple | list):
        entries = zip_longest(one, other, fillvalue=_MISSING)
        pairs = ((f"{path}[{at}]", *pair) for at, pair in enumerate(entries))
    elif isinstance(one, dict) and isinstance(other, dict):
        pairs = ((f"{path}[{key!r}]", one.get(key, _MISSING), other.get(key, _MISSING)) for key in {**one, **other})
    else:
        return None if one == other else path.lstrip(".")
    differences = (first_difference(a, b, where) for where, a, b in pairs)
    return next((found for found in differences if found is not None), None)
