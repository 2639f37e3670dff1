"""One run of an agent, seen from inside: its run-local values and its event stream."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from .errors import OutsideRunError
from .events import CustomEvent, Event
from .messages import Json


class Run:
    """What belongs to one run of one agent, and ends with it.

    `local` holds the run-local values: JSON values, so that a checkpoint can hold them. `session` is shared with
    the runs of sub-agents, `local` is not.
    """

    def __init__(self, agent: str, session: dict[str, Json], local: dict[str, Json] | None = None) -> None:
        self.agent = agent
        self.session = session
        self.local = {} if local is None else local
        self.events: asyncio.Queue[Event | None] = asyncio.Queue()  # None: no more follow

    def emit(self, event: Event) -> None:
        """Append to the run's event stream."""
        self.events.put_nowait(event)


current_run: ContextVar[Run | None] = ContextVar("current_run", default=None)


def _here() -> Run:
    run = current_run.get()
    if run is None:
        raise OutsideRunError("run-local values and events exist only while an agent runs")
    return run


def set_run_local_value(key: str, value: Json) -> None:
    """Keep a value until the current run of this agent ends, across interrupt and resume.

    Other runs do not see it, nor do sub-agents. Raises `OutsideRunError` outside a run.
    """
    _here().local[key] = value


def get_run_local_value(key: str) -> tuple[Json, bool]:
    """Return the value and True, or None and False when the current run has none under this key.

    Raises `OutsideRunError` outside a run.
    """
    local = _here().local
    return local.get(key), key in local


def delete_run_local_value(key: str) -> None:
    """Forget the value, if there is one. Raises `OutsideRunError` outside a run."""
    _here().local.pop(key, None)


def send_event(payload: Json) -> None:
    """Put a custom event into the current run's event stream. Raises `OutsideRunError` outside a run."""
    run = _here()
    run.emit(CustomEvent(run.agent, payload))
