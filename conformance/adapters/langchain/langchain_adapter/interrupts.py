"""Interrupts of tools and hooks, approvals, and checkpoints: LangGraph's checkpointer and store in memory."""

from __future__ import annotations

import pickle
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import msgspec
from langchain.agents.middleware import HumanInTheLoopMiddleware, human_in_the_loop
from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.config import get_config
from langgraph.store.base import BaseStore
from langgraph.types import Command, Interrupt, interrupt

import loopspec_adapting as kit
from loopspec import Interruption, Resumed
from loopspec.contract.calls import Decision
from loopspec.contract.doubles import info_of
from loopspec.contract.values import Json

WAITING = "waiting calls"  # in the store of the agent
ASKS_PER_CALL = hasattr(human_in_the_loop, "InterruptMode")  # the judged versions before langchain 1.4 lack it


def approvals(parts: kit.Parts[BaseMessage]) -> list[HumanInTheLoopMiddleware[Any, Any, Any]]:
    """The middleware that asks about each call of a tool that needs approval; it is the first one of an agent."""
    asking: Any = {tool.info.name: True for tool in parts.tools if tool.spec.approval}
    return [HumanInTheLoopMiddleware(asking, interrupt_mode="per_call")] if asking else []


def shown(one: Interrupt) -> Json:
    """What a caller is shown of an interrupt."""
    value: Any = one.value
    return info_of(value["name"], value["tool_call_id"]) if asks_for_approval(one) else value


def asks_for_approval(one: Interrupt) -> bool:
    """Whether an interrupt is the question about a tool call."""
    return isinstance(one.value, Mapping) and one.value.get("type") == "tool_approval"


def answered(interrupts: Iterable[Interrupt], answers: Mapping[str, Any]) -> Command[Any]:
    """Return the answers to interrupts: decisions about tool calls, and what tools that interrupt receive."""
    tools = {one.id: one.value["name"] if asks_for_approval(one) else None for one in interrupts}
    decisions = {
        key: decided(tools.get(key), msgspec.convert(answer, Decision))
        for key, answer in answers.items()
        if tools.get(key, "") is not None
    }
    return Command(resume={**{key: answers.get(key) for key, tool in tools.items() if tool is None}, **decisions})


def decided(tool: str | None, decision: Decision) -> human_in_the_loop.Decision:
    """Return a decision about a call of a tool."""
    if not decision.approved:
        return {"type": "reject", "message": decision.reason}
    if decision.arguments is None:
        return {"type": "approve"}
    return {"type": "edit", "edited_action": {"name": tool or "", "args": kit.args_object(decision.arguments) or {}}}


class Waiting:
    """What interrupts the task of a node, in the order in which it did: `interrupt` numbers its calls in a task.

    After a resume, LangGraph starts the task again, and each of its calls of `interrupt` returns the answer to the one
    with its number. What has interrupted is therefore asked once more first, with what it saved in the store.
    """

    def __init__(self, saved: Iterable[Mapping[str, Any]]) -> None:
        self.entries = list(saved)
        self.resumed = {one["by"]: Resumed(state=one["state"], data=interrupt(one["info"])) for one in self.entries}
        self.under_way = 0


_waiting: ContextVar[Waiting | None] = ContextVar("what interrupts this task", default=None)


@asynccontextmanager
async def interrupting(store: BaseStore | None, task: str, by: str) -> AsyncIterator[Resumed | None]:
    """The body of a tool or a hook that may interrupt its run, with the caller's answer if it has done so.

    `task` names the node, or the tool call: wrappers and what they wrap are one task.
    """
    assert store is not None
    place = WAITING, get_config()["configurable"]["thread_id"]
    waiting = _waiting.get()
    if waiting is None:
        saved = await store.aget(place, task)
        waiting = Waiting(saved.value["entries"] if saved else ())
        _waiting.set(waiting)
    waiting.under_way += 1
    try:
        yield waiting.resumed.get(by)
    except Interruption as interruption:
        waiting.entries.append({"by": by, "info": interruption.info, "state": interruption.state})
        await store.aput(place, task, {"entries": waiting.entries}, index=False)
        interrupt(interruption.info)
    else:
        if waiting.under_way == 1 and waiting.entries:
            await store.adelete(place, task)
    finally:
        waiting.under_way -= 1


class Saver(InMemorySaver):
    """A checkpointer in memory, which a process can pass to another one, with what tools have saved in the store."""

    def __init__(self, store: BaseStore) -> None:
        super().__init__()
        self._store = store
        self.on_save: Callable[[], None] | None = None  # called after each write

    def put(self, *args: Any, **options: Any) -> RunnableConfig:  # Any: as LangGraph passes them on
        """Save a step."""
        config = super().put(*args, **options)
        if self.on_save is not None:
            self.on_save()
        return config

    def put_writes(self, *args: Any, **options: Any) -> None:  # Any: as LangGraph passes them on
        """Save what a task of a step has returned."""
        super().put_writes(*args, **options)
        if self.on_save is not None:
            self.on_save()

    def checkpoint(self, thread: str) -> bytes:
        """Return the content, with the thread that has stopped."""
        storage = {name: dict(spaces) for name, spaces in self.storage.items()}
        saved = [(one.namespace, one.key, one.value) for one in self._store.search((WAITING,), limit=1000)]
        return pickle.dumps((thread, saved, storage, dict(self.writes), dict(self.blobs)))

    def restore(self, checkpoint: bytes) -> str:
        """Take the content of a checkpoint in the place of what its thread has; return the thread."""
        thread, saved, storage, writes, blobs = pickle.loads(checkpoint)
        self.delete_thread(thread)
        for one in self._store.search((WAITING, thread), limit=1000):
            self._store.delete(one.namespace, one.key)
        for place, key, value in saved:
            self._store.put(place, key, value)
        for name, spaces in storage.items():
            self.storage[name].update(spaces)
        self.writes.update(writes)
        self.blobs.update(blobs)
        return str(thread)
