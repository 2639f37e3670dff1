"""Given: the mode, the cancellation and the resumption of a run."""

from __future__ import annotations

from loopspec.contract.scene import Cancel

from ..builders.scene import SceneBuilder
from ..cells import as_json
from ..gates import GATE, gate_of
from ..holes import MODES, POINTS
from ..phrasebook import given


@given("a {mode:Mode} run")
def mode_of_run(scene_builder: SceneBuilder, mode: str) -> None:
    """The mode of all runs."""
    scene_builder.streaming = MODES.read(mode)


@given("a run that can be cancelled")
def cancellable_run(scene_builder: SceneBuilder) -> None:
    """The caller can cancel the run, and need not do so."""
    scene_builder.cancellable = True


def _cancel(
    scene_builder: SceneBuilder,
    mode: str,
    gate: str,
    timeout: float | None = None,
    recursive: bool = False,
    run: int = 1,
) -> None:
    cancel = Cancel(at=gate_of(gate, str(run)), modes=POINTS.read(mode), timeout=timeout, recursive=recursive)
    scene_builder.cancels.setdefault(run, []).append(cancel)


@given("a cancel request that takes effect {mode:Point} is made when {gate}", gate=GATE)
def run_is_cancelled(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """The caller requests a cancellation of run 1 when the gate opens."""
    _cancel(scene_builder, mode, gate)


@given("a cancel request that takes effect {mode:Point}, or after {seconds:d} seconds, is made when {gate}", gate=GATE)
def run_is_cancelled_within(scene_builder: SceneBuilder, mode: str, seconds: int, gate: str) -> None:
    """The caller requests a cancellation of run 1 when the gate opens.

    After the timeout the run is cancelled at once.
    """
    _cancel(scene_builder, mode, gate, timeout=float(seconds))


@given("a cancel request that takes effect {mode:Point}, also in sub-agents, is made when {gate}", gate=GATE)
def run_is_cancelled_recursively(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """The caller requests a cancellation of run 1 when the gate opens. The points of sub-agents count as well."""
    _cancel(scene_builder, mode, gate, recursive=True)


@given("in run {run:d}, a cancel request that takes effect {mode:Point} is made when {gate}", gate=GATE)
def numbered_run_is_cancelled(scene_builder: SceneBuilder, run: int, mode: str, gate: str) -> None:
    """The caller requests a cancellation of one of several runs when the gate opens."""
    _cancel(scene_builder, mode, gate, run=run)


@given('the caller resumes the tool "{tool}" with "{answer}"')
def answered_on_resumption(scene_builder: SceneBuilder, tool: str, answer: str) -> None:
    """The data that the resumed call of the tool receives for its interrupt."""
    scene_builder.answers[tool] = answer


@given('the caller resumes the call "{call}" with "{answer}"')
def call_answered_on_resumption(scene_builder: SceneBuilder, call: str, answer: str) -> None:
    """The data that the resumed call with this id receives for its interrupt."""
    scene_builder.call_answers[call] = answer


@given('the caller resumes the call "{call}" with the JSON value {value}')
def call_answered_with_json(scene_builder: SceneBuilder, call: str, value: str) -> None:
    """The data that the resumed call with this id receives for its interrupt, given as JSON."""
    scene_builder.call_answers[call] = as_json(value)


@given('in run {run:d}, the caller resumes the call "{call}" with "{answer}"')
def call_answered_in_run(scene_builder: SceneBuilder, run: int, call: str, answer: str) -> None:
    """The data that the resumed call with this id receives in one of several resumed runs."""
    scene_builder.run_answers.setdefault(run, {})[call] = answer
