"""A conformance kit for agent loops: what an implementer imports.

The agent of a scene, which an adapter of the role agent builds, is made of the classes of `loopspec.contract.agents`.
"""

from __future__ import annotations

# ruff: noqa: F403, F405  # `__all__` alone names what the star imports give a type checker

# Type checkers take this for true. `typing` and `importlib` load slowly, and a later `loopspec serve` needs neither.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .contract.axes import *
    from .contract.calls import *
    from .contract.capabilities import *
    from .contract.doubles import *
    from .contract.faults import *
    from .contract.harness import HarnessStage
    from .contract.mismatch import *
    from .contract.observation import Observation
    from .contract.plugins import *
    from .contract.roles import *
    from .contract.scene import *
    from .contract.shapes import *
    from .contract.stage import *
    from .contract.target import *
    from .contract.values import *

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
