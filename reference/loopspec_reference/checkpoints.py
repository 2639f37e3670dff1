"""What an interrupted run needs to go on, as bytes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Raw, Struct

from .messages import Json, M
from .tools import ToolInfo


class Checkpoint(Struct, frozen=True):
    """A run that stopped between an answer that asks for tools and the results of those tools.

    `messages` is the encoded conversation, the answer last; `results` are the calls that had finished, `states`
    what the interrupted ones left behind, both by position in the answer: ids need not differ.
    """

    messages: Raw
    tools: tuple[ToolInfo, ...]
    iteration: int
    local: Mapping[str, Json]
    session: Mapping[str, Json]
    results: Mapping[int, str]
    states: Mapping[int, Json]

    def conversation(self, message_type: type[M]) -> tuple[M, ...]:
        """The messages of the run."""
        return msgspec.json.decode(self.messages, type=tuple[message_type, ...])  # type: ignore[valid-type]  # a runtime type
