"""The error of a run: the harness's own errors come first, and a lost one is named."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from loopspec import Run, Scene, ScriptedCrash, ScriptedError
from loopspec.contract.agents import Agent, Model, Turn
from loopspec.contract.errors import UnhandledErrors, describe, wraps_missing_file
from loopspec.contract.values import Error, ErrorKind
from loopspec.engine.judge import judge
from loopspec.engine.perform import perform

from ..staging import HELLO, case_of
from .conftest import Resolved

E = Error(kind="scripted", code="E", message="wrapped")
OTHER = Error(kind="other", message="Wrapped: wrapped")
TURNS = (Turn(error=Error(kind="scripted", code="E")), Turn(chunks=("done",)))
SCENE = Scene(act="run", agent=Agent(model=Model(turns=TURNS)), runs=(Run(id="1", messages=(HELLO,)),))


class Failed(Exception):
    """An exception of an implementation."""


class Exhausted(Exception):
    """An exception for exhausted retries."""


KINDS: dict[type[BaseException], ErrorKind] = {Failed: "invalid_config", Exhausted: "retries_exhausted"}


def raised(error: BaseException, *, from_: BaseException | None = None) -> BaseException:
    """The exception, with another one as its cause."""
    error.__cause__ = from_
    return error


def during(error: BaseException, context: BaseException) -> BaseException:
    """The exception, raised while another one was handled."""
    error.__context__ = context
    return error


@pytest.mark.parametrize(
    ("error", "described"),
    [
        (raised(Failed("no"), from_=ScriptedError("E")), Error(kind="scripted", code="E", message="no")),
        (raised(Failed("no"), from_=ScriptedCrash("E")), Error(kind="crash", code="E", message="no")),
        (during(Failed("no"), ScriptedError("E")), Error(kind="scripted", code="E", message="no")),
        (
            raised(Failed("no"), from_=ExceptionGroup("two", [KeyError("a"), ScriptedError("E")])),
            Error(kind="scripted", code="E", message="no"),
        ),
        (
            raised(Failed("no"), from_=raised(ValueError("in between"), from_=ScriptedError("E"))),
            Error(kind="scripted", code="E", message="no"),
        ),
        (
            raised(Failed("no"), from_=raised(Exhausted("spent"), from_=ScriptedError("E"))),
            Error(kind="retries_exhausted", message="no"),
        ),
        (raised(Failed("no"), from_=KeyError("a")), Error(kind="invalid_config", message="no")),
        (during(KeyError("a"), Failed("no")), Error(kind="other", message="KeyError: 'a'")),
        (raised(KeyError("a"), from_=FileNotFoundError("b")), Error(kind="not_exist", message="'a'")),
    ],
    ids=["cause", "crash", "context", "group", "chain", "exhausted", "own kind", "own kind in a context", "file"],
)
def test_the_harnesss_own_error_wins_anywhere_in_a_chain(error: BaseException, described: Error) -> None:
    """The target's own kinds come second. An error about another error is not replaced by its cause."""
    assert describe(error, KINDS) == described


def test_an_error_that_was_handled_is_no_cause() -> None:
    """A run that calls its model after an error has handled the error, and fails for another reason."""
    scripted, unhandled = ScriptedError("E"), UnhandledErrors()
    unhandled.add("1", scripted)
    limit = during(Failed("too many calls"), scripted)
    assert describe(limit, KINDS, unhandled).kind == "scripted"

    unhandled.model_called("2")
    assert describe(limit, KINDS, unhandled).kind == "scripted"
    unhandled.model_called("1")

    assert describe(limit, KINDS, unhandled).kind == "invalid_config"


def test_a_cycle_of_causes_ends() -> None:
    """An exception can be its own cause."""
    error = KeyError("a")
    error.__cause__ = error

    assert describe(error).kind == "other"
    assert not wraps_missing_file(error)


@pytest.mark.parametrize("where", ["in process", "over the pipe"])
@pytest.mark.parametrize(
    ("adapter", "error"),
    [("Wrapping", E), ("InGroup", E), ("InContext", E), ("Cut", E), ("Lost", OTHER), ("Handled", OTHER)],
)
def test_the_error_of_a_run(adapter: str, error: Error, where: str, target: Resolved) -> None:
    """The error event and the run have the same error, in process and over the pipe."""
    seen = perform(target(adapter, where), SCENE, "agent")

    ended, reported = [end.error for end in seen.runs], [event.error for event in seen.events if event.error]
    assert ended == reported
    assert [replace(one, place=None) for one in reported] == [error]


@pytest.mark.parametrize("where", ["in process", "over the pipe"])
def test_a_lost_error_is_named(where: str, target: Resolved) -> None:
    """The message of the failure says which error is missing, and what an adapter does about it."""
    case = case_of("CFG-15")

    result = judge(case, target("Lost", where))

    assert result.verdict == "failed"
    assert (
        "the error that the model raised is not in the causes of the run's error: "
        "let the error that was raised through, or raise your own `from` it"
    ) in result.message


@pytest.mark.parametrize("where", ["in process", "over the pipe"])
@pytest.mark.parametrize(
    ("adapter", "ends", "events"),
    [
        ("SmallLoop", ["E"], ["E"]),
        ("OnlyReportsErrors", ["E"], ["E"]),
        ("OnlyRaises", ["E"], []),
        ("Continues", [None], ["E", None]),
    ],
)
def test_an_error_is_reported_once(
    adapter: str, ends: list[str | None], events: list[str | None], where: str, target: Resolved
) -> None:
    """As an event, by raising it, or both; an error that the run survives is not the run's."""
    seen = perform(target(adapter, where), SCENE, "agent")

    assert [end.error and end.error.code for end in seen.runs] == ends
    assert [event.error and event.error.code for event in seen.events] == events
