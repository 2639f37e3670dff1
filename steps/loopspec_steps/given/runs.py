"""Given: the mode, the cancellation and the resumption of a run, and single calls that wait."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from loopspec.contract.calls import Decision
from loopspec.contract.scene import Cancel, HeldCall
from loopspec.contract.values import Gate, Message

from ..builders.scene import SceneBuilder
from ..clauses import written
from ..declarations import NotWritable, PhraseError
from ..gates import GATE, GATES, gate_of
from ..holes import POINTS
from ..phrasebook import given
from ..settings import Added
from ..templates import hole
from .parts import RUN, RUNS
from .tables import TURNS

RUNS.given("a {mode:Mode} run", "The mode of all runs.", streaming=hole("mode"))
RUNS.given(
    "the runs share a conversation",
    "Each run continues the conversation that the target has stored for the runs before it. Needs the capability "
    "conversations.",
    conversation="1",
)
RUN.given(
    'run {run:d} belongs to the conversation "{name}"',
    "The conversation that one run continues, as the target has stored it. Needs the capability conversations.",
    conversation="{name}",
)
RUN.given(
    'in run {run:d}, the user writes "{text}"',
    "The message of the user that one run begins with, instead of that of all runs.",
    messages=(Message(role="user", content="{text}"),),
)
RUN.given(
    "in run {run:d}, the model answers",
    "The answers of the agent's model in one run, instead of those of all runs.",
    TURNS,
    turns={"model": hole("table")},
)
RUNS.given("a run that can be cancelled", "The caller can cancel the run, and need not do so.", cancellable=True)


@given("in run {run:d}, a cancel request, which takes effect {mode:Point}, is made when {gate}", gate=GATE)
@given(
    "a cancel request, which takes effect {mode:Point}, is made when {gate}",
    meaning="The caller requests a cancellation of run 1 when the gate opens.",
    gate=GATE,
    run=1,
)
def run_is_cancelled(scene_builder: SceneBuilder, run: int, mode: str, gate: str) -> None:
    """The caller requests a cancellation of one of several runs when the gate opens."""
    _cancel(scene_builder, Cancel(at=gate_of(gate, str(run)), modes=POINTS.read(mode)), run)


@given(
    "a cancel request, which takes effect {mode:Point}, or after {seconds:d} seconds, is made when {gate}", gate=GATE
)
def run_is_cancelled_within(scene_builder: SceneBuilder, mode: str, seconds: int, gate: str) -> None:
    """The caller requests a cancellation of run 1 when the gate opens.

    After the timeout the run is cancelled at once.
    """
    _cancel(scene_builder, Cancel(at=gate_of(gate), modes=POINTS.read(mode), timeout=float(seconds)))


@given("a cancel request, which takes effect {mode:Point}, also in sub-agents, is made when {gate}", gate=GATE)
def run_is_cancelled_recursively(scene_builder: SceneBuilder, mode: str, gate: str) -> None:
    """The caller requests a cancellation of run 1 when the gate opens. The points of sub-agents count as well."""
    _cancel(scene_builder, Cancel(at=gate_of(gate), modes=POINTS.read(mode), recursive=True))


def _cancel(scene_builder: SceneBuilder, cancel: Cancel, run: int = 1) -> None:
    known = RUN.of(scene_builder, str(run))
    RUN.put(scene_builder, replace(known, cancels=(*known.cancels, cancel)), str(run))


@given("in run {run:d}, the process dies when {gate}", gate=GATE)
@given(
    "the process dies when {gate}",
    meaning="The process of run 1 dies when the gate opens. Needs the capability saved-runs.",
    gate=GATE,
    run=1,
)
def process_dies(scene_builder: SceneBuilder, run: int, gate: str) -> None:
    """What the run has saved when the gate opens is all that its resumption has.

    From then on, nothing is recorded of the run. Needs the capability saved-runs.
    """
    known = RUN.of(scene_builder, str(run))
    RUN.put(scene_builder, replace(known, saves=True, dies=gate_of(gate, str(run))), str(run))


RUNS.given(
    'the caller resumes the tool "{tool}" with "{answer}"',
    "The data that the resumed call of the tool receives for its interrupt.",
    answers=Added({"{tool}": "{answer}"}),
)
RUNS.given(
    'the caller resumes the handler "{handler}" with "{answer}"',
    "The data that the resumed call of the handler's hook receives for its interrupt.",
    answers=Added({"{handler}": "{answer}"}),
)
RUN.given(
    'in run {run:d}, the caller resumes the handler "{handler}" with "{answer}"',
    "The data that the resumed call of the handler's hook receives in one of several resumed runs.",
    answers=Added({"{handler}": "{answer}"}),
)
RUNS.given(
    'the caller resumes the call "{call}" with "{answer}"',
    "The data that the resumed call with this id receives for its interrupt.",
    call_answers=Added({"{call}": hole("answer")}),
)
RUNS.given(
    'the caller resumes the call "{call}" with the JSON value {value}',
    "The data that the resumed call with this id receives for its interrupt, given as JSON.",
    call_answers=Added({"{call}": hole("value")}),
)
RUN.given(
    'in run {run:d}, the caller resumes the call "{call}" with "{answer}"',
    "The data that the resumed call with this id receives in one of several resumed runs.",
    call_answers=Added({"{call}": hole("answer")}),
)
_APPROVED = Decision(approved=True)
_DENIED = Decision(approved=False, reason="{reason}")
RUNS.given(
    'the caller approves the call "{call}"',
    "The decision of a person about the tool call with this id, with which the run is resumed.",
    decisions=Added({"{call}": _APPROVED}),
)
RUNS.given(
    'the caller approves the call "{call}" with the arguments "{args:Text}"',
    "The decision of a person about the tool call with this id: it is made with other arguments. "
    "Needs the capability approval-edits.",
    decisions=Added({"{call}": Decision(approved=True, arguments="{args}")}),
)
RUNS.given(
    'the caller denies the call "{call}" because "{reason}"',
    "The decision of a person that the tool call with this id is not made.",
    decisions=Added({"{call}": _DENIED}),
)
RUN.given(
    'in run {run:d}, the caller approves the call "{call}"',
    "The decision of a person about a tool call, in one of several resumed runs.",
    decisions=Added({"{call}": _APPROVED}),
)
RUN.given(
    'in run {run:d}, the caller denies the call "{call}" because "{reason}"',
    "The decision of a person that a tool call is not made, in one of several resumed runs.",
    decisions=Added({"{call}": _DENIED}),
)

# -- calls that wait ---------------------------------------------------------------------------------------------------

_KINDS = ("tool ", "model ", "before agent ", "before model ", "after model ", "after agent ")


@given('call {number:d} of "{double}" in run {run:d} waits until {gate}', gate=GATE)
def call_waits(scene_builder: SceneBuilder, number: int, double: str, run: int, gate: str) -> None:
    """One call of a model, a tool or a hook, counted from 1 in its run, waits before it does anything.

    The double is `tool t1`, `model m` or `before model H`. With several such phrases, the call waits for each gate.
    """
    if not double.startswith(_KINDS):
        kinds = ", ".join(kind.strip() for kind in _KINDS)
        raise PhraseError(f"no call of {double!r} can wait: say what it is, then its name; these can wait: {kinds}")
    held = HeldCall(double=double, run=str(run), number=number, until=gate_of(gate, str(run)))
    scene_builder.scene = replace(scene_builder.scene, held=(*scene_builder.scene.held, held))


def givens_of(held: Sequence[HeldCall]) -> tuple[str, ...]:
    """The Givens that hold these calls.

    Raises `ValueError` for a gate that no sentence says.
    """
    return tuple(
        f'And call {one.number} of "{one.double}" in run {one.run} waits until {_gate_text(one.until, one.run)}'
        for one in held
    )


# Those that name the double in the same way come first, so that the Givens of an order read alike.
_OF_CALLS = sorted(GATES, key=lambda clause: '"{double}"' not in clause.sentence)


def _gate_text(gate: Gate, run: str) -> str:
    try:
        return written(gate, _OF_CALLS, run=run)
    except NotWritable:
        raise ValueError(f"no Given holds a call until {gate}") from None
