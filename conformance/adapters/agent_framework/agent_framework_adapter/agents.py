"""Sub-agents: an agent that is a tool of another agent, with the framework's own `as_tool`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agent_framework import Agent, ChatContext, ChatMiddleware, ChatResponse, FunctionTool, InMemoryHistoryProvider


def agent_tool(agent: Agent[Any], schema: Mapping[str, Any] | None) -> FunctionTool:  # Any: options, a JSON schema
    """Make an agent a tool, with the default input or with an input schema."""
    made: FunctionTool = agent.as_tool(arg_name="request", propagate_session=True)
    if schema is None:
        return made
    return FunctionTool(name=made.name, description=made.description, func=made.func, input_model=schema)


def without_history() -> InMemoryHistoryProvider:
    """Return a history provider for a sub-agent, which shares the session of the outer agent, but not its messages."""
    return InMemoryHistoryProvider("sub-agent", store_inputs=False, store_outputs=False)


class Buffered(ChatMiddleware):
    """Holds the updates of a sub-agent: its response then has the changes of after-model hooks."""

    async def process(self, context: ChatContext, call_next: Callable[[], Awaitable[None]]) -> None:
        """Make the updates of the response that the hooks leave."""
        context.stream_buffer_updates, context.stream_result_to_updates = True, ChatResponse.to_updates
        await call_next()
