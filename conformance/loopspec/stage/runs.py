"""The runs of a scene, as their caller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import msgspec

from ..contract.faults import AdapterError
from ..contract.observation import Event, ModelCall, RunEnd
from ..contract.scene import Run, Scene
from ..contract.values import Appeared, Began, Failed, Json, Message
from .record import Record, current_context, current_run


def sessions(scene: Scene) -> list[tuple[Run, ...]]:
    """The runs, cut before each that goes on from a checkpoint: what follows is another process's."""
    cut: list[tuple[Run, ...]] = [()]
    for run in scene.runs:
        if run.resume:
            cut.append(())
        cut[-1] += (run,)
    return cut


class LiveRuns:
    """The runs, one batch after the other. `session` are those to perform now."""

    def __init__(self, scene: Scene, record: Record) -> None:
        self.session: tuple[Run, ...] = scene.runs
        self._scene = scene
        self._record = record
        self._checkpoints: dict[str, bytes] = {}
        self._shown: dict[str, int] = {}
        self._lists: list[tuple[tuple[Message, ...], list[Message]]] = []

    async def batches(self) -> AsyncIterator[tuple[Run, ...]]:
        """Yield the runs to perform now."""
        batch: tuple[Run, ...] = ()
        for run in self.session:
            if batch and not run.together:
                yield batch
                batch = ()
            batch += (run,)
        if batch:
            yield batch

    @contextmanager
    def running(self, run: Run) -> Iterator[None]:
        """Mark everything done inside as part of this run."""
        record = self._record
        record.gates.happened(Began(run=run.id))
        record.gates.settle()
        in_run, in_context = current_run.set(run.id), current_context.set({})
        error = None
        try:
            yield
        except AdapterError:
            raise
        except Exception as raised:
            error = record.describe(raised)
            record.gates.happened(Failed(run=run.id))
        finally:
            current_run.reset(in_run)
            current_context.reset(in_context)
        record.add(RunEnd(n=record.n, run=run.id, error=error, interrupted=run.id in self._checkpoints))

    def messages(self, run: Run) -> list[Message]:
        """The messages the caller hands to a run, in the caller's own list: see `Scene.one_list`."""
        if run.history is None:
            same = [kept for messages, kept in self._lists if self._scene.one_list and messages == run.messages]
            if not same:
                same.append(list(run.messages))
                self._lists.append((run.messages, same[0]))
            return same[0]
        calls = [call for call in self._record.of(ModelCall) if call.run == run.history.run]
        stored = [message for message in calls[-1].messages if message.role != "system"]
        stored += [call.answer for call in calls[-1:] if call.answer]
        if not run.history.keep_extra:
            stored = [msgspec.structs.replace(message, extra={}) for message in stored]
        return [*stored, *run.messages]

    def event(self, agent: str, message: Message | None = None, custom: Json = None) -> None:
        """Take an event of the current run's stream."""
        record, run = self._record, current_run.get() or ""
        self._shown[run] = self._shown.get(run, 0) + 1
        record.gates.happened(Appeared(run=run, events=self._shown[run]))
        if message and message.tool_call_id:
            record.gates.happened(Appeared(run=run, tool_call_id=message.tool_call_id))
        record.add(Event(n=record.n, run=run, agent=agent, message=message, custom=custom))

    def interrupted(self, checkpoint: bytes) -> None:
        """Take the checkpoint with which the current run stopped."""
        self._checkpoints[current_run.get() or ""] = checkpoint

    def checkpoint(self, run: str) -> bytes:
        """Return the checkpoint with which a run stopped."""
        return self._checkpoints[run]
