"""LangChain's `create_agent`: its messages, the agent and its runs."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any
from uuid import uuid4

from langchain.agents import create_agent
from langchain.agents.middleware.model_call_limit import ModelCallLimitExceededError
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages.tool import invalid_tool_call, tool_call
from langchain_core.runnables import RunnableConfig
from langgraph.config import get_stream_writer
from langgraph.errors import GraphBubbleUp, GraphRecursionError, InvalidUpdateError
from langgraph.store.memory import InMemoryStore

import loopspec_adapting as kit
from loopspec import Message
from loopspec.contract.doubles import NoInside

from .built_ins import built_in, outermost
from .callbacks import Callbacks
from .cancelling import Cancelled
from .events import Graph, report_events
from .hooks import middleware_of
from .interrupts import ASKS_PER_CALL, Saver, answered, approvals
from .models import model_of
from .plugins import context_schema
from .postures import POSTURES
from .tools import tool_of

STEPS = 500  # more than a scene needs: an endless loop ends here, and not after LangChain's 9,999 steps


class Inside(NoInside):
    """The actions of a double during a run."""

    why = "LangChain has neither a session nor values that live as long as a run, apart from its state"

    def send_event(self, payload: Any) -> None:
        """Write a custom event into the stream of the run."""
        get_stream_writer()(payload)


class LangChain(kit.AgentAdapter[BaseMessage]):
    """Judges `langchain.agents.create_agent`."""

    name, version = "LangChain create_agent", version("langchain")
    roles = ("agent", "plugins")
    capabilities = (
        *("before-agent-hooks", "before-agent-edits", "before-model-hooks", "before-model-edits", "after-model-hooks"),
        *("after-model-edits", "after-agent-hooks", "after-agent-edits", "several-handlers", "missing-results"),
        *("model-wrappers", "tool-wrappers", "repeated-inner-calls", "return-directly", "streaming", "streaming-tools"),
        *("callbacks", "cancel", "concurrent-runs", "conversations", "interrupt", "retry", "send-event"),
        *("interrupting-model-hooks", "interrupting-tool-wrappers", "checkpoint-reuse"),
        *("sequential-tools", "synchronous-cancel", "tool-support"),
        *("command", "invalid-values", "jump", "saved-runs", "summarization", "threads", "todo-list"),
        *(("approvals", "approval-edits") if ASKS_PER_CALL else ()),
    )
    postures = POSTURES
    error_kinds = {
        ModelCallLimitExceededError: "max_iterations",
        GraphRecursionError: "max_iterations",
        Cancelled: "cancel",
        GraphBubbleUp: "cancel",  # a drained run
        asyncio.CancelledError: "stream_cancelled",
        InvalidUpdateError: "hook",
        NotImplementedError: "hook",  # of a value that is no message
        ValueError: "options",  # of a middleware that cannot be built
    }
    perform_plugins = kit.AgentAdapter.perform

    def inside(self) -> Inside:
        """Return the custom events of the current run."""
        return Inside()

    def to_wire(self, message: BaseMessage) -> Sequence[Message]:
        """Convert a message. LangChain holds calls whose arguments are no JSON object apart; they come last."""
        text, extra = str(message.text), message.additional_kwargs
        if isinstance(message, AIMessage):
            found = [*message.tool_calls, *message.invalid_tool_calls]
            return [kit.answer_message(text, [(one["id"], one["name"] or "", one["args"]) for one in found], extra)]
        if isinstance(message, ToolMessage):
            return [kit.result_message(text, message.tool_call_id, message.name, extra)]
        role: Any = "system" if isinstance(message, SystemMessage) else "user"
        return [Message(role=role, content=text, extra=dict(extra))]

    def from_wire(self, message: Message) -> BaseMessage:
        """Convert a message of the contract, with calls as LangChain's model integrations make them."""
        text, extra = message.content, dict(message.extra)
        match message.role:
            case "system":
                return SystemMessage(text, additional_kwargs=extra)
            case "user":
                return HumanMessage(text, additional_kwargs=extra)
            case "tool":
                call_id, tool = message.tool_call_id or "", message.tool_name
                return ToolMessage(text, tool_call_id=call_id, name=tool, additional_kwargs=extra)
        parsed = [(one, kit.args_object(one.args)) for one in message.tool_calls]
        read = [tool_call(name=one.name, args=args, id=one.id) for one, args in parsed if args is not None]
        rest = [invalid_tool_call(name=one.name, args=one.args, id=one.id) for one, args in parsed if args is None]
        return AIMessage(text, tool_calls=read, invalid_tool_calls=rest, additional_kwargs=extra)

    def build(self, parts: kit.Parts[BaseMessage]) -> Graph:
        """Build the agent: a handler becomes a middleware, and so do the limit of model calls and the retries."""
        make, store = partial(middleware_of, parts=parts), InMemoryStore()
        middleware = parts.handlers(make, lambda one: built_in(one, parts))
        graph: Graph = create_agent(
            model_of(parts.model),  # type: ignore[arg-type]  # an agent without a model is the caller's mistake
            [tool_of(tool) for tool in parts.tools],
            system_prompt=parts.instruction,
            middleware=[*approvals(parts), *outermost(parts), *middleware],
            context_schema=context_schema(parts),
            checkpointer=Saver(store),
            store=store,
            name=parts.name,
        )
        config: RunnableConfig = {"recursion_limit": STEPS}
        if parts.spec.callbacks:
            config["callbacks"] = [Callbacks(parts)]
        if parts.spec.sequential:
            config["max_concurrency"] = 1
        return graph.with_config(config)

    async def run(self, agent: Graph, messages: list[BaseMessage], report: kit.Reporter[BaseMessage]) -> None:
        """Perform a run of the caller's messages, in the thread of the scene or in one of its own."""
        thread = report.run.thread or report.run.conversation or str(uuid4())
        await report_events(agent, {"messages": messages}, thread, report)

    async def resume(
        self, agent: Graph, checkpoint: bytes, answers: Mapping[str, Any], report: kit.Reporter[BaseMessage]
    ) -> None:
        """Resume the thread of a checkpoint: with the answers to its interrupts, or from where it was cancelled."""
        assert isinstance(agent.checkpointer, Saver)
        thread = agent.checkpointer.restore(checkpoint)
        waiting = (await agent.aget_state({"configurable": {"thread_id": thread}})).interrupts
        await report_events(agent, answered(waiting, answers) if waiting else None, thread, report)
