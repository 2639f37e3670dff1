"""Generated scenes: an agent with a few features each, a load, calls of a backend, or a workspace.

A scenario can say each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, TypeAlias

from hypothesis import strategies as st

from loopspec.contract.agents import Agent, Config, Model
from loopspec.contract.axes import Postures, dialect_of
from loopspec.contract.capabilities import Capability
from loopspec.contract.faults import UsageError
from loopspec.contract.needs import needed_capabilities, serving_roles
from loopspec.contract.roles import ROLES, Role
from loopspec.contract.scene import Run, Scene

from .backends import backend_scenes, is_in_order
from .doubles import HELLO, model_turns, tool_lists
from .features import FEATURES
from .loads import load_scenes
from .runs import Shared
from .workspaces import workspace_scenes

# The roles whose scenes can be generated alone.
Generated: TypeAlias = Literal["backend", "workspace"]

_LAST = 6
_CHOICES = st.integers(0, _LAST)  # a feature is chosen once in seven scenes, and the simplest choice is not to


class Able(Protocol):
    """What a target can perform."""

    @property
    def roles(self) -> frozenset[Role]:
        """The roles."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """The capabilities."""

    @property
    def postures(self) -> Postures:
        """The postures: the dialect of a workspace is one."""


def scenes(*targets: Able) -> st.SearchStrategy[Scene]:
    """The scenes of agents and loads that all targets can perform; without them, those of backends or workspaces.

    Raises `UsageError` for targets that have nothing in common.
    """
    shared = frozenset.intersection(*(target.capabilities for target in targets))
    agents = [agent_scenes(shared)] if all("agent" in target.roles for target in targets) else []
    loads = [load_scenes(nothing="nil-values" in shared)] if all(map(_loads, targets)) else []
    if not agents and not loads and all("backend" in target.roles for target in targets):
        return backends(*targets)
    if not agents and not loads:
        return workspaces(*targets)
    # three agents for each load: an agent has more to differ in
    ways = st.sampled_from([*agents, *agents, *agents, *loads])
    return ways.flatmap(lambda way: way).filter(lambda scene: fits(scene, *targets))


def generated(only: Generated | None) -> Callable[..., st.SearchStrategy[Scene]]:
    """The function that generates the scenes of one role, or of all, for targets."""
    match only:
        case "backend":
            return backends
        case "workspace":
            return workspaces
        case None:
            return scenes


def backends(*targets: Able) -> st.SearchStrategy[Scene]:
    """The calls of a backend that all targets can perform. Raises `UsageError` if one has no backend."""
    if not all("backend" in target.roles for target in targets):
        raise UsageError("the role backend is compared, and one of the targets does not have the role")
    shared = frozenset.intersection(*(target.capabilities for target in targets))
    return backend_scenes(shared).filter(lambda scene: fits(scene, *targets))


def workspaces(*targets: Able) -> st.SearchStrategy[Scene]:
    """The workspaces for the dialect of all targets. Raises `UsageError` without a common dialect."""
    if not all("workspace" in target.roles for target in targets):
        raise UsageError(
            "the targets have nothing in common that is generated: agents, loads of instruction files, backends, or "
            "workspaces"
        )
    first, *others = (dialect_of(target.postures) for target in targets)
    if any(other != first for other in others):
        titles = " and ".join(dict.fromkeys(one.title for one in (first, *others)))
        raise UsageError(f"the targets read workspaces in different dialects, {titles}: name one with --dialect")
    return workspace_scenes(first)


def _loads(target: Able) -> bool:
    return bool(target.roles & {"loader", "middleware"}) or "agentsmd" in target.capabilities


def fits(scene: Scene, *targets: Able) -> bool:
    """Whether all targets can perform a scene, and its results can be compared."""
    return _is_determined(scene) and all(role_for(scene, target) is not None for target in targets)


def _is_determined(scene: Scene) -> bool:
    """Whether all targets that obey the rules show the same in a scene.

    Of an agent: no tool returns its texts to concurrent calls of one answer, which receive them in any order, and no
    request cuts off a call next to concurrent calls, which may have begun or not. Of a backend: the rules say what each
    read returns.
    """
    if scene.act == "read":
        return is_in_order(scene)
    agent = scene.agent
    if agent.sequential or agent.model is None:
        return True
    several = {tool.name for tool in agent.tools if tool.texts}
    cut_off = {call.double.removeprefix("tool ") for call in scene.held}
    return not any(
        len(names) > 1 and (cut_off & set(names) or _repeats(several, names))
        for names in ([call.name for call in turn.tool_calls] for turn in agent.model.turns)
    )


def _repeats(several: set[str], names: Sequence[str]) -> bool:
    found = [name for name in names if name in several]
    return len(found) > len(set(found))


def role_for(scene: Scene, target: Able) -> Role | None:
    """The role in which a target performs a scene; None if it cannot."""
    needs = needed_capabilities(scene)
    able = (role for role in serving_roles(scene) if role in target.roles)
    return next((role for role in able if needs <= target.capabilities | ROLES[role].implies), None)


@st.composite
def agent_scenes(draw: st.DrawFn, shared: Shared) -> Scene:
    """An agent with a model and tools, and with a few of the features of an agent."""
    allowed = [name for name, feature in FEATURES.items() if feature.needs in {None, *shared}]
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
            scene = feature.changes(draw, scene, shared)
    return scene
