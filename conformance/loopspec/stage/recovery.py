"""The decisions about failed model calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ..contract.agents import Failover, Retry
from ..contract.calls import ChosenModel
from ..contract.observation import Question
from ..contract.values import Error, Message
from .doubles import SceneDoubles
from .index import SceneIndex, fail_if_scripted
from .record import Record, current_run


class LiveRecovery(SceneDoubles):
    """Answers as the scene says, and records the questions. The contract's `Recovery`."""

    def __init__(self, index: SceneIndex, record: Record) -> None:
        super().__init__(index, record)
        self._delayed: set[str | None] = set()  # the runs whose next wait is that before a retry

    def retryable(self, agent: str, error: BaseException) -> bool:
        described = self._record_question("retryable", agent, error)
        return _is_one_of(described, self._retry(agent).codes)

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        text = answer.content if answer else None
        described = self._record_question(
            "accepted", agent, error, number=attempt, messages=tuple(messages), answer=text
        )
        if answer is not None:
            return False if text in self._retry(agent).rejects else None
        if _is_one_of(described, self._retry(agent).accepts):
            return True
        return not _is_one_of(described, self._retry(agent).codes)

    def delay(self, agent: str, retry: int) -> float:
        """Return how many seconds to wait before a retry: as many as its number."""
        self._delayed.add(current_run.get())
        self._record_question("delay", agent, number=retry)
        return float(retry)

    async def sleep(self, seconds: float) -> None:
        """Wait so long, and record that the time has passed."""
        if (run := current_run.get()) in self._delayed:
            self._delayed.discard(run)
            self._record.gates.called("back-off", run)
            self._record.gates.settle()
        await self._record.gates.sleep(seconds, self._record.new_waiter)
        self._record_question("sleep", number=seconds)

    def should_failover(self, agent: str, error: BaseException) -> bool:
        described = self._record_question("failover", agent, error)
        return _is_one_of(described, self._failover(agent).codes)

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> ChosenModel:
        """Return the model to call next: each model of the failover, in turn."""
        run, spec = current_run.get(), self._failover(agent)
        questions = self._record.of(Question)
        asked = sum(q.what == "next model" and q.run == run and q.agent == agent for q in questions)
        self._record_question("next model", agent, error, number=attempt, messages=tuple(messages or ()))
        model = spec.models[asked].name if asked < len(spec.models) else None
        fail_if_scripted(None if model else spec.error)
        replaces = not spec.messages_for or model in spec.messages_for
        return ChosenModel(model=model, messages=spec.messages if replaces else None)

    def _retry(self, agent: str) -> Retry:
        return self._index.agent(agent).retry or Retry()

    def _failover(self, agent: str) -> Failover:
        return self._index.agent(agent).failover or Failover()

    def _record_question(
        self,
        what: Literal["retryable", "accepted", "delay", "sleep", "failover", "next model"],
        agent: str = "",
        error: BaseException | None = None,
        **fields: Any,  # further fields of a `Question`
    ) -> Error | None:
        """Record a question; return its error as the contract's."""
        described = None if error is None else self._record.describe(error)
        self._record.enter(Question, what=what, agent=agent, error=described, context={}, **fields)
        return described


def _is_one_of(error: Error | None, codes: tuple[str, ...] | None) -> bool:
    """Whether the configuration names this error, also inside `retries_exhausted`; without codes, any error."""
    if codes is None:
        return True
    return error is not None and (error.cause or error).code in codes
