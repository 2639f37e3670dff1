"""Mutants about how an agent is configured."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference import AnyMessage
from loopspec_reference.loop.agents import Agent

Build = Callable[..., None]


def built(change: Callable[[Build, Agent[AnyMessage], dict[str, Any]], None]) -> AbstractContextManager[object]:
    """Patch how an agent is built: `change` receives the original `__init__` and the configuration."""
    build = Agent.__init__

    def builds(self: Agent[AnyMessage], **given: Any) -> None:  # Any: whatever an agent is configured with
        change(build, self, given)

    return patch.object(Agent, "__init__", builds)
