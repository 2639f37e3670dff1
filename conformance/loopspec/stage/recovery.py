"""What decides about failed model calls."""

from __future__ import annotations

from collections.abc import Sequence

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
        said = self._record.describe(error)
        codes = self._retry(agent).codes
        self._ask(Question(n=self._record.n, what="retryable", run=current_run.get(), agent=agent, error=said))
        return codes is None or _code(said) in codes

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Whether an attempt stands."""
        said = self._record.describe(error) if error else None
        self._ask(
            Question(
                n=self._record.n,
                what="accepted",
                run=current_run.get(),
                agent=agent,
                number=attempt,
                error=said,
                messages=tuple(messages),
                answer=answer.content if answer else None,
            )
        )
        if answer is not None:
            return False if answer.content in self._retry(agent).rejects else None
        codes = self._retry(agent).codes
        return not (codes is None or (said is not None and _code(said) in codes))

    def delay(self, agent: str, retry: int) -> float:
        """How many seconds to wait before a retry: as many as its number says."""
        self._ask(Question(n=self._record.n, what="delay", run=current_run.get(), agent=agent, number=retry))
        return float(retry)

    async def sleep(self, seconds: float) -> None:
        """Wait so long, and take down that the time has passed."""
        record = self._record
        await record.gates.sleep(seconds, record.parking)
        self._ask(Question(n=record.n, what="sleep", run=current_run.get(), number=seconds))

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Whether another model shall be asked after this error."""
        said = self._record.describe(error)
        codes = self._failover(agent).codes
        self._ask(Question(n=self._record.n, what="failover", run=current_run.get(), agent=agent, error=said))
        return codes is None or _code(said) in codes

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> Chosen:
        """The model to ask next: each of those there are, in turn."""
        record, run, spec = self._record, current_run.get(), self._failover(agent)
        asked = sum(1 for q in record.of(Question) if q.what == "next model" and q.run == run and q.agent == agent)
        self._ask(
            Question(
                n=record.n,
                what="next model",
                run=run,
                agent=agent,
                number=attempt,
                error=record.describe(error),
                messages=tuple(messages or ()),
            )
        )
        if spec.error:
            raise raised(spec.error, False)
        model = spec.models[asked].name if asked < len(spec.models) else None
        return Chosen(model=model, messages=spec.messages)

    def _retry(self, agent: str) -> Retry:
        return self._cast.agents[agent].retry or Retry()

    def _failover(self, agent: str) -> Failover:
        return self._cast.agents[agent].failover or Failover()

    def _ask(self, question: Question) -> None:
        self._record.add(question)


def _code(error: Error) -> str | None:
    """The scripted code, also inside a report of spent retries."""
    return error.cause.code if error.cause else error.code
