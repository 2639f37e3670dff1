"""The axes that a scene is about: a difference in the scene may follow from the postures of the two targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loopspec.contract.actions import Raise
from loopspec.contract.agents import Agent, agents_in, models_of, tools_of
from loopspec.contract.axes import Postures, axes, value_on
from loopspec.contract.scene import Scene

from ..variants.facts import scripts_of


def apart(ours: Postures, theirs: Postures) -> dict[str, tuple[str, str]]:
    """The axes on which two targets have different values, each with both values."""
    values = {axis: (value_on(axis, ours), value_on(axis, theirs)) for axis in axes()}
    return {axis: pair for axis, pair in values.items() if pair[0] != pair[1]}


def related(scene: Scene, ours: Postures, theirs: Postures) -> dict[str, tuple[str, str]]:
    """Those of these axes that the scene is about."""
    agents = tuple(agents_in(scene.agent))
    pairs = apart(ours, theirs).items()
    return {axis: pair for axis, pair in pairs if axis in _ABOUT and any(map(_ABOUT[axis], agents))}


def _fails(agent: Agent) -> bool:
    fails = [one for script in scripts_of(agent) if script.hook == "around tool" for one in script.actions]
    return any(tool.error or tool.crash for tool in tools_of(agent)) or any(isinstance(one, Raise) for one in fails)


def _calls(agent: Agent) -> list[list[str]]:
    """The names of the tools that each answer calls."""
    return [[call.name for call in turn.tool_calls] for model in models_of(agent) for turn in model.turns]


def _calls_unknown(agent: Agent) -> bool:
    return not {tool.name for tool in tools_of(agent)}.issuperset(name for names in _calls(agent) for name in names)


def _answers_nothing(agent: Agent) -> bool:
    turns = [turn for model in models_of(agent) for turn in model.turns]
    return any(not (turn.text or turn.chunks or turn.tool_calls or turn.error) for turn in turns)


def _acts_in(*hooks: str) -> Callable[[Agent], bool]:
    return lambda agent: any(script.hook in hooks for script in scripts_of(agent))


_ABOUT: Mapping[str, Callable[[Agent], bool]] = {
    "after-order": _acts_in("after model", "after agent"),
    "edits-last": _acts_in("before model"),
    "tool-failure": _fails,
    "unknown-tool": _calls_unknown,
    "empty-answer": _answers_nothing,
    "instruction-template": lambda agent: "{" in agent.instruction or "}" in agent.instruction,
    "calls-without-tools": lambda agent: not tools_of(agent) and any(_calls(agent)),
    "limit-ends": lambda agent: agent.max_iterations is not None,
    "limit-zero": lambda agent: agent.max_iterations is not None and agent.max_iterations <= 0,
    "chain": _acts_in("after model"),
    "failed-sibling": lambda agent: _fails(agent) and any(len(names) > 1 for names in _calls(agent)),
    "nesting": _acts_in("around model"),
    "answer-event": _acts_in("after model"),
    "instruction-place": lambda agent: bool(agent.instruction and scripts_of(agent)),
}
