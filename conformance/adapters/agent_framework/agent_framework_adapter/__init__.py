"""Microsoft Agent Framework as a target of the role agent: `py:agent_framework_adapter:AgentFramework`."""

from .core import AgentFramework

__all__ = ["AgentFramework"]
