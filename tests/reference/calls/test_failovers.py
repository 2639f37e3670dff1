"""Another model is asked when one has failed."""

from __future__ import annotations

import pytest

from loopspec_reference import (
    ConfigError,
    ErrorEvent,
    FailoverConfig,
    FailoverContext,
    Message,
    Model,
    RetriesExhaustedError,
    RetryConfig,
)

from ..doubles import QUESTION, Answers, agent, asks, heard, reported, returning
from .test_retries import ERROR, Breaking, retry


def failover(
    *backups: Answers, seen: list[FailoverContext[Message]] | None = None, agrees: bool = True, limit: int = 1
) -> FailoverConfig[Message]:
    """A configuration that gives these, in turn."""

    async def get_model(context: FailoverContext[Message]) -> Model[Message]:
        if seen is not None:
            seen.append(context)
        return backups[context.attempt - 1]

    return FailoverConfig(get_model, lambda error: agrees, limit)


@pytest.mark.parametrize("streaming", [False, True])
def test_the_backup_answers_what_the_first_was_asked(streaming: bool) -> None:
    """Whoever gives it learns what went wrong."""
    backup, seen = Answers("4"), list[FailoverContext[Message]]()
    events = reported(agent(Answers(ERROR), failover=failover(backup, seen=seen)).run([QUESTION], streaming=streaming))

    assert (events, backup.given) == (["~4" if streaming else "4"], [(QUESTION,)])
    assert seen == [FailoverContext(1, (QUESTION,), ERROR)]


def test_who_does_not_agree_ends_the_run() -> None:
    """With the error as it was."""
    event = ErrorEvent("agent", ("agent",), ERROR)

    assert heard(agent(Answers(ERROR), failover=failover(agrees=False)).run([QUESTION])) == [event]


def test_when_all_fail_the_last_error_counts() -> None:
    """Nobody wraps it."""
    last = RuntimeError("last")
    config = failover(Answers(ERROR), Answers(last), limit=2)

    assert heard(agent(Answers(ERROR), failover=config).run([QUESTION])) == [ErrorEvent("agent", ("agent",), last)]


def test_a_backup_that_succeeded_is_asked_first_within_the_run() -> None:
    """A new run begins with the first model again."""
    first, backup = Answers(ERROR), Answers(asks("add"), "4")
    built = agent(first, tools=[returning("add", "4")], failover=failover(backup))
    heard(built.run([QUESTION]))
    assert (len(first.given), len(backup.given)) == (1, 2)
    heard(built.run([QUESTION]))

    assert len(first.given) == 2


def test_each_model_has_its_own_retries() -> None:
    """The switch comes after the last of them."""
    first, backup, seen = Answers(ERROR), Answers(ERROR, "4"), list[FailoverContext[Message]]()
    built = agent(first, retry=retry(1), failover=failover(backup, seen=seen))

    assert reported(built.run([QUESTION])) == ["4"]
    assert (len(first.given), type(seen[0].error)) == (2, RetriesExhaustedError)


def test_a_broken_stream_that_is_replaced_says_so() -> None:
    """The last one ends in its own error."""
    replaced = agent(Breaking(9), failover=failover(Answers("4"))).run([QUESTION], streaming=True)
    failed = agent(Breaking(9), failover=failover(Breaking(9))).run([QUESTION], streaming=True)

    assert reported(replaced) == ["~ha (WillRetryError)", "~4"]
    assert reported(failed) == ["~ha (WillRetryError)", "~ha (RuntimeError)", "RuntimeError"]


def test_other_messages_are_sent_once() -> None:
    """The conversation stays what it was."""
    backup = Answers(asks("add"), "4")

    async def get_model(context: FailoverContext[Message]) -> tuple[Model[Message], list[Message]]:
        return backup, [Message.user("other")]

    config = FailoverConfig(get_model, lambda error: True)
    heard(agent(Answers(ERROR), tools=[returning("add", "4")], failover=config).run([QUESTION]))

    assert [given[0].text for given in backup.given] == ["other", QUESTION.text]


def test_no_model_is_an_error_and_so_is_a_failing_choice() -> None:
    """Of the run, as it is raised."""

    async def none(context: FailoverContext[Message]) -> Model[Message]:
        return None  # type: ignore[return-value]  # that is the point

    async def failing(context: FailoverContext[Message]) -> Model[Message]:
        raise ValueError("no model")

    for choice, error in ((none, "NothingReturnedError"), (failing, "ValueError")):
        config = FailoverConfig(choice, lambda error: True)
        assert reported(agent(Answers(ERROR), failover=config).run([QUESTION])) == [error]


def test_both_functions_are_needed() -> None:
    """It is said when the configuration is made."""
    with pytest.raises(ConfigError, match="get_model"):
        FailoverConfig(None, lambda error: True)
    with pytest.raises(ConfigError, match="should_failover"):
        FailoverConfig(failover(Answers("4")).get_model, None)


def test_no_backup_is_called_when_the_model_answers() -> None:
    """Nor when it has no retries left to need."""
    seen = list[FailoverContext[Message]]()
    built = agent(Answers("4"), retry=RetryConfig(0), failover=failover(seen=seen))

    assert (reported(built.run([QUESTION])), seen) == (["4"], [])
