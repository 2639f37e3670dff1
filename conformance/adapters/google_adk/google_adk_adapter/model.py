"""The scripted models."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.genai import types
from pydantic import PrivateAttr

import loopspec_adapting as kit

from .requests import infos_of, system_of
from .streaming import responses


class ScriptedModel(BaseLlm):
    """A scripted model."""

    _double: kit.ModelDouble[types.Content] = PrivateAttr()

    def __init__(self, double: kit.ModelDouble[types.Content]) -> None:
        super().__init__(model=double.name)
        self._double = double

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        """Yield the answer, or its chunks and the complete answer."""
        if stream:
            async for response in responses(self._double, llm_request):
                yield response
            return
        answer = await self._double.answer(llm_request.contents, infos_of(llm_request), system_of(llm_request))
        yield LlmResponse(content=answer, finish_reason=types.FinishReason.STOP)
