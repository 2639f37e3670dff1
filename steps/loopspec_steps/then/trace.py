"""Then: the trace of calls."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation

from ..declarations import PhraseError
from ..phrasebook import then
from .observed import line_of, spans_of, trace


@then("the trace is")
def the_trace(seen: Observation, docstring: str) -> None:
    """All calls of the agent in run 1 but those of factories, in the order in which they began.

    Indentation is nesting.
    """
    _whole(seen, docstring, "agent", 1)


@then("the trace of run {run:d} is")
def the_trace_of_run(seen: Observation, docstring: str, run: int) -> None:
    """All calls of the agent in the run but those of factories, in the order in which they began.

    Indentation is nesting.
    """
    _whole(seen, docstring, "agent", run)


@then('the trace of "{agent}" is')
def the_trace_of_agent(seen: Observation, docstring: str, agent: str) -> None:
    """All calls of the sub-agent in run 1, in the order in which they began. Indentation is nesting."""
    _whole(seen, docstring, agent, 1)


def _whole(seen: Observation, docstring: str, agent: str, run: int) -> None:
    spans = [span for span in spans_of(seen, agent, run) if not span.name.startswith("create ")]
    expect("the trace", docstring.rstrip().splitlines(), trace(spans))


@then('around the tool call "{call}", the trace is')
def the_trace_around(seen: Observation, docstring: str, call: str) -> None:
    """All calls around one tool call and inside it. Calls of other tools do not count."""
    runs = [run.n for run in seen.tool_runs if run.call.id == call]
    hooks = [hook.n for hook in seen.hooks if hook.call_id == call]
    around = {span.n for span in seen.spans if span.n + 1 in {*runs, *hooks}}
    spans = [span for span in seen.spans if span.n in around or span.inside in around]
    expect("the trace", docstring.rstrip().splitlines(), trace(spans))


@then("the trace has, in this order")
def the_trace_has(seen: Observation, docstring: str) -> None:
    """The calls of run 1, in all agents, include these in order. Other calls can lie between them."""
    _has(seen, docstring, 1)


@then("the trace of run {run:d} has, in this order")
def the_trace_of_run_has(seen: Observation, docstring: str, run: int) -> None:
    """The calls of the run, in all agents, include these in order. Other calls can lie between them."""
    _has(seen, docstring, run)


def _has(seen: Observation, docstring: str, run: int) -> None:
    wanted = [line.strip() for line in docstring.splitlines() if line.strip()]
    if not wanted:
        raise PhraseError(f"{docstring!r} names no call")
    lines = [line_of(span) for span in spans_of(seen, run=run)]
    rest = iter(lines)
    if not all(line in rest for line in wanted):
        raise Mismatch("the trace", wanted, lines)


@then('"{line}" happens {times:Times}')
def happens(seen: Observation, line: str, times: int) -> None:
    """How often the call is made in all runs together, as a line of a trace names it."""
    expect(f"how often {line!r} happens", times, [line_of(span) for span in seen.spans].count(line))


@then('"{line}" never happens')
def never_happens(seen: Observation, line: str) -> None:
    """The call is not made, and at least one other call is."""
    lines = [line_of(span) for span in seen.spans]
    if not lines:
        raise Mismatch("the trace", "at least one call", "nothing")
    expect(f"how often {line!r} happens", 0, lines.count(line))
