"""When: the acts of the features about the loop, beside those that any agent has."""

from __future__ import annotations

from .draft import Draft
from .phrasebook import when


@when("the agent runs and is resumed")
def runs_and_is_resumed(draft: Draft) -> None:
    """Run 1 is interrupted or cancelled; run 2 goes on from its checkpoint, in an agent built anew."""
    _resumed(draft, 1)


@when("the agent runs and is resumed twice from the same checkpoint")
def runs_and_is_resumed_twice(draft: Draft) -> None:
    """Runs 2 and 3 both go on from the checkpoint of run 1."""
    _resumed(draft, 2)


@when("the agent runs, is resumed, and is resumed once more from where that stopped")
def runs_and_is_resumed_again(draft: Draft) -> None:
    """Run 2 goes on from the checkpoint of run 1, and run 3 from that of run 2."""
    _resumed(draft, 1)
    draft.add_run(messages=(), resume="2", answers=draft.answers)


@when("what handlers do with a run is tried outside of any")
def tried_outside(draft: Draft) -> None:
    """Run-local values and events, while no run goes on."""
    draft.act = "outside"


def _resumed(draft: Draft, times: int) -> None:
    draft.act = "run"
    draft.add_run()
    for _ in range(times):
        draft.add_run(messages=(), resume="1", answers=draft.answers, cancels=())
