"""What answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol

from ..tools.kinds import ToolInfo
from ..values.messages import M


@dataclass(frozen=True)
class ModelRequest(Generic[M]):
    """What one model call sends. `streaming` says how the answer is wanted.

    A `model` that a wrapper puts in is asked instead of the agent's own.
    """

    messages: Sequence[M]
    tools: Sequence[ToolInfo] = ()
    deferred_tools: Sequence[ToolInfo] = ()
    tool_search: ToolInfo | None = None
    streaming: bool = False
    model: Model[M] | None = None


class Model(Protocol, Generic[M]):
    """A chat model.

    An attribute `reports_callbacks` is looked for and may be missing: True for a model that reports its own calls to
    the callbacks (ORDER-MODEL-08).
    """

    async def generate(self, request: ModelRequest[M]) -> M:
        """Answer the conversation, with a text, with calls of the tools offered, or with both."""
        ...

    def stream(self, request: ModelRequest[M]) -> AsyncIterator[M]:
        """Answer likewise, in chunks. An error before the first one is a failure to open the stream."""
        ...


def reports_callbacks(model: Model[M]) -> bool:
    """Whether the model reports its own calls."""
    return bool(getattr(model, "reports_callbacks", False))
