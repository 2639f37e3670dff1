"""A conformance kit for agent loops: what an implementer imports.

The agent of a scene, which an adapter of the role agent builds, is made of the classes of `loopspec.contract.agents`.
"""

from __future__ import annotations

# Type checkers take this for true. `typing` and `importlib` load slowly, and a later `loopspec serve` needs neither.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .contract.axes import Posture
    from .contract.calls import (
        AgentStart,
        Command,
        Edited,
        InvalidValue,
        ModelContext,
        ModelRequest,
        Resumed,
        State,
        ToolAnswer,
        ToolRequest,
        View,
    )
    from .contract.capabilities import CAPABILITIES, Capability
    from .contract.doubles import (
        BegunAnswer,
        Doubles,
        Inner,
        InnerModel,
        InnerTool,
        Interruption,
        Recovery,
        RegisteredValue,
        ScriptedCrash,
        ScriptedError,
        at_once,
    )
    from .contract.faults import (
        AdapterError,
        CannotStore,
        KitError,
        TargetCrashed,
        TargetTimedOut,
        TargetUnusable,
        UsageError,
    )
    from .contract.harness import HarnessStage
    from .contract.mismatch import Mismatch
    from .contract.observation import Observation
    from .contract.plugins import Strategy, StrategyMeta
    from .contract.roles import ROLES, Role
    from .contract.scene import Cancel, ReadRequest, Run, Scene
    from .contract.shapes import (
        Backend,
        Middleware,
        MiddlewareConfig,
        RunView,
        WorkspaceFile,
        WorkspaceReader,
        WorkspaceReading,
    )
    from .contract.stage import CancelHandle, Stage
    from .contract.target import Identity, Target
    from .contract.values import MARKER, Error, Message, Part, ToolCall, ToolInfo

    __version__: str

__all__ = [
    "CAPABILITIES",
    "MARKER",
    "ROLES",
    "AdapterError",
    "AgentStart",
    "Backend",
    "BegunAnswer",
    "Cancel",
    "CancelHandle",
    "CannotStore",
    "Capability",
    "Command",
    "Doubles",
    "Edited",
    "Error",
    "HarnessStage",
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
    "Mismatch",
    "ModelContext",
    "ModelRequest",
    "Observation",
    "Part",
    "Posture",
    "ReadRequest",
    "Recovery",
    "RegisteredValue",
    "Resumed",
    "Role",
    "Run",
    "RunView",
    "Scene",
    "ScriptedCrash",
    "ScriptedError",
    "Stage",
    "State",
    "Strategy",
    "StrategyMeta",
    "Target",
    "TargetCrashed",
    "TargetTimedOut",
    "TargetUnusable",
    "ToolAnswer",
    "ToolCall",
    "ToolInfo",
    "ToolRequest",
    "UsageError",
    "View",
    "WorkspaceFile",
    "WorkspaceReader",
    "WorkspaceReading",
    "at_once",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:  # Any: a class, a function or a constant
        """Import a name when it is first used: most commands start without the whole contract."""
        from importlib import import_module
        from pkgutil import iter_modules

        if name == "__version__":
            return import_module(".contract.specification", __name__).VERSION
        if name in __all__:
            for module in iter_modules([f"{__path__[0]}/contract"]):
                found = vars(import_module(f".contract.{module.name}", __name__))
                if name in found:
                    globals()[name] = found[name]
                    return found[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
