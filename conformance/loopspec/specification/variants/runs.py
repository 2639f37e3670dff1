"""Variants about other runs of the same agent."""

from __future__ import annotations

from msgspec.structs import replace

from ...contract.actions import (
    Answer,
    AssignContext,
    CallInner,
    GiveCommand,
    Insert,
    Jump,
    Raise,
    ReplaceAll,
    ReplaceLast,
    ReturnNothing,
    SetCalls,
    SetReturnDirectly,
    SetTools,
    UseCache,
    UseInvalidValue,
    UseModel,
)
from ...contract.agents import Plugin, Tool, Turn
from ...contract.scene import Cancel, Run, Scene
from ...contract.values import Called, Ended, Error
from .facts import Facts, models_of, scripts_of
from .restoring import EndedBefore, WithoutRuns
from .variant import Variant, Varied

_ADDED = "0"  # the id of an added run: the runs of scenes are numbered from 1
_CACHE = "The cache of a middleware is meant to answer a later run."
_DEFAULT_LIMIT = 20  # model calls of an agent that sets no limit (MAXITER-05)
_STORES = {
    "XP-WRAP-09 :: Two runs with *": _CACHE,
    "XP-BEST-08 :: A logging middleware before a caching middleware": _CACHE,
    "XP-BEST-08 :: A caching middleware before a logging middleware": _CACHE,
}
_SPARE = 3  # model calls between the last answer of a model and the limit
_SESSION = "s"  # a thread, whose runs share the session


# The actions that can end a run, or keep it from its model or its tools.
_ENDING = (
    Answer,
    AssignContext,
    Jump,
    GiveCommand,
    Raise,
    ReplaceAll,
    ReplaceLast,
    ReturnNothing,
    SetCalls,
    SetReturnDirectly,
    SetTools,
    UseCache,
    UseInvalidValue,
    UseModel,
)


def _is_fresh(run: Run) -> bool:
    """Whether nothing of another run is passed to the run, and nothing cancels it."""
    return not (run.thread or run.history or run.resume or run.cancels)


def _can_be_repeated(facts: Facts) -> bool:
    return facts.is_run and bool(facts.scene.runs) and not facts.scene.one_list and _is_fresh(facts.scene.runs[0])


def _waits_for_nothing(facts: Facts) -> bool:
    return _can_be_repeated(facts) and not facts.has_gates


def _after_another(scene: Scene) -> Varied:
    first = replace(scene.runs[0], id=_ADDED)
    return Varied(replace(scene, runs=(first, *scene.runs)), (WithoutRuns(frozenset({_ADDED})),))


def _after_another_with_one_list(scene: Scene) -> Varied:
    return Varied(replace(_after_another(scene).scene, one_list=True), _after_another(scene).back)


def _with_another(scene: Scene) -> Varied:
    first, *others = scene.runs
    twin = replace(first, id=_ADDED, together=True)
    return Varied(replace(scene, runs=(first, twin, *others)), (WithoutRuns(frozenset({_ADDED})),))


def _in_a_used_session(scene: Scene) -> Varied:
    (run,) = scene.runs
    runs = (replace(run, id=_ADDED, thread=_SESSION), replace(run, thread=_SESSION))
    return Varied(replace(scene, runs=runs), (WithoutRuns(frozenset({_ADDED})),))


def _can_follow(facts: Facts) -> bool:
    """Whether the one run of the scene can follow another run of the session: no state of a middleware persists."""
    stateful = any(isinstance(one, Plugin) and one.state is not None for one in facts.handlers)
    one_run = _waits_for_nothing(facts) and len(facts.scene.runs) == 1
    return one_run and not stateful and bool(_turns(facts)) and _reaches_the_model(facts)


def _reaches_the_model(facts: Facts) -> bool:
    """Whether nothing that the scene scripts ends a run before its first model call."""
    agent = facts.scene.agent
    return not any(tool.nameless or not tool.kinds for tool in agent.tools) and not any(
        isinstance(action, _ENDING)
        for script in scripts_of(agent)
        if script.hook in ("before agent", "before model", "around model")
        for action in script.actions
    )


def _can_follow_a_failure(facts: Facts) -> bool:
    """Whether no wrapper answers for a model that fails."""
    recovers = any(isinstance(action, CallInner) and action.fallback is not None for action in facts.actions)
    return _can_follow(facts) and not recovers


def _can_follow_the_limit(facts: Facts) -> bool:
    """Whether the first answer of the agent's model calls tools that only return a result, and nothing is scripted
    that ends a run."""
    if not _can_follow(facts) or any(isinstance(action, (*_ENDING, Insert)) for action in facts.actions):
        return False
    agent, calls = facts.scene.agent, {call.name for call in _turns(facts)[0].tool_calls}
    harmless = {tool.known_as or tool.name for tool in agent.tools if _returns_a_result(tool)}
    return bool(calls) and calls <= harmless and not any(agent.return_directly.get(name) for name in calls)


def _returns_a_result(tool: Tool) -> bool:
    return not (tool.agent or tool.error or tool.crash or tool.nothing or tool.interrupts or tool.parses)


def _turns(facts: Facts) -> tuple[Turn, ...]:
    """The answers of the agent's own model."""
    return facts.scene.agent.model.turns if facts.scene.agent.model else ()


def _after(scene: Scene, ends: str, turns: dict[str, tuple[Turn, ...]], cancels: tuple[Cancel, ...] = ()) -> Varied:
    """The scene after a run of the same agent and session, in which models have other answers."""
    (run,) = scene.runs
    before = replace(run, id=_ADDED, thread=_SESSION, turns=turns, cancels=cancels)
    steps = (EndedBefore(_ADDED, ends), WithoutRuns(frozenset({_ADDED})))
    return Varied(replace(scene, runs=(before, replace(run, thread=_SESSION))), steps)


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
    held = Turn(held=Ended(run=_ADDED))  # only the cancel releases the call
    cancel = Cancel(at=Called(double=f"model {_model(scene)}", run=_ADDED))
    return _after(scene, "cancelled", {_model(scene): (held,)}, (cancel,))


def _after_the_limit(scene: Scene) -> Varied:
    """An agent without a limit of its own gets one that its runs do not reach, since the default is a long way off."""
    turns, agent = _turns(Facts(scene)), scene.agent
    if agent.max_iterations is None and len(turns) + _SPARE < _DEFAULT_LIMIT:
        agent = replace(agent, max_iterations=len(turns) + _SPARE)
    calls = agent.max_iterations if agent.max_iterations and agent.max_iterations > 0 else _DEFAULT_LIMIT
    return _after(replace(scene, agent=agent), "max_iterations", {_model(scene): turns[:1] * calls})


VARIANTS = (
    Variant(
        name="run-before",
        rule="VARIANT-06",
        applies=_waits_for_nothing,
        vary=_after_another,
        exempt=_STORES,
    ),
    Variant(
        name="run-together",
        rule="VARIANT-07",
        applies=_can_be_repeated,
        vary=_with_another,
        needs=frozenset({"concurrent-runs"}),
    ),
    Variant(
        name="session-used-before",
        rule="VARIANT-08",
        applies=lambda facts: _waits_for_nothing(facts) and len(facts.scene.runs) == 1,
        vary=_in_a_used_session,
        needs=frozenset({"threads"}),
        exempt=dict.fromkeys(
            (
                "XP-HOOK-11 :: State values from earlier hooks of the same middleware",
                "XP-HOOK-16 :: Synchronous hooks after the model and after the agent",
                "XP-CTX-02 :: The state after the run",
                "XP-STATE-01 :: A counter before each of three model calls",
                "XP-STATE-01 :: A value from the before-agent hook",
                "XP-STATE-06 :: Two middlewares with different fields",
                "XP-STATE-09 :: An agent and its sub-agent, each with a counter",
                "XP-STATE-09 :: Two middlewares of an agent and one of its sub-agent",
                "PLUGIN-01 :: Two counters with the same name",
                "XP-WRAP-12 :: A command with the result of the tool",
            ),
            "The state of a middleware persists in the session, and the example states its values from the beginning.",
        ),
    ),
    Variant(
        name="same-messages-list",
        rule="VARIANT-21",
        applies=_waits_for_nothing,
        vary=_after_another_with_one_list,
        exempt=_STORES,
    ),
    Variant(
        name="after-a-failed-run",
        rule="VARIANT-13",
        applies=_can_follow_a_failure,
        vary=_after_a_failure,
        needs=frozenset({"threads"}),
    ),
    Variant(
        name="after-a-cancelled-run",
        rule="VARIANT-14",
        applies=_can_follow,
        vary=_after_a_cancel,
        needs=frozenset({"cancel", "threads"}),
        exempt=dict.fromkeys(
            (
                "CFG-10 :: A handler that observes every hook",
                "INSTR-05 :: The instruction {k} {other}",
                "INSTR-05 :: The instruction {k} {",
                "INSTR-05 :: The instruction } {k}",
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
    Variant(
        name="after-the-iteration-limit",
        rule="VARIANT-15",
        applies=_can_follow_the_limit,
        vary=_after_the_limit,
        needs=frozenset({"threads"}),
    ),
)
