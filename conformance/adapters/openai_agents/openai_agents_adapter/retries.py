"""Retries of model calls: the settings of a model, whose policy asks the scene about each error."""

from __future__ import annotations

from contextvars import ContextVar

from agents import ModelSettings
from agents.retry import ModelRetryBackoffSettings, ModelRetrySettings, RetryPolicyContext

from loopspec.contract.agents import Agent
from loopspec.contract.doubles import Recovery

RECOVERY: ContextVar[Recovery] = ContextVar("recovery")  # of the current scene


def settings_of(agent: Agent) -> ModelSettings:
    """Return the settings of an agent's model. Without a condition every error is retried, and without a delay."""
    retry = agent.retry
    if retry is None:
        return ModelSettings()
    name, codes = agent.name, retry.codes

    def policy(context: RetryPolicyContext) -> bool:
        return codes is None or RECOVERY.get().retryable(name, context.error)

    backoff = ModelRetryBackoffSettings(initial_delay=0, jitter=False)
    return ModelSettings(retry=ModelRetrySettings(max_retries=retry.max_retries, backoff=backoff, policy=policy))
