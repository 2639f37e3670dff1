"""User messages that are sent to a run under way: they wait for its next model request."""

from __future__ import annotations

from collections.abc import Sequence

from ..handlers.handler import State
from ..values.messages import M
from .run import Run, active_run

_SENT = "__sent__"  # messages that wait are a run-local value, so that a checkpoint holds them


def send_message(text: str) -> None:
    """Send the current run a user message, which is in the next model request (STOP-32).

    A run that would end with an answer makes another model call for the message (STOP-35); a return-directly tool, an
    exit tool or a jump ends the run all the same. Raises `OutsideRunError` outside a run.
    """
    local = active_run().local
    local[_SENT] = [*local.get(_SENT, []), text]


def has_sent(run: Run) -> bool:
    """Return whether a message waits for the next model request."""
    return _SENT in run.local


def waiting(run: Run, message_type: type[M]) -> Sequence[M]:
    """Return the messages that wait for the next model request, of this run or, once it is over, of the next one."""
    return [message_type.user(text) for text in run.local.get(_SENT, [])]


def with_sent(run: Run, state: State[M], message_type: type[M]) -> State[M]:
    """Return the state with the messages that wait. In the middle of a resumed model call, they wait on."""
    if not has_sent(run) or run.resumed_hook is not None:
        return state
    sent = waiting(run, message_type)
    del run.local[_SENT]
    state = State((*state.messages, *sent), state.tools, state.deferred_tools)
    if run.keep is not None:
        run.keep(state.messages)
    return state
