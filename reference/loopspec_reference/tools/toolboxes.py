"""The tools of one run, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..values.errors import ConfigError
from .kinds import AnyTool, ToolInfo

Kind = Literal["tool", "streaming_tool", "enhanced_tool", "enhanced_streaming_tool"]

# The methods of each family. The enhanced methods of a tool take precedence.
_PLAIN: tuple[tuple[str, Kind], ...] = (("invoke", "tool"), ("stream", "streaming_tool"))
_ENHANCED: tuple[tuple[str, Kind], ...] = (
    ("invoke_enhanced", "enhanced_tool"),
    ("stream_enhanced", "enhanced_streaming_tool"),
)


def kinds(tool: AnyTool) -> tuple[Kind, Kind]:
    """Return the kind of a tool in a synchronous run and in a streaming run (TOOLS-02, TOOLS-03).

    Raises `ConfigError` for a tool without any of the four methods (CFG-08).
    """
    for family in (_ENHANCED, _PLAIN):
        found = [kind for method, kind in family if hasattr(tool, method)]
        if found:
            return found[0], found[-1]
    methods = ", ".join(method for family in (_PLAIN, _ENHANCED) for method, _ in family)
    raise ConfigError(f"the tool {tool.info.name!r} has none of the methods of a tool: {methods}")


def check_names(tools: Sequence[AnyTool]) -> None:
    """Raise `ConfigError` for a tool without a name, and for two tools with one name, which it names (CFG-09).

    A tool whose `info` raises an error is skipped here: the run reads the `info` again (CFG-07).
    """
    names = set()
    for tool in tools:
        try:
            name = tool.info.name
        except Exception:
            continue
        if not name:
            raise ConfigError(f"a tool has no name: {tool!r:.80}")
        if name in names:
            raise ConfigError(f"two tools have the name {name!r}")
        names.add(name)


class Toolbox:
    """The tools of a run by name, with their descriptions and kinds."""

    __slots__ = ("infos", "kinds", "tools")

    def __init__(self, tools: Sequence[AnyTool]) -> None:
        check_names(tools)
        described = [(tool.info, tool) for tool in tools]
        self.infos: tuple[ToolInfo, ...] = tuple(info for info, _ in described)
        self.tools = {info.name: tool for info, tool in described}
        self.kinds = {info.name: kinds(tool) for info, tool in described}
