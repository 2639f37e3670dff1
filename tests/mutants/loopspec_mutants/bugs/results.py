"""Realistic bugs about the results of tools."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop import agents
from loopspec_reference.values.messages import AnyMessage

from ..registry import bug


@bug("LOOP-03")
def leaves_out_empty_results() -> AbstractContextManager[object]:
    """Leaves an empty tool result out of the conversation."""

    def state(messages: tuple[AnyMessage, ...], *rest: Any) -> State[AnyMessage]:  # Any: passed on
        return State(tuple(one for one in messages if one.role != "tool" or one.outcome), *rest)

    return patch.object(agents, "State", state)
