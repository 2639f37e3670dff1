"""What a Then says about errors: which there was, and how an adapter reports one that is missing or of another kind."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch
from loopspec.contract.observation import Observation, RunEnd
from loopspec.contract.values import Error, ErrorKind

_LET_THROUGH = "let the error that was raised through, or raise your own `from` it"


def expect_kind(what: str, kind: ErrorKind, error: Error | None, otherwise: str = "no error", hint: str = "") -> None:
    """An error of this kind that the implementation has an exception of its own for. `otherwise`: seen without any."""
    if (found := error.kind if error else None) != kind:
        own = f"in Python, name the kind of your exception: `error_kinds = {{YourError: {kind!r}}}`"
        raise Mismatch(what, kind, error or otherwise, (hint or own) if found == "other" else "")


def expect_kind_through(what: str, kind: ErrorKind, error: Error | None, otherwise: str = "no error") -> None:
    """An error that a double has raised, which comes through the implementation, itself or as a cause."""
    expect_kind(what, kind, error, otherwise, _LET_THROUGH)


def expect_code(seen: Observation, end: RunEnd, code: str) -> None:
    """The error with this code, which a double has raised, ends a run; or one of this kind, if it has no code."""
    found = end.error and (end.error.code or end.error.kind)
    if found != code:
        hint = _lost(seen, end, code) if end.error else swallowed(seen, end)
        raise Mismatch(f"the error of run {end.run}", f"the error {code}", end.error or how_it_ended(end), hint)


def _lost(seen: Observation, end: RunEnd, code: str) -> str:
    """The hint for a run whose error does not have the error of a double among its causes; nothing for other errors."""
    if end.error is None or end.error.kind != "other":
        return ""
    for span in seen.spans:
        inner = span.error and not any(each.inside == span.n and each.error == span.error for each in seen.spans)
        if inner and span.run == end.run and span.error and span.error.code == code:
            double = "model" if span.name == "model model" else span.name
            return f"the error that the {double} raised is not in the causes of the run's error: {_LET_THROUGH}"
    return _LET_THROUGH


def how_it_ended(end: RunEnd) -> str:
    """How a run ended, in a few words."""
    if end.error:
        where = f", raised at {end.error.place}" if end.error.place else ""
        return f"it fails: {end.error.message or end.error.code or end.error.kind}{where}"
    return "it is interrupted" if end.interrupted else "it ends without an error"


def swallowed(seen: Observation, end: RunEnd) -> str:
    """The hint for a run that ends without an error although a double has raised one; nothing for other runs."""
    raised = [span.error for span in seen.spans if span.error and span.run == end.run]
    if end.error or end.interrupted or not raised:
        return ""
    named = raised[-1].code or raised[-1].kind
    return (
        f"if {named} made the run fail, let {named} leave the method `run` of an adapter on the toolkit; in another "
        f"adapter, let {named} leave `with stage.runs.running(run):`"
    )


def unreported(seen: Observation, run: int | str) -> str:
    """The hint for an adapter that reports no error event of a run that failed; nothing where there is one."""
    if any(event.error and event.chunks is None for event in seen.events if event.run == str(run)):
        return ""
    if not any(end.error for end in seen.runs if end.run == str(run)):
        return ""
    return (
        f"run {run} failed, and no event reports its error: report it, "
        "in Python with `stage.runs.event(agent, error=error)`"
    )
