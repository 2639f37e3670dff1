"""Approvals: a hook before a tool call interrupts the run, as the documents of Strands show."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from strands.hooks import BeforeToolCallEvent
from strands.types.content import Message

import loopspec_adapting as kit
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of

APPROVAL = "needs approval"  # the name of the interrupts


def approvals_of(parts: kit.Parts[Message]) -> list[Callable[[Any], Awaitable[None]]]:  # Any: an event
    """Return the hook that asks before each call of a tool that needs approval, if there is such a tool."""
    asking = [tool.info.name for tool in parts.tools if tool.spec.approval]

    async def ask(event: BeforeToolCallEvent) -> None:
        use = event.tool_use
        if use["name"] not in asking:
            return
        response = event.interrupt(APPROVAL, reason=info_of(use["name"], use["toolUseId"]))
        decision = msgspec.convert(response["data"], Decision)
        if not decision.approved:
            event.cancel_tool = decision.reason or True
        elif decision.arguments is not None:
            use["input"] = kit.args_object(decision.arguments)

    return [ask] if asking else []
