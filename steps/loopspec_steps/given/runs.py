"""Given: how a run is started, cancelled and resumed."""

from __future__ import annotations

from loopspec.contract.scene import Cancel

from ..actions import gate_of
from ..builders.scene import SceneBuilder
from ..cells import one_of
from ..phrasebook import given

_MODES = {
    "at once": (),
    "after the model call": ("after model",),
    "after the tool calls": ("after tools",),
    "at either point": ("after model", "after tools"),
}


@given("a {mode:Mode} run")
def mode_of_run(scene_builder: SceneBuilder, mode: str) -> None:
    """The mode of all runs: synchronous or streaming."""
    scene_builder.streaming = one_of(mode, {"synchronous": False, "streaming": True})


@given("a run that could be cancelled")
def cancellable_run(scene_builder: SceneBuilder) -> None:
    """The caller has a way to cancel the run, and may not use it."""
    scene_builder.cancellable = True


def _cancel(
    scene_builder: SceneBuilder, mode: str, gate: str, timeout: float | None = None, recursive: bool = False
) -> None:
    modes = one_of(mode, _MODES)
    scene_builder.cancels.append(
        Cancel(at=gate_of(gate), modes=modes, timeout=timeout, recursive=recursive)  # type: ignore[arg-type]  # literals of the table
    )


@given("the run is to be cancelled {mode:Point}, which is asked for when {gate}")
def run_is_cancelled(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """A request to cancel run 1: `at once`, `after the model call`, `after the tool calls`, `at either point`."""
    _cancel(scene_builder, mode, gate)


@given("the run is to be cancelled {mode:Point} within {seconds:d} seconds, which is asked for when {gate}")
def run_is_cancelled_within(scene_builder: SceneBuilder, mode: str, seconds: int, gate: str) -> None:
    """The same, with a timeout after which it is cancelled at once."""
    _cancel(scene_builder, mode, gate, timeout=float(seconds))


@given("the run and its sub-agents are to be cancelled {mode:Point}, which is asked for when {gate}")
def run_is_cancelled_recursively(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """The same, for the points of sub-agents, too."""
    _cancel(scene_builder, mode, gate, recursive=True)


@given('on resumption the tool "{tool}" is answered "{answer}"')
def answered_on_resumption(scene_builder: SceneBuilder, tool: str, answer: str) -> None:
    """Data for the call with which the tool interrupted."""
    scene_builder.answers[tool] = answer
