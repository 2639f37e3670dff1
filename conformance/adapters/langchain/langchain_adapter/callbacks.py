"""The scene's callbacks, as LangChain's."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult

from loopspec.contract import agents as spec
from loopspec.contract.doubles import Doubles


class Callbacks(AsyncCallbackHandler):
    """Reports to the harness the real model calls and tool calls that LangChain's callbacks receive.

    Only the model itself, by BaseChatModel, reports a model call: the loop adds nothing. A model that has reported its
    calls to the harness itself has nothing left to report here.
    """

    raise_error = True  # an error in here is the adapter's, and not to be passed over

    def __init__(self, model: spec.Model | None, doubles: Doubles) -> None:
        self._model = model.name if model and not model.reports else None
        self._doubles = doubles
        self._calls: dict[UUID, tuple[str, str]] = {}

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **kwargs: Any
    ) -> None:
        """A model is called."""
        if self._model:
            self._doubles.called_back("model start", self._model)

    async def on_llm_end(self, response: LLMResult, **kwargs: Any) -> None:
        """It has answered."""
        if self._model:
            self._doubles.called_back("model end", self._model)

    async def on_tool_start(self, serialized: dict[str, Any], input_str: str, *, run_id: UUID, **kwargs: Any) -> None:
        """A tool is called."""
        self._calls[run_id] = serialized["name"], kwargs.get("tool_call_id") or ""
        self._doubles.called_back("tool start", *self._calls[run_id])

    async def on_tool_end(self, output: Any, *, run_id: UUID, **kwargs: Any) -> None:
        """It has returned; LangChain says only of the beginning which call it is."""
        self._doubles.called_back("tool end", *self._calls.pop(run_id))
