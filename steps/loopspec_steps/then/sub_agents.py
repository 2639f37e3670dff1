"""Then: what a model is told about an agent that is a tool, and what that agent's model is told in its turn."""

from __future__ import annotations

import json

from loopspec.contract.mismatch import Mismatch, expect
from loopspec.contract.observation import ModelCall, Observation
from loopspec.contract.values import Json

from ..phrasebook import Table, then
from .observed import errors_of, model_call


@then("model call {call:d} is offered")
def model_call_is_offered(seen: Observation, call: int, table: Table) -> None:
    """The `name` and the `description` of all tools sent with the n-th model call."""
    tools = [f"{tool.name} | {tool.description}" for tool in model_call(seen, call).request.tools]
    expect("the tools offered", [f"{row['name']} | {row['description']}" for row in table], tools)


@then('model call {call:d} is offered "{tool}" with the arguments')
def model_call_is_offered_arguments(seen: Observation, call: int, tool: str, table: Table) -> None:
    """All arguments that one of the tools takes, in any order, by `name`, `type` and whether they are `required`."""
    offered = [info for info in model_call(seen, call).request.tools if info.name == tool]
    if len(offered) != 1:
        raise Mismatch(f"how often {tool!r} is offered", 1, len(offered))
    schema = offered[0].parameters
    properties: dict[str, dict[str, Json]] = schema.get("properties", {})
    needed = schema.get("required", [])
    found = [
        _argument(name, known.get("type"), "yes" if name in needed else "no") for name, known in properties.items()
    ]
    wanted = [_argument(row["name"], row["type"], row["required"]) for row in table]
    expect("the arguments, sorted", sorted(wanted), sorted(found))


def _argument(name: str, type_: Json, required: str) -> str:
    return f"{name} | {type_ if isinstance(type_, str) else json.dumps(type_)} | required: {required}"


@then('call {call:d} of the model "{model}" tells, in this order')
def model_call_tells(seen: Observation, call: int, model: str, docstring: str) -> None:
    """Each line is somewhere in the conversation, behind the one before it; other texts may lie between."""
    rest = _said(model_call(seen, call, model=model))
    for line in docstring.splitlines():
        _, found, rest = rest.partition(line.strip())
        if not found:
            raise Mismatch("the conversation", docstring.splitlines(), _said(model_call(seen, call, model=model)))


@then('in any order, the model "{model}" is told')
def model_is_told(seen: Observation, model: str, table: Table) -> None:
    """For each row there is one call of the model whose conversation has the `text`; and there are no more calls."""
    texts = [row["text"] for row in table]
    calls = [_said(call) for call in seen.model_calls if call.model == model]
    told = sorted([text for text in texts if text in said] for said in calls)
    expect("the texts that the model is sent, call by call", sorted([text] for text in texts), told or errors_of(seen))


def _said(call: ModelCall) -> str:
    return "\n".join(message.content for message in call.messages)
