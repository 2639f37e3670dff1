"""The retry and the failover of a scene as those of the reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import loopspec_reference as ref
from loopspec.contract.agents import Agent, Model
from loopspec.contract.doubles import Recovery

from .wire import from_wire, to_wire

M = ref.AnyMessage


def retry_of(agent: Agent, recovery: Recovery) -> ref.RetryConfig[M]:
    """Return the retry of the agent's model calls."""
    spec, name = agent.retry, agent.name
    assert spec is not None

    def rejected(context: ref.RetryContext[M]) -> bool:
        messages = [to_wire(message) for message in context.messages]
        answer = None if context.output is None else to_wire(context.output)
        return recovery.accepted(name, context.attempt, messages, answer, context.error) is False

    return ref.RetryConfig(
        max_retries=spec.max_retries,
        is_retryable=None if spec.codes is None else lambda error: recovery.retryable(name, error),
        should_retry=rejected if spec.rejects else None,
        sleep=recovery.sleep,
        **({"backoff": lambda retry: recovery.delay(name, retry)} if spec.delays else {}),
    )


def failover_of(
    agent: Agent, recovery: Recovery, build: Callable[[Model | None], ref.Model[M] | None], message_type: type[M]
) -> ref.FailoverConfig[M]:
    """Return the failover of the agent's model calls."""
    spec, name = agent.failover, agent.name
    assert spec is not None
    models = {model.name: model for model in spec.models}

    async def choose(context: ref.FailoverContext[M]) -> ref.Model[M] | tuple[ref.Model[M], Sequence[M]]:
        messages = [to_wire(message) for message in context.messages]
        chosen = recovery.next_model(name, context.attempt, messages, context.error)
        model = build(models[chosen.model]) if chosen.model else None
        if chosen.messages is None:
            return model  # type: ignore[return-value]  # no model is a mistake of the caller's
        return model, [from_wire(message, message_type) for message in chosen.messages]  # type: ignore[return-value]  # likewise

    return ref.FailoverConfig(
        get_model=choose if spec.chooses else None,
        should_failover=(lambda error: recovery.should_failover(name, error)) if spec.asks else None,
        **({} if spec.limit is None else {"max_failovers": spec.limit}),
    )
