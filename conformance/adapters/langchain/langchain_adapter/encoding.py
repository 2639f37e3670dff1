"""What a run of LangChain's streams, as the events of a run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langgraph.types import Interrupt

from loopspec.contract.stage import Runs
from loopspec.contract.values import Json, Message

from .wire import to_wire

# What LangGraph is asked to stream: what nodes put out, the state after each step, events of one's own; in a streaming
# run the chunks of models and of tools, too.
MODES = ("updates", "values", "custom")
STREAMING = ("messages", "tools")


class Stream:
    """One event that is a stream, as it is being read."""

    def __init__(self, runs: Runs, agent: str) -> None:
        self.text = ""
        self._chunks: asyncio.Queue[Message | Exception | None] = asyncio.Queue()
        self._reading = asyncio.create_task(runs.stream(agent, self._read()))

    async def _read(self) -> AsyncIterator[Message]:
        while (chunk := await self._chunks.get()) is not None:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    def push(self, chunk: Message) -> None:
        """Pass a chunk to the reader."""
        self.text += chunk.content
        self._chunks.put_nowait(chunk)

    async def end(self, error: Exception | None = None) -> None:
        """Let it end, and wait until it is read."""
        self._chunks.put_nowait(error)
        await self._reading


class Encoder:
    """Reports what the caller of one run sees."""

    def __init__(self, runs: Runs, agent: str) -> None:
        self._runs = runs
        self._agent = agent
        self._values: Mapping[str, Any] = {}
        self._open: dict[str, Stream] = {}
        self._streamed: dict[str, str] = {}
        self._answering = ""
        self.interrupts: list[Interrupt] = []

    @property
    def state(self) -> dict[str, Json]:
        """The fields of all middlewares' states."""
        own = ("messages", "jump_to", "structured_response")
        return {key: value for key, value in self._values.items() if key not in own}

    @property
    def messages(self) -> Sequence[BaseMessage]:
        """The conversation that LangGraph returns; its last message is the final answer."""
        messages: Sequence[BaseMessage] = self._values.get("messages", ())
        return messages

    async def take(self, mode: str, chunk: Any) -> None:
        """Take what LangGraph has streamed."""
        match mode:
            case "values":
                self._values = chunk
            case "custom":
                self._runs.event(self._agent, custom=chunk)
            case "messages":
                await self._model_chunk(*chunk)
            case "tools":
                await self._tool_chunk(chunk)
            case "updates":
                await self._updates(chunk)

    async def over(self) -> None:
        """Let streams end that nothing has ended: of tools whose failure a wrapper has made something else of."""
        for key in list(self._open):
            await self._end(key)

    async def failed(self, error: Exception) -> None:
        """Report an error: the exception that ends the iteration of a stream is the last thing that its reader sees."""
        for stream in self._open.values():
            await stream.end(error)
        self._runs.event(self._agent, error=error)

    async def _model_chunk(self, chunk: BaseMessage, metadata: Mapping[str, Any]) -> None:
        """A chunk of an answer of the agent's model; the last one of LangChain's own says no more than that it is."""
        if not isinstance(chunk, AIMessageChunk) or metadata.get("langgraph_node") != "model":
            return
        if chunk.id != self._answering:  # the one before has broken off, and LangChain says no more of it than this
            await self._end(self._answering)
            self._answering = chunk.id or ""
        ends = chunk.chunk_position == "last"
        if not ends or chunk.content or chunk.tool_call_chunks:
            self._push(self._answering, to_wire(chunk))
        if ends:
            await self._end(self._answering)

    async def _tool_chunk(self, chunk: Mapping[str, Any]) -> None:
        call_id = chunk["tool_call_id"]
        if chunk["event"] == "tool-output-delta":
            self._push(call_id, Message(role="tool", content=chunk["delta"], tool_call_id=call_id))
        elif chunk["event"] == "tool-finished":
            await self._end(call_id)

    def _push(self, key: str, chunk: Message) -> None:
        if key not in self._open:
            self._open[key] = Stream(self._runs, self._agent)
        self._open[key].push(chunk)

    async def _end(self, key: str) -> None:
        if stream := self._open.pop(key, None):
            await stream.end()
            self._streamed[key] = stream.text

    async def _updates(self, updates: Mapping[str, Any]) -> None:
        """Report the answers and results of nodes.

        From hooks only of results in a tool's place, and of an answer with which a hook lets the run end.
        """
        known = {message.id for message in self._values.get("messages", ())}
        self.interrupts += updates.get("__interrupt__", ())
        for node, update in updates.items():
            ends = isinstance(update, Mapping) and update.get("jump_to") == "end"
            kinds = (AIMessage, ToolMessage) if node in ("model", "tools") or ends else (ToolMessage,)
            for message in _messages_in(update):
                if isinstance(message, kinds) and message.id not in known:
                    await self._message(message)

    async def _message(self, message: AIMessage | ToolMessage) -> None:
        """A whole message, unless it is what has been streamed already."""
        key = message.tool_call_id if isinstance(message, ToolMessage) else message.id or ""
        await self._end(key if isinstance(message, ToolMessage) else self._answering)
        if self._streamed.get(key) != message.text:
            self._runs.event(self._agent, to_wire(message))


def _messages_in(update: Any) -> Sequence[BaseMessage]:
    """The messages in what a node has put out, one update or several."""
    if isinstance(update, Mapping):
        return [one for one in update.get("messages", ()) if isinstance(one, BaseMessage)]
    if isinstance(update, list | tuple):
        return [message for one in update for message in _messages_in(one)]
    return []
