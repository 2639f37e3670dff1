"""The interfaces by which a tool can be called."""

from __future__ import annotations

from loopspec.contract.values import ToolKind

from .declarations import ClosedList, Word

# One interface each: in a Then.
INTERFACES: ClosedList[ToolKind] = ClosedList(
    "tool interfaces",
    "The interface by which a tool is called.",
    Word("invokable", "The tool returns one text.", "invokable"),
    Word("streamable", "The tool returns a stream of texts.", "streamable"),
    Word("enhanced invokable", "The tool returns one result of several parts.", "enhanced invokable"),
    Word("enhanced streamable", "The tool returns a stream of parts.", "enhanced streamable"),
)
