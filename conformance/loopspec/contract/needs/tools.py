"""The needs of a scripted tool."""

from __future__ import annotations

from ..agents import Tool
from ..capabilities import Capability
from .actions import of_actions
from .reasons import present


def of_tool(tool: Tool) -> set[Capability]:
    """Return the capabilities that a tool needs; what its sub-agent needs is not among them."""
    needed = present(
        {
            "streaming-tools": any("streamable" in kind for kind in tool.kinds),
            "enhanced-tools": any("enhanced" in kind for kind in tool.kinds),
            "incomplete-tools": tool.nameless or not tool.kinds,
            "interrupt": tool.interrupts,
            "command": tool.command,
            "missing-results": tool.nothing,
            "mixed-tools": len({"enhanced" in kind for kind in tool.kinds}) > 1,
        }
    )
    return needed | of_actions(tool.actions)
