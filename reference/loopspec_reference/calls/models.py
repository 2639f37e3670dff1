"""The model interface and the request of a model call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Generic, Protocol

from msgspec import Struct

from ..tools.kinds import ToolInfo
from ..values.errors import ConfigError
from ..values.messages import M


class ModelRequest(Struct, Generic[M], frozen=True):
    """The input of one model call. `streaming` says whether the run needs the answer in chunks.

    A `model` that a wrapper sets is called instead of the agent's own.
    """

    messages: Sequence[M]
    tools: Sequence[ToolInfo] = ()
    deferred_tools: Sequence[ToolInfo] = ()
    tool_search: ToolInfo | None = None
    streaming: bool = False
    model: Model[M] | None = None


class Model(Protocol, Generic[M]):
    """A chat model.

    The optional attribute `reports_callbacks` is True for a model that reports its own calls to the callbacks
    (ORDER-MODEL-08). The optional attribute `takes_tools` is False for a model that serves only agents without tools
    (CFG-17).
    """

    async def generate(self, request: ModelRequest[M]) -> M:
        """Answer the conversation: with a text, with calls of the offered tools, or with both."""

    def stream(self, request: ModelRequest[M]) -> AsyncIterator[M]:
        """Answer the conversation in chunks. An error before the first chunk is a failure to open the stream."""


def reports_callbacks(model: Model[M]) -> bool:
    """Return whether the model reports its own calls."""
    return bool(getattr(model, "reports_callbacks", False))


def check_model(model: Model[M], tools: Sequence[object]) -> None:
    """Raise `ConfigError` for a model that cannot take the agent's tools (CFG-17)."""
    if tools and not getattr(model, "takes_tools", True):
        raise ConfigError("an agent with tools needs a model that takes tools")
