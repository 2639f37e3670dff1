"""Mutants about the before-agent hook."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast
from unittest.mock import patch

from loopspec_reference import Agent, AgentContext, AnyMessage, Handler

AnyHandler = Handler[AnyMessage]
AnyAgent = Agent[AnyMessage]
Call = Callable[[AnyAgent, AnyHandler, AgentContext], Awaitable[AgentContext]]


@dataclass
class _Between:
    """Calls a function in place of the before-agent hook of a handler."""

    call: Callable[[AgentContext], Awaitable[AgentContext]]

    async def before_agent(self, context: AgentContext) -> AgentContext:
        return await self.call(context)


def calling(call: Call) -> AbstractContextManager[object]:
    """Patch how each before-agent hook is called."""
    return _building(
        lambda agent: [cast("AnyHandler", _Between(partial(call, agent, handler))) for handler in agent._before]
    )


def _building(before: Callable[[AnyAgent], Sequence[AnyHandler]]) -> AbstractContextManager[object]:
    """Patch which handlers an agent calls before a run."""
    init = Agent.__init__

    def built(self: AnyAgent, **configuration: Any) -> None:  # Any: passed on
        init(self, **configuration)
        self._before = before(self)

    return patch.object(Agent, "__init__", built)
