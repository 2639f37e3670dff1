"""The needs of an agent: its configuration, its models, its handlers and its sub-agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..agents import Agent, Handler, HandlerChange, Legacy, Own, Plugin, Scripted, Summarization, TodoList, Tool
from ..capabilities import Capability
from .actions import of_scripts
from .hooks import of_hooks, several
from .models import models_of, of_turns
from .reasons import present
from .tools import of_tool

# The capability of a handler that does not declare a change.
KEEPS: Mapping[HandlerChange, Capability] = {
    "requests": "keeps-requests",
    "answers": "keeps-answers",
    "tool-calls": "keeps-tool-calls",
    "results": "keeps-results",
    "model-errors": "keeps-model-errors",
    "tool-errors": "keeps-tool-errors",
}


def of_agent(agent: Agent) -> set[Capability]:
    """Return the capabilities that an agent needs."""
    needed = present(
        {
            "callbacks": agent.callbacks,
            "clock": agent.retry and agent.retry.delays,
            "custom-input": agent.make_input,
            "exit-tool": agent.exit_tool,
            "failover": agent.failover,
            "legacy": agent.legacy,
            "output-key": agent.output_key,
            "retry": agent.retry,
            "return-directly": agent.return_directly,
            "sequential-tools": agent.sequential,
            "several-handlers": several(agent.handlers),
            "tool-middlewares": agent.tool_middlewares,
        }
    )
    needed |= of_turns(turn for model in models_of(agent) for turn in model.turns)
    for handler in agent.handlers:
        needed |= _of_handler(handler)
    functions: list[Legacy | Scripted] = [*agent.legacy, *agent.tool_middlewares]
    needed |= of_scripts(script for one in functions for script in one.scripts)
    return needed | _of_tools((*agent.tools, *agent.additional_tools, *(t for one in agent.legacy for t in one.tools)))


def _of_handler(handler: Handler) -> set[Capability]:
    match handler:
        case Scripted():
            return of_hooks(handler) | of_scripts(handler.scripts)
        case Plugin():
            return of_hooks(handler) | of_plugin(handler)
        case Own():
            kept = {KEEPS[change] for change in handler.unchanged}
            return kept | {handler.claim} if handler.claim else kept
        case Summarization():
            return {"summarization"}
        case TodoList():
            return {"todo-list"}
        case _:
            return set()


def of_plugin(plugin: Plugin) -> set[Capability]:
    """Return the capabilities that a scripted middleware of the plugin layer needs; see `of_hooks` for its hooks."""
    needed = present({"schema-forms": plugin.form != "object"})
    return needed | of_scripts(plugin.scripts) | _of_tools(plugin.tools)


def _of_tools(tools: Iterable[Tool]) -> set[Capability]:
    needed: set[Capability] = set()
    for tool in tools:
        needed |= of_tool(tool)
        if tool.agent:
            needed.add("agent-tool")
            needed |= of_agent(tool.agent)
    return needed
