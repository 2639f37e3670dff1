"""The OpenAI Agents SDK as a target of the role agent: `py:openai_agents_adapter:OpenAIAgents`."""

from .core import OpenAIAgents

__all__ = ["OpenAIAgents"]
