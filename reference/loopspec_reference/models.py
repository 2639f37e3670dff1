"""What answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol

from .messages import M
from .tools import ToolInfo


class Model(Protocol, Generic[M]):
    """A chat model."""

    async def generate(self, messages: Sequence[M], tools: Sequence[ToolInfo]) -> M:
        """Answer the conversation, with a text, with calls of the tools offered, or with both."""
        ...
