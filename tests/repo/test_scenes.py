"""What a scenario plans happens: its handlers act on the reference in every hook that they have actions for."""

from __future__ import annotations

from collections import Counter
from contextlib import closing

from loopspec.contract.observation import Observation
from loopspec.engine.judge import role_for
from loopspec.engine.perform import perform
from loopspec.specification.features import compiled
from loopspec.stage.index import SceneIndex
from loopspec.targets.resolve import resolve

# The outcome of these cases is that the planned call of the hook never comes.
_NEVER_CALLED = {"XP-WRAP-19 :: No call exceeds the limit"}


def _idle(index: SceneIndex, seen: Observation) -> list[tuple[str, str]]:
    """The handlers, with their hooks, that no run calls as often as the scene needs."""
    calls = Counter((call.handler, call.hook, call.run) for call in seen.hooks)
    most: dict[tuple[str, str], int] = {}
    for (handler, hook, _), number in calls.items():
        most[handler, hook] = max(number, most.get((handler, hook), 0))
    return [
        (handler, script.hook)
        for handler, scripts in index.scripts.items()
        for script in scripts
        if script.actions and most.get((handler, script.hook), 0) < min(script.calls, default=1)
    ]


def test_every_planned_action_happens_on_the_reference() -> None:
    """Where the agent is built at all. An action that never happens shows nothing."""
    found = {}
    with closing(resolve("reference")) as target:
        for case in compiled():
            role, _ = role_for(case, target)
            if case.scene.act != "run" or role is None:
                continue
            seen = perform(target, case.scene, role)
            idle = _idle(SceneIndex(case.scene), seen)
            if idle and seen.created is None and case.id not in _NEVER_CALLED:
                found[case.id] = idle

    assert found == {}
