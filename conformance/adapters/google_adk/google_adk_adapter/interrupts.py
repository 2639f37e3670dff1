"""Interrupts: calls that need a confirmation, and a tool that requests one: its payload carries an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from google.adk.events import Event
from google.adk.flows.llm_flows.functions import REQUEST_CONFIRMATION_FUNCTION_CALL_NAME as CONFIRMATION
from google.adk.sessions import Session
from google.adk.tools.tool_context import ToolContext
from google.genai import types

import loopspec_adapting as kit
from loopspec import Interruption, Resumed
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of
from loopspec.contract.values import Json


async def call_tool(double: kit.ToolDouble, args: dict[str, object], context: ToolContext) -> object:
    """Call a tool, for the second time with the payload of its confirmation."""
    resumed = None
    if context.tool_confirmation is not None and context.tool_confirmation.payload is not None:
        payload = context.tool_confirmation.payload
        resumed = Resumed(state=payload["state"], data=payload["data"])
    try:
        return {"result": await double.call(args, context.function_call_id or "", resumed)}
    except Interruption as interruption:
        context.request_confirmation(payload={"info": interruption.info, "state": interruption.state})
        context.actions.skip_summarization = True  # ADK's own confirmations do the same: the model waits
        return {"error": "This tool call requires confirmation."}


def requests_in(event: Event) -> list[tuple[str, Json, dict[str, Any]]]:
    """The confirmations that an event requests: the id, what a caller is shown, and the payload. Any: JSON."""
    found = []
    for call in event.get_function_calls():
        if call.name == CONFIRMATION:
            args = call.args or {}
            waiting, payload = args["originalFunctionCall"], (args.get("toolConfirmation") or {}).get("payload") or {}
            found.append((call.id or "", payload.get("info", info_of(waiting["name"], waiting["id"])), payload))
    return found


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
    """The caller's message with the decisions, and with a confirmation of each call that interrupted the run."""
    answered = {response.id for event in session.events for response in event.get_function_responses()}
    responses: dict[str, dict[str, Any]] = {  # Any: JSON
        call_id: {"confirmed": True, "payload": {"state": payload["state"], "data": answers.get(call_id)}}
        for event in session.events
        for call_id, _, payload in requests_in(event)
        if call_id not in answered and payload
    }
    for call_id, answer in answers.items():
        if call_id not in responses:
            responses[call_id] = {"confirmed": msgspec.convert(answer, Decision).approved}
    parts = [
        types.Part(function_response=types.FunctionResponse(id=call_id, name=CONFIRMATION, response=response))
        for call_id, response in responses.items()
    ]
    return types.Content(role="user", parts=parts)
