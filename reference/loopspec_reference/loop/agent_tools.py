"""An agent as a tool of another agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic

import msgspec
from msgspec import Struct

from ..runs.checkpoints import Stop, SubInterrupt
from ..runs.run import Run, current_run
from ..tools.kinds import ToolContext, ToolInfo, ToolRequest
from ..values.errors import ConfigError
from ..values.messages import AnyMessage, Json, M
from .agents import Agent


class _Request(Struct):
    request: str


_SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "properties": {"request": {"type": "string"}},
    "required": ["request"],
}


class AgentTool(Generic[M]):
    """Runs a sub-agent for each call, in the mode of the calling run.

    The argument `request` becomes the sub-agent's user message (AGENTTOOL-02). With a custom `schema`, the text of the
    arguments does (AGENTTOOL-07). With `full_history`, the conversation so far precedes this message (AGENTTOOL-06).
    Raises `ConfigError` for an agent without a name or a description (AGENTTOOL-10).
    """

    def __init__(self, agent: Agent[M], full_history: bool = False, schema: Mapping[str, Json] | None = None) -> None:
        for part in ("name", "description"):
            if not getattr(agent, part):
                raise ConfigError(f"an agent that is a tool needs a {part}")
        self._agent = agent
        self._full_history = full_history
        self._own_schema = schema is not None
        self.info = ToolInfo(agent.name, agent.description, _SCHEMA if schema is None else schema)

    async def invoke(self, context: ToolContext, request: ToolRequest[str]) -> str:
        """Return the text of the sub-agent's answer. Its errors are raised unchanged.

        An interrupt of the sub-agent interrupts the outer run, whose checkpoint then holds the sub-agent's checkpoint.
        """
        parent = current_run.get()
        assert parent is not None, "tools are invoked by a run"
        try:
            if context.resumed is None:
                answer = await self._agent.run_within(parent, self._input(parent, request.arguments))
            else:
                data = context.resumed.data if isinstance(context.resumed.data, Mapping) else {}
                answer = await self._agent.resume_within(parent, msgspec.json.encode(context.resumed.state), data)
        except Stop as stop:
            raise SubInterrupt(stop.interrupts, msgspec.json.decode(stop.checkpoint)) from None
        return answer.outcome

    def _input(self, parent: Run, arguments: str) -> Sequence[M]:
        text = arguments if self._own_schema else msgspec.json.decode(arguments, type=_Request).request
        history = _as_user_texts(parent.conversation) if self._full_history else ()
        return [self._agent.message_type.user(text) for text in (*history, text)]


def _as_user_texts(conversation: Sequence[AnyMessage]) -> Iterator[str]:
    """Yield the conversation of another agent as texts of user messages, with tool calls and results as context."""
    for message in conversation:
        if message.role == "system":
            continue
        is_result = message.role == "tool" or not message.text
        if message.outcome:
            speaker = "A tool returned" if is_result else "An assistant said"
            unchanged = message.role == "user" and not is_result
            yield message.outcome if unchanged else f"For context. {speaker}: {message.outcome}"
        for call in message.tool_calls:
            yield f"For context. An assistant called the tool {call.name} with {call.arguments}"
