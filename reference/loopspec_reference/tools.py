"""What a model may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from .messages import Json


class ToolInfo(Struct, frozen=True, omit_defaults=True):
    """What a model is told about a tool. `parameters` is a JSON Schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Json] = {}


class Resumed(Struct, frozen=True):
    """Why a tool is called a second time: the state it left when it interrupted, and the caller's answer."""

    state: Json
    data: Json


class ToolContext(Struct, frozen=True):
    """The call a tool, or a wrapper around it, is part of."""

    name: str
    call_id: str
    resumed: Resumed | None = None


class Tool(Protocol):
    """Something a model may ask for by name."""

    @property
    def info(self) -> ToolInfo:
        """What the model is told."""
        ...

    async def invoke(self, context: ToolContext, arguments: str) -> str:
        """Do it. `arguments` is the model's own text, unchecked. May raise `InterruptRun`."""
        ...


class InterruptRun(Exception):
    """Raised by a tool that cannot finish now: the run ends with a checkpoint and this call is made again on resume.

    `info` is shown to the caller, `state` comes back to the tool. Calls beside it run to their end.
    """

    def __init__(self, info: Json = None, state: Json = None) -> None:
        super().__init__(info)
        self.info = info
        self.state = state
