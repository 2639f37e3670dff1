"""The request of a model call: its messages, and its options, which have the tools and the instructions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import agent_framework as af

import loopspec_adapting as kit

from .tools import tool_of


def tools_in(context: af.ChatContext) -> Sequence[af.FunctionTool]:
    """The tools of a request."""
    return (context.options or {}).get("tools") or ()


def names_in(context: af.ChatContext) -> list[str]:
    """The names of a request's tools."""
    return [tool.name for tool in tools_in(context)]


def system_in(context: af.ChatContext) -> str:
    """The instructions of a request."""
    return (context.options or {}).get("instructions") or ""


def answer_in(
    messages: Sequence[af.Message], request: Sequence[af.Message], answer: Sequence[af.Message]
) -> list[af.Message]:
    """The part of a changed conversation that is the answer: all messages that follow those of the request."""
    asked = [at for at, one in enumerate(messages) if any(one is kept for kept in request)]
    answered = [at for at, one in enumerate(messages) if any(one is kept for kept in answer)]
    return list(messages[max([*(at + 1 for at in asked), *answered[:1]], default=0) :])


def change_request(context: af.ChatContext, change: kit.Change[af.Message], parts: kit.Parts[af.Message]) -> None:
    """Change one request: the later requests of a run have the messages and the options from before."""
    options: dict[str, Any] = {}  # Any: the options of a chat client
    if change.system_changed:
        options["instructions"] = change.system
    if change.tools_changed:
        options["tools"] = _picked(context, change, parts)
    if change.model is not None:
        options["model"] = change.model
    context.messages = list(change.messages)
    if options:
        context.options = {**(context.options or {}), **options}


def keep_tools(context: af.ChatContext, change: kit.Change[af.Message], parts: kit.Parts[af.Message]) -> None:
    """Change the tools of the later requests as well: all requests of a run share their options."""
    if change.tools_changed:
        cast("dict[str, Any]", context.options)["tools"] = _picked(context, change, parts)


def _picked(
    context: af.ChatContext, change: kit.Change[af.Message], parts: kit.Parts[af.Message]
) -> list[af.FunctionTool]:
    known = {tool.name: tool for tool in tools_in(context)}
    return parts.pick(change.tools or (), known, tool_of)
