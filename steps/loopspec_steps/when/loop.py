"""When: the acts of the features about the loop, beside those that any agent has."""

from __future__ import annotations

from ..builders.scene import Draft
from ..phrasebook import when


@when("the agent runs and is resumed")
def runs_and_is_resumed(draft: Draft) -> None:
    """Run 1 is interrupted or cancelled; run 2 goes on from its checkpoint, in an agent built anew."""
    _resumed(draft)


@when("the agent runs, is resumed, and is resumed once more from where that stopped")
def runs_and_is_resumed_again(draft: Draft) -> None:
    """Run 2 goes on from the checkpoint of run 1, and run 3 from that of run 2."""
    _resumed(draft)
    draft.add_run(messages=(), resume="2", answers=draft.answers)


@when("keeping, looking up and forgetting a value are tried outside of any run")
def values_outside(draft: Draft) -> None:
    """Run-local values, while no run goes on."""
    draft.act = "outside"
    draft.tried = ("set", "get", "delete")


@when("sending an event is tried outside of any run")
def event_outside(draft: Draft) -> None:
    """The same with an event."""
    draft.act = "outside"
    draft.tried = ("send event",)


def _resumed(draft: Draft) -> None:
    draft.act = "run"
    draft.add_run()
    draft.add_run(messages=(), resume="1", answers=draft.answers, cancels=())
