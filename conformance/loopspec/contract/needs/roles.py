"""The roles that can perform a scene."""

from __future__ import annotations

from ..actions import AddContext, DropInstructions, GetLocal, Hold, Insert, Raise, SetLocal, Summarize
from ..agents import Agent, AgentsMD, Model, Own, Plugin, Scripted, Summarization, TodoList, Tool, Turn
from ..roles import Role, role_of_act
from ..scene import Run, Scene


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
        case "read workspace":
            return ("workspace",)
        case "look up" | "catalog":
            return ("plugins",)
        case "run":
            return _roles_of_runs(scene)
        case act:
            role = role_of_act(act)
            return (role,) if role else ()


def _roles_of_runs(scene: Scene) -> tuple[Role, ...]:
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
