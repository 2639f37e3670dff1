"""The runs of a scene, as their caller sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import partial

import msgspec
from msgspec.structs import replace

from ..contract.doubles import tool_and_call
from ..contract.faults import AdapterError
from ..contract.observation import Cancelled, Event, Interrupted, ModelCall, RunEnd, Waited
from ..contract.scene import Cancel, Run, Scene
from ..contract.stage import CancelHandle
from ..contract.values import Appeared, Began, CancelAsked, Ended, Error, Failed, Json, Message, json_in
from .gates import StuckGate
from .record import Record, current_context, current_run


def sessions(scene: Scene) -> list[tuple[Run, ...]]:
    """The runs, cut before each run that resumes: what follows belongs to another process.

    Runs in a row that resume from one checkpoint belong to one process. Each has its own context and session: hooks may
    change the lists and objects in them, and the scene is performed again.
    """
    cut: list[tuple[Run, ...]] = [()]
    for run in scene.runs:
        if run.resume and not (cut[-1] and cut[-1][-1].resume == run.resume):
            cut.append(())
        cut[-1] += (replace(run, context=deepcopy(run.context), session=deepcopy(run.session)),)
    return cut


class _RunRecord:
    """What is known of a run before it ends. `end` is its entry, before it is recorded."""

    def __init__(self, run: str) -> None:
        self.end = RunEnd(n=0, run=run)
        self.error: Error | None = None  # of the last event, where that is an error of the scene's own agent
        self.events = 0
        self.chunks = 0
        self.handles: list[CancelHandle] = []
        self.saved: bytes | None = None
        self.died: RunEnd | None = None  # the end of a run whose process dies
        self.passed: list[Message] = []
        self.copy: list[Message] = []

    def note(self, **known: object) -> None:
        """Add what is known now to the entry of the end."""
        self.end = replace(self.end, **known)


class LiveRuns:
    """The runs, one batch after another. `session` are the runs to perform now. The contract's `HarnessRuns`."""

    def __init__(self, scene: Scene, record: Record) -> None:
        self.session: tuple[Run, ...] = scene.runs
        self._scene = scene
        self._record = record
        self._run_records: dict[str, _RunRecord] = {}
        self._lists: list[tuple[tuple[Message, ...], list[Message]]] = []
        self._sent: Counter[tuple[str, Cancel]] = Counter()

    @property
    def missed(self) -> tuple[str, ...]:
        """The planned deaths, and cancel requests, that never came; the last part of a run may end without its own."""
        dying = [run for run in self._scene.runs if run.dies and not self._run_record(run.id).died]
        lived = [f"the process of run {run.id} was to die when {run.dies}, and never died" for run in dying]
        planned = Counter((run.id, request) for run in self._scene.runs if not run.part for request in run.cancels)
        return *lived, *(
            f"a cancel request for run {run} was planned for when {request.at}, and was never sent"
            for run, request in (planned - self._sent).elements()
        )

    def _run_record(self, run: str | None = None) -> _RunRecord:
        """What is known of a run; without a name, of the current run."""
        name = run if run is not None else current_run.get() or ""
        if name not in self._run_records:
            self._run_records[name] = _RunRecord(name)
        return self._run_records[name]

    def takes_place(self, run: Run) -> bool:
        """Return whether a run takes place: a part of a run needs the part before to have stopped as it should."""
        before = self._run_record(run.resume or "").end
        return run.continues(before.cancelled is not None, before.interrupted)

    async def concurrent_runs(self) -> AsyncIterator[tuple[Run, ...]]:
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
        record, run_record = self._record, self._run_record(run.id)
        record.gates.happened(Began(run=run.id))
        if run.dies:
            record.gates.when(run.dies, partial(self._dies, run_record))
        record.gates.settle()
        in_run, in_context = current_run.set(run.id), current_context.set({})
        error = None
        try:
            yield
        except AdapterError:
            raise
        except Exception as raised:
            error = record.describe(raised)
        finally:
            with suppress(ValueError):  # of a run that was given up, and is closed in another context
                current_run.reset(in_run)
                current_context.reset(in_context)
        error = error or run_record.error
        if error is not None:
            record.gates.happened(Failed(run=run.id))
        record.gates.happened(Ended(run=run.id))
        if run.dies:  # it may die at its end
            record.gates.settle()
        if run.part:  # releases the callers that wait for requests which this part of a run does not need
            for at in range(len(run_record.handles), len(run.cancels)):
                record.gates.happened(CancelAsked(run=run.id, times=at + 1))
        changed = () if run_record.passed == run_record.copy else ("messages",)
        record.add(replace(run_record.died or replace(run_record.end, error=error, changed=changed), n=record.n))

    def enter(self, run: str | None, context: Mapping[str, Json]) -> None:
        current_run.set(run)
        current_context.set(context)

    def context(self) -> Mapping[str, Json]:
        return current_context.get({})

    def messages(self, run: Run) -> list[Message]:
        run_record = self._run_record(run.id)
        run_record.passed = self._passed_to(run)
        run_record.copy = [*run_record.passed]
        return run_record.passed

    def _passed_to(self, run: Run) -> list[Message]:
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
            stored = [replace(message, extra={}) for message in stored]
        return [*stored, *run.messages]

    def event(
        self,
        agent: str,
        message: Message | None = None,
        custom: Json = None,
        path: Sequence[str] = (),
        exits: bool = False,
        error: BaseException | None = None,
    ) -> None:
        n, run = self._record.n, current_run.get() or ""
        event = Event(n=n, run=run, agent=agent, message=message, custom=custom, path=tuple(path), exits=exits)
        self._show(replace(event, error=self._record.describe(error)) if error else event)

    async def stream(
        self, agent: str, chunks: AsyncIterable[Message], path: Sequence[str] = (), exits: bool = False
    ) -> None:
        record, run, run_record = self._record, current_run.get() or "", self._run_record()
        read: list[Message] = []
        error = None
        try:
            async for chunk in chunks:
                read.append(chunk)
                run_record.chunks += 1
                record.gates.happened(Appeared(run=run, chunks=run_record.chunks))
                record.gates.settle()
        except Exception as raised:
            error = record.describe(raised)
        event = Event(n=record.n, run=run, agent=agent, path=tuple(path), exits=exits)
        self._show(replace(event, chunks=tuple(read), error=error))

    def _show(self, event: Event) -> None:
        record, run_record = self._record, self._run_record(event.run)
        run_record.events += 1
        run_record.error = event.error if event.chunks is None and event.agent == self._scene.agent.name else None
        record.gates.happened(Appeared(run=event.run, events=run_record.events))
        for message in [*([event.message] if event.message else []), *(event.chunks or ())[:1]]:
            if message.tool_call_id:
                record.gates.happened(Appeared(run=event.run, tool_call_id=message.tool_call_id))
        record.add(event)

    def final(self, answer: Message | str) -> None:
        if current_run.get() is None:
            raise AdapterError("the adapter reported a final answer outside any run: report it inside `runs.running`")
        self._run_record().note(final=answer if isinstance(answer, str) else answer.text)

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        shown = tuple(Interrupted(id=call, info=info) for call, info in interrupts)
        self._run_record().note(interrupted=True, checkpoint=checkpoint, interrupts=shown)

    def saved(self, checkpoint: bytes) -> None:
        self._run_record().saved = checkpoint

    def _dies(self, run_record: _RunRecord) -> None:
        run = run_record.end.run
        run_record.died = RunEnd(n=0, run=run, checkpoint=run_record.saved, died=True)
        self._record.dies(run)

    def checkpoint(self, run: Run) -> bytes:
        """Return the checkpoint that a run is resumed from. Raises `LookupError` where there is none."""
        before = self._run_record(run.resume)
        checkpoint = (before.died or before.end).checkpoint
        if checkpoint is None:  # it did not stop: the run cannot be resumed, and that is an outcome
            raise LookupError(f"run {run.resume} has left no checkpoint")
        self._run_record(run.id).saved = checkpoint  # until the run saves a step of its own
        return checkpoint

    def answers(self, run: Run) -> dict[str, Json]:
        found: dict[str, Json] = {}
        ids: dict[str, str] = {}
        for one in self._run_record(run.resume).end.interrupts:
            tool, call = tool_and_call(one.info)
            ids[call] = one.id
            for given, key in ((run.answers, tool), (run.call_answers, call)):
                if key in given:
                    found[one.id] = given[key]
        for call, decision in run.decisions.items():  # in the caller's order, also those about unknown calls
            found[ids.get(call, call)] = msgspec.to_builtins(decision)
        return found

    def ended_with(self, session: Mapping[str, Json], state: Mapping[str, Json] | None = None) -> None:
        self._run_record().note(session=json_in(session), state=json_in(state or {}))

    def cancels(self, run: Run, cancel: Callable[[Cancel], CancelHandle]) -> None:
        for request in run.cancels:
            self._record.gates.when(request.at, partial(self._cancel, run, request, cancel))

    def _cancel(self, run: Run, request: Cancel, cancel: Callable[[Cancel], CancelHandle]) -> None:
        self._sent[run.id, request] += 1
        run_record = self._run_record(run.id)
        run_record.handles.append(cancel(request))
        self._record.gates.happened(CancelAsked(run=run.id, times=len(run_record.handles)))
        self._record.gates.settle()

    async def waiting(self, run: Run) -> None:
        record, run_record = self._record, self._run_record(run.id)
        for at in range(len(run.cancels)):
            try:
                await record.gates.wait(CancelAsked(run=run.id, times=at + 1), record.new_waiter)
            except StuckGate:  # the request was never made: the record says so, and the waiting caller is not at fault
                return
            if at == len(run_record.handles):
                return
            outcome = await run_record.handles[at].wait()
            record.enter(Waited, run=run.id, contributed=run_record.handles[at].contributed, outcome=outcome)

    def cancelled(
        self, checkpoint: bytes | None, modes: Sequence[str] = (), escalated: bool = False, timed_out: bool = False
    ) -> None:
        cancelled = Cancelled(modes=tuple(sorted(modes)), escalated=escalated, timed_out=timed_out)
        self._run_record().note(checkpoint=checkpoint, cancelled=cancelled)
