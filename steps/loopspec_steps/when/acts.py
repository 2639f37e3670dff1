"""When: loads, hooks and runs."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..phrasebook import when


@when("the instructions are loaded")
def instructions_are_loaded(scene_builder: SceneBuilder) -> None:
    """The configured files are loaded once."""
    scene_builder.act = "load"


@when("the AgentsMD middleware is created")
def handler_is_created(scene_builder: SceneBuilder) -> None:
    """The handler is created, and no hook is called."""
    scene_builder.act = "create"


@when("the hook is called {times:Times} outside a run")
def hook_is_called(scene_builder: SceneBuilder, times: int) -> None:
    """The before-model hook is called directly, each time with the conversation."""
    scene_builder.act = "hook"
    scene_builder.times = times


@when("the agent runs")
def agent_runs(scene_builder: SceneBuilder) -> None:
    """The agent runs once."""
    _run(scene_builder, 1)


@when("the agent runs twice")
def agent_runs_twice(scene_builder: SceneBuilder) -> None:
    """The agent runs twice, one run after the other."""
    _run(scene_builder, 2)


@when("the agent runs {count:Times} concurrently")
def agent_runs_at_once(scene_builder: SceneBuilder, count: int) -> None:
    """The agent has several runs at the same time. Needs the capability concurrent-runs."""
    _run(scene_builder, count, together=True)


@when("the agent runs, is interrupted and is resumed")
def agent_runs_and_resumes(scene_builder: SceneBuilder) -> None:
    """Run 1 ends in an interrupt.

    Run 2 continues from its checkpoint, in an agent that is built again. Needs the capability interrupt.
    """
    scene_builder.act = "run"
    scene_builder.add_run()
    scene_builder.add_run(messages=(), resume="1")


def _run(scene_builder: SceneBuilder, count: int, together: bool = False) -> None:
    scene_builder.act = "run"
    for number in range(count):
        scene_builder.add_run(together=together and number > 0)
