"""The events of a run: what a LangGraph stream yields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langgraph.errors import GraphBubbleUp, GraphInterrupt
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Interrupt

from loopspec import Message
from loopspec_adapting import Reporter, result_message

from .cancelling import Cancelled, drained, in_task
from .interrupts import Saver, shown
from .plugins import OWN

Graph = CompiledStateGraph[Any, Any, Any, Any]
# The outputs of nodes, the states, and custom events; in a streaming run also the chunks of models and of tools.
MODES, STREAMING = ("updates", "values", "custom"), ("messages", "tools")


async def report_events(graph: Graph, given: Any, thread: str, report: Reporter[BaseMessage]) -> None:
    """Iterate over the stream of a run. Report its events, the states, and the final answer or the interrupts."""
    assert isinstance(graph.checkpointer, Saver)
    events = Events(report)
    if report.run.saves:
        graph.checkpointer.on_save = lambda: report.saved(graph.checkpointer.checkpoint(thread))
    try:
        await in_task(_iterate(graph, given, thread, report, events), report)
    except (Cancelled, GraphBubbleUp):
        report.cancelled(graph.checkpointer.checkpoint(thread))
        raise
    finally:
        report.session({}, {key: value for key, value in events.values.items() if key not in OWN})
    if events.interrupts:
        checkpoint = graph.checkpointer.checkpoint(thread)
        report.interrupted(checkpoint, [(one.id, shown(one)) for one in events.interrupts])
    elif messages := events.values.get("messages"):
        report.final(report.conversion.to_wire(messages[-1])[0])


async def _iterate(graph: Graph, given: Any, thread: str, report: Reporter[BaseMessage], events: Events) -> None:
    modes: Any = [*MODES, *(STREAMING if report.run.streaming else ())]  # Any: LangGraph's types lack the mode `tools`
    config: Any = {"configurable": {"thread_id": thread}}
    options: Any = {"config": config, "context": report.run.context, "stream_mode": modes}
    run = report.run
    if run.saves:
        options["durability"] = "sync"
    stream = (
        drained(graph, given, report, **options) if run.cancellable or run.cancels else graph.astream(given, **options)
    )
    async with AsyncExitStack() as events.streams:
        async for mode, chunk in stream:
            await events.take(mode, chunk)


class Events:
    """The events of one run. `values` is the last state of the graph."""

    def __init__(self, report: Reporter[BaseMessage]) -> None:
        self._report, self.streams = report, AsyncExitStack()
        self._open: dict[str, tuple[AsyncExitStack, Callable[[Message], None]]] = {}
        self._texts: dict[str, str] = {}
        self._answering = ""
        self.values: Mapping[str, Any] = {}
        self.interrupts: list[Interrupt] = []

    async def take(self, mode: str, chunk: Any) -> None:
        """Report what LangGraph has yielded."""
        match mode:
            case "values":
                self.values = chunk
            case "custom":
                self._report.custom(chunk)
            case "messages":
                await self._model_chunk(*chunk)
            case "tools" if chunk["event"] == "tool-output-delta":
                await self._push(chunk["tool_call_id"], result_message(chunk["delta"], chunk["tool_call_id"], None))
            case "tools" if chunk["event"] == "tool-finished":
                await self._end(chunk["tool_call_id"])
            case "updates":
                await self._updates(chunk)

    async def _model_chunk(self, chunk: BaseMessage, metadata: Mapping[str, Any]) -> None:
        """A chunk of an answer of the agent's model, or an answer that no model has streamed, which is one chunk.

        LangChain ends the chunks of a model with an empty one.
        """
        if not isinstance(chunk, AIMessage) or metadata.get("langgraph_node") != "model":
            return
        if chunk.id != self._answering:  # the answer before has broken off, which LangChain does not report otherwise
            await self._end(self._answering)
            self._answering = chunk.id or ""
        part = chunk if isinstance(chunk, AIMessageChunk) else None
        ends = part is None or part.chunk_position == "last"
        if not ends or part is None or part.content or part.tool_call_chunks:
            await self._push(self._answering, self._report.conversion.to_wire(chunk)[0])
        if ends:
            await self._end(self._answering)

    async def _push(self, key: str, chunk: Message) -> None:
        if key not in self._open:
            stream = await self.streams.enter_async_context(AsyncExitStack())
            self._open[key] = stream, await stream.enter_async_context(self._report.stream())
            self._texts[key] = ""
        self._open[key][1](chunk)
        self._texts[key] += chunk.content

    async def _end(self, key: str) -> None:
        if key in self._open:
            await self._open.pop(key)[0].aclose()

    async def _pause(self) -> None:
        """Break the streams of the tools that have interrupted the run: LangGraph reports no end of them."""
        paused = GraphInterrupt(self.interrupts)
        while self._open:
            _, (stream, _) = self._open.popitem()
            await stream.__aexit__(GraphInterrupt, paused, None)

    async def _updates(self, updates: Mapping[str, Any]) -> None:
        """Report the answers and results of nodes.

        Of hooks, only results in the place of a tool, and the answer with which a hook ends the run.
        """
        known = {message.id for message in self.values.get("messages", ())}
        if "__interrupt__" in updates:
            self.interrupts += updates["__interrupt__"]
            await self._pause()
        for node, update in updates.items():
            ends = isinstance(update, Mapping) and update.get("jump_to") == "end"
            kinds = (AIMessage, ToolMessage) if node in ("model", "tools") or ends else (ToolMessage,)
            for message in messages_in(update):
                if isinstance(message, kinds) and message.id not in known:
                    await self._message(message)

    async def _message(self, message: AIMessage | ToolMessage) -> None:
        """Report a whole message, unless its text has been streamed."""
        key = message.tool_call_id if isinstance(message, ToolMessage) else message.id or ""
        await self._end(key if isinstance(message, ToolMessage) else self._answering)
        if self._texts.get(key) != message.text:
            self._report.message(message)


def messages_in(update: Any) -> Iterator[BaseMessage]:
    """The messages in the output of a node, which is one update or several."""
    if isinstance(update, Mapping):
        yield from (one for one in update.get("messages", ()) if isinstance(one, BaseMessage))
    elif isinstance(update, list | tuple):
        for one in update:
            yield from messages_in(one)
