"""The information that a scripted tool gives with its interrupt: one text, with the tool and the call."""

from __future__ import annotations

from .values import Json

_BETWEEN = " at "


def info_of(tool: str, call: str) -> str:
    """Return the information of an interrupt: two calls of one tool differ in it."""
    return f"{tool}{_BETWEEN}{call}"


def tool_and_call(info: Json) -> tuple[str, str]:
    """Return the tool and the id of the call; another value than that of a scripted tool has no call."""
    tool, between, call = str(info).rpartition(_BETWEEN)
    return (tool, call) if between else (str(info), "")
