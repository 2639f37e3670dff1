"""Interrupts: calls that need approval, and a tool that requests it in its call: it carries the caller's answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from agent_framework import AgentSession, Content, FunctionInvocationContext, Message, UserInputRequiredException

from loopspec import Interruption, Resumed
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of
from loopspec.contract.values import Json
from loopspec_adapting import ToolDouble


async def call_tool(double: ToolDouble, ctx: FunctionInvocationContext, args: dict[str, object]) -> str | None:
    """Call a tool, for the second time with what its approval carries."""
    response: Content | None = ctx.metadata.get("approval_response")
    resumed = None
    if response is not None and "state" in response.additional_properties:
        resumed = Resumed(state=response.additional_properties["state"], data=response.additional_properties["data"])
    try:
        return await double.call(args, ctx.metadata["call_id"], resumed)
    except Interruption as interruption:
        raise UserInputRequiredException([_request(ctx, args, interruption)]) from interruption


def _request(ctx: FunctionInvocationContext, args: dict[str, object], interruption: Interruption) -> Content:
    call_id, occurrence = ctx.metadata["call_id"], ctx.metadata.get("function_call_occurrence_id")
    call = Content.from_function_call(call_id, ctx.function.name, arguments=json.dumps(args))
    call.id = occurrence
    shown = {"info": interruption.info, "state": interruption.state}
    return Content.from_function_approval_request(occurrence or call_id, call, additional_properties=shown)


def checkpoint_of(session: AgentSession, requests: Sequence[Content]) -> bytes:
    """Return the checkpoint of an interrupted run: its session, and the calls that wait."""
    return json.dumps({"session": session.to_dict(), "requests": [one.to_dict() for one in requests]}).encode()


def restored(checkpoint: bytes) -> tuple[AgentSession, list[Content]]:
    """Return the session of an interrupted run, and the calls that wait."""
    stored = json.loads(checkpoint)
    return AgentSession.from_dict(stored["session"]), [Content.from_dict(one) for one in stored["requests"]]


def shown(request: Content) -> Json:
    """Return what a caller is shown of a call that waits."""
    call = request.function_call
    assert call is not None, "a request for approval has a call"
    return request.additional_properties.get("info", info_of(call.name or "", call.call_id or ""))


def approvals(requests: Sequence[Content], answers: Mapping[str, Any]) -> list[Message]:  # Any: JSON
    """Return the message with the caller's decisions about the calls that wait.

    A call that interrupted the run is approved with the caller's answer.
    """
    contents = []
    for request in requests:
        answer = answers.get(request.id or "")
        if "state" in request.additional_properties:
            response = request.to_function_approval_response(approved=True)  # with the properties of the request
            response.additional_properties = {**response.additional_properties, "data": answer}
            contents.append(response)
        elif answer is not None:
            contents.append(request.to_function_approval_response(msgspec.convert(answer, Decision).approved))
    return [Message("user", contents)] if contents else []
