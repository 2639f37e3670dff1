"""A conversation as a table."""

from __future__ import annotations

from collections.abc import Sequence

from loopspec.contract.values import MARKER, Message

from ..conversation import CALLS, CONTENT, MARK, ROLE
from .steps import Rows
from .texts import as_cell, json_text, names_text


def conversation_table(messages: Sequence[Message], field: str) -> Rows:
    """The table of a conversation, with the columns that it needs."""
    rows = [
        {
            ROLE.name: message.role,
            CONTENT.name: as_cell(message.content),
            CALLS.name: names_text([call.name for call in message.tool_calls], field) if message.tool_calls else "",
            MARK.name: json_text(message.extra[MARKER]) if MARKER in message.extra else "",
        }
        for message in messages
    ]
    head = [name for name in (ROLE.name, CONTENT.name, CALLS.name, MARK.name) if any(row[name] for row in rows)]
    head = list(dict.fromkeys([ROLE.name, CONTENT.name, *head]))
    return (tuple(head), *(tuple(row[name] for name in head) for row in rows))
