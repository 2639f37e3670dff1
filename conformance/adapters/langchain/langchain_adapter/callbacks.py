"""The scene's callbacks."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage

from loopspec_adapting import Parts


class Callbacks(AsyncCallbackHandler):
    """Reports the model calls and the tool calls that LangChain's callbacks receive.

    A model call is reported by the model itself, through BaseChatModel: a model that has reported its calls to the
    harness is not reported again.
    """

    raise_error = True  # an error in a callback is the adapter's

    def __init__(self, parts: Parts[BaseMessage]) -> None:
        self._model = parts.model.name if parts.model and not parts.model.spec.reports else None
        self._report = parts.stage.doubles.called_back
        self._calls: dict[UUID, tuple[str, str]] = {}

    async def on_chat_model_start(self, *args: Any, **options: Any) -> None:
        """A model is called."""
        if self._model:
            self._report("model start", self._model)

    async def on_llm_end(self, *args: Any, **options: Any) -> None:
        """A model has answered."""
        if self._model:
            self._report("model end", self._model)

    async def on_tool_start(self, serialized: dict[str, Any], *args: Any, run_id: UUID, **options: Any) -> None:
        """A tool is called."""
        self._calls[run_id] = serialized["name"], options.get("tool_call_id") or ""
        self._report("tool start", *self._calls[run_id])

    async def on_tool_end(self, output: Any, *, run_id: UUID, **options: Any) -> None:
        """A tool has returned. LangChain passes the id of the call only at its start."""
        self._report("tool end", *self._calls.pop(run_id))
