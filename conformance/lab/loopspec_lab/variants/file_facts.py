"""Questions about the instruction files of a scene."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from loopspec.contract.agents import AgentsMD, Config, agents_in
from loopspec.contract.roles import Role
from loopspec.contract.scene import File, Scene

from .facts import Facts, mapped

ROLES: tuple[Role, ...] = ("loader", "middleware", "agent", "plugins")
IMPORT = re.compile(r"@([a-zA-Z0-9_.~/][a-zA-Z0-9_.~/\-]*)")

_ACTS = ("load", "hook", "run")


def has_files(facts: Facts) -> bool:
    """Whether the scene's files are read for instructions."""
    return facts.scene.act in _ACTS and bool(facts.scene.files)


def configs(scene: Scene) -> Iterator[Config]:
    """The configurations of the scene's AgentsMD middlewares, and of its load."""
    handlers = [handler for agent in agents_in(scene.agent) for handler in agent.handlers]
    own = [handler.config for handler in handlers if isinstance(handler, AgentsMD)]
    yield from [config for config in (scene.instructions, *own) if config is not None]


def with_configs(scene: Scene, change: Callable[[Config], Config]) -> Scene:
    """The scene with a change to each of these configurations."""
    instructions, agent = (mapped(one, (Config,), change) for one in (scene.instructions, scene.agent))
    return replace(scene, instructions=instructions, agent=agent)


def has_limit(scene: Scene) -> bool:
    """Whether a configuration has a byte limit."""
    return any(config.max_bytes for config in configs(scene))


def all_files(scene: Scene) -> Iterator[tuple[str, File]]:
    """The files at any time, with their paths."""
    yield from scene.files.items()
    for change in scene.changes:
        if change.path is not None and change.file is not None:
            yield change.path, change.file
