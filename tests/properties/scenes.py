"""The observations of generated agents."""

from __future__ import annotations

from functools import cache

from loopspec.contract.agents import Agent
from loopspec.contract.observation import Observation
from loopspec.contract.scene import Run, Scene
from loopspec.engine.perform import perform
from loopspec.targets.python import PythonTarget
from loopspec_lab.fuzzing.agents import HELLO
from loopspec_reference_adapter import Reference


@cache
def _target() -> PythonTarget:
    return PythonTarget(Reference, "reference")


def observed(agent: Agent, *runs: Run) -> Observation:
    """The observation of the runs of an agent, or of one run by default."""
    scene = Scene(act="run", agent=agent, runs=runs or (Run(id="1", messages=(HELLO,)),), listens=True)
    seen = perform(_target(), scene, "agent")
    assert seen.stuck == ()
    return seen
