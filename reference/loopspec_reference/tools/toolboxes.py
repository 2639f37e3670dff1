"""The tools of one run, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..values.errors import ConfigError
from .kinds import AnyTool, ToolInfo

Kind = Literal["tool", "streaming_tool", "enhanced_tool", "enhanced_streaming_tool"]

# By method. Where a tool has both, its enhanced side is the one that is used.
_PLAIN: tuple[tuple[str, Kind], ...] = (("invoke", "tool"), ("stream", "streaming_tool"))
_ENHANCED: tuple[tuple[str, Kind], ...] = (
    ("invoke_enhanced", "enhanced_tool"),
    ("stream_enhanced", "enhanced_streaming_tool"),
)


def kinds(tool: AnyTool) -> tuple[Kind, Kind]:
    """How a tool is called in a synchronous run and in a streaming one (TOOLS-02, TOOLS-03).

    Raises `ConfigError` when it can be called in no way (CFG-08).
    """
    for family in (_ENHANCED, _PLAIN):
        found = [kind for method, kind in family if hasattr(tool, method)]
        if found:
            return found[0], found[-1]
    raise ConfigError(f"the tool {tool.info.name!r} has none of the four methods a tool can be called by")


def check_names(tools: Sequence[AnyTool]) -> None:
    """Raise `ConfigError` when a tool has no name, or, naming it, when two have the same (CFG-09).

    A tool that cannot be asked for its name now is left out: a run will ask it again (CFG-07).
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
    """Tools, what the model is told about them, and how each is called."""

    __slots__ = ("infos", "kinds", "tools")

    def __init__(self, tools: Sequence[AnyTool]) -> None:
        check_names(tools)
        told = [(tool.info, tool) for tool in tools]
        self.infos: tuple[ToolInfo, ...] = tuple(info for info, _ in told)
        self.tools = {info.name: tool for info, tool in told}
        self.kinds = {info.name: kinds(tool) for info, tool in told}
