"""Variants about an earlier run of the same agent that did not end with an answer."""

from __future__ import annotations

from msgspec.structs import replace

from loopspec.contract.actions import Action, Insert
from loopspec.contract.agents import Plugin, Tool, Turn, models_of
from loopspec.contract.around import CallInner
from loopspec.contract.scene import Cancel, Scene
from loopspec.contract.values import Called, Ended, Error

from .facts import Facts, scripts_of
from .limits import DEFAULT_LIMIT
from .restoring import ended_before, without_run
from .runs import ADDED, SESSION, waits_for_nothing
from .variant import Variant, Varied

_ADDITIONAL = 3  # model calls between the last answer of a model and the limit


def _can_end(action: Action) -> bool:
    """Whether the action can end a run, or keep it from its model or its tools."""
    return "course" in action.effects


def _can_follow(facts: Facts) -> bool:
    """Whether the one run of the scene can follow another run of the session: no state of a middleware persists."""
    stateful = any(isinstance(one, Plugin) and one.state is not None for one in facts.handlers)
    one_run = waits_for_nothing(facts) and len(facts.scene.runs) == 1
    return one_run and not stateful and bool(_turns(facts)) and _reaches_the_model(facts)


def _reaches_the_model(facts: Facts) -> bool:
    """Whether nothing that the scene scripts ends a run before its first model call."""
    agent = facts.scene.agent
    return not any(tool.nameless or not tool.kinds for tool in agent.tools) and not any(
        _can_end(action)
        for script in scripts_of(agent)
        if script.hook in ("before agent", "before model", "around model")
        for action in script.actions
    )


def _can_follow_a_failure(facts: Facts) -> bool:
    """Whether no wrapper answers for a model that fails."""
    recovers = any(isinstance(action, CallInner) and action.fallback is not None for action in facts.actions)
    return _can_follow(facts) and not recovers


def _can_follow_the_limit(facts: Facts) -> bool:
    """Whether the first answer of the agent's model calls tools that only return a result, and nothing ends a run."""
    if not _can_follow(facts) or any(_can_end(action) or isinstance(action, Insert) for action in facts.actions):
        return False
    agent, calls = facts.scene.agent, {call.name for call in _turns(facts)[0].tool_calls}
    harmless = {tool.known_as or tool.name for tool in agent.tools if _returns_a_result(tool)}
    return bool(calls) and calls <= harmless and not any(agent.return_directly.get(name) for name in calls)


def _returns_a_result(tool: Tool) -> bool:
    return not (tool.agent or tool.error or tool.crash or tool.nothing or tool.stops or tool.parses)


def _turns(facts: Facts) -> tuple[Turn, ...]:
    """The answers of the agent's own model."""
    return facts.scene.agent.model.turns if facts.scene.agent.model else ()


def _after(scene: Scene, ends: str, turns: dict[str, tuple[Turn, ...]], cancels: tuple[Cancel, ...] = ()) -> Varied:
    """The scene after a run of the same agent and session, in which models have other answers."""
    (run,) = scene.runs
    before = replace(run, id=ADDED, thread=SESSION, turns=turns, cancels=cancels)
    steps = (ended_before(ADDED, ends), without_run(ADDED))
    return Varied(replace(scene, runs=(before, replace(run, thread=SESSION))), steps)


def _model(scene: Scene) -> str:
    return scene.agent.model.name if scene.agent.model else ""


def _after_a_failure(scene: Scene) -> Varied:
    """The earlier run fails in its second model call, or in the first one if that might be the last one."""
    facts = Facts(scene)
    failing = Turn(error=Error(kind="scripted", code="failed before"))
    own = (_turns(facts)[0], failing) if _can_follow_the_limit(facts) else (failing,)
    backups = {model.name: (failing,) for model in models_of(scene.agent)}
    return _after(scene, "failed", {**backups, _model(scene): own})


def _after_a_cancel(scene: Scene) -> Varied:
    held = Turn(held=Ended(run=ADDED))  # only the cancel releases the call
    cancel = Cancel(at=Called(double=f"model {_model(scene)}", run=ADDED))
    return _after(scene, "cancelled", {_model(scene): (held,)}, (cancel,))


def _after_the_limit(scene: Scene) -> Varied:
    """An agent without a limit of its own gets one that its runs do not reach, since the default is a long way off."""
    turns, agent = _turns(Facts(scene)), scene.agent
    if agent.max_iterations is None and len(turns) + _ADDITIONAL < DEFAULT_LIMIT:
        agent = replace(agent, max_iterations=len(turns) + _ADDITIONAL)
    calls = agent.max_iterations if agent.max_iterations and agent.max_iterations > 0 else DEFAULT_LIMIT
    return _after(replace(scene, agent=agent), "max_iterations", {_model(scene): turns[:1] * calls})


VARIANTS = (
    Variant("after-a-failed-run", _can_follow_a_failure, _after_a_failure, needs=frozenset({"threads"})),
    Variant(
        "after-a-cancelled-run",
        _can_follow,
        _after_a_cancel,
        needs=frozenset({"cancel", "synchronous-cancel", "threads"}),
        exempt=dict.fromkeys(
            (
                "CFG-10 :: A handler that observes every hook",
                "INSTR-05 :: The session has the key *",
                "INSTR-05 :: The instruction {k} {*",
                "INSTR-05 :: The instruction } {k}",
                "INSTR-05 :: The instruction Go *",
                "AMD-ERROR-05 :: A missing file before an unreadable file",
                "AMD-ERROR-08 :: An unreadable file",
                "XP-CTX-04 :: The context contains only another value",
                "XP-CTX-04 :: The context contains no value",
                "XP-CTX-04 :: The run has no context",
                "XP-CTX-04 :: A value is missing that only the second middleware requires",
                "XP-CTX-05 :: A number for a text",
                "XP-CTX-05 :: A text for a number",
                "XP-CTX-05 :: A digit for a number",
                "XP-CTX-05 :: A text for a list",
                "PLUGIN-11 :: AgentsMD between the two middlewares",
            ),
            "The run fails before its first model call, which is when the earlier run is cancelled.",
        ),
    ),
    Variant("after-the-iteration-limit", _can_follow_the_limit, _after_the_limit, needs=frozenset({"threads"})),
)
