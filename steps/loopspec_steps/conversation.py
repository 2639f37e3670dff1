"""Conversations in tables: the messages that a Given passes, and that a Then compares."""

from __future__ import annotations

from loopspec.contract.values import MARKER, Message, MessageRole, MessageType, ToolCall

from .cells import JSON, NAMES, TEXT
from .declarations import ClosedList, Column, Columns, Table, Word

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

ROLE = Column("role", "The role of the message.", ROLES, required=True)
CONTENT = Column(
    "content",
    "The content of the message; `{instructions}` in a Then stands for the message with the instructions.",
    TEXT,
    required=True,
)
CALLS = Column("calls", "The names of the tools that the message calls; ids are `call 1`, `call 2` and so on.", NAMES)
MARK = Column("mark", "The value of the mark in the message's extra data; without a value there is no mark.", JSON)

CONVERSATION: Columns[Column[object]] = Columns(
    "conversation", "The messages of a conversation, one per row.", ROLE, CONTENT, CALLS, MARK
)


def conversation_of(table: Table) -> tuple[Message, ...]:
    """The messages of a table: role, content and, if wanted, the tools called and the value of the mark."""
    messages: list[Message] = []
    calls: list[ToolCall] = []
    for row in table:
        called = CALLS.of(row, ())
        calls += [ToolCall(id=f"call {len(calls) + n}", name=name) for n, name in enumerate(called, 1)]
        role = ROLE.read(row)
        answered = calls[-1] if role == "tool" else None
        messages.append(
            Message(
                role=role,
                content=CONTENT.read(row),
                tool_calls=tuple(calls[len(calls) - len(called) :]),
                tool_call_id=answered.id if answered else None,
                tool_name=answered.name if answered else None,
                extra={MARKER: MARK.of(row, None)} if MARK.text(row) else {},
            )
        )
    return tuple(messages)
