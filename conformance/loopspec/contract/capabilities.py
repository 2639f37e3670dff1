"""What a target can be (roles) and what it may be able to do besides (capabilities): two closed lists."""

from __future__ import annotations

from typing import Literal

from .scene import AddContext, Agent, Ask, Break, Scene, Scripted, Write

Role = Literal["backend", "loader", "middleware", "agent"]
Capability = Literal[
    "agent-tool",
    "agentic-messages",
    "concurrent-runs",
    "context-values",
    "default-warning-sink",
    "directories",
    "edits",
    "fault-io",
    "fault-permission",
    "interrupt",
    "language-zh",
    "line-ranges",
    "nil-values",
    "session-values",
]

ROLES: dict[Role, str] = {
    "backend": "reads files",
    "loader": "turns instructions files into ordered sections",
    "middleware": "puts the instructions into a conversation before a model call",
    "agent": "runs the loop: model calls, tools, handlers, AgentsMD among them",
}

CAPABILITIES: dict[Capability, str] = {
    "agent-tool": "agent: another agent can be used as a tool",
    "agentic-messages": "middleware, agent: the message type of content blocks is served too",
    "concurrent-runs": "middleware, agent: several runs can go on at the same time",
    "context-values": "middleware, agent: a value added to the context reaches the calls further in",
    "default-warning-sink": "middleware, agent: without a callback, warnings go to Python's logging, or to a log "
    "that the adapter hands over",
    "directories": "backend: it has directories, and knows one from a missing file",
    "edits": "backend: write(path, content) changes what is stored",
    "fault-io": "backend: fault(path, 'io') makes a file unreadable",
    "fault-permission": "backend: fault(path, 'permission') makes a file forbidden",
    "interrupt": "agent: a tool can interrupt the run, and the run resumes from a checkpoint",
    "language-zh": "middleware, agent: set_language(language) switches the texts between English and Chinese",
    "line-ranges": "backend: offset and limit pick lines",
    "nil-values": "loader, middleware, agent: a backend may answer with no content object at all",
    "session-values": "agent: a run is given values that its instruction can name",
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
        case "run":
            return ("agent",) if needs_a_loop(scene) else ("agent", "middleware")


def needs_a_loop(scene: Scene) -> bool:
    """Whether a run scene can be performed by a whole agent only."""
    agent = scene.agent
    hooks = {hook for handler in agent.handlers if isinstance(handler, Scripted) for hook in handler.hooks}
    return bool(
        scene.listens
        or hooks - {"before model", "after model"}
        or any(tool.agent or tool.interrupts for tool in agent.tools)
        or any(run.resume or run.session for run in scene.runs)
    )


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
    for run in scene.runs:
        if run.together:
            needed.add("concurrent-runs")
        if run.resume:
            needed.add("interrupt")
        if run.session:
            needed.add("session-values")
    return frozenset(needed | _of_agent(scene.agent) | _of_backend(scene))


def _of_agent(agent: Agent) -> set[Capability]:
    needed: set[Capability] = set()
    scripts = [script for handler in agent.handlers if isinstance(handler, Scripted) for script in handler.scripts]
    if any(isinstance(action, AddContext) for script in scripts for action in script.actions):
        needed.add("context-values")
    for tool in agent.tools:
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
