"""The checkpoints of a run that its caller saves at each step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Generic

import msgspec

from ..calls.replays import Replay
from ..handlers.handler import State
from ..tools.kinds import Resumed
from ..values.messages import M
from .checkpoints import Checkpoint, Stop
from .run import Run, save_of_call


def save(run: Run, state: State[M], iteration: int) -> None:
    """Save a run before a model call, if its caller saves it. A resumed call has a checkpoint, which says more."""
    if run.save is not None and run.resumed_hook is None:
        run.save(Checkpoint.of(run, state, iteration))


def save_stop(run: Run, stop: Stop) -> None:
    """Save the checkpoint with which a run stops, if its caller saves it."""
    if run.save is not None:
        run.save(stop.checkpoint)


class SavedCalls(Generic[M]):
    """The calls of one answer, if the caller saves the run: after each call, and at each checkpoint of a sub-agent."""

    def __init__(
        self, run: Run, state: State[M], iteration: int, results: Mapping[int, M], resumed: Mapping[int, Resumed]
    ) -> None:
        self._run = run
        self._state = state
        self._iteration = iteration
        self._results = results  # grows while the calls are made
        self._states = {at: one.state for at, one in resumed.items()}

    def begin(self, at: int) -> None:
        """Take the checkpoints of the sub-agent that this call may run. Each call has a context of its own."""
        if self._run.save is not None:
            save_of_call.set(partial(self._of_sub_agent, at))

    def _of_sub_agent(self, at: int, checkpoint: bytes) -> None:
        self._states[at] = msgspec.json.decode(checkpoint)
        self._run.replays[at] = Replay()
        self.save()

    def save(self) -> None:
        """Save what the calls have done until now."""
        if self._run.save is not None:
            open_calls = {at: state for at, state in self._states.items() if at not in self._results}
            self._run.save(Checkpoint.of(self._run, self._state, self._iteration, self._results, open_calls))
