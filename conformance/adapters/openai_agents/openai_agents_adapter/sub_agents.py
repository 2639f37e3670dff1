"""Sub-agents: agents as tools, with handlers and limits of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
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
    RunResult,
    RunResultStreaming,
)
from agents.agent_tool_input import StructuredToolInputBuilderOptions
from agents.items import ToolCallOutputItem
from agents.tool_context import ToolContext
from openai.types.responses import ResponseCompletedEvent

import loopspec_adapting as kit
from loopspec import Message
from loopspec.contract.stage import Runs
from loopspec_adapting.cancelling import cut_off_by

from .items import Group, groups_of
from .session import Context
from .streaming import chunk_of

_TYPES: Mapping[str, Any] = {"integer": int, "number": float, "boolean": bool}  # Any: types

RUNS: ContextVar[Runs] = ContextVar("runs")  # of the current scene
STREAMING: ContextVar[bool] = ContextVar("streaming")  # whether the current run streams


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
    conversion: kit.Conversion[Group] | None,
) -> FunctionTool:
    """Build a tool from a sub-agent. An error of the sub-agent is the error of the outer run.

    The events of the sub-agent are forwarded with the `conversion`, or not forwarded without one.
    """
    schema = double.spec.schema
    tool = agent.as_tool(
        double.name,
        parts.spec.description,
        custom_output_extractor=final_output,
        run_config=config,
        max_turns=parts.max_iterations,
        hooks=handlers,
        on_stream=forward if conversion else None,
        failure_error_function=None,
        parameters=Request if schema is None else parameters_of(schema),
        input_builder=request_of if schema is None else None,
    )
    if schema is not None:  # `as_tool` makes a strict schema, in which all arguments are required
        tool.params_json_schema, tool.strict_json_schema = dict(schema), False
    return forwarding(tool, agent.name, conversion) if conversion else tool


async def final_output(result: RunResult | RunResultStreaming) -> str:
    """Return the answer of a sub-agent as it is, also if it is empty."""
    return str(result.final_output)


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


class Forwarded:
    """The events of one call of a sub-agent, as events of the outer run: in chunks, if the outer run streams."""

    def __init__(self, name: str, conversion: kit.Conversion[Group]) -> None:
        self._name, self._conversion, self._runs, self._streaming = name, conversion, RUNS.get(), STREAMING.get()
        self._chunks: asyncio.Queue[Message | Exception | None] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    async def receive(self, payload: AgentToolStreamEvent) -> None:
        """Report an event: a chunk, the end of an answer, or a result."""
        event = payload["event"]
        if isinstance(event, RunItemStreamEvent) and isinstance(event.item, ToolCallOutputItem):
            self._report(groups_of([event.item.to_input_item()]))
        elif isinstance(event, RawResponsesStreamEvent) and isinstance(event.data, ResponseCompletedEvent):
            if not self._streaming:
                self._report(groups_of(event.data.response.output))
            await self.end(None)
        elif isinstance(event, RawResponsesStreamEvent) and self._streaming:
            if self._reading is None:
                self._reading = asyncio.create_task(self._runs.stream(self._name, self._read()))
            self._chunks.put_nowait(chunk_of(event.data, self._conversion))

    async def end(self, error: Exception | None) -> None:
        """End the stream of an answer, or break it with an error."""
        if self._reading is not None:
            self._chunks.put_nowait(error)
            await self._reading
            self._reading = None

    def _report(self, groups: list[Group]) -> None:
        for message in self._conversion.all_to_wire(groups):
            self._runs.event(self._name, message)

    async def _read(self) -> AsyncIterator[Message]:
        while (chunk := await self._chunks.get()) is not None:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk


_FORWARDED: ContextVar[Forwarded] = ContextVar("forwarded")  # of the current call of a sub-agent


async def forward(payload: AgentToolStreamEvent) -> None:
    """Report an event of the current call of a sub-agent."""
    await _FORWARDED.get().receive(payload)


def forwarding(tool: FunctionTool, name: str, conversion: kit.Conversion[Group]) -> FunctionTool:
    """Report the events of each call of a sub-agent. A call that fails breaks the stream of its answer."""
    invoke = tool.on_invoke_tool

    async def call(context: ToolContext[Any], args: str) -> object:
        forwarded = Forwarded(name, conversion)
        _FORWARDED.set(forwarded)
        try:
            return await invoke(context, args)
        except Exception as error:
            await forwarded.end(error)
            raise
        except asyncio.CancelledError as error:
            await forwarded.end(cut_off_by(error))
            raise

    tool.on_invoke_tool = call
    return tool
