"""The formats in which histories are stored, and which of them a file has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from ..history import Format, messages_of
from ..values import Record
from . import (
    ai_sdk,
    anthropic,
    claude_code,
    codex,
    gemini,
    gemini_cli,
    langchain,
    openai_chat,
    openai_responses,
    opencode,
    otel,
    pydantic_ai,
)

# In the order in which a file is compared with them: a format with more marks of its own comes first.
_SESSIONS = (codex.FORMAT, gemini_cli.FORMAT, opencode.FORMAT, claude_code.FORMAT, otel.FORMAT)
_OF_LIBRARIES = (langchain.FORMAT, pydantic_ai.FORMAT, ai_sdk.FORMAT)
_OF_PROVIDERS = (gemini.FORMAT, openai_responses.FORMAT, anthropic.FORMAT, openai_chat.FORMAT)
_KEYS = ("messages", "contents", "input")  # of the messages in a request
FORMATS: Mapping[str, Format] = {one.name: one for one in (*_SESSIONS, *_OF_LIBRARIES, *_OF_PROVIDERS)}


def recognized(records: Sequence[Record]) -> Format | None:
    """The format of a file that begins with these records: that of the first message with marks of a format.

    A list and a request contain messages; without marks, the format is one that all messages can be in.
    """
    messages = [message for record in records for message in messages_of(record, *_KEYS)]
    looked_at = chain(records, messages)
    marked = (one for record in looked_at for one in FORMATS.values() if one.recognizes(record))
    return next(marked, None) or next((one for one in FORMATS.values() if one.accepts(messages)), None)
