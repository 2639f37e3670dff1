"""Streaming runs: the chunks of a model."""

from __future__ import annotations

from collections.abc import AsyncIterator

from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types

from loopspec_adapting import ModelDouble

from .requests import infos_of, system_of


async def responses(double: ModelDouble[types.Content], request: LlmRequest) -> AsyncIterator[LlmResponse]:
    """Stream an answer as the models of ADK do: a partial response for each chunk, and the complete response."""
    texts: list[str] = []
    calls: list[types.Part] = []
    async for chunk in double.chunks(request.contents, infos_of(request), system_of(request)):
        content = double.conversion.from_wire(chunk)
        yield LlmResponse(content=content, partial=True)
        texts.append(chunk.content)
        calls += [part for part in content.parts or () if part.function_call]
    if not texts:  # the model returns nothing at all
        return
    text = "".join(texts)
    parts = [types.Part(text=text)] if text or not calls else []
    yield LlmResponse(
        content=types.Content(role="model", parts=[*parts, *calls]), finish_reason=types.FinishReason.STOP
    )
