"""Interrupts: calls that need approval, and tools and middlewares that ask for it: it carries the caller's answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from agent_framework import AgentSession, Content, FunctionInvocationContext, Message, UserInputRequiredException

from loopspec import Interruption, Resumed
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of
from loopspec.contract.values import Json
from loopspec_adapting import ToolDouble


@contextmanager
def interrupting(ctx: FunctionInvocationContext, args: Mapping[str, object], by: str) -> Iterator[Resumed | None]:
    """The body of a tool or a middleware that may interrupt its run, with the caller's answer if it has done so before.

    An approval carries everything that has interrupted the call: a resumed run calls the middlewares from their
    beginning.
    """
    response: Content | None = ctx.metadata.get("approval_response")
    asked = response.additional_properties.get("asked", []) if response is not None else []
    own = [Resumed(state=one["state"], data=one["data"]) for one in asked if one["by"] == by]
    try:
        yield own[-1] if own else None
    except Interruption as interruption:
        asked = [*asked, {"by": by, "info": interruption.info, "state": interruption.state}]
        raise UserInputRequiredException([_request(ctx, args, asked)]) from interruption


async def call_tool(double: ToolDouble, ctx: FunctionInvocationContext, args: dict[str, object]) -> str | None:
    """Call a tool, for the second time with what its approval carries."""
    with interrupting(ctx, args, "tool") as resumed:
        return await double.call(args, ctx.metadata["call_id"], resumed)


def _request(ctx: FunctionInvocationContext, args: Mapping[str, object], asked: Sequence[Json]) -> Content:
    call_id, occurrence = ctx.metadata["call_id"], ctx.metadata.get("function_call_occurrence_id")
    call = Content.from_function_call(call_id, ctx.function.name, arguments=json.dumps(args))
    call.id = occurrence
    asking = {"asked": asked}
    return Content.from_function_approval_request(occurrence or call_id, call, additional_properties=asking)


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
    asked = request.additional_properties.get("asked")
    return asked[-1]["info"] if asked else info_of(call.name or "", call.call_id or "")


def approvals(requests: Sequence[Content], answers: Mapping[str, Any]) -> list[Message]:  # Any: JSON
    """Return the message with the caller's decisions about the calls that wait.

    A call that interrupted the run is approved with the caller's answer.
    """
    contents = []
    for request in requests:
        answer = answers.get(request.id or "")
        if asked := request.additional_properties.get("asked"):
            response = request.to_function_approval_response(approved=True)
            response.additional_properties = {"asked": [*asked[:-1], {**asked[-1], "data": answer}]}
            contents.append(response)
        elif answer is not None:
            contents.append(request.to_function_approval_response(msgspec.convert(answer, Decision).approved))
    return [Message("user", contents)] if contents else []
