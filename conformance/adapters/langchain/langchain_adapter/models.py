"""The scripted models."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.utils.function_calling import convert_to_openai_tool

import loopspec_adapting as kit
from loopspec.contract.doubles import at_once

from .tools import info_of


class ScriptedModel(BaseChatModel):
    """A scripted model. If it does not support tools, `bind_tools` is BaseChatModel's own, which rejects them."""

    double: Any  # a ModelDouble, which pydantic cannot check

    @property
    def _llm_type(self) -> str:
        return "loopspec"

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **more: Any) -> ChatResult:
        answer = await self.double.answer(messages, map(info_of, more.get("tools", ())))
        return ChatResult(generations=[] if answer is None else [ChatGeneration(message=answer)])

    def _generate(self, messages: list[BaseMessage], *_: Any, **more: Any) -> ChatResult:
        return at_once(self._agenerate(messages, **more))

    async def _astream(self, messages: list[BaseMessage], *_: Any, **more: Any) -> AsyncIterator[ChatGenerationChunk]:
        async for chunk in self.double.chunks(messages, map(info_of, more.get("tools", ()))):
            calls = enumerate(chunk.tool_calls)
            found = [tool_call_chunk(name=one.name, args=one.args, id=one.id, index=at) for at, one in calls]
            yield ChatGenerationChunk(message=AIMessageChunk(content=chunk.content, tool_call_chunks=found))

    def bind_tools(self, tools: Sequence[Any], **options: Any) -> Any:
        """Bind the tools in their order, as LangChain's model integrations do."""
        if not self.double.spec.takes_tools:
            return super().bind_tools(tools, **options)
        return self.bind(tools=[convert_to_openai_tool(tool) for tool in tools])


def model_of(double: kit.ModelDouble[BaseMessage] | None) -> BaseChatModel | None:
    """Build a model. Its profile has its context size."""
    if double is None:
        return None
    limit = double.spec.max_input_tokens
    return ScriptedModel(double=double, profile=None if limit is None else {"max_input_tokens": limit})
