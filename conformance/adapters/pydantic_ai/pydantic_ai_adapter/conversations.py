"""Conversations: the messages that a run leaves, which are the history of the next run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NotRequired, TypedDict

from pydantic_ai import capture_run_messages
from pydantic_ai.exceptions import RunCancelled
from pydantic_ai.messages import ModelMessage, ModelRequest, UserContent, UserPromptPart


class History(TypedDict):
    """What a run of the caller's messages begins with."""

    message_history: list[ModelMessage]
    user_prompt: NotRequired[str | Sequence[UserContent]]


class Conversations:
    """The conversations of a scene, by name."""

    def __init__(self) -> None:
        self._stored: dict[str, list[ModelMessage]] = {}

    def continued(self, name: str, messages: list[ModelMessage]) -> History:
        """Return what a run begins with: in a conversation, its history, and the last new message as the prompt."""
        if not name:
            return {"message_history": messages}
        history = [*self._stored.get(name, ()), *messages]
        match messages:
            case [*_, ModelRequest(parts=[UserPromptPart(content=prompt)])]:
                return {"message_history": history[:-1], "user_prompt": prompt}
        return {"message_history": history}

    @contextmanager
    def kept(self, name: str, begun: list[ModelMessage]) -> Iterator[None]:
        """Keep the messages of a run, also if it raises: of `RunCancelled`, the captured or the earlier ones."""
        with capture_run_messages() as messages:
            try:
                yield
            except RunCancelled as error:
                messages = error.all_messages()
                raise
            finally:
                self._stored[name] = messages or begun
