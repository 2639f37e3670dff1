"""The needs of a scene, derived from the scene and not from a tag."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .actions import (
    Action,
    AddContext,
    DeferTools,
    DeleteLocal,
    DropInstructions,
    GetLocal,
    GetSession,
    GiveCommand,
    Hold,
    Insert,
    Jump,
    Raise,
    SendEvent,
    SetLocal,
    SetReturnDirectly,
    SetSession,
    SetToolSearch,
    Summarize,
    UseInvalidValue,
)
from .agents import (
    Agent,
    AgentsMD,
    Handler,
    Legacy,
    Model,
    Own,
    Plugin,
    Script,
    Scripted,
    Summarization,
    TodoList,
    Tool,
    Turn,
)
from .capabilities import Capability, Role
from .scene import Ask, Break, Run, Scene, StoreFault, Write


def serving_roles(scene: Scene) -> tuple[Role, ...]:
    """The roles that can perform a scene, the preferred one first: an agent may replace a loader."""
    match scene.act:
        case "read" | "load through":
            return ("backend",)
        case "load":
            return ("loader", "middleware", "agent")
        case "create":
            return ("middleware", "agent")
        case "hook":
            return ("middleware",)
        case "outside":
            return ("agent",)
        case "look up" | "catalog":
            return ("plugins",)
        case "run":
            if any(isinstance(handler, Own) for handler in scene.agent.handlers):
                return ("handler",)
            if scene.workflow or any(isinstance(handler, _OF_PLUGINS) for handler in scene.agent.handlers):
                return ("plugins",)
            return ("agent",) if needs_a_loop(scene) else ("agent", "middleware")


_OF_PLUGINS = (Plugin, Summarization, TodoList)


def needs_a_loop(scene: Scene) -> bool:
    """Whether only a whole agent can perform a run scene."""
    agent = scene.agent
    scripts = [script for handler in agent.handlers if isinstance(handler, Scripted) for script in handler.scripts]
    hooks = {script.hook for script in scripts}
    actions = [action for script in scripts for action in script.actions]
    return bool(
        scene.listens
        or hooks - {"before model", "after model"}
        or not any(isinstance(handler, AgentsMD) for handler in agent.handlers)
        or any(not isinstance(action, _OF_A_STATE) for action in actions)
        or agent.model is None
        or agent != _as_a_middleware_sees_it(agent)
        or any(run != _as_a_middleware_runs(run) for run in scene.runs)
    )


# the actions of a handler that need only the conversation of an agent
_OF_A_STATE = (Summarize, DropInstructions, Insert, AddContext, SetLocal, GetLocal, Raise, Hold)


def _as_a_middleware_sees_it(agent: Agent) -> Agent:
    """The agent without the parts in which a middleware alone has no part."""
    tools = tuple(Tool(name=tool.name, text=tool.text, error=tool.error, held=tool.held) for tool in agent.tools)
    turns = tuple(
        Turn(text=turn.text, tool_calls=turn.tool_calls, error=turn.error, held=turn.held)
        for turn in (agent.model.turns if agent.model else ())
    )
    return Agent(
        name=agent.name,
        instruction=agent.instruction,
        model=Model(name=agent.model.name, turns=turns) if agent.model else None,
        tools=tools,
        handlers=agent.handlers,
        max_iterations=agent.max_iterations,
    )


def _as_a_middleware_runs(run: Run) -> Run:
    """The run without the parts in which a middleware alone has no part."""
    return Run(id=run.id, messages=run.messages, history=run.history, together=run.together)


def needed_capabilities(scene: Scene) -> frozenset[Capability]:
    """The capabilities that a target must declare for a scene, derived from the scene and not from a tag."""
    needed: set[Capability] = set()
    if scene.message_type == "agentic":
        needed.add("agentic-messages")
    if "zh" in (*scene.languages, *(change.language for change in scene.changes)):
        needed.add("language-zh")
    if any(file.nothing for file in scene.files.values()):
        needed.add("nil-values")
    if scene.together:
        needed.add("concurrent-runs")
    if scene.reads_log:
        needed.add("default-warning-sink")
    needed |= _present({"shared-lists": scene.shared_lists, "falsy-objects": scene.falsy})
    if scene.act in ("load", "create", "run") and any(isinstance(one, AgentsMD) for one in scene.agent.handlers):
        needed.add("agentsmd")
    if scene.act == "outside":
        needed |= {"send-event" if action == "send event" else "run-values" for action in scene.tried}
    resumed = [run.resume for run in scene.runs if run.resume]
    if len(set(resumed)) < len(resumed):
        needed.add("checkpoint-reuse")
    sessions = {run.id: run.session for run in scene.runs}
    for run in scene.runs:
        needed |= _present(
            {
                "concurrent-runs": run.together,
                "interrupt": run.resume is not None,
                "session-values": run.session,
                "session-on-resume": run.resume and run.session and run.session != sessions.get(run.resume),
                "streaming": run.streaming,
                "cancel": run.cancellable or run.cancels,
                "clock": any(cancel.timeout is not None for cancel in run.cancels),
                "threads": run.thread,
            }
        )
    return frozenset(needed | _of_agent(scene.agent) | _of_backend(scene) | _of_strategies(scene))


def _present(reasons: Mapping[Capability, object]) -> set[Capability]:
    return {capability for capability, reason in reasons.items() if reason}


_ACTIONS: dict[type[Action], Capability] = {
    AddContext: "context-values",
    SetLocal: "run-values",
    GetLocal: "run-values",
    DeleteLocal: "run-values",
    SetSession: "session-values",
    GetSession: "session-values",
    SendEvent: "send-event",
    DeferTools: "deferred-tools",
    SetToolSearch: "tool-search",
    SetReturnDirectly: "return-directly",
    GiveCommand: "command",
    Jump: "jump",
    UseInvalidValue: "invalid-values",
}


def _of_agent(agent: Agent) -> set[Capability]:
    needed = _present(
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
            "tool-middlewares": agent.tool_middlewares,
            "extra-data": any(turn.extras for model in _models(agent) for turn in model.turns),
        }
    )
    needed |= {handler.claim for handler in agent.handlers if isinstance(handler, Own) and handler.claim}
    handlers = [handler for handler in agent.handlers if isinstance(handler, Scripted)]
    actors: list[Scripted | Legacy] = [*handlers, *agent.legacy, *agent.tool_middlewares]
    for handler in agent.handlers:
        needed |= _of_middleware(handler)
    scripts = [script for actor in actors for script in actor.scripts]
    tools = [*agent.tools, *agent.additional_tools, *(tool for legacy in agent.legacy for tool in legacy.tools)]
    return needed | _of_doubles(scripts, tools)


def _models(agent: Agent) -> tuple[Model, ...]:
    backups = agent.failover.models if agent.failover else ()
    return (*([agent.model] if agent.model else []), *backups, *agent.additional_models)


def _of_middleware(handler: Handler) -> set[Capability]:
    """The needs of a middleware of the plugin layer."""
    match handler:
        case Plugin():
            return _of_plugin(handler)
        case Summarization():
            return {"summarization"}
        case TodoList():
            return {"todo-list"}
        case _:
            return set()


def _of_strategies(scene: Scene) -> set[Capability]:
    strategies = [strategy for module in scene.modules for strategy in module.strategies]
    needed = _present(
        {
            "registry": strategies or scene.lookups or scene.act == "catalog",
            "graph": scene.workflow,
            "execution-trace": scene.traces,
        }
    )
    for strategy in strategies:
        needed |= _present({"invalid-values": strategy.invalid, "mutable-options": strategy.uses_up})
        if strategy.makes:
            needed |= _of_plugin(strategy.makes)
    return needed


def _of_plugin(plugin: Plugin) -> set[Capability]:
    needed: set[Capability] = {"schema-forms"} if plugin.form != "object" else set()
    return needed | _of_doubles(plugin.scripts, plugin.tools)


def _of_doubles(scripts: Sequence[Script], tools: Sequence[Tool]) -> set[Capability]:
    needed: set[Capability] = set()
    actions = [action for script in scripts for action in script.actions]
    actions += [action for tool in tools for action in tool.actions]
    needed |= {_ACTIONS[type(action)] for action in actions if type(action) in _ACTIONS}
    if any(isinstance(action, SetLocal) and action.typed for action in actions):
        needed.add("custom-types")
    for tool in tools:
        needed |= _present(
            {
                "streaming": any("streamable" in kind for kind in tool.kinds),
                "enhanced-tools": any("enhanced" in kind for kind in tool.kinds),
                "interrupt": tool.interrupts,
                "command": tool.command,
                "mixed-tools": len({"enhanced" in kind for kind in tool.kinds}) > 1,
            }
        )
        if tool.agent:
            needed.add("agent-tool")
            needed |= _of_agent(tool.agent)
    return needed


_FAULTS: dict[StoreFault, Capability] = {
    "permission": "fault-permission",
    "io": "fault-io",
    "outside": "fault-outside",
}


def _of_backend(scene: Scene) -> set[Capability]:
    needed: set[Capability] = set()
    folders = {path[:at] for path in scene.files for at, letter in enumerate(path) if letter == "/" and at}
    for step in scene.backend:
        match step:
            case Write():
                needed.add("edits")
            case Break():
                needed.add(_FAULTS[step.kind])
            case Ask():
                if any(request.offset != 1 or request.limit for request in step.requests):
                    needed.add("line-ranges")
                if any(request.file_path.rstrip("/") in folders for request in step.requests):
                    needed.add("directories")
    return needed
