"""Then: what the configuration was asked about failed model calls, and how broken streams were counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation, Question

from ..cells import as_text, one_of
from ..phrasebook import PhraseError, Table, then
from .observed import errors_of, events_of

_TOPICS: Mapping[str, Mapping[str, str]] = {
    "judging": {"accepted": "does it stand"},
    "waiting": {"delay": "how long", "sleep": "has passed"},
    "failing over": {"failover": "whether", "next model": "to which model"},
}


@then("the questions about {topic} are")
def the_questions(seen: Observation, topic: str, table: Table) -> None:
    """All that the configuration was asked in run 1 about one topic, in order, in the columns given.

    About judging attempts: `does it stand`. About waiting before a retry: `how long`, and `has passed` for a time that
    has. About failing over: `whether`, and `to which model`. These are the values of `question`; `number` is the
    attempt, the retry, or the seconds that have passed, `calls before` how many model calls had been made, `input` the
    texts the model was sent, with `/` between them, `answer` and the code of the `error` what came of it.
    """
    expect("the questions", _expected(table), _asked(seen, topic, list(table[0])))


@then("without repetitions, the questions about {topic} are")
def the_questions_without_repetitions(seen: Observation, topic: str, table: Table) -> None:
    """The same, where a question that equals the one directly before it, in the columns given, does not count."""
    asked = _asked(seen, topic, list(table[0]))
    once = [question for before, question in zip([None, *asked], asked, strict=False) if question != before]
    expect("the questions without repetitions", _expected(table), once)


@then("there are no questions about {topic}")
def no_questions(seen: Observation, topic: str) -> None:
    """The configuration was asked nothing about it in run 1, and yet a model was called."""
    if not seen.model_calls:
        raise Mismatch("the model calls", "at least one", errors_of(seen) or "none")
    expect("the questions", [], [question.what for question in _about(seen, topic)])


@then("{count:d} streams end because they are tried again, numbered one by one")
def streams_are_numbered(seen: Observation, count: int) -> None:
    """Each of them says which attempt it was: one more than the stream before."""
    errors = [event.error for event in events_of(seen) if event.chunks is not None and event.error]
    attempts = [error.attempt for error in errors if error.kind == "will_retry"]
    expect("the number of streams that are tried again", count, len(attempts))
    first = attempts[0] if attempts else None
    if first is None:
        raise Mismatch("the number of the first attempt", "a number", "none")
    expect("the numbers of the attempts", list(range(first, first + count)), attempts)


def _asked(seen: Observation, topic: str, columns: list[str]) -> list[str]:
    if unknown := set(columns) - set(_COLUMNS):
        raise PhraseError(f"a table of questions has the column {unknown.pop()!r}: they are {', '.join(_COLUMNS)}")
    return [" | ".join(_COLUMNS[column](seen, question) for column in columns) for question in _about(seen, topic)]


def _expected(table: Table) -> list[str]:
    return [" | ".join(as_text(cell) for cell in row.values()) for row in table]


def _about(seen: Observation, topic: str) -> list[Question]:
    kinds = one_of(topic, _TOPICS)
    return [question for question in seen.questions if question.what in kinds and question.run == "1"]


def _code(question: Question) -> str:
    error = question.error
    while error is not None and error.cause is not None:
        error = error.cause
    return (error.code or error.kind) if error else ""


def _in_words(question: Question) -> str:
    return next(kinds[question.what] for kinds in _TOPICS.values() if question.what in kinds)


_COLUMNS: Mapping[str, Callable[[Observation, Question], str]] = {
    "question": lambda seen, question: _in_words(question),
    "number": lambda seen, question: "" if question.number is None else f"{question.number:g}",
    "error": lambda seen, question: _code(question),
    "answer": lambda seen, question: question.answer or "",
    "input": lambda seen, question: "/".join(message.content for message in question.messages),
    "calls before": lambda seen, question: str(sum(call.n < question.n for call in seen.model_calls)),
}
