"""The formats in which histories are stored, and which of them a file has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from ..history import Format, messages_of
from ..values import Record
from .ai_sdk import FORMAT as AI_SDK
from .anthropic import FORMAT as ANTHROPIC
from .claude_code import FORMAT as CLAUDE_CODE
from .codex import FORMAT as CODEX
from .gemini import FORMAT as GEMINI
from .gemini_cli import FORMAT as GEMINI_CLI
from .langchain import FORMAT as LANGCHAIN
from .openai_chat import FORMAT as OPENAI_CHAT
from .openai_responses import FORMAT as OPENAI_RESPONSES
from .opencode import FORMAT as OPENCODE
from .otel import FORMAT as OTEL
from .pydantic_ai import FORMAT as PYDANTIC_AI

# In the order in which a file is compared with them: a format with more marks of its own comes first.
_SESSIONS = (CODEX, GEMINI_CLI, OPENCODE, CLAUDE_CODE, OTEL)
_MESSAGES = (LANGCHAIN, PYDANTIC_AI, AI_SDK, GEMINI, OPENAI_RESPONSES, ANTHROPIC, OPENAI_CHAT)
_KEYS = ("messages", "contents", "input")  # of the messages in a request
FORMATS: Mapping[str, Format] = {one.name: one for one in (*_SESSIONS, *_MESSAGES)}


def recognized(records: Sequence[Record]) -> Format | None:
    """The format of a file that begins with these records: that of the first message with marks of a format.

    A list and a request contain messages; without marks, the format is one that all messages can be in.
    """
    messages = [message for record in records for message in messages_of(record, *_KEYS)]
    looked_at = chain(records, messages)
    marked = (one for record in looked_at for one in FORMATS.values() if one.recognizes(record))
    return next(marked, None) or next((one for one in FORMATS.values() if one.accepts(messages)), None)
