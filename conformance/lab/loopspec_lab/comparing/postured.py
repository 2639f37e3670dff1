"""The axes that a scene is about: a difference in the scene may follow from the postures of the two targets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from loopspec.contract.actions import Raise, SetInstruction, SetTools
from loopspec.contract.agents import Agent, AgentsMD, agents_in, models_of, tools_of
from loopspec.contract.around import ReturnNothing
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
    around = [one for script in scripts_of(agent) if script.hook == "around tool" for one in script.actions]
    failing = any(tool.error or tool.crash or tool.nothing or tool.agent for tool in tools_of(agent))
    return failing or any(isinstance(one, Raise | ReturnNothing) for one in around)


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


def _has_instructions(agent: Agent) -> bool:
    return any(isinstance(one, AgentsMD) for one in agent.handlers)


def _sets_no_tools(agent: Agent) -> bool:
    return any(isinstance(one, SetTools) and not one.tools for script in scripts_of(agent) for one in script.actions)


def _is_instructed(agent: Agent) -> bool:
    sets = any(isinstance(one, SetInstruction) for script in scripts_of(agent) for one in script.actions)
    return bool(agent.instruction or sets or any(one.instruction for one in agent.legacy))


_ABOUT: Mapping[str, Callable[[Agent], bool]] = {
    "after-order": _acts_in("after model", "after agent"),
    "edits-last": lambda agent: _acts_in("before model")(agent) or _has_instructions(agent),
    "tool-failure": _fails,
    "unknown-tool": _calls_unknown,
    "empty-answer": _answers_nothing,
    "instruction-template": lambda agent: "{" in agent.instruction or "}" in agent.instruction,
    "calls-without-tools": lambda agent: any(_calls(agent)) and (not tools_of(agent) or _sets_no_tools(agent)),
    "limit-ends": lambda agent: agent.max_iterations is not None,
    "limit-zero": lambda agent: agent.max_iterations is not None and agent.max_iterations <= 0,
    "chain": _acts_in("after model"),
    "failed-sibling": lambda agent: _fails(agent) and any(len(names) > 1 for names in _calls(agent)),
    "nesting": _acts_in("around model"),
    "answer-event": _acts_in("after model"),
    "instruction-place": lambda agent: bool(scripts_of(agent)) and _is_instructed(agent),
    "message-events": lambda agent: True,
}
