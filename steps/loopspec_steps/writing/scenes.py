"""The steps that build a Scene. What is written is read again: a Scene is never written as another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest

from msgspec import Struct

from loopspec.contract.agents import AgentsMD
from loopspec.contract.scene import Scene

from ..builders.scenario import ScenarioBuilder
from ..cells import quoted, times
from ..declarations import NotWritable, PhraseError, within
from ..given.parts import SCENE
from ..phrasebook import WrittenStep
from ..when.acts import RUNS, TOGETHER
from ..when.backend import calls_table, content_text
from .agents import agent_steps, neighbor_steps
from .steps import given, take_step
from .workspaces import workspace_steps
from .worlds import run_steps, world_steps

_MISSING = object()  # an entry that only one of two values has


def write_scene(scene: Scene) -> tuple[WrittenStep, ...]:
    """The Givens and the When that build the Scene.

    Raises `NotWritable`, with the path of a value, for a Scene that no steps build.
    """
    if scene.workflow or scene.modules or scene.traces or scene.tokens_per_word != 1 or scene.act == "catalog":
        raise NotWritable("scenes of the role plugins are not written", "the scene")
    if scene.act == "read":
        return _first_that_fits(scene, [_of_backend])
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
    with within("agent"):
        yield from agent_steps(scene.agent)
    yield from world_steps(scene)
    yield from run_steps(scene.runs)
    yield _when(scene)


def _around_agentsmd(scene: Scene) -> Iterator[WrittenStep]:
    yield from world_steps(scene)
    with within("agent"):
        yield from neighbor_steps(scene.agent)
    yield from run_steps(scene.runs)
    yield _when(scene)


def _in_workspace(scene: Scene) -> Iterator[WrittenStep]:
    if scene.workspace is not None:
        yield from workspace_steps(scene.workspace)
    yield SCENE.act(scene)


def _of_backend(scene: Scene) -> Iterator[WrittenStep]:
    """The stored files, and the calls of the backend as one table."""
    for path, file in scene.files.items():
        with within(f"files[{path!r}]"):
            yield given(f'the stored file "{quoted(path)}" containing "{content_text(file)}"')
    yield WrittenStep("when", "calls of the backend are made in order", calls_table(scene.backend))


def _when(scene: Scene) -> WrittenStep:
    return WrittenStep("when", _run_when(scene)) if scene.act == "run" else SCENE.act(scene)


def _run_when(scene: Scene) -> str:
    others = scene.runs[1:]
    if others and all(run.together and not run.resume for run in others):
        return f"the agent runs {times(len(scene.runs))} concurrently"
    if len(others) > 1 and all(run.together for run in others[:-1]) and not any(run.resume for run in others):
        return f"the agent runs {times(len(others))} concurrently, and then once"
    for sentence, _, resumes in RUNS:
        if resumes == tuple(TOGETHER if run.together else run.resume for run in others):
            return sentence
    raise NotWritable("no phrase has these runs", "runs")


def _must_build(scene: Scene, steps: Sequence[WrittenStep]) -> None:
    """Raise `NotWritable` unless the steps build the Scene."""
    builder = ScenarioBuilder()
    for step in steps:
        try:
            take_step(builder, step)
        except PhraseError as error:
            raise NotWritable(str(error), f"the step {step.text!r}") from error
    if (found := first_difference(scene, builder.scene)) is not None:
        raise NotWritable("no phrase of the writer says this value", found)


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
