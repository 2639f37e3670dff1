"""Sub-agents: an agent as a tool of another agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.tools.agent_tool import AgentTool
from google.adk.tools.base_tool import BaseTool
from pydantic import BaseModel, create_model

from loopspec.contract.values import Json
from loopspec_adapting import ToolDouble

_TYPES: Mapping[object, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


def agent_tool(agent: LlmAgent, double: ToolDouble) -> BaseTool:
    """Build a tool from an agent. ADK takes a custom input schema from the agent, as a model of pydantic."""
    if double.spec.schema is not None:
        agent.input_schema = input_schema(double.spec.schema)
    return AgentTool(agent, skip_summarization=double.directly)


def input_schema(schema: Mapping[str, Json]) -> type[BaseModel]:
    """Convert a JSON Schema of an object to a model of pydantic."""
    properties, required = schema.get("properties"), schema.get("required")
    fields: dict[str, Any] = {}  # Any: create_model takes fields as types, or as types with defaults
    for name, one in properties.items() if isinstance(properties, dict) else ():
        kind = _TYPES[one["type"]] if isinstance(one, dict) else str
        fields[name] = kind if isinstance(required, list) and name in required else (kind, None)
    return create_model("Input", **fields)
