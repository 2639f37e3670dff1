"""The harness's models and tools, as LangChain's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, ToolMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool, StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.config import get_stream_writer
from langgraph.graph import END
from langgraph.types import Command, interrupt
from msgspec.structs import replace

from loopspec.contract import agents as spec
from loopspec.contract.calls import ModelRequest, Resumed, ToolRequest
from loopspec.contract.doubles import Doubles, Interruption, NoInside
from loopspec.contract.sync import at_once
from loopspec.contract.values import Json, Message

from .wire import all_to_wire, answer_from_wire, args_to_wire, info_to_wire


class Inside(NoInside):
    """What a double can do with the run it is called in: LangChain has events of one's own, and nothing else here."""

    why = "LangChain has neither a session nor values that live as long as a run, apart from its state"

    def send_event(self, payload: Json) -> None:
        """Put a custom event into the run's stream."""
        get_stream_writer()(payload)


class PlainModel(BaseChatModel):
    """A scripted model that cannot be offered tools: `bind_tools` is BaseChatModel's own, which refuses."""

    double: str
    doubles: Any  # pydantic cannot check a protocol

    @property
    def _llm_type(self) -> str:
        return "loopspec"

    def _request(self, messages: Sequence[BaseMessage], options: dict[str, Any], streaming: bool) -> ModelRequest:
        tools = tuple(map(info_to_wire, options.get("tools", ())))
        return ModelRequest(messages=all_to_wire(messages), tools=tools, streaming=streaming)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        answer: Message | None = await self.doubles.generate(self.double, self._request(messages, kwargs, False))
        if answer is None:  # a model's mistake
            return ChatResult(generations=[])
        return ChatResult(generations=[ChatGeneration(message=answer_from_wire(answer))])

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return at_once(self._agenerate(messages, **kwargs))

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        async for chunk in self.doubles.stream(self.double, self._request(messages, kwargs, True)):
            yield ChatGenerationChunk(message=chunk_from_wire(chunk))


class ScriptedModel(PlainModel):
    """A scripted model that can be offered tools."""

    def bind_tools(
        self, tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool], **kwargs: Any
    ) -> Runnable[LanguageModelInput, AIMessage]:
        """Keep what is offered, in its order, as the integrations of LangChain do."""
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])


def chunk_from_wire(chunk: Message) -> AIMessageChunk:
    """A chunk of a model's answer."""
    calls = [
        tool_call_chunk(name=call.name, args=call.args, id=call.id, index=index)
        for index, call in enumerate(chunk.tool_calls)
    ]
    return AIMessageChunk(content=chunk.content, tool_call_chunks=calls)


def model_of(model: spec.Model | None, doubles: Doubles) -> BaseChatModel | None:
    """Build a model."""
    if model is None:
        return None
    profile: Any = None if model.max_input_tokens is None else {"max_input_tokens": model.max_input_tokens}
    kind = ScriptedModel if model.takes_tools else PlainModel
    return kind(double=model.name, doubles=doubles, profile=profile)


def command_of(state: dict[str, Json], goto: str | None, result: ToolMessage) -> Command[Any]:
    """A command of LangGraph's, which takes names of nodes."""
    update = {**state, "messages": [result]}
    return Command(update=update, goto=(END if goto == "end" else goto) if goto else ())


def tool_of(tool: spec.Tool, doubles: Doubles, returns_directly: bool = False) -> BaseTool:
    """Build a tool that takes an object of anything. Raises what the harness raises for one without information."""
    info = doubles.info(tool.name)

    async def call(runtime: ToolRuntime[Any, Any], **arguments: Json) -> object:
        request = ToolRequest(tool=tool.name, call_id=runtime.tool_call_id or "", args=args_to_wire(arguments))
        try:
            answer = await doubles.invoke(request, Inside())
        except Interruption as interruption:
            # After a resume, LangGraph calls the tool from its start: this call then returns the resume data.
            resumed = Resumed(state=interruption.state, data=interrupt(interruption.info))
            answer = await doubles.invoke(replace(request, resumed=resumed), Inside())
        if answer is None or answer.command is None:
            return None if answer is None else answer.text
        result = ToolMessage(answer.text, tool_call_id=request.call_id, name=info.name)
        return command_of(answer.command.state, answer.command.goto, result)

    async def call_streaming(runtime: ToolRuntime[Any, Any], **arguments: Json) -> object:
        """A LangChain tool that streams emits parts of its result, and then returns all of it."""
        call_id, args = runtime.tool_call_id or "", args_to_wire(arguments)
        request = ToolRequest(tool=tool.name, call_id=call_id, args=args, kind="streamable")
        text = ""
        async for chunk in doubles.invoke_streaming(request, Inside()):
            runtime.emit_output_delta(chunk.text)
            text += chunk.text
        return text

    ways = {"invokable": call, "streamable": call_streaming}  # LangChain has one: the plain one, of a tool with both
    return StructuredTool(
        name=info.name,
        description=info.description,
        args_schema=info.parameters,
        coroutine=next((way for kind, way in ways.items() if kind in tool.kinds), None),
        return_direct=returns_directly,
    )
