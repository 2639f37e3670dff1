"""Given: single calls of models, tools and hooks that wait."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec.contract.scene import HeldCall
from loopspec.contract.values import Called, Ended, Gate, Returned

from ..builders.scene import SceneBuilder
from ..declarations import PhraseError
from ..gates import GATE, gate_of
from ..phrasebook import given

_KINDS = ("tool ", "model ", "before agent ", "before model ", "after model ", "after agent ")


@given('call {number:d} of "{double}" in run {run:d} waits until {gate}', gate=GATE)
def call_waits(scene_builder: SceneBuilder, number: int, double: str, run: int, gate: str) -> None:
    """One call of a model, a tool or a hook, counted from 1 in its run, waits before it does anything.

    The double is `tool t1`, `model m` or `before model H`. With several such phrases, the call waits for each gate.
    """
    if not double.startswith(_KINDS):
        kinds = ", ".join(kind.strip() for kind in _KINDS)
        raise PhraseError(f"no call of {double!r} can wait: say what it is, then its name; these can wait: {kinds}")
    until = gate_of(gate, str(run))
    scene_builder.held.append(HeldCall(double=double, run=str(run), number=number, until=until))


def givens_of(held: Sequence[HeldCall]) -> tuple[str, ...]:
    """The Givens that hold these calls.

    Raises `ValueError` for a gate that is neither about the calls in a run nor about the end of the same run.
    """
    return tuple(
        f'And call {one.number} of "{one.double}" in run {one.run} waits until {_sentence(one.until, one.run)}'
        for one in held
    )


def _sentence(gate: Gate, own: str | None) -> str:
    match gate:
        case Called(run=str(run)):
            return f'call {gate.times} of "{gate.double}" in run {run} is made'
        case Returned(run=str(run)):
            return f'"{gate.double}" has returned {gate.times} times in run {run}'
        case Ended(run=str(run)) if run == own:
            return "the run has ended"
    raise ValueError(f"no Given holds a call until {gate}")
