"""What a target can be (roles) and what it may be able to do besides (capabilities): two closed lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from .actions import (
    Action,
    AddContext,
    DeferTools,
    DeleteLocal,
    DropInstructions,
    GetLocal,
    GetSession,
    Hold,
    Insert,
    Raise,
    SendEvent,
    SetLocal,
    SetReturnDirectly,
    SetSession,
    SetToolSearch,
    Summarise,
)
from .agents import Agent, AgentsMD, Legacy, Model, Own, Scripted, Tool, Turn
from .scene import Ask, Break, Run, Scene, Write

Role = Literal["backend", "loader", "middleware", "agent", "handler"]
Capability = Literal[
    "agent-tool",
    "agentic-messages",
    "callbacks",
    "cancel",
    "concurrent-runs",
    "context-values",
    "custom-input",
    "custom-types",
    "default-warning-sink",
    "deferred-tools",
    "directories",
    "edits",
    "enhanced-tools",
    "exit-tool",
    "failover",
    "fault-io",
    "fault-permission",
    "idempotent",
    "interrupt",
    "language-zh",
    "legacy",
    "line-ranges",
    "nil-values",
    "no-op",
    "output-key",
    "retry",
    "return-directly",
    "run-values",
    "send-event",
    "sequential-tools",
    "session-values",
    "streaming",
    "tool-middlewares",
    "tool-search",
]

ROLES: dict[Role, str] = {
    "backend": "reads files",
    "loader": "turns instructions files into ordered sections",
    "middleware": "puts the instructions into a conversation before a model call",
    "agent": "runs the loop: model calls, tools, handlers, AgentsMD among them",
    "handler": "one handler for the reference's loop",
}

CAPABILITIES: dict[Capability, str] = {
    "agent-tool": "agent: another agent can be used as a tool",
    "agentic-messages": "middleware, agent: the message type of content blocks is served too",
    "callbacks": "agent: callbacks tell about the real model calls and tool calls",
    "cancel": "agent: a run can be cancelled from outside, at a safe point or at once",
    "concurrent-runs": "middleware, agent: several runs can go on at the same time",
    "context-values": "middleware, agent: a value added to the context reaches the calls further in",
    "custom-input": "agent: a function of one's own makes the first conversation of a run",
    "custom-types": "agent: values of registered types that are no JSON can be kept for a run",
    "default-warning-sink": "middleware, agent: without a callback, warnings go to Python's logging, or to a log "
    "that the adapter hands over",
    "deferred-tools": "agent: a model is given deferred tools beside those it is offered",
    "directories": "backend: it has directories, and knows one from a missing file",
    "edits": "backend: write(path, content) changes what is stored",
    "enhanced-tools": "agent: tools can return parts, pictures among them",
    "exit-tool": "agent: a tool can be configured that ends the run with its argument",
    "failover": "agent: another model is asked when one has failed",
    "fault-io": "backend: fault(path, 'io') makes a file unreadable",
    "fault-permission": "backend: fault(path, 'permission') makes a file forbidden",
    "idempotent": "handler: called again on what it returned, it changes nothing more",
    "interrupt": "agent: a tool can interrupt the run, and the run resumes from a checkpoint",
    "language-zh": "middleware, agent: set_language(language) switches the texts between English and Chinese",
    "legacy": "agent: the older middlewares of a few functions are served beside handlers",
    "line-ranges": "backend: offset and limit pick lines",
    "nil-values": "loader, middleware, agent: a backend may answer with no content object at all",
    "no-op": "handler: it changes nothing that anybody else can see",
    "output-key": "agent: the final answer is stored under a key of the session",
    "retry": "agent: a failed model call is made again",
    "return-directly": "agent: a tool can end the run with its result",
    "run-values": "agent: handlers keep values for a run",
    "send-event": "agent: handlers put events of their own into the run's stream",
    "sequential-tools": "agent: tool calls can be made one after the other",
    "session-values": "agent: a run is given values that its instruction can name",
    "streaming": "agent: a run can stream, and tools can",
    "tool-middlewares": "agent: functions around tool calls can be configured beside handlers",
    "tool-search": "agent: a model is given a tool to search for deferred tools with",
}


def serving_roles(scene: Scene) -> tuple[Role, ...]:
    """The roles that can perform a scene, the best first: a richer role may answer for a poorer one."""
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
        case "run":
            if any(isinstance(handler, Own) for handler in scene.agent.handlers):
                return ("handler",)
            return ("agent",) if needs_a_loop(scene) else ("agent", "middleware")


def needs_a_loop(scene: Scene) -> bool:
    """Whether a run scene can be performed by a whole agent only."""
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


# What a handler may do that needs no more of an agent than its conversation.
_OF_A_STATE = (Summarise, DropInstructions, Insert, AddContext, SetLocal, GetLocal, Raise, Hold)


def _as_a_middleware_sees_it(agent: Agent) -> Agent:
    """The agent without all that a middleware alone can have no part in."""
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
    """The run likewise."""
    return Run(id=run.id, messages=run.messages, history=run.history, together=run.together)


def needed_capabilities(scene: Scene) -> frozenset[Capability]:
    """The capabilities a target must have declared for a scene: read off the scene, never off a tag."""
    needed: set[Capability] = set()
    if scene.message_type == "agentic":
        needed.add("agentic-messages")
    if "zh" in (*scene.languages, *(change.language for change in scene.changes)):
        needed.add("language-zh")
    if any(file.nothing for file in scene.files.values()):
        needed.add("nil-values")
    if scene.reads_log:
        needed.add("default-warning-sink")
    if scene.act == "outside":
        needed |= {"send-event" if deed == "send event" else "run-values" for deed in scene.tried}
    for run in scene.runs:
        needed |= _present(
            {
                "concurrent-runs": run.together,
                "interrupt": run.resume is not None,
                "session-values": run.session,
                "streaming": run.streaming,
                "cancel": run.cancellable or run.cancels,
            }
        )
    return frozenset(needed | _of_agent(scene.agent) | _of_backend(scene))


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
}


def _of_agent(agent: Agent) -> set[Capability]:
    needed = _present(
        {
            "callbacks": agent.callbacks,
            "custom-input": agent.make_input,
            "exit-tool": agent.exit_tool,
            "failover": agent.failover,
            "legacy": agent.legacy,
            "output-key": agent.output_key,
            "retry": agent.retry,
            "return-directly": agent.return_directly,
            "sequential-tools": agent.sequential,
            "tool-middlewares": agent.tool_middlewares,
        }
    )
    needed |= {handler.claim for handler in agent.handlers if isinstance(handler, Own) and handler.claim}
    handlers = [handler for handler in agent.handlers if isinstance(handler, Scripted)]
    actors: list[Scripted | Legacy] = [*handlers, *agent.legacy, *agent.tool_middlewares]
    scripts = [script for actor in actors for script in actor.scripts]
    tools = [*agent.tools, *agent.spare_tools, *(tool for legacy in agent.legacy for tool in legacy.tools)]
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
            }
        )
        if tool.agent:
            needed.add("agent-tool")
            needed |= _of_agent(tool.agent)
    return needed


def _of_backend(scene: Scene) -> set[Capability]:
    needed: set[Capability] = set()
    folders = {path[:at] for path in scene.files for at, letter in enumerate(path) if letter == "/" and at}
    for step in scene.backend:
        match step:
            case Write():
                needed.add("edits")
            case Break(kind="permission"):
                needed.add("fault-permission")
            case Break():
                needed.add("fault-io")
            case Ask():
                if any(request.offset != 1 or request.limit for request in step.requests):
                    needed.add("line-ranges")
                if any(request.file_path in folders for request in step.requests):
                    needed.add("directories")
    return needed
