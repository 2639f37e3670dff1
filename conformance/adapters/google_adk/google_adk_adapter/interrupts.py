"""Interrupts: a tool that interrupts requests a confirmation, whose payload carries the caller's answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.adk.events import Event
from google.adk.flows.llm_flows.functions import REQUEST_CONFIRMATION_FUNCTION_CALL_NAME as CONFIRMATION
from google.adk.sessions import Session
from google.adk.tools.tool_context import ToolContext
from google.genai import types

import loopspec_adapting as kit
from loopspec import Interruption, Resumed
from loopspec.contract.values import Json


async def call_tool(double: kit.ToolDouble, args: dict[str, object], context: ToolContext) -> object:
    """Call a tool, for the second time with the payload of its confirmation."""
    resumed = None
    if context.tool_confirmation is not None:
        payload = context.tool_confirmation.payload or {}
        resumed = Resumed(state=payload["state"], data=payload["data"])
    try:
        return {"result": await double.call(args, context.function_call_id or "", resumed)}
    except Interruption as interruption:
        context.request_confirmation(payload={"info": interruption.info, "state": interruption.state})
        context.actions.skip_summarization = True  # ADK's own confirmations do the same: the model waits
        return {"error": "This tool call requires confirmation."}


def requests_in(event: Event) -> list[tuple[str, dict[str, Any]]]:
    """The confirmations that an event requests: the id of each request, and its payload. Any: JSON of a tool."""
    calls = [call for call in event.get_function_calls() if call.name == CONFIRMATION]
    return [(call.id or "", ((call.args or {}).get("toolConfirmation") or {}).get("payload") or {}) for call in calls]


def without_pending(event: Event) -> types.Content | None:
    """The content of an event without the results of the calls that wait for a confirmation."""
    pending = event.actions.requested_tool_confirmations
    if event.content is None or not pending:
        return event.content
    settled = [
        part
        for part in event.content.parts or ()
        if part.function_response is None or part.function_response.id not in pending
    ]
    return types.Content(role=event.content.role, parts=settled) if settled else None


def conversation_of(events: Sequence[Event]) -> list[types.Content]:
    """The contents of events without the confirmations, as ADK sends them to a model, and without results that wait."""
    contents = []
    for event in events:
        asked = [response for response in event.get_function_responses() if response.name == CONFIRMATION]
        content = None if asked or requests_in(event) else without_pending(event)
        if content is not None:
            contents.append(content)
    return contents


def confirmations(session: Session, answers: Mapping[str, Json]) -> types.Content:
    """The caller's message that confirms each call that waits, with an answer."""
    answered = {response.id for event in session.events for response in event.get_function_responses()}
    parts = []
    for call_id, payload in (one for event in session.events for one in requests_in(event)):
        if call_id not in answered:
            given = {"state": payload["state"], "data": answers.get(call_id)}
            response = types.FunctionResponse(
                id=call_id, name=CONFIRMATION, response={"confirmed": True, "payload": given}
            )
            parts.append(types.Part(function_response=response))
    return types.Content(role="user", parts=parts)
