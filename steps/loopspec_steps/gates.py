"""The gates that a call or a cancellation waits for, and the moments at which a file or the language changes."""

from __future__ import annotations

from loopspec.contract.values import Appeared, Began, Called, CancelAsked, Ended, Gate, Returned

from .declarations import Clause, OpenType, clause_of
from .hooks import hook_of

GATES: tuple[Clause[Gate], ...] = (
    Clause("the run starts", "The run has begun.", lambda run: Began(run=run)),
    Clause("the run has ended", "The run has ended, with or without an error.", lambda run: Ended(run=run)),
    Clause(
        "the model is called",
        "The agent's own model has received a call of the run.",
        lambda run: Called(double="model model", run=run),
    ),
    Clause(
        'the model "{model}" is called',
        "The model with this name has received a call of the run.",
        lambda run, model: Called(double=f"model {model}", run=run),
    ),
    Clause(
        "the model is called in run {other:d}",
        "The agent's own model has received a call of another run.",
        lambda run, other: Called(double="model model", run=str(other)),
    ),
    Clause(
        "a retry is waited for",
        "The run waits for the delay that the back-off callback has returned.",
        lambda run: Called(double="back-off", run=run),
    ),
    Clause(
        'the tool "{tool}" is called',
        "The body of the tool has received a call of the run.",
        lambda run, tool: Called(double=f"tool {tool}", run=run),
    ),
    Clause(
        '"{handler}" is called {hook} in run {other:d}',
        "The hook of the handler has received a call of another run.",
        lambda run, handler, hook, other: Called(double=f"{hook_of(hook)} {handler}", run=str(other)),
    ),
    Clause(
        'the tool "{tool}" has returned',
        "A call of the tool in the run has returned.",
        lambda run, tool: Returned(double=f"tool {tool}", run=run),
    ),
    Clause(
        'the tool "{tool}" is called in run {other:d}',
        "The body of the tool has received a call of another run.",
        lambda run, tool, other: Called(double=f"tool {tool}", run=str(other)),
    ),
    Clause(
        'the result of "{call}" is emitted',
        "The event stream of the run has shown the result of the tool call with this id.",
        lambda run, call: Appeared(run=run, tool_call_id=call),
    ),
    Clause(
        "event {n:d} is emitted",
        "The event stream of the run has shown this many events.",
        lambda run, n: Appeared(run=run, events=n),
    ),
    Clause(
        "chunk {n:d} is emitted",
        "The streams of the run have shown this many chunks.",
        lambda run, n: Appeared(run=run, chunks=n),
    ),
    Clause(
        "a cancel request is made",
        "The caller has requested a cancellation of the run.",
        lambda run: CancelAsked(run=run),
    ),
    Clause(
        "{n:d} cancel requests are made",
        "The caller has requested a cancellation of the run this many times.",
        lambda run, n: CancelAsked(run=run, times=n),
    ),
)

MOMENTS: tuple[Clause[Gate], ...] = (
    Clause("run {n:d}", "The run with this number begins.", lambda n: Began(run=str(n))),
    Clause(
        "model call {n:d}",
        "The agent's model has received this many calls.",
        lambda n: Called(double="model model", times=n),
    ),
)


def gate_of(text: str, run: str = "1") -> Gate:
    """Read a gate; one that names no run is about `run`. Raises `PhraseError` for an unknown gate."""
    clause, holes = clause_of(text, GATES, "gate")
    return clause.reads(run, **holes)


def moment_of(text: str) -> Gate:
    """Read a moment. Raises `PhraseError` for an unknown moment."""
    clause, holes = clause_of(text, MOMENTS, "moment")
    return clause.reads(**holes)


GATE = OpenType(
    "gate", "What must have happened before the call or the cancellation continues.", "the run starts", gate_of
)
MOMENT = OpenType("moment", "When a file or the language changes.", "run 2", moment_of)
