"""The smallest agent loop that keeps every rule: an answer to "how is this done right?"."""

from .agent_tools import AgentTool
from .agents import Agent
from .backends import Backend, Content, LocalBackend, MemoryBackend, ReadRequest
from .errors import ConfigError, IterationLimitError, LoopError, OutsideRunError, UnknownToolError
from .events import CustomEvent, ErrorEvent, Event, Interrupt, InterruptEvent, MessageEvent
from .handlers import AgentContext, Handler, ModelEndpoint, ModelRequest, State, ToolEndpoint
from .language import Language, get_language, set_language
from .messages import AgenticMessage, AnyMessage, Json, Message, ToolCall, ToolResultBlock
from .models import Model
from .runs import delete_run_local_value, get_run_local_value, send_event, set_run_local_value
from .tools import InterruptRun, Resumed, Tool, ToolContext, ToolInfo

__all__ = [
    "Agent",
    "AgentContext",
    "AgentTool",
    "AgenticMessage",
    "AnyMessage",
    "Backend",
    "ConfigError",
    "Content",
    "CustomEvent",
    "ErrorEvent",
    "Event",
    "Handler",
    "Interrupt",
    "InterruptEvent",
    "InterruptRun",
    "IterationLimitError",
    "Json",
    "Language",
    "LocalBackend",
    "LoopError",
    "MemoryBackend",
    "Message",
    "MessageEvent",
    "Model",
    "ModelEndpoint",
    "ModelRequest",
    "OutsideRunError",
    "ReadRequest",
    "Resumed",
    "State",
    "Tool",
    "ToolCall",
    "ToolContext",
    "ToolEndpoint",
    "ToolInfo",
    "ToolResultBlock",
    "UnknownToolError",
    "delete_run_local_value",
    "get_language",
    "get_run_local_value",
    "send_event",
    "set_language",
    "set_run_local_value",
]
