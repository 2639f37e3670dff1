"""The needs of scripted handlers and of scripted middlewares of the plugin layer: their hooks, and their edits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ..actions import (
    Action,
    Count,
    DeferTools,
    DropInstructions,
    Insert,
    OfferTools,
    ReplaceAll,
    ReplaceLast,
    SetCalls,
    SetInstruction,
    SetReturnDirectly,
    SetState,
    SetTools,
    SetToolSearch,
    Summarize,
)
from ..agents import Agent, AgentsMD, Handler, Hook, Plugin, Scripted
from ..capabilities import Capability
from ..plugins import Strategy, Workflow

CAPABILITY_OF_HOOK: dict[Hook, Capability] = {
    "before agent": "before-agent-hooks",
    "before model": "before-model-hooks",
    "around model": "model-wrappers",
    "after model": "after-model-hooks",
    "around tool": "tool-wrappers",
    "after agent": "after-agent-hooks",
}
# A wrapper exists to change the request or the answer, so that no wrapper has a second capability.
_EDITED: dict[Hook, Capability] = {
    "before agent": "before-agent-edits",
    "before model": "before-model-edits",
    "after model": "after-model-edits",
    "after agent": "after-agent-edits",
}
_EDITS: tuple[type[Action], ...] = (
    Summarize, DropInstructions, Insert, ReplaceAll, ReplaceLast, SetCalls,  # of the conversation
    SetInstruction, SetTools, SetReturnDirectly, SetToolSearch,  # of the agent
    SetState, Count,  # of the state of a middleware
)  # fmt: skip
_TOOLS: tuple[type[Action], ...] = (OfferTools, DeferTools)


def of_hooks(double: Scripted | Plugin) -> set[Capability]:
    """Return the capabilities that the hooks of a handler or of a middleware need."""
    needed: set[Capability] = set()
    for script in double.scripts:
        needed.add(CAPABILITY_OF_HOOK[script.hook])
        if script.hook in _EDITED:
            needed |= {_EDITED[script.hook] for action in script.actions if isinstance(action, _EDITS)}
            needed |= {
                "reports-instruction"
                for action in script.actions
                if isinstance(action, SetInstruction) and action.append
            }
            needed |= {"tools-from-hooks" for action in script.actions if isinstance(action, _TOOLS)}
    return needed


def several(handlers: Iterable[Handler]) -> bool:
    """Whether several handlers have the same hook. The AgentsMD middleware has a before-model hook."""
    counted = Counter(hook for handler in handlers for hook in _hooks(handler))
    return any(count > 1 for count in counted.values())


def several_in_workflow(workflow: Workflow, strategies: Sequence[Strategy], agent: Agent) -> bool:
    """Whether an agent of a workflow has several handlers and connected middlewares with the same hook."""
    made = {strategy.provider: strategy.makes for strategy in strategies}
    plugins = {node.key: plugin for node in workflow.nodes if (plugin := made.get(node.provider))}
    handlers = {each.name: each.handlers for each in _agents(agent)}
    for node in workflow.nodes:
        targets = [edge.target for edge in workflow.edges if edge.source == node.key and node.kind == "agent"]
        if several((*handlers.get(node.key, ()), *(plugins[target] for target in targets if target in plugins))):
            return True
    return False


def _agents(agent: Agent) -> Iterator[Agent]:
    yield agent
    for tool in agent.tools:
        if tool.agent:
            yield from _agents(tool.agent)


def _hooks(handler: Handler) -> frozenset[Hook]:
    match handler:
        case Scripted() | Plugin():
            return handler.hooks
        case AgentsMD():
            return frozenset({"before model"})
        case _:
            return frozenset()
