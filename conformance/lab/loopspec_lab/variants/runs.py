"""Variants about other runs of the same agent."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.observation import Span
from loopspec.contract.scene import Run, Scene

from .facts import Facts
from .restoring import without_run
from .variant import Variant, Varied

ADDED = "0"  # the id of an added run: the runs of scenes are numbered from 1
_CACHE = "The cache of a middleware is meant to answer a later run."
_SESSION = "s"  # a thread, whose runs share the session


def _is_fresh(run: Run) -> bool:
    """Whether nothing of another run is passed to the run, and nothing cancels it."""
    return not (run.thread or run.history or run.resume or run.cancels)


def _can_be_repeated(facts: Facts) -> bool:
    return facts.is_run and bool(facts.scene.runs) and not facts.scene.one_list and _is_fresh(facts.scene.runs[0])


def waits_for_nothing(facts: Facts) -> bool:
    """Whether the first run can be repeated, in a scene in which nothing waits for something else."""
    return _can_be_repeated(facts) and not facts.gates


def _another(run: Run, name: str) -> Run:
    """An equal run, with a conversation of its own if the run has one, whose process does not die with the other."""
    return replace(run, id=name, conversation=run.conversation and name, dies=None)


def _after_another(scene: Scene) -> Varied:
    """The scene after an equal run; in a bundle, the scene has a concurrent run already."""
    name = ADDED * 2 if any(run.id == ADDED for run in scene.runs) else ADDED
    first = _another(scene.runs[0], name)
    return Varied(replace(scene, runs=(first, *scene.runs)), (without_run(name),))


def with_another(scene: Scene) -> Varied:
    """The scene with an equal run at the same time."""
    first, *others = scene.runs
    twin = replace(_another(first, ADDED), together=True)
    return Varied(replace(scene, runs=(first, twin, *others)), (without_run(ADDED),))


def with_equal_run(scene: Scene, calls: tuple[Span, ...]) -> tuple[Span, ...]:
    """The calls of a scene, and those that a run equal to the first one makes."""
    first = scene.runs[0].id
    return (*calls, *(replace(one, run=ADDED) for one in calls if one.run == first))


def _in_a_used_session(scene: Scene) -> Varied:
    """The scene whose run has the session of an equal run before."""
    runs = tuple(replace(run, thread=_SESSION) for run in _after_another(scene).scene.runs)
    return Varied(replace(scene, runs=runs), (without_run(ADDED),))


VARIANTS = (
    Variant(
        "run-before",
        waits_for_nothing,
        _after_another,
        exempt={
            "XP-WRAP-09 :: Two runs with *": _CACHE,
            "XP-BEST-08 :: A logging middleware before a caching middleware": _CACHE,
            "XP-BEST-08 :: A caching middleware before a logging middleware": _CACHE,
        },
    ),
    Variant("run-together", _can_be_repeated, with_another, needs=frozenset({"concurrent-runs"})),
    Variant(
        "session-used-before",
        lambda facts: waits_for_nothing(facts) and len(facts.scene.runs) == 1,
        _in_a_used_session,
        needs=frozenset({"threads"}),
        exempt=dict.fromkeys(
            (
                "XP-HOOK-11 :: State values from earlier hooks of the same middleware",
                "XP-HOOK-16 :: Synchronous hooks after the model and after the agent",
                "XP-CTX-02 :: The state after the run",
                "XP-STATE-01 :: A counter before each of three model calls",
                "XP-STATE-01 :: A value from the before-agent hook",
                "XP-STATE-01 :: Values from the before-agent and before-model hooks in the wrappers",
                "XP-STATE-06 :: Two middlewares with different fields",
                "XP-STATE-09 :: A sub-agent of two sub-agents, with a counter",
                "XP-STATE-09 :: An agent and its sub-agent, each with a counter",
                "XP-STATE-09 :: Two middlewares of an agent and one of its sub-agent",
                "PLUGIN-01 :: Two counters with *",
                "XP-WRAP-12 :: A command with the result of the tool",
            ),
            "The state of a middleware persists in the session, and the example states its values from the beginning.",
        ),
    ),
)
