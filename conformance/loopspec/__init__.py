"""A conformance kit for agent loops: what an implementer imports.

The agent of a scene, which an adapter of the role agent builds, is made of the classes of `loopspec.contract.agents`.
"""

from .contract import specification as _specification
from .contract.calls import (
    Command,
    Edited,
    InvalidValue,
    ModelContext,
    ModelRequest,
    Resumed,
    Start,
    State,
    ToolAnswer,
    ToolRequest,
    View,
)
from .contract.capabilities import CAPABILITIES, ROLES, Capability, Role
from .contract.doubles import (
    Begun,
    Doubles,
    Inner,
    InnerModel,
    InnerTool,
    Interruption,
    Recovery,
    ScriptedCrash,
    ScriptedError,
    Ticket,
)
from .contract.faults import AdapterError, KitError, TargetCrashed, TargetTimedOut, TargetUnusable, UsageError
from .contract.middlewares import Middlewares
from .contract.mismatch import Mismatch
from .contract.observation import Observation
from .contract.plugins import Strategy, StrategyMeta
from .contract.scene import Cancel, ReadRequest, Run, Scene
from .contract.shapes import Backend, Middleware, MiddlewareConfig, RunView
from .contract.stage import CancelHandle, Stage
from .contract.sync import at_once
from .contract.target import Identity, Target
from .contract.values import MARKER, Error, Message, Part, ToolCall, ToolInfo

__version__ = _specification.VERSION

__all__ = [
    "CAPABILITIES",
    "MARKER",
    "ROLES",
    "AdapterError",
    "Backend",
    "Begun",
    "Cancel",
    "CancelHandle",
    "Capability",
    "Command",
    "Doubles",
    "Edited",
    "Error",
    "Identity",
    "Inner",
    "InnerModel",
    "InnerTool",
    "Interruption",
    "InvalidValue",
    "KitError",
    "Message",
    "Middleware",
    "MiddlewareConfig",
    "Middlewares",
    "Mismatch",
    "ModelContext",
    "ModelRequest",
    "Observation",
    "Part",
    "ReadRequest",
    "Recovery",
    "Resumed",
    "Role",
    "Run",
    "RunView",
    "Scene",
    "ScriptedCrash",
    "ScriptedError",
    "Stage",
    "Start",
    "State",
    "Strategy",
    "StrategyMeta",
    "Target",
    "TargetCrashed",
    "TargetTimedOut",
    "TargetUnusable",
    "Ticket",
    "ToolAnswer",
    "ToolCall",
    "ToolInfo",
    "ToolRequest",
    "UsageError",
    "View",
    "at_once",
]
