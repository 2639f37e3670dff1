"""Then: sub-agents as tools."""

from __future__ import annotations

import json
from typing import NamedTuple

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import ModelCall, Observation
from loopspec.contract.values import Json, ToolInfo

from ..cells import TEXT, YES_NO
from ..declarations import Column, Columns, SeenColumn, SeenColumns, Table
from ..phrasebook import then
from .observed import model_call


class _Argument(NamedTuple):
    """An argument that a tool takes."""

    name: str
    type: str
    required: bool


OFFERED: SeenColumns[ToolInfo] = SeenColumns(
    "tools that a model receives",
    "All tools that the model call receives, in order, one per row.",
    SeenColumn("name", "The name of the tool.", TEXT, lambda tool: tool.name, required=True),
    SeenColumn("description", "The description of the tool.", TEXT, lambda tool: tool.description, required=True),
)
ARGUMENTS: SeenColumns[_Argument] = SeenColumns(
    "arguments of a tool",
    "All arguments of the tool in any order, one per row.",
    SeenColumn("name", "The name of the argument.", TEXT, lambda argument: argument.name, required=True),
    SeenColumn("type", "The JSON Schema type of the argument.", TEXT, lambda argument: argument.type, required=True),
    SeenColumn(
        "required", "Whether the argument is required.", YES_NO, lambda argument: argument.required, required=True
    ),
    named=True,
)
SENT = Column("text", "A text that one call of the model contains, and no other call.", TEXT, required=True)
SENT_TEXTS: Columns[Column[object]] = Columns(
    "texts by call", "The texts that distinguish the calls of a model, one per row.", SENT
)


@then("model call {call:d} receives the tool descriptions", OFFERED)
def model_call_is_offered(seen: Observation, call: int, table: Table) -> None:
    """The names and descriptions of all tools that call n receives, in order."""
    tools = model_call(seen, call).request.tools
    OFFERED.compare("the tools offered", table, tools)


@then('model call {call:d} receives "{tool}" with the parameters', ARGUMENTS)
def model_call_is_offered_arguments(seen: Observation, call: int, tool: str, table: Table) -> None:
    """All arguments that the tool takes according to its schema, in any order."""
    offered = [info for info in model_call(seen, call).request.tools if info.name == tool]
    if len(offered) != 1:
        raise Mismatch(f"how often {tool!r} is offered", 1, len(offered))
    schema = offered[0].parameters
    properties: dict[str, dict[str, Json]] = schema.get("properties", {})
    needed = schema.get("required", [])
    found = [_Argument(name, _type(known.get("type")), name in needed) for name, known in properties.items()]
    ARGUMENTS.compare("the arguments, sorted", table, found, sort=True)


def _type(type_: Json) -> str:
    return type_ if isinstance(type_, str) else json.dumps(type_)


@then('call {call:d} of the model "{model}" contains, in this order')
def model_call_contains(seen: Observation, call: int, model: str, docstring: str) -> None:
    """The conversation of the call contains each line below the step, in order. Other texts can lie between them."""
    rest = _said(model_call(seen, call, model=model))
    for line in docstring.splitlines():
        _, found, rest = rest.partition(line.strip())
        if not found:
            raise Mismatch("the conversation", docstring.splitlines(), _said(model_call(seen, call, model=model)))


@then('in any order, the model "{model}" receives the texts', SENT_TEXTS)
def model_receives_texts(seen: Observation, model: str, table: Table) -> None:
    """The model has one call per row, whose conversation contains the text of the row and no text of another row."""
    texts = [SENT.text(row) for row in table]
    calls = [_said(call) for call in seen.model_calls if call.model == model]
    received = sorted([text for text in texts if text in said] for said in calls)
    expect("the texts that the model is sent, call by call", sorted([text] for text in texts), received)


def _said(call: ModelCall) -> str:
    return "\n".join(message.content for message in call.messages)
