"""Variants about other loads of the same files."""

from __future__ import annotations

from itertools import count

from msgspec.structs import replace

from ...contract.agents import Agent, AgentsMD, Handler
from ...contract.scene import Scene
from ...contract.values import Called
from .facts import Facts, with_agents
from .restoring_files import WithFirstLoads, WithLastLoad
from .variant import Variant, Varied


def _is_load(facts: Facts) -> bool:
    return facts.scene.act == "load" and not facts.has_gates


def _twice(scene: Scene) -> Varied:
    return Varied(replace(scene, times=2), (WithLastLoad(),))


def _first_file(scene: Scene) -> str | None:
    """The first configured path under which the scene has a file."""
    configured = (scene.instructions and scene.instructions.files) or ()
    return next((path for path in configured if path in scene.files), None)


def _together(scene: Scene) -> Varied:
    """The scene with two loads, each of which waits in its first read until the other load has begun its own."""
    first = _first_file(scene)
    assert first is not None, "the predicate of the variant requires a file"
    held = replace(scene.files[first], held=Called(double=f"read {first}", times=2))
    return Varied(replace(scene, times=2, together=True, files={**scene.files, first: held}), (WithFirstLoads(2),))


def _with_another_middleware(scene: Scene) -> Varied:
    """The scene with an AgentsMD middleware of equal configuration after each AgentsMD middleware."""
    numbers = count(1)

    def twice(handlers: tuple[Handler, ...]) -> tuple[Handler, ...]:
        found: list[Handler] = []
        for handler in handlers:
            found.append(handler)
            if isinstance(handler, AgentsMD):
                found.append(replace(handler, name=f"equal-{next(numbers)}"))
        return tuple(found)

    def change(agent: Agent) -> Agent:
        return replace(agent, handlers=twice(agent.handlers))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)))


VARIANTS = (
    Variant(
        name="loaded-twice",
        rule="VARIANT-41",
        roles=("loader",),
        applies=_is_load,
        vary=_twice,
    ),
    Variant(
        name="loaded-together",
        rule="VARIANT-42",
        roles=("loader",),
        applies=lambda facts: _is_load(facts) and _first_file(facts.scene) is not None,
        vary=_together,
        needs=frozenset({"concurrent-runs"}),
    ),
    Variant(
        name="equal-middleware",
        rule="VARIANT-43",
        roles=("middleware", "agent", "plugins"),
        applies=lambda facts: (
            facts.scene.act == "run" and any(isinstance(handler, AgentsMD) for handler in facts.handlers)
        ),
        vary=_with_another_middleware,
    ),
)
