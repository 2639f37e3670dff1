"""The handler: once per run, the instructions files become a user message of the conversation."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Generic

from ..handlers.handler import Handler, ModelContext, State
from ..runs.run import get_run_local_value, set_run_local_value
from ..values.errors import OutsideRunError
from ..values.messages import M
from .config import Config, validate
from .loader import load
from .rendering import render

MARKER = "__agentsmd_content__"


class AgentsMD(Handler[M], Generic[M]):
    """Puts the content of Agents.md files, and of what they import, before the first user message.

    `message_type` says which of the two message types the agent speaks. Raises `ConfigError` for a configuration
    that cannot work; no file is read until the first model call.
    """

    def __init__(self, config: Config | None, message_type: type[M]) -> None:
        self._config = validate(config)
        self._message_type = message_type
        # Handlers with other files keep their texts apart (AMD-CACHE-12); equal ones find theirs after a resume.
        self._cache_key = MARKER + json.dumps([*self._config.files, self._config.max_bytes])

    async def before_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state with the instructions in it.

        When: before each model call. A message with the marker, wherever it came from, ends the matter.
        Persists: yes; and the text is kept for the run, should a later handler remove the message.
        Not called: see `Handler.before_model`. Nothing is added when there is nothing to say.
        """
        if any(MARKER in message.extra for message in state.messages):
            return state
        text = await self._text()
        if not text:
            return state
        messages = state.messages
        users = (at for at, message in enumerate(messages) if message.role == "user")
        at = next(users, len(messages))
        instructions = self._message_type.user(text, {MARKER: True})
        return replace(state, messages=(*messages[:at], instructions, *messages[at:]))

    async def _text(self) -> str:
        """The rendered text: from this run's cache, or else loaded; an empty text counts as loaded (AMD-CACHE-06)."""
        try:
            cached, found = get_run_local_value(self._cache_key)
        except OutsideRunError:
            return await self._load()
        if found:
            return str(cached)
        text = await self._load()
        set_run_local_value(self._cache_key, text)
        return text

    async def _load(self) -> str:
        config = self._config
        return render(await load(config.backend, config.files, config.max_bytes, config.on_warning))
