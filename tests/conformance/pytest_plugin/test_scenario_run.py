"""One scenario, step by step, as pytest-bdd takes them."""

from __future__ import annotations

from contextlib import closing

import pytest

from loopspec import ReadRequest, Stage
from loopspec.contract.mismatch import Mismatch
from loopspec.contract.scene import Scene
from loopspec.pytest_plugin.scenario import ScenarioRun

from ..staging import Acting, target_of

GIVEN = 'the instructions file "/p/a.md" holding "Answer."'


def test_the_scene_is_there_from_the_when_on() -> None:
    """Before it, nothing has been performed."""
    scenario_run = ScenarioRun(Acting(), "loader", 5.0)

    scenario_run.take("given", GIVEN, None, None)
    assert (scenario_run.scene, scenario_run.observation) == (None, None)

    scenario_run.take("when", "the instructions are loaded", None, None)
    assert isinstance(scenario_run.scene, Scene)
    assert scenario_run.observation is not None


def test_a_call_that_is_held_to_the_end_fails_the_when() -> None:
    """An agent that reads in one of three runs waits in vain for the others."""

    async def read_once(stage: Stage) -> None:
        with stage.runs.running(stage.scene.runs[0]):
            await stage.world.read(ReadRequest("/p/a.md"))

    target = target_of(perform=read_once)
    scenario_run = ScenarioRun(target, "agent", 5.0)
    scenario_run.take("given", GIVEN, None, None)
    scenario_run.take("given", 'reading "/p/a.md" waits until run 3 begins', None, None)

    with closing(target), pytest.raises(Mismatch, match="run 3 begins, which never came"):
        scenario_run.take("when", "the agent runs 3 times at once", None, None)
