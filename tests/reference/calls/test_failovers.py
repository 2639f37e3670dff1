"""A failed model call fails over to a backup model."""

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

from ..doubles import QUESTION, Answers, agent, asks, drain, reported, returning
from .test_retries import ERROR, Breaking, retry


def failover(
    *backups: Answers, seen: list[FailoverContext[Message]] | None = None, agrees: bool = True, limit: int = 1
) -> FailoverConfig[Message]:
    """A configuration that selects these backups in turn."""

    async def get_model(context: FailoverContext[Message]) -> Model[Message]:
        if seen is not None:
            seen.append(context)
        return backups[context.attempt - 1]

    return FailoverConfig(get_model, lambda error: agrees, limit)


@pytest.mark.parametrize("streaming", [False, True])
def test_the_backup_model_receives_the_same_request(streaming: bool) -> None:
    """The backup selector receives the error."""
    backup, seen = Answers("4"), list[FailoverContext[Message]]()
    events = reported(agent(Answers(ERROR), failover=failover(backup, seen=seen)).run([QUESTION], streaming=streaming))

    assert (events, backup.given) == (["~4" if streaming else "4"], [(QUESTION,)])
    assert seen == [FailoverContext(1, (QUESTION,), ERROR)]


def test_without_agreement_the_run_fails() -> None:
    """The run fails with the error unchanged."""
    event = ErrorEvent("agent", ("agent",), ERROR)

    assert drain(agent(Answers(ERROR), failover=failover(agrees=False)).run([QUESTION])) == [event]


def test_if_all_models_fail_the_last_error_is_reported() -> None:
    """The error is not wrapped."""
    last = RuntimeError("last")
    config = failover(Answers(ERROR), Answers(last), limit=2)

    assert drain(agent(Answers(ERROR), failover=config).run([QUESTION])) == [ErrorEvent("agent", ("agent",), last)]


def test_a_successful_backup_model_is_kept_for_the_run() -> None:
    """The next run starts with the first model again."""
    first, backup = Answers(ERROR), Answers(asks("add"), "4")
    built = agent(first, tools=[returning("add", "4")], failover=failover(backup))
    drain(built.run([QUESTION]))
    assert (len(first.given), len(backup.given)) == (1, 2)
    drain(built.run([QUESTION]))

    assert len(first.given) == 2


def test_each_model_has_its_own_retries() -> None:
    """The failover follows the last retry."""
    first, backup, seen = Answers(ERROR), Answers(ERROR, "4"), list[FailoverContext[Message]]()
    built = agent(first, retry=retry(1), failover=failover(backup, seen=seen))

    assert reported(built.run([QUESTION])) == ["4"]
    assert (len(first.given), type(seen[0].error)) == (2, RetriesExhaustedError)


def test_a_replaced_stream_ends_with_a_retry_notice() -> None:
    """The last stream ends with its own error."""
    replaced = agent(Breaking(9), failover=failover(Answers("4"))).run([QUESTION], streaming=True)
    failed = agent(Breaking(9), failover=failover(Breaking(9))).run([QUESTION], streaming=True)

    assert reported(replaced) == ["~ha (WillRetryError)", "~4"]
    assert reported(failed) == ["~ha (WillRetryError)", "~ha (RuntimeError)", "RuntimeError"]


def test_changed_messages_are_sent_once() -> None:
    """The conversation is not changed."""
    backup = Answers(asks("add"), "4")

    async def get_model(context: FailoverContext[Message]) -> tuple[Model[Message], list[Message]]:
        return backup, [Message.user("other")]

    config = FailoverConfig(get_model, lambda error: True)
    drain(agent(Answers(ERROR), tools=[returning("add", "4")], failover=config).run([QUESTION]))

    assert [given[0].text for given in backup.given] == ["other", QUESTION.text]


def test_a_missing_backup_and_a_failing_selector_are_errors() -> None:
    """The error is the run's, unchanged."""

    async def none(context: FailoverContext[Message]) -> Model[Message]:
        return None  # type: ignore[return-value]  # the case under test

    async def failing(context: FailoverContext[Message]) -> Model[Message]:
        raise ValueError("no model")

    for choice, error in ((none, "NothingReturnedError"), (failing, "ValueError")):
        config = FailoverConfig(choice, lambda error: True)
        assert reported(agent(Answers(ERROR), failover=config).run([QUESTION])) == [error]


def test_both_functions_are_needed() -> None:
    """The configuration fails without them."""
    with pytest.raises(ConfigError, match="get_model"):
        FailoverConfig(None, lambda error: True)
    with pytest.raises(ConfigError, match="should_failover"):
        FailoverConfig(failover(Answers("4")).get_model, None)


def test_no_backup_is_called_when_the_model_answers() -> None:
    """The backup selector is not called either."""
    seen = list[FailoverContext[Message]]()
    built = agent(Answers("4"), retry=RetryConfig(0), failover=failover(seen=seen))

    assert (reported(built.run([QUESTION])), seen) == (["4"], [])
