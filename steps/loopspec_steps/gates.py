"""The gates that a call or a cancellation waits for, and the moments at which a file or the language changes."""

from __future__ import annotations

from collections.abc import Callable

from loopspec.contract.acting import Hole
from loopspec.contract.values import Appeared, Began, Called, CancelAsked, Ended, Gate, Returned

from .clauses import Clause, value_of, written
from .declarations import OpenType
from .holes import held_by


def _says(sentence: str, meaning: str, kind: Callable[..., Gate], **fields: object) -> Clause[Gate]:
    """A gate in words. Without a run in its fields it is about the run that is spoken of."""
    return Clause(sentence, meaning, kind, {"run": "{run}", **fields}, held_by(sentence))


GATES: tuple[Clause[Gate], ...] = (
    _says("the run starts", "The run has begun.", Began),
    _says("the run has ended", "The run has ended, with or without an error.", Ended),
    _says("run {other:d} has ended", "Another run has ended, with or without an error.", Ended, run="{other}"),
    _says(
        "the model is called",
        "The agent's own model has received a call of the run.",
        Called,
        double="model model",
    ),
    _says(
        'the model "{model}" is called',
        "The model with this name has received a call of the run.",
        Called,
        double="model {model}",
    ),
    _says(
        "the model is called in run {other:d}",
        "The agent's own model has received a call of another run.",
        Called,
        double="model model",
        run="{other}",
    ),
    _says(
        "a retry is waited for",
        "The run waits for the delay that the back-off callback has returned.",
        Called,
        double="back-off",
    ),
    _says(
        'the tool "{tool}" is called',
        "The body of the tool has received a call of the run.",
        Called,
        double="tool {tool}",
    ),
    _says(
        '"{handler}" is called {hook} in run {other:d}',
        "The hook of the handler has received a call of another run.",
        Called,
        double="{hook} {handler}",
        run="{other}",
    ),
    _says(
        'the tool "{tool}" has returned',
        "A call of the tool in the run has returned.",
        Returned,
        double="tool {tool}",
    ),
    _says(
        'the tool "{tool}" is called in run {other:d}',
        "The body of the tool has received a call of another run.",
        Called,
        double="tool {tool}",
        run="{other}",
    ),
    _says(
        'call {n:d} of "{double}" in run {other:d} is made',
        "The double, such as `tool t1`, `model m` or `before model H`, has received this many calls of a run.",
        Called,
        times=Hole("n"),
        run="{other}",
    ),
    _says(
        '"{double}" has returned {n:d} times in run {other:d}',
        "The double, such as `tool t1`, has returned from this many calls of a run.",
        Returned,
        times=Hole("n"),
        run="{other}",
    ),
    _says(
        'the result of "{call}" is emitted',
        "The event stream of the run has shown the result of the tool call with this id.",
        Appeared,
        tool_call_id="{call}",
    ),
    _says(
        "event {n:d} is emitted",
        "The event stream of the run has shown this many events.",
        Appeared,
        events=Hole("n"),
    ),
    _says(
        "chunk {n:d} is emitted",
        "The streams of the run have shown this many chunks.",
        Appeared,
        chunks=Hole("n"),
    ),
    _says("a cancel request is made", "The caller has requested a cancellation of the run.", CancelAsked),
    _says(
        "{n:d} cancel requests are made",
        "The caller has requested a cancellation of the run this many times.",
        CancelAsked,
        times=Hole("n"),
    ),
)

MOMENTS: tuple[Clause[Gate], ...] = (
    _says("run {n:d}", "The run with this number begins.", Began, run="{n}"),
    _says(
        "model call {n:d}",
        "The agent's model has received this many calls.",
        Called,
        double="model model",
        times=Hole("n"),
        run=None,
    ),
)


def gate_of(text: str, run: str = "1") -> Gate:
    """Read a gate; one that names no run is about `run`. Raises `PhraseError` for an unknown gate."""
    return value_of(text, GATES, "gate", run=run)


def gate_text(gate: Gate, run: str = "1") -> str:
    """A gate in words; `run` is the run that is spoken of."""
    return written(gate, GATES, run=run)


GATE = OpenType(
    "gate",
    "What must have happened before the call or the cancellation continues.",
    "the run starts",
    gate_of,
    gate_text,
)
MOMENT = OpenType(
    "moment",
    "When a file or the language changes.",
    "run 2",
    lambda text: value_of(text, MOMENTS, "moment"),
    lambda gate: written(gate, MOMENTS),
)
