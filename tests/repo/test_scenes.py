"""Planned actions happen: on the reference, each handler is called in every hook that has actions."""

from __future__ import annotations

from collections import Counter
from contextlib import closing

from loopspec.contract.agents import Turn
from loopspec.contract.observation import Observation
from loopspec.engine.perform import perform
from loopspec.specification.features import compiled
from loopspec.stage.index import SceneIndex
from loopspec.targets.resolve import resolve

from ..conformance.staging import role_of

# Cases in which an action is planned for a call that the reference never makes, each with the reason.
_NEVER_CALLED = {
    "XP-WRAP-19 :: No call exceeds the limit": "the wrapper short-circuits calls above a limit that is not reached",
    "XP-JUMP-02 :: The first of two middlewares jumps after a tool call": "the jump skips the second middleware",
}


def _idle(index: SceneIndex, seen: Observation) -> list[tuple[str, str]]:
    """The handlers and hooks that no run calls as often as the scene needs."""
    calls = Counter((call.handler, call.hook, call.run) for call in seen.hooks)
    most: dict[tuple[str, str], int] = {}
    for (handler, hook, _), number in calls.items():
        most[handler, hook] = max(number, most.get((handler, hook), 0))
    return [
        (handler, script.hook)
        for handler, scripts in index.scripts.items()
        for script in scripts
        if (script.actions or script.calls) and most.get((handler, script.hook), 0) < max(script.calls, default=1)
    ]


def test_every_planned_action_happens_on_the_reference() -> None:
    """Scenes whose agent is built are checked. An action for call 3 shows nothing if the hook is called twice."""
    found = {}
    with closing(resolve("reference")) as target:
        for case in (case for case in compiled() if case.scene.act == "run"):
            seen = perform(target, case.scene, role_of(case, target))
            idle = _idle(SceneIndex(case.scene), seen)
            if idle and seen.created is None:
                found[case.id] = idle

    assert found.keys() == _NEVER_CALLED.keys(), found


ABOUT_EMPTY = ("empty answer", "answer is empty", "empty text", "answers nothing")


def _is_empty(turn: Turn) -> bool:
    failed = turn.error is not None or turn.crash or turn.nothing
    return not failed and not turn.tool_calls and not "".join(turn.pieces)


def test_only_scenarios_about_empty_answers_have_one() -> None:
    """A loop that retries an empty answer is judged by the rules about empty answers, and by no others.

    The title says that an answer is empty or nothing.
    """
    found = []
    for case in compiled():
        index = SceneIndex(case.scene)
        turns = [turn for model in index.models.values() for turn in model.turns]
        turns += [turn for run in case.scene.runs for given in run.turns.values() for turn in given]
        is_about = any(words in case.title.lower() for words in ABOUT_EMPTY)
        if any(map(_is_empty, turns)) and not is_about:
            found.append(case.id)

    assert found == []
