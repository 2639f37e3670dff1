"""Realistic bugs about instructions files and backends."""

from __future__ import annotations

from contextlib import AbstractContextManager
from unittest.mock import patch

from msgspec.structs import replace

from loopspec_reference import AnyMessage, ModelContext, ReadRequest, State
from loopspec_reference.agentsmd import AgentsMD, backends, loader

from ..registry import bug

_Loading = loader._Loading


@bug("AMD-INJECT-06")
def inserts_the_instructions_into_the_system_message_as_well() -> AbstractContextManager[object]:
    """Inserts the instructions as a message, and also appends them to the system message."""
    before_model = AgentsMD.before_model

    async def inserts(
        self: AgentsMD[AnyMessage], state: State[AnyMessage], context: ModelContext[AnyMessage]
    ) -> State[AnyMessage]:
        after = await before_model(self, state, context)
        added = [one for one in after.messages if all(one is not known for known in state.messages)]
        first, *others = after.messages or (None,)
        if not added or first is None or first.role != "system":
            return after
        system = self._message_type.system(f"{first.text}\n\n{added[0].text}")
        return replace(after, messages=(system, *(one for one in others if one is not None)))

    return patch.object(AgentsMD, "before_model", inserts)


@bug("BACKEND-03", backend="memory")
def fails_after_the_last_line() -> AbstractContextManager[object]:
    """Raises an error for a first line after the end of the file."""
    pick = backends.pick_lines

    def picks(content: bytes, request: ReadRequest) -> bytes:
        lines = len(content.splitlines())
        if request.offset > max(lines, 1):
            raise ValueError(f"the first line is {request.offset}, and the file has {lines} lines")
        return pick(content, request)

    return patch.object(backends, "pick_lines", picks)


@bug("BACKEND-03", backend="memory")
def rejects_a_limit_below_one_line() -> AbstractContextManager[object]:
    """Raises an error for a number of lines below one if the first line is not the first of the file."""
    pick = backends.pick_lines

    def picks(content: bytes, request: ReadRequest) -> bytes:
        if request.limit < 1:
            raise ValueError(f"the last line precedes the first line {request.offset}")
        return pick(content, request)

    return patch.object(backends, "pick_lines", picks)
