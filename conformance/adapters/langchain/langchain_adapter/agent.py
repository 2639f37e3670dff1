"""LangChain's agent, built from the harness's doubles, and its runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    ModelCallLimitMiddleware,
    ModelRetryMiddleware,
    SummarizationMiddleware,
    TodoListMiddleware,
)
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.tools import BaseTool
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from pydantic import BaseModel, ConfigDict, create_model

from loopspec.contract import agents as spec
from loopspec.contract.faults import AdapterError
from loopspec.contract.scene import Run
from loopspec.contract.stage import Stage
from loopspec.contract.values import Message

from .around import Named
from .callbacks import Callbacks
from .doubles import model_of, tool_of
from .encoding import MODES, STREAMING, Encoder
from .middlewares import TYPES, handler_of, plugin_of
from .saver import Saver
from .wire import all_to_wire, from_wire, to_wire

Graph = CompiledStateGraph[Any, Any, Any, Any]

_STEPS = 500  # more than any scene takes: an endless loop ends here, and not after LangChain's 9,999 steps


class Agents:
    """The agent of one scene and its runs."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._agent = stage.scene.agent
        self._saver = Saver()
        self._conversations: list[tuple[list[Message], list[BaseMessage]]] = []
        self._graph: Graph | None = None

    def build(self) -> None:
        """Build the agent. Raises what LangChain raises."""
        agent, doubles = self._agent, self._stage.doubles
        middlewares = [self._middleware(handler) for handler in agent.handlers]
        if agent.max_iterations is not None:
            limit = ModelCallLimitMiddleware[Any, Any](run_limit=agent.max_iterations, exit_behavior="error")
            middlewares.insert(0, limit)
        if agent.retry is not None:
            middlewares.insert(0, self._retry(agent.retry))  # each attempt goes through all that is around the model
        directly = {name for name, returns in agent.return_directly.items() if returns}
        self._graph = create_agent(
            model_of(agent.model, doubles),  # type: ignore[arg-type]  # an agent without a model is a mistake
            [tool_of(tool, doubles, tool.name in directly) for tool in agent.tools],
            system_prompt=agent.instruction or None,
            middleware=middlewares,
            context_schema=self._context_schema(),
            checkpointer=self._saver,
            name=agent.name,
        )

    def _middleware(self, handler: spec.Handler) -> AgentMiddleware[Any, Any]:
        named = Named(self._additional_model, self._tool)
        match handler:
            case spec.Plugin():
                return plugin_of(handler, self._stage, named)
            case spec.Scripted():
                return handler_of(handler, self._stage, named)
            case spec.Summarization():
                return self._summarization(handler)
            case spec.TodoList():
                texts = {"system_prompt": handler.prompt, "tool_description": handler.description}
                given = {name: text for name, text in texts.items() if text is not None}
                made: AgentMiddleware[Any, Any] = _called(handler.name, TodoListMiddleware)(**given)
                return made
            case _:
                raise AdapterError(f"{handler.name}: a scene of these roles has no such handler")

    def _summarization(self, handler: spec.Summarization) -> AgentMiddleware[Any, Any]:
        """LangChain's own; it has nothing to word the beginning of a summary with."""
        given: dict[str, Any] = {}
        if handler.trigger is not None:
            given["trigger"] = handler.trigger
        if handler.keep is not None:
            given["keep"] = ("messages", handler.keep)
        if handler.model is not None:
            given["summarizer"] = model_of(handler.model, self._stage.doubles)
        if handler.counts:
            given["token_counter"] = self._count_tokens
        model = model_of(self._agent.model, self._stage.doubles)
        made: AgentMiddleware[Any, Any] = _called(handler.name, SummarizationMiddleware)(model, **given)
        return made

    def _retry(self, retry: spec.Retry) -> AgentMiddleware[Any, Any]:
        """LangChain's own, without a delay: it looks at errors only, and has no back-off function that it could ask."""
        given: dict[str, Any] = {"initial_delay": 0.0}
        if retry.codes is not None:
            given["retry_on"] = lambda error: self._stage.recovery.retryable(self._agent.name, error)
        return ModelRetryMiddleware(max_retries=retry.max_retries, on_failure="error", **given)

    def _count_tokens(self, messages: Iterable[BaseMessage]) -> int:
        return self._stage.middlewares.count_tokens(all_to_wire(messages))

    def _additional_model(self, name: str) -> BaseChatModel:
        model = model_of(next(one for one in self._agent.additional_models if one.name == name), self._stage.doubles)
        assert model is not None, "a scene names its additional models"
        return model

    def _tool(self, name: str) -> BaseTool:
        """A tool that a wrapper offers: an additional one, or an unknown one."""
        additional = {tool.name: tool for tool in self._agent.additional_tools}
        return tool_of(additional.get(name, spec.Tool(name=name)), self._stage.doubles)

    def _context_schema(self) -> type[BaseModel] | None:
        """One schema for the fields of all middlewares, which is what an agent of LangChain has."""
        plugins = [handler for handler in self._agent.handlers if isinstance(handler, spec.Plugin)]
        schemas = [plugin.context for plugin in plugins if plugin.context is not None]
        if not schemas:
            return None
        fields: dict[str, Any] = {field.name: _field(field) for schema in schemas for field in schema}
        return create_model("Context", __config__=ConfigDict(strict=True), **fields)

    async def run(self, run: Run) -> None:
        """Perform one run and report what its caller sees."""
        assert self._graph is not None, "built before"
        runs, thread = self._stage.runs, run.thread or str(uuid4())
        encoding = Encoder(runs, self._agent.name)
        with runs.running(run):
            given: Any = {"messages": [] if run.resume else self._conversation(run)}
            if run.resume:
                thread, interrupts = self._saver.restore(runs.checkpoint(run))
                answers = runs.answers(run)
                given = Command(resume={one: answers.get(one) for one in interrupts})
            config: Any = {
                "configurable": {"thread_id": thread},
                "callbacks": self._callbacks(),
                "recursion_limit": _STEPS,
            }
            modes: Any = [*MODES, *(STREAMING if run.streaming else ())]  # Any: its types leave out the mode `tools`
            try:
                async for mode, chunk in self._graph.astream(given, config, context=run.context, stream_mode=modes):
                    await encoding.take(mode, chunk)
                await encoding.over()
            except Exception as error:
                await encoding.failed(error)
                raise
            finally:
                runs.ended_with({}, encoding.state)
            if encoding.interrupts:
                checkpoint = self._saver.checkpoint(thread, [one.id for one in encoding.interrupts])
                runs.interrupted(checkpoint, [(one.id, one.value) for one in encoding.interrupts])
            elif encoding.messages:
                runs.final(to_wire(encoding.messages[-1]))

    def _callbacks(self) -> list[BaseCallbackHandler]:
        agent = self._agent
        return [Callbacks(agent.model, self._stage.doubles)] if agent.callbacks else []

    def _conversation(self, run: Run) -> list[BaseMessage]:
        """The caller's list, of LangChain's messages; where the stage's is the same one, so is this."""
        messages = self._stage.runs.messages(run)
        for given, ours in self._conversations:
            if given is messages:
                return ours
        self._conversations.append((messages, [from_wire(message) for message in messages]))
        return self._conversations[-1][1]


def _called(name: str, middleware: Any) -> Any:
    """A middleware class by the scene's name for it: an agent of LangChain has no two of one name."""
    return type(name, (middleware,), {})


def _field(field: spec.Field) -> Any:
    """A field as pydantic takes it."""
    return (TYPES[field.type], ...) if field.required else (TYPES[field.type] | None, field.default)
