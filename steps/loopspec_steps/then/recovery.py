"""Then: questions about retries and failovers."""

from __future__ import annotations

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import Observation, Question

from ..cells import TEXT
from ..declarations import ClosedList, SeenColumn, SeenColumns, Table, Word
from ..phrasebook import then
from .observed import events_of, require

Asked = tuple[Observation, Question]


def _code(question: Question) -> str:
    error = question.error
    while error is not None and error.cause is not None:
        error = error.cause
    return (error.code or error.kind) if error else ""


TOPICS: ClosedList[tuple[str, ...]] = ClosedList(
    "topics of questions",
    "What the configuration of an agent is asked about.",
    Word("answer check", "Whether an attempt of a model call is accepted.", ("accepted",)),
    Word("back-off", "How long to wait before a retry.", ("delay", "sleep")),
    Word("failover", "Whether a failed call fails over, and to which model.", ("failover", "next model")),
)
ASKED: ClosedList[str] = ClosedList(
    "questions",
    "A question to the configuration of an agent.",
    Word("answer check", "Whether the attempt is accepted.", "accepted"),
    Word("back-off", "How long to wait before the retry.", "delay"),
    Word("wait", "The time of the harness has advanced.", "sleep"),
    Word("failover predicate", "Whether the failed call fails over.", "failover"),
    Word("backup selector", "Which model receives the call next.", "next model"),
)
QUESTIONS: SeenColumns[Asked] = SeenColumns(
    "questions to the configuration",
    "The questions that the configuration of the agent was asked in run 1, in order, one per row.",
    SeenColumn("callback", "The callback that was called.", ASKED, lambda asked: asked[1].what),
    SeenColumn(
        "number",
        "The number of the attempt or of the retry, or the seconds that have passed.",
        TEXT,
        lambda asked: "" if asked[1].number is None else f"{asked[1].number:g}",
    ),
    SeenColumn("error", "The code of the error that the question is about.", TEXT, lambda asked: _code(asked[1])),
    SeenColumn(
        "answer", "The answer of the model that the question is about.", TEXT, lambda asked: asked[1].answer or ""
    ),
    SeenColumn(
        "input",
        "The contents of the messages that the model received, with `/` between them.",
        TEXT,
        lambda asked: "/".join(message.content for message in asked[1].messages),
    ),
    SeenColumn(
        "calls before",
        "How many model calls had been made.",
        TEXT,
        lambda asked: str(sum(call.n < asked[1].n for call in asked[0].model_calls)),
    ),
)


@then("the {topic} callbacks are called with", QUESTIONS, topic=TOPICS)
def the_questions(seen: Observation, topic: str, table: Table) -> None:
    """All questions to the configuration about the topic in run 1, in order, in the columns of the table."""
    expect("the questions", QUESTIONS.wanted(table), _asked(seen, topic, table))


@then("counting equal consecutive calls once, the {topic} callbacks are called with", QUESTIONS, topic=TOPICS)
def the_questions_without_repetitions(seen: Observation, topic: str, table: Table) -> None:
    """All questions to the configuration about the topic in run 1, in order.

    A question that equals the one before does not count.
    """
    asked = _asked(seen, topic, table)
    once = [question for before, question in zip([None, *asked], asked, strict=False) if question != before]
    expect("the questions, equal consecutive ones counted once", QUESTIONS.wanted(table), once)


@then("no {topic} callback is called", topic=TOPICS)
def no_questions(seen: Observation, topic: str) -> None:
    """The configuration is asked nothing about the topic in run 1, and a model is called."""
    require(seen.model_calls, "the model calls", "at least one", "none")
    expect("the questions", [], [question.what for question in _about(seen, topic)])


@then("{count:d} streams end with a retry notice, numbered consecutively")
def streams_are_numbered(seen: Observation, count: int) -> None:
    """The event stream of run 1 has this many streams that end with a retry.

    Each names its attempt, one more than the stream before.
    """
    errors = [event.error for event in events_of(seen) if event.chunks is not None and event.error]
    attempts = [error.attempt for error in errors if error.kind == "will_retry"]
    expect("the number of streams that are tried again", count, len(attempts))
    if (first := attempts[0] if attempts else None) is None:
        raise Mismatch("the number of the first attempt", "a number", "none")
    expect("the numbers of the attempts", list(range(first, first + count)), attempts)


def _asked(seen: Observation, topic: str, table: Table) -> list[str]:
    return QUESTIONS.seen([(seen, question) for question in _about(seen, topic)], table[0])


def _about(seen: Observation, topic: str) -> list[Question]:
    kinds = TOPICS.read(topic)
    return [question for question in seen.questions if question.what in kinds and question.run == "1"]
