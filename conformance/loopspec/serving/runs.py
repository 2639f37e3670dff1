"""The runs of one case, as the harness requests them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context

import msgspec

from ..contract.faults import AdapterError
from ..contract.observation import Interrupted
from ..contract.scene import Cancel, Run
from ..contract.stage import CancelHandle
from ..contract.values import Began, Json, Message, json_in
from ..protocol import messages as m
from ..protocol import rpc
from ..stage.record import current_context, current_run
from .calls import CaseCalls


class RemoteRuns:
    """The runs that the harness has requested. The contract's `Runs`.

    `created` is done once the adapter waits for runs.
    """

    def __init__(self, calls: CaseCalls) -> None:
        self.created: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._calls = calls
        self._requested: dict[str, tuple[str | int | None, m.RunAgent]] = {}
        self._batches: asyncio.Queue[tuple[str, ...]] = asyncio.Queue()
        self._ended: dict[str, m.RunEnded] = {}
        self._lists: dict[int, list[Message]] = {}
        self._cancels: dict[str, Callable[[Cancel], CancelHandle]] = {}
        self._early_cancels: dict[str, list[Callable[[], None]]] = {}
        self._streams = 0

    def request(self, id_: str | int | None, params: m.RunAgent) -> None:
        """Take a request for a run. A batch begins when all its runs are requested."""
        self._requested[params.run] = (id_, params)
        if all(run in self._requested for run in params.batch):
            self._batches.put_nowait(params.batch or (params.run,))

    async def concurrent_runs(self) -> AsyncIterator[tuple[Run, ...]]:
        """Yield the runs to perform now. No batch is the last one: the case ends."""
        if not self.created.done():
            self.created.set_result(None)
        while True:
            yield tuple(_run(self._requested[run][1]) for run in await self._batches.get())

    @contextmanager
    def running(self, run: Run) -> Iterator[None]:
        """Mark everything done inside as part of this run, and answer its request at the end."""
        in_run, in_context = current_run.set(run.id), current_context.set({})
        error = None
        try:
            yield
        except AdapterError:
            raise
        except Exception as raised:
            error = self._calls.described(raised)
        finally:
            current_run.reset(in_run)
            current_context.reset(in_context)
        ended = self._ended.get(run.id, m.RunEnded())
        ended = msgspec.structs.replace(ended, error=error)
        self._calls.pipe.send(rpc.reply(self._requested[run.id][0], ended))

    def messages(self, run: Run) -> list[Message]:
        params = self._requested[run.id][1]
        if not params.shared_list:
            return list(params.messages)
        return self._lists.setdefault(params.shared_list, list(params.messages))

    def event(
        self,
        agent: str,
        message: Message | None = None,
        custom: Json = None,
        path: Sequence[str] = (),
        exits: bool = False,
        error: BaseException | None = None,
    ) -> None:
        described = self._calls.described(error) if error else None
        event = m.RunEvent(
            **self._calls.where(),
            agent=agent,
            path=tuple(path),
            message=message,
            custom=custom,
            error=described,
            exits=exits,
        )
        self._calls.pipe.notify("run/event", event)

    async def stream(
        self, agent: str, chunks: AsyncIterable[Message], path: Sequence[str] = (), exits: bool = False
    ) -> None:
        self._streams += 1
        number, where, notify = self._streams, self._calls.where(), self._calls.pipe.notify
        notify("run/event", m.RunEvent(**where, agent=agent, path=tuple(path), exits=exits, stream=number))
        try:
            async for chunk in chunks:
                notify("run/chunk", m.RunChunk(**where, stream=number, message=chunk))
        except Exception as raised:
            notify("run/chunk", m.RunChunk(**where, stream=number, error=self._calls.described(raised)))
        else:
            notify("run/chunk", m.RunChunk(**where, stream=number, end=True))

    def final(self, answer: Message | str) -> None:
        text = answer if isinstance(answer, str) else answer.text
        self._calls.pipe.notify("run/final", m.RunFinal(**self._calls.where(), text=text))

    def _note(self, **fields: object) -> None:
        run = current_run.get() or ""
        self._ended[run] = msgspec.structs.replace(self._ended.get(run, m.RunEnded()), **fields)

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        found = tuple(Interrupted(id=id_, info=info) for id_, info in interrupts)
        self._note(interrupted=m.RunInterrupted(checkpoint=checkpoint, interrupts=found))

    def cancelled(
        self, checkpoint: bytes | None, modes: Sequence[str] = (), escalated: bool = False, timed_out: bool = False
    ) -> None:
        cancelled = m.RunCancelled(checkpoint=checkpoint, modes=tuple(modes), escalated=escalated, timed_out=timed_out)
        self._note(cancelled=cancelled)

    def ended_with(self, session: Mapping[str, Json], state: Mapping[str, Json] | None = None) -> None:
        self._note(session=json_in(session), state=json_in(state or {}))

    def saved(self, checkpoint: bytes) -> None:
        self._calls.pipe.notify("run/saved", m.RunSaved(**self._calls.where(), checkpoint=checkpoint))

    def checkpoint(self, run: Run) -> bytes:
        checkpoint = self._requested[run.id][1].checkpoint
        assert checkpoint is not None, "a run is resumed from a checkpoint"
        return checkpoint

    def answers(self, run: Run) -> dict[str, Json]:
        return run.answers

    def cancels(self, run: Run, cancel: Callable[[Cancel], CancelHandle]) -> None:
        """Take the function that cancels a run, and make the requests that came before the run."""
        self._cancels[run.id] = cancel
        for early in self._early_cancels.pop(run.id, []):
            copy_context().run(early)

    def cancel(self, params: m.CancelRun, made: Callable[[CancelHandle], None]) -> None:
        """Cancel a run now, or as soon as it begins."""

        def request() -> None:
            current_run.set(params.run)
            at = Began(run=params.run)
            cancel = Cancel(at=at, modes=params.modes, timeout=params.timeout, recursive=params.recursive)
            made(self._cancels[params.run](cancel))

        if params.run in self._cancels:
            copy_context().run(request)
        else:
            self._early_cancels.setdefault(params.run, []).append(request)

    async def waiting(self, run: Run) -> None:
        """Return at once: the harness itself waits, by `cancel/wait`."""


def _run(params: m.RunAgent) -> Run:
    """The run, as far as an adapter sees it."""
    resume = params.run if params.checkpoint is not None else None
    return Run(id=params.run, resume=resume, **{name: getattr(params, name) for name in m.OF_RUNS})
