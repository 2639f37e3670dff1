"""The decisions about failed model calls, as proxies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..contract.calls import ChosenModel
from ..contract.values import Message
from ..protocol import messages as m
from .requests import CaseRequests


class RemoteRecovery:
    """The decisions about failed model calls. The contract's `Recovery`."""

    def __init__(self, requests: CaseRequests) -> None:
        self._requests = requests

    def _decide(
        self, method: Literal["retry/isRetryable", "failover/shouldFailover"], agent: str, error: BaseException
    ) -> bool:
        requests = self._requests
        params = m.FailedCall(**requests.where(), agent=agent, error=requests.described(error))
        return bool(requests.ask_now(method, params, m.DecisionReply).yes)

    def retryable(self, agent: str, error: BaseException) -> bool:
        """Return whether to retry after this error."""
        return self._decide("retry/isRetryable", agent, error)

    def should_failover(self, agent: str, error: BaseException) -> bool:
        """Return whether to call another model after this error."""
        return self._decide("failover/shouldFailover", agent, error)

    def accepted(
        self, agent: str, attempt: int, messages: Sequence[Message], answer: Message | None, error: BaseException | None
    ) -> bool | None:
        """Return whether an attempt is accepted."""
        requests = self._requests
        params = m.Attempt(
            **requests.where(),
            agent=agent,
            attempt=attempt,
            messages=tuple(messages),
            answer=answer,
            error=requests.described(error) if error else None,
        )
        return requests.ask_now("retry/isAccepted", params, m.DecisionReply).yes

    def delay(self, agent: str, retry: int) -> float:
        """Return how many seconds to wait before a retry."""
        params = m.RetryDelay(**self._requests.where(), agent=agent, retry=retry)
        return self._requests.ask_now("retry/delay", params, m.DelayReply).seconds

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        await self._requests.ask("clock/sleep", m.Sleep(**self._requests.where(), seconds=seconds), m.Reply)

    def next_model(
        self, agent: str, attempt: int | None, messages: Sequence[Message] | None, error: BaseException
    ) -> ChosenModel:
        """Return the model to call next."""
        requests = self._requests
        params = m.ChooseModel(
            **requests.where(),
            agent=agent,
            error=requests.described(error),
            attempt=attempt,
            messages=None if messages is None else tuple(messages),
        )
        return requests.ask_now("failover/nextModel", params, m.ChosenReply).chosen or ChosenModel()
