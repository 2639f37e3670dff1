"""What decides about failed model calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..contract.agents import Failover, Retry
from ..contract.calls import Chosen
from ..contract.observation import Question
from ..contract.values import Error, Message
from .cast import Cast, raised
from .record import Record, current_run


class LiveRecovery:
    """Answers as the scene says, and takes down what it is asked."""

    def __init__(self, cast: Cast, record: Record) -> None:
        self._cast = cast
        self._record = record

    def retryable(self, agent: str, error: BaseException) -> bool:
        """Whether to try again after this error."""
        said = self._ask("retryable", agent, error)
        return _is_one_of(said, self._retry(agent).codes)

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Whether an attempt stands."""
        text = answer.content if answer else None
        said = self._ask("accepted", agent, error, number=attempt, messages=tuple(messages), answer=text)
        if answer is not None:
            return False if text in self._retry(agent).rejects else None
        return not _is_one_of(said, self._retry(agent).codes)

    def delay(self, agent: str, retry: int) -> float:
        """How many seconds to wait before a retry: as many as its number says."""
        self._ask("delay", agent, number=retry)
        return float(retry)

    async def sleep(self, seconds: float) -> None:
        """Wait so long, and take down that the time has passed."""
        await self._record.gates.sleep(seconds, self._record.parking)
        self._ask("sleep", number=seconds)

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Whether another model shall be asked after this error."""
        said = self._ask("failover", agent, error)
        return _is_one_of(said, self._failover(agent).codes)

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> Chosen:
        """The model to ask next: each of those there are, in turn."""
        run, spec = current_run.get(), self._failover(agent)
        questions = self._record.of(Question)
        asked = sum(q.what == "next model" and q.run == run and q.agent == agent for q in questions)
        self._ask("next model", agent, error, number=attempt, messages=tuple(messages or ()))
        if spec.error:
            raise raised(spec.error, False)
        model = spec.models[asked].name if asked < len(spec.models) else None
        return Chosen(model=model, messages=spec.messages)

    def _retry(self, agent: str) -> Retry:
        return self._cast.agents[agent].retry or Retry()

    def _failover(self, agent: str) -> Failover:
        return self._cast.agents[agent].failover or Failover()

    def _ask(
        self,
        what: Literal["retryable", "accepted", "delay", "sleep", "failover", "next model"],
        agent: str = "",
        error: BaseException | None = None,
        number: float | None = None,
        messages: tuple[Message, ...] = (),
        answer: str | None = None,
    ) -> Error | None:
        """Take a question down; return its error in the contract's words."""
        record, said = self._record, None if error is None else self._record.describe(error)
        record.add(
            Question(
                n=record.n,
                what=what,
                run=current_run.get(),
                agent=agent,
                number=number,
                error=said,
                messages=messages,
                answer=answer,
            )
        )
        return said


def _is_one_of(error: Error | None, codes: tuple[str, ...] | None) -> bool:
    """Whether the configuration means this error, also inside a report of spent retries; without codes, any."""
    if codes is None:
        return True
    return error is not None and (error.cause or error).code in codes
