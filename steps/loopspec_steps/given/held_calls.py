"""Given: single calls of models and tools that wait."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec.contract.scene import HeldCall
from loopspec.contract.values import Called, Gate, Returned

from ..builders.scene import SceneBuilder
from ..gates import GATE, gate_of
from ..phrasebook import given


@given('call {number:d} of the tool "{tool}" in run {run:d} waits until {gate}', gate=GATE)
def tool_call_waits(scene_builder: SceneBuilder, number: int, tool: str, run: int, gate: str) -> None:
    """One call of the tool, counted from 1 in its run, waits before it does anything.

    With several such phrases, the call waits for each gate.
    """
    _hold(scene_builder, f"tool {tool}", number, run, gate)


@given('call {number:d} of the model "{model}" in run {run:d} waits until {gate}', gate=GATE)
def model_call_waits(scene_builder: SceneBuilder, number: int, model: str, run: int, gate: str) -> None:
    """One call of the model, counted from 1 in its run, waits before it answers.

    With several such phrases, the call waits for each gate.
    """
    _hold(scene_builder, f"model {model}", number, run, gate)


def _hold(scene_builder: SceneBuilder, double: str, number: int, run: int, gate: str) -> None:
    until = gate_of(gate, str(run))
    scene_builder.held.append(HeldCall(double=double, run=str(run), number=number, until=until))


def givens_of(held: Sequence[HeldCall]) -> tuple[str, ...]:
    """The Givens that hold these calls. Raises `ValueError` for a gate that is not about one call in one run."""
    return tuple(f"And {_named(one.number, one.double, one.run)} waits until {_gate(one.until)}" for one in held)


def _named(number: int, double: str, run: str) -> str:
    kind, _, name = double.partition(" ")
    return f'call {number} of the {kind} "{name}" in run {run}'


def _gate(gate: Gate) -> str:
    match gate:
        case Called(run=str(run)):
            return f"{_named(gate.times, gate.double, run)} is made"
        case Returned(run=str(run)):
            kind, _, name = gate.double.partition(" ")
            return f'the {kind} "{name}" has returned {gate.times} times in run {run}'
    raise ValueError(f"no Given holds a call until {gate}")
