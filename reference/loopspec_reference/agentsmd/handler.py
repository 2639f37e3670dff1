"""The handler that adds the instruction files to a conversation, once per run, as a user message."""

from __future__ import annotations

from typing import Generic

from msgspec.structs import replace

from ..handlers.handler import Handler, ModelContext, State
from ..runs.run import get_run_local_value, set_run_local_value
from ..values.errors import OutsideRunError
from ..values.messages import M
from .config import Config, validate
from .loader import load
from .rendering import render

MARKER = "__agentsmd_content__"


class AgentsMD(Handler[M], Generic[M]):
    """Adds the content of Agents.md files, and of the files they import, before the first user message.

    `message_type` is the agent's message type. Raises `ConfigError` for a configuration that cannot work. No file is
    read before the first model call.
    """

    def __init__(self, config: Config | None, message_type: type[M]) -> None:
        self._config = validate(config)
        self._message_type = message_type
        # Handlers with different files have different texts (AMD-CACHE-12), and equal ones the same after a resume.
        self._cache_key = MARKER + repr([*self._config.files, self._config.max_bytes])

    async def before_model(self, state: State[M], context: ModelContext[M]) -> State[M]:
        """Return the state with the instructions message.

        When: before each model call. A conversation with a marked message, of whatever origin, stays as it is.
        Persists: yes. The text is also kept for the run, in case a later handler removes the message.
        Not called: see `Handler.before_model`. An empty text adds no message.
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
        """Return the rendered text: cached in the run, or loaded. An empty text is cached as well (AMD-CACHE-06)."""
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
