"""When: resumed runs, and actions outside a run."""

from __future__ import annotations

from ..builders.scene import SceneBuilder
from ..phrasebook import when


@when("the agent runs and is resumed")
def runs_and_is_resumed(scene_builder: SceneBuilder) -> None:
    """Run 1 is interrupted or cancelled. Run 2 continues from its checkpoint, in an agent that is built again."""
    _resumed(scene_builder)


@when("the agent runs, is resumed, and is resumed again from the new stop")
def runs_and_is_resumed_again(scene_builder: SceneBuilder) -> None:
    """Run 2 continues from the checkpoint of run 1, and run 3 from the checkpoint of run 2."""
    _resumed(scene_builder)
    scene_builder.add_run(messages=(), resume="2", answers=scene_builder.answers)


@when("the agent runs, is resumed, and is resumed again from the first stop")
def runs_and_is_resumed_twice(scene_builder: SceneBuilder) -> None:
    """Run 2 and run 3 continue from the checkpoint of run 1, one after the other, in one agent that is built again.

    Needs the capability checkpoint-reuse.
    """
    _resumed(scene_builder)
    scene_builder.add_run(messages=(), resume="1", answers=scene_builder.answers)


@when("setting, reading and deleting a run-local value are tried outside a run")
def values_outside(scene_builder: SceneBuilder) -> None:
    """Run-local values are set, read and deleted outside any run."""
    scene_builder.act = "outside"
    scene_builder.tried = ("set", "get", "delete")


@when("sending an event is tried outside a run")
def event_outside(scene_builder: SceneBuilder) -> None:
    """A custom event is sent outside any run."""
    scene_builder.act = "outside"
    scene_builder.tried = ("send event",)


def _resumed(scene_builder: SceneBuilder) -> None:
    scene_builder.act = "run"
    scene_builder.add_run()
    scene_builder.add_run(messages=(), resume="1", answers=scene_builder.answers)
