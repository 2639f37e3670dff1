"""Given: how a run is started, cancelled and resumed."""

from __future__ import annotations

from loopspec.contract.scene import Cancel

from ..builders.scene import SceneBuilder
from ..gates import GATE, gate_of
from ..holes import MODES, POINTS
from ..phrasebook import given


@given("a {mode:Mode} run")
def mode_of_run(scene_builder: SceneBuilder, mode: str) -> None:
    """The mode of all runs: synchronous or streaming."""
    scene_builder.streaming = MODES.read(mode)


@given("a run that could be cancelled")
def cancellable_run(scene_builder: SceneBuilder) -> None:
    """The caller has a way to cancel the run, and may not use it."""
    scene_builder.cancellable = True


def _cancel(
    scene_builder: SceneBuilder, mode: str, gate: str, timeout: float | None = None, recursive: bool = False
) -> None:
    cancel = Cancel(at=gate_of(gate), modes=POINTS.read(mode), timeout=timeout, recursive=recursive)
    scene_builder.cancels.append(cancel)


@given("the run is to be cancelled {mode:Point}, which is asked for when {gate}", gate=GATE)
def run_is_cancelled(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """A request to cancel run 1: `at once`, `after the model call`, `after the tool calls`, `at either point`."""
    _cancel(scene_builder, mode, gate)


@given("the run is to be cancelled {mode:Point} within {seconds:d} seconds, which is asked for when {gate}", gate=GATE)
def run_is_cancelled_within(scene_builder: SceneBuilder, mode: str, seconds: int, gate: str) -> None:
    """The same, with a timeout after which it is cancelled at once."""
    _cancel(scene_builder, mode, gate, timeout=float(seconds))


@given("the run and its sub-agents are to be cancelled {mode:Point}, which is asked for when {gate}", gate=GATE)
def run_is_cancelled_recursively(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """The same, for the points of sub-agents, too."""
    _cancel(scene_builder, mode, gate, recursive=True)


@given('on resumption the tool "{tool}" is answered "{answer}"')
def answered_on_resumption(scene_builder: SceneBuilder, tool: str, answer: str) -> None:
    """Data for the call with which the tool interrupted."""
    scene_builder.answers[tool] = answer
