"""Conversations in tables: the messages that a Given passes, and that a Then compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from loopspec.contract.values import MARKER, Message, MessageRole, MessageType, ToolCall

from .cells import JSON, NAMES, TEXT, names_text
from .declarations import CELL, BuiltColumns, ClosedList, FieldColumn, Rows, Table, Word

MESSAGE_TYPES: ClosedList[MessageType] = ClosedList(
    "message types",
    "The types of messages that an agent can work with.",
    Word("plain", "Plain messages, each with a role and a content.", "message"),
    Word("agentic", "Agentic messages, whose content consists of blocks.", "agentic"),
)

ROLES: ClosedList[MessageRole] = ClosedList(
    "roles",
    "The roles of messages.",
    Word("system", "The message is an instruction for the model.", "system"),
    Word("user", "The message comes from the user.", "user"),
    Word("assistant", "The message is an answer of the model.", "assistant"),
    Word("tool", "The message is the result of a tool call.", "tool"),
)

ROLE = FieldColumn("role", "The role of the message.", ROLES, required=True)
CONTENT = FieldColumn(
    "content",
    "The content of the message; `{instructions}` in a Then stands for the message with the instructions.",
    TEXT,
    required=True,
)
CALLS = FieldColumn(
    "calls", "The names of the tools that the message calls; ids are `call 1`, `call 2` and so on.", NAMES, "tool_calls"
)
MARK = FieldColumn(
    "mark",
    "The value of the mark in the message's extra data; without a value there is no mark.",
    JSON,
    {"extra": {MARKER: CELL}},
)


class _Conversation(BuiltColumns[Message]):
    """The messages of a conversation, whose calls are numbered through."""

    def read(self, table: Table) -> tuple[Message, ...]:
        """Return the messages of a table. A result answers the first call without a result, or else the last one."""
        messages: list[Message] = []
        calls: list[ToolCall] = []
        answered = 0
        for row in table:
            made = [ToolCall(id=f"call {n}", name=name) for n, name in enumerate(CALLS.of(row, ()), len(calls) + 1)]
            calls += made
            message = self.build(row, tool_calls=tuple(made))
            if message.role == "tool":
                call = calls[min(answered, len(calls) - 1)]
                answered += 1
                message = replace(message, tool_call_id=call.id, tool_name=call.name)
            messages.append(message)
        return tuple(messages)

    def write(self, values: Sequence[Message], known: Mapping[str, Sequence[str]] | None = None) -> Rows:
        """Return the table of messages."""
        called = (tuple(call.name for call in message.tool_calls) for message in values)
        return super().write(values, {CALLS.name: [names_text(names) if names else "" for names in called]})


CONVERSATION = _Conversation(
    "conversation", "The messages of a conversation, one per row.", Message(role="user"), ROLE, CONTENT, CALLS, MARK
)
