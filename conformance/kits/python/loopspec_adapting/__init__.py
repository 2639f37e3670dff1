"""The toolkit for agent adapters: an author converts messages, builds an agent and runs it.

Everything between an agent and the harness that is the same for every framework is here. An adapter reports what its
framework reports, and nothing else: an argument that stays out is not reported.
"""

from __future__ import annotations

from .adapter import AgentAdapter
from .conversion import Change, Conversion, answer_message, args_object, args_text, result_message
from .doubles import ModelDouble, Parts, ToolDouble
from .hooks import HookDouble
from .plugins import PluginDouble
from .reporter import Reporter
from .tool_callbacks import EnteredTool

__all__ = [
    "AgentAdapter",
    "Change",
    "Conversion",
    "EnteredTool",
    "HookDouble",
    "ModelDouble",
    "Parts",
    "PluginDouble",
    "Reporter",
    "ToolDouble",
    "answer_message",
    "args_object",
    "args_text",
    "result_message",
]
