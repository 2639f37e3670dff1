"""The needs of a scene: the capabilities that a target must declare for it, and the roles that can perform it.

A class or a field declares what its value needs, see `Needs`. Here is what depends on several values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import pairwise
from typing import get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from .acting import STATE, Effect, Hook
from .agents import Agent, AgentsMD, Handler, Model, Own, Plugin, Scripted, Summarization, TodoList, Tool, Turn
from .capabilities import Capability
from .plugins import Strategy, Workflow
from .roles import ROLES, Role
from .scene import ReadRequest, Run, Scene
from .values import Needs, default_of

CAPABILITY_OF_HOOK: Mapping[Hook, Capability] = {
    **{hook: f"{hook.replace(' ', '-')}-hooks" for hook in STATE},
    "around model": "model-wrappers",
    "around tool": "tool-wrappers",
}
# A wrapper exists to change the request or the answer, so that no wrapper has a second capability.
_EDITED: Mapping[Hook, Capability] = {hook: f"{hook.replace(' ', '-')}-edits" for hook in STATE}
_EDITS = {"conversation", "agent", "state"}


def needed_capabilities(scene: Scene) -> frozenset[Capability]:
    """Return the capabilities that a target must declare for a scene."""
    needed: set[Capability] = set()
    for value in _values_in(scene):
        needed.update(_declared(value))
        match value:
            case Agent():
                needed |= _of_handlers(value.handlers)
            case Tool(agent=Agent() as agent) if not (agent.name and agent.description):
                needed.add("required-descriptions")
            case Strategy(makes=Plugin() as plugin) if scene.act == "run":  # a lookup calls no hook
                needed |= _of_hooks(plugin)
            case ReadRequest() if _needs_folders(value.file_path, scene):
                needed.add("directories")
    if scene.act in ("load", "create", "run") and any(isinstance(one, AgentsMD) for one in scene.agent.handlers):
        needed.add("agentsmd")
    if scene.act == "outside":
        needed |= {"send-event" if action == "send event" else "run-values" for action in scene.tried}
    if scene.act == "catalog":
        needed.add("registry")
    if scene.workflow and _several_in_workflow(scene.workflow, scene):
        needed.add("several-handlers")
    return frozenset(needed | _of_runs(scene.runs))


# -- what is declared --------------------------------------------------------------------------------------------------


@cache
def _declaring(kind: type[Struct]) -> Sequence[tuple[str, object, Needs]]:
    """The fields that declare needs, by name, with their defaults."""
    hints = get_type_hints(kind, include_extras=True)
    return [
        (field.name, default_of(field), needs)
        for field in fields(kind)
        for needs in getattr(hints[field.name], "__metadata__", ())
        if isinstance(needs, Needs)
    ]


def _declared(value: Struct) -> Iterator[Capability]:
    """The capabilities that a value declares to need; those of the values inside it are not among them."""
    yield from getattr(value, "needs", ())
    for name, default, needs in _declaring(type(value)):
        if (held := getattr(value, name)) != default:
            yield from needs.of(held)


def _values_in(value: object) -> Iterator[Struct]:
    """A value, and the values inside it."""
    if isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _values_in(getattr(value, name))
    elif isinstance(value, tuple):
        for one in value:
            yield from _values_in(one)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _values_in(one)


# -- what depends on several values ------------------------------------------------------------------------------------


def _of_handlers(handlers: Sequence[Handler]) -> set[Capability]:
    """The needs of the handlers of an agent; functions of legacy middlewares are no hooks of handlers."""
    needed = {"several-handlers"} if _several(handlers) else set()
    return needed.union(*(_of_hooks(one) for one in handlers if isinstance(one, Scripted | Plugin)))


def _of_hooks(double: Scripted | Plugin) -> set[Capability]:
    """The needs of the hooks of a handler or of a middleware, and of what the hooks change."""
    needed = {CAPABILITY_OF_HOOK[script.hook] for script in double.scripts}
    return needed.union(
        *(needs_of_effects(script.hook, action.effects) for script in double.scripts for action in script.actions)
    )


def needs_of_effects(hook: Hook, effects: Set[Effect]) -> set[Capability]:
    """Return the capabilities for what an action changes in a hook."""
    if hook not in _EDITED:
        return set()
    needed = {_EDITED[hook]} if effects & _EDITS else set()
    return needed | {"tools-from-hooks"} if "tools" in effects else needed


def _several(handlers: Iterable[Handler]) -> bool:
    """Whether several handlers have the same hook. The AgentsMD middleware has a before-model hook."""
    counted = Counter(hook for handler in handlers for hook in _hooks(handler))
    return any(count > 1 for count in counted.values())


def _hooks(handler: Handler) -> frozenset[Hook]:
    if isinstance(handler, AgentsMD):
        return frozenset({"before model"})
    return handler.hooks if isinstance(handler, Scripted | Plugin) else frozenset()


def _several_in_workflow(workflow: Workflow, scene: Scene) -> bool:
    """Whether an agent of a workflow has several handlers and connected middlewares with the same hook."""
    made = {strategy.provider: strategy.makes for module in scene.modules for strategy in module.strategies}
    plugins = {node.key: plugin for node in workflow.nodes if (plugin := made.get(node.provider))}
    handlers = {agent.name: agent.handlers for agent in _values_in(scene.agent) if isinstance(agent, Agent)}
    for node in workflow.nodes:
        targets = [edge.target for edge in workflow.edges if edge.source == node.key and node.kind == "agent"]
        if _several((*handlers.get(node.key, ()), *(plugins[target] for target in targets if target in plugins))):
            return True
    return False


def _of_runs(runs: Sequence[Run]) -> set[Capability]:
    resumed = [run.resume for run in runs if run.resume]
    needed: set[Capability] = {"checkpoint-reuse"} if len(set(resumed)) < len(resumed) else set()
    needed |= {"approvals" if run.decisions else "interrupt" for run in runs if run.resume}
    if any(run.cancels and not run.streaming for run in runs):
        needed.add("synchronous-cancel")
    if any(run.together and run.conversation and run.conversation == one.conversation for one, run in pairwise(runs)):
        needed.add("guarded-conversations")
    sessions = {run.id: run.session for run in runs}
    if any(run.resume and run.session and run.session != sessions.get(run.resume) for run in runs):
        needed.add("session-on-resume")
    return needed


def _needs_folders(path: str, scene: Scene) -> bool:
    """Whether only a store with folders can read the path: a folder, a joined path, or a path below a file.

    In a store without folders, a path is a key. A path with a placeholder is never stored.
    """
    if "{" in path:
        return False
    folders = {file[:at] for file in scene.files for at, letter in enumerate(file) if letter == "/" and at}
    parts = path.split("/")
    joined = path not in scene.files and any(part in ("", ".", "..") for part in path.removeprefix("/").split("/"))
    below = any("/".join(parts[:at]) in scene.files for at in range(1, len(parts)))
    return path.rstrip("/") in folders or joined or below


# -- roles -------------------------------------------------------------------------------------------------------------


def serving_roles(scene: Scene) -> tuple[Role, ...]:
    """The roles that can perform a scene, the preferred one first."""
    if scene.act == "run":
        return _roles_of_runs(scene)
    return tuple(kind.name for kind in ROLES.values() if scene.act in kind.acts)


def _roles_of_runs(scene: Scene) -> tuple[Role, ...]:
    if any(isinstance(handler, Own) for handler in scene.agent.handlers):
        return ("handler",)
    if scene.workflow or any(
        isinstance(handler, Plugin | Summarization | TodoList) for handler in scene.agent.handlers
    ):
        return ("plugins",)
    return ("agent",) if needs_a_loop(scene) else ("agent", "middleware")


def needs_a_loop(scene: Scene) -> bool:
    """Whether only a whole agent can perform a run scene."""
    agent = scene.agent
    scripts = [script for handler in agent.handlers if isinstance(handler, Scripted) for script in handler.scripts]
    hooks = {script.hook for script in scripts}
    return bool(
        scene.listens
        or hooks - {"before model", "after model"}
        or not any(isinstance(handler, AgentsMD) for handler in agent.handlers)
        or not all(action.in_middleware for script in scripts for action in script.actions)
        or agent.model is None
        or not all(map(_is_of_a_middleware, (agent, agent.model, *agent.model.turns, *agent.tools, *scene.runs)))
    )


# The parts of an agent in which a middleware alone has a part.
_IN_MIDDLEWARE: Mapping[type[Struct], str] = {
    Agent: "name instruction model tools handlers max_iterations",
    Model: "name turns",
    Turn: "text tool_calls error held",
    Tool: "name text error held",
    Run: "id messages history together",
}


def _is_of_a_middleware(value: Struct) -> bool:
    """Whether a value has nothing but parts in which a middleware alone has a part."""
    parts = {name: getattr(value, name) for name in _IN_MIDDLEWARE[type(value)].split()}
    return value == type(value)(**parts)
