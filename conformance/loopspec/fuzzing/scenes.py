"""Generated scenes: an agent with a few features each, or a load. A scenario can say each of them."""

from __future__ import annotations

from hypothesis import strategies as st

from ..contract.agents import Agent, Config, Model
from ..contract.capabilities import Role
from ..contract.needs import needed_capabilities, serving_roles
from ..contract.scene import Run, Scene
from .agents import HELLO
from .doubles import model_turns, tool_lists
from .features import FEATURES, NEEDS, Shared
from .loads import load_scenes

_LAST = 6
_CHOICES = st.integers(0, _LAST)  # a feature is chosen once in seven scenes, and the simplest choice is not to


def scenes(roles: frozenset[Role], shared: Shared) -> st.SearchStrategy[Scene]:
    """The scenes that two targets with these roles and capabilities can both perform."""
    agents = [agent_scenes(shared)] if "agent" in roles else []
    loads = [load_scenes()] if roles & {"loader", "middleware"} or (agents and "agentsmd" in shared) else []
    # three agents for each load: an agent has more to differ in
    ways = st.sampled_from([*agents, *agents, *agents, *loads])
    return ways.flatmap(lambda way: way).filter(lambda scene: fits(scene, roles, shared))


def fits(scene: Scene, roles: frozenset[Role], shared: Shared) -> bool:
    """Whether targets with these roles and capabilities can perform a scene."""
    return role_for(scene, roles) is not None and needed_capabilities(scene) <= shared


def role_for(scene: Scene, roles: frozenset[Role]) -> Role | None:
    """The role in which a target with these roles performs a scene."""
    return next((role for role in serving_roles(scene) if role in roles), None)


@st.composite
def agent_scenes(draw: st.DrawFn, shared: Shared) -> Scene:
    """An agent with a model and tools, and with a few of the features of an agent."""
    allowed = [name for name in FEATURES if NEEDS.get(name) in {None, *shared}]
    # Few features at a time keep the cause of a difference visible, and each can be shrunk away alone.
    chosen = {name for name in allowed if draw(_CHOICES) == _LAST}
    tools = draw(tool_lists(shared))
    names = tuple(tool.name for tool in tools)
    model = Model(turns=draw(model_turns(names, shared, failing="errors" in chosen)))
    scene = Scene(
        act="run",
        instructions=Config(),
        messages=(HELLO,),
        agent=Agent(model=model, tools=tools),
        runs=(Run(id="1", messages=(HELLO,)),),
    )
    for name, feature in FEATURES.items():
        if name in chosen:
            scene = feature(draw, scene, shared)
    return scene
