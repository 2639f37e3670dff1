"""An agent of LangChain whose checkpoints are kept by the SQLite saver of LangGraph."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import kill_points
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, messages_to_dict
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.sqlite import SqliteSaver

PATH = kill_points.STORE / "checkpoints.sqlite"
CONFIG: Any = {"configurable": {"thread_id": "1"}}


class Scripted(BaseChatModel):
    """A model without a network."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> Scripted:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        calls = [(call["id"], call["name"]) for one in messages for call in getattr(one, "tool_calls", ())]
        results = [(one.tool_call_id, str(one.content)) for one in messages if one.type == "tool"]
        wanted = kill_points.model(calls, results)
        answer = AIMessage(
            "" if wanted else kill_points.FINAL,
            tool_calls=[{"id": call, "name": name, "args": {}, "type": "tool_call"} for call, name in wanted],
        )
        return ChatResult(generations=[ChatGeneration(message=answer)])


@tool
def reserve() -> str:
    """Reserve a seat."""
    return kill_points.tool("reserve")


@tool
def charge() -> str:
    """Charge the card."""
    return kill_points.tool("charge")


def run() -> str:
    """Begin the run, or resume it from its last checkpoint."""
    with closing(sqlite3.connect(PATH, check_same_thread=False)) as connection:
        agent = create_agent(Scripted(), [reserve, charge], checkpointer=SqliteSaver(connection))
        stored = agent.get_state(CONFIG).values.get("messages", [])
        kill_points.history("before", "langchain", messages_to_dict(stored))
        question = None if stored else {"messages": [{"role": "user", "content": kill_points.ASKED}]}
        messages = agent.invoke(question, CONFIG)["messages"]
        kill_points.history("after", "langchain", messages_to_dict(messages))
        return str(messages[-1].content)


def another_version() -> str:
    """Give the latest checkpoint a later version."""
    with closing(sqlite3.connect(PATH, check_same_thread=False)) as connection, connection:
        saver = SqliteSaver(connection)
        latest = saver.get_tuple(CONFIG)
        assert latest is not None
        kind, blob = saver.serde.dumps_typed({**latest.checkpoint, "v": latest.checkpoint["v"] + 1})
        newest = "checkpoint_id = (SELECT max(checkpoint_id) FROM checkpoints)"
        connection.execute(f"UPDATE checkpoints SET type = ?, checkpoint = ? WHERE {newest}", (kind, blob))
        return str(latest.checkpoint["v"] + 1)


if __name__ == "__main__":
    kill_points.main(
        {"begin": run, "resume": run, "another-version": another_version},
        ["langchain", "langgraph", "langgraph-checkpoint-sqlite"],
        store="`SqliteSaver`",
        resume="`agent.invoke(None, config)`",
        know=(
            "The result of a tool is stored when the tool returns. By default, a checkpoint is written while "
            'the next step runs; with `durability="sync"` it is written before.'
        ),
    )
