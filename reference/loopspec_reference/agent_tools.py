"""An agent that another agent may ask for, like any tool."""

from __future__ import annotations

from typing import Generic

import msgspec
from msgspec import Struct

from .agents import Agent
from .messages import M
from .runs import current_run
from .tools import ToolContext, ToolInfo


class _Request(Struct):
    request: str


class AgentTool(Generic[M]):
    """Runs a sub-agent for each call; the one argument `request` becomes its user message."""

    def __init__(self, agent: Agent[M], message_type: type[M], description: str) -> None:
        self._agent = agent
        self._message_type = message_type
        self.info = ToolInfo(agent.name, description, msgspec.json.schema(_Request))

    async def invoke(self, context: ToolContext, arguments: str) -> str:
        """Return the text of the sub-agent's answer; its errors come out unchanged."""
        parent = current_run.get()
        assert parent is not None, "tools are invoked by a run"
        request = msgspec.json.decode(arguments, type=_Request)
        return await self._agent.run_within(parent, [self._message_type.user(request.request)])
