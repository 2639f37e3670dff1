"""A failed model call fails over to a backup model."""

from __future__ import annotations

import pytest

from loopspec_reference import (
    ConfigError,
    FailoverConfig,
    FailoverContext,
    Message,
    Model,
)

from ..doubles import Answers


def failover(
    *backups: Answers, seen: list[FailoverContext[Message]] | None = None, agrees: bool = True, limit: int = 1
) -> FailoverConfig[Message]:
    """A configuration that selects these backups in turn."""

    async def get_model(context: FailoverContext[Message]) -> Model[Message]:
        if seen is not None:
            seen.append(context)
        return backups[context.attempt - 1]

    return FailoverConfig(get_model, lambda error: agrees, limit)


def test_both_functions_are_needed() -> None:
    """The configuration fails without them."""
    with pytest.raises(ConfigError, match="get_model"):
        FailoverConfig(None, lambda error: True)
    with pytest.raises(ConfigError, match="should_failover"):
        FailoverConfig(failover(Answers("4")).get_model, None)
