"""The observations of generated agents."""

from __future__ import annotations

from functools import cache

from loopspec.contract.agents import Agent
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Run, Scene
from loopspec.engine.perform import perform
from loopspec.targets.python import PythonTarget
from loopspec_lab.fuzzing.doubles import HELLO
from loopspec_reference_adapter import Reference


@cache
def _target() -> PythonTarget:
    return PythonTarget(Reference, "reference")


def scene_of(agent: Agent, *runs: Run) -> Scene:
    """The runs of an agent, or one run by default, whose events are received."""
    return Scene(act="run", agent=agent, runs=runs or (Run(id="1", messages=(HELLO,)),), listens=True)


def observed(agent: Agent, *runs: Run) -> Observation:
    """The observation of the runs of an agent, or of one run by default."""
    seen = perform(_target(), scene_of(agent, *runs), "agent")
    assert seen.stuck == ()
    return seen
