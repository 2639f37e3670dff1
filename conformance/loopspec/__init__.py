"""A conformance kit for agent loops: what an implementer imports."""

from .contract.capabilities import CAPABILITIES, ROLES, Capability, Role
from .contract.doubles import Interruption, ScriptedError
from .contract.faults import AdapterError, KitError, TargetCrashed, TargetTimedOut, TargetUnusable, UsageError
from .contract.mismatch import Mismatch
from .contract.observation import Observation
from .contract.scene import ReadRequest, Scene
from .contract.shapes import Backend, Middleware, MiddlewareConfig, RunView
from .contract.stage import Stage
from .contract.target import Identity, Target
from .contract.values import MARKER, Error, Message, ToolCall

__version__ = "0.1.0"

__all__ = [
    "CAPABILITIES",
    "MARKER",
    "ROLES",
    "AdapterError",
    "Backend",
    "Capability",
    "Error",
    "Identity",
    "Interruption",
    "KitError",
    "Message",
    "Middleware",
    "MiddlewareConfig",
    "Mismatch",
    "Observation",
    "ReadRequest",
    "Role",
    "RunView",
    "Scene",
    "ScriptedError",
    "Stage",
    "Target",
    "TargetCrashed",
    "TargetTimedOut",
    "TargetUnusable",
    "ToolCall",
    "UsageError",
]
