"""Variants about limits that a run or a load just reaches."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.agents import Agent, Config
from loopspec.contract.around import Answer, GiveCommand, Jump, UseCache, UseModel
from loopspec.contract.scene import Scene

from .facts import Facts, with_agents
from .file_facts import ROLES, has_files, has_limit, with_configs
from .variant import Variant, Varied

DEFAULT_LIMIT = 20  # model calls of an agent that sets no limit (MAXITER-05)

# The actions after which the answers of a model no longer count the iterations.
_UNCOUNTED = (Answer, GiveCommand, Jump, UseCache, UseModel)


def _can_be_limited(agent: Agent) -> bool:
    """Whether the agent has no limit, and its model has fewer answers than the default permits."""
    return agent.max_iterations is None and agent.model is not None and len(agent.model.turns) < DEFAULT_LIMIT


def _is_counted(facts: Facts) -> bool:
    """Whether an agent runs that can be limited, and each iteration of each agent takes an answer of its own model."""
    return (
        facts.is_run
        and any(map(_can_be_limited, facts.agents))
        and not any(agent.failover for agent in facts.agents)
        and not any(isinstance(action, _UNCOUNTED) for action in facts.actions)
    )


def _limited(scene: Scene) -> Varied:
    """The scene whose agents may call their models as often as these have answers."""

    def change(agent: Agent) -> Agent:
        if not _can_be_limited(agent) or agent.model is None:
            return agent
        return replace(agent, max_iterations=max(1, len(agent.model.turns)))

    return Varied(replace(scene, agent=with_agents(scene.agent, change)))


def _with_bytes(scene: Scene) -> Varied:
    """The scene whose loads may read as many bytes as all files have together: no file is read twice."""
    size = sum(len(file.content) for file in scene.files.values() if not file.fault)

    def change(config: Config) -> Config:
        return replace(config, max_bytes=size)

    return Varied(with_configs(scene, change))


def _has_bytes(facts: Facts) -> bool:
    """Whether files that stay the same are loaded without a byte limit."""
    has_content = any(file.content and not file.fault for file in facts.scene.files.values())
    return has_files(facts) and has_content and not has_limit(facts.scene) and not facts.scene.changes


VARIANTS = (
    Variant(
        "limit-just-reached",
        _is_counted,
        _limited,
        exempt={"POSTURE-20 :: *": "The rule is about an agent that sets no limit."},
    ),
    Variant("bytes-just-reached", _has_bytes, _with_bytes, roles=ROLES),
)
