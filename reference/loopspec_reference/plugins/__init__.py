"""The plugin layer: strategies by provider, which make the middlewares of the agents of a workflow.

What belongs here: strategies and their registry, workflows, the middleware interface with its state and context, the
built-in middlewares, and the stack that makes middlewares a handler of the loop. The loop does not import this package.
"""

from .conversations import estimated_tokens
from .errors import (
    ContextError,
    GraphError,
    HookError,
    JumpError,
    OptionsError,
    PluginError,
    StateError,
    StrategyError,
    UnknownProviderError,
)
from .graph import Edge, Node, Workflow, get_agent_middlewares
from .metadata import MiddlewareMeta, config_schema, read_options
from .middleware import (
    Command,
    CommandTool,
    Hook,
    HookState,
    Middleware,
    ModelCallRequest,
    ModelHandler,
    ModelWrapper,
    Runtime,
    StateHook,
    ToolCallRequest,
    ToolHandler,
    ToolOutcome,
    ToolWrapper,
)
from .registry import MiddlewareContext, Registry, Strategy, middleware_strategy
from .stack import Stack
from .summarization import ModelProfile, SummarizationStrategy
from .todo_list import TodoListStrategy
from .tracing import Execution, ExecutionTrace

__all__ = [
    "Command",
    "CommandTool",
    "ContextError",
    "Edge",
    "Execution",
    "ExecutionTrace",
    "GraphError",
    "Hook",
    "HookError",
    "HookState",
    "JumpError",
    "Middleware",
    "MiddlewareContext",
    "MiddlewareMeta",
    "ModelCallRequest",
    "ModelHandler",
    "ModelProfile",
    "ModelWrapper",
    "Node",
    "OptionsError",
    "PluginError",
    "Registry",
    "Runtime",
    "Stack",
    "StateError",
    "StateHook",
    "Strategy",
    "StrategyError",
    "SummarizationStrategy",
    "TodoListStrategy",
    "ToolCallRequest",
    "ToolHandler",
    "ToolOutcome",
    "ToolWrapper",
    "UnknownProviderError",
    "Workflow",
    "config_schema",
    "estimated_tokens",
    "get_agent_middlewares",
    "middleware_strategy",
    "read_options",
]
