"""Sub-agents: agents as tools, with handlers and limits of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, make_dataclass
from typing import Any

from agents import (
    Agent,
    AgentToolStreamEvent,
    FunctionTool,
    RawResponsesStreamEvent,
    RunConfig,
    RunHooks,
    RunItemStreamEvent,
)
from agents.agent_tool_input import StructuredToolInputBuilderOptions
from agents.items import ToolCallOutputItem
from openai.types.responses import ResponseCompletedEvent

import loopspec_adapting as kit
from loopspec.contract.stage import Runs

from .items import Group, groups_of
from .session import Context

_TYPES: Mapping[str, Any] = {"integer": int, "number": float, "boolean": bool}  # Any: types

RUNS: ContextVar[Runs] = ContextVar("runs")  # of the current scene
Forward = Callable[[AgentToolStreamEvent], None]


@dataclass
class Request:
    """The arguments of an agent as a tool, unless its scene has a schema."""

    request: str


def agent_tool(
    double: kit.ToolDouble,
    parts: kit.Parts[Group],
    agent: Agent[Context],
    handlers: RunHooks[Context],
    config: RunConfig,
    forward: Forward | None,
) -> FunctionTool:
    """Build a tool from a sub-agent. An error of the sub-agent is the error of the outer run."""
    schema = double.spec.schema
    return agent.as_tool(
        double.name,
        parts.spec.description,
        run_config=config,
        max_turns=parts.max_iterations,
        hooks=handlers,
        on_stream=forward,
        failure_error_function=None,
        parameters=Request if schema is None else parameters_of(schema),
        input_builder=request_of if schema is None else None,
    )


def request_of(options: StructuredToolInputBuilderOptions) -> str:
    """Return the input of a sub-agent without a schema."""
    return str(options["params"]["request"])


def parameters_of(schema: Mapping[str, Any]) -> type:  # Any: a JSON Schema
    """Return the type of arguments with a schema: the SDK takes types only."""
    required, optional = list[Any](), list[Any]()  # Any: a name and a type, with a default if optional
    for name, one in schema.get("properties", {}).items():
        kind = _TYPES.get(one.get("type"), str)
        if name in schema.get("required", ()):
            required.append((name, kind))
        else:
            optional.append((name, kind | None, field(default=None)))
    return make_dataclass("Arguments", required + optional)


def forward_with(conversion: kit.Conversion[Group]) -> Forward:
    """Return a function that reports the events of a sub-agent among the events of the outer run."""

    def forward(payload: AgentToolStreamEvent) -> None:
        event, groups = payload["event"], list[Group]()
        if isinstance(event, RawResponsesStreamEvent) and isinstance(event.data, ResponseCompletedEvent):
            groups = groups_of(event.data.response.output)
        elif isinstance(event, RunItemStreamEvent) and isinstance(event.item, ToolCallOutputItem):
            groups = groups_of([event.item.to_input_item()])
        for message in conversion.all_to_wire(groups):
            RUNS.get().event(payload["agent"].name, message)

    return forward
