"""A Stage at the far end of the pipe: the world, the runs and the outcomes of one case."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context

import msgspec

from ..contract.capabilities import Role
from ..contract.doubles import Inner
from ..contract.errors import describe
from ..contract.faults import AdapterError
from ..contract.observation import Interrupted, Registered, Section
from ..contract.plugins import StrategyMeta
from ..contract.scene import Cancel, ReadRequest, Run, Scene
from ..contract.stage import CancelHandle, Parking
from ..contract.values import Began, Error, ErrorKind, Json, Message, json_in
from ..protocol import messages as m
from ..protocol.conversion import failed_read
from .doubles import Asking, RemoteDoubles
from .layer import RemoteMiddlewares, RemoteRecovery
from .pipe import current_bag, current_run

# Said where an adapter calls what no served target is asked for.
_ELSEWHERE = "this is done by the harness itself: a target that is served has no part in it"


class RemoteWorld:
    """Files, warnings and the log. The contract's `World`."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def _params(self, request: ReadRequest) -> m.ReadFile:
        where = self._asking.where()
        return m.ReadFile(**where, path=request.file_path, offset=request.offset, limit=request.limit)

    async def read(self, request: ReadRequest) -> str | bytes | None:
        """Read a file of the scene."""
        return _content(await self._asking.ask("files/read", self._params(request), m.FileReply))

    def read_now(self, request: ReadRequest) -> str | bytes | None:
        """Read it for an implementation that does not await: where the scene holds it, all of it is held."""
        return _content(self._asking.ask_now("files/read", self._params(request), m.FileReply))

    def warn(self, path: str, message: str = "") -> None:
        """Take a warning."""
        self._asking.pipe.notify("warning", m.Warn(**self._asking.where(), path=path, message=message))

    def log(self, line: str) -> None:
        """Take a line of the default log."""
        self._asking.pipe.notify("log", m.LogLine(**self._asking.where(), line=line))

    def speaks(self, set_language: Callable[[str], None]) -> None:
        """Never asked for here: the harness chooses languages by `language/set`."""
        raise AdapterError(_ELSEWHERE)


def _content(reply: m.FileReply) -> str | bytes | None:
    if reply.error is not None:
        raise failed_read(reply)
    if reply.nothing:
        return None
    return reply.base64 if reply.base64 is not None else reply.text or ""


class RemoteRuns:
    """The runs, as the harness asks for them. The contract's `Runs`."""

    def __init__(self, asking: Asking, answer: Callable[[str | int | None, m.RunOver], None]) -> None:
        self.created: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asking = asking
        self._answer = answer
        self._asked: dict[str, tuple[str | int | None, m.RunAgent | m.ResumeAgent]] = {}
        self._batches: deque[tuple[str, ...]] = deque()
        self._came: asyncio.Future[None] | None = None
        self._over: dict[str, m.RunOver] = {}
        self._lists: dict[int, list[Message]] = {}
        self._cancels: dict[str, Callable[[Cancel], CancelHandle]] = {}
        self._early: dict[str, list[Callable[[], None]]] = {}
        self._streams = 0

    def ask(self, id_: str | int | None, params: m.RunAgent | m.ResumeAgent) -> None:
        """Take a run that is asked for; a batch begins when all of it have been."""
        self._asked[params.run] = (id_, params)
        if all(run in self._asked for run in params.batch):
            self._batches.append(params.batch or (params.run,))
            if self._came is not None and not self._came.done():
                self._came.set_result(None)

    async def batches(self) -> AsyncIterator[tuple[Run, ...]]:
        """Yield the runs to perform now. There is no last batch: the case ends."""
        if not self.created.done():
            self.created.set_result(None)
        while True:
            while not self._batches:
                self._came = asyncio.get_running_loop().create_future()
                await self._came
            yield tuple(_run(self._asked[run][1]) for run in self._batches.popleft())

    @contextmanager
    def running(self, run: Run) -> Iterator[None]:
        """Mark everything done inside as part of this run, and answer when it is over."""
        in_run, in_bag = current_run.set(run.id), current_bag.set({})
        error = None
        try:
            yield
        except AdapterError:
            raise
        except Exception as raised:
            error = describe(raised, self._asking.kinds)
        finally:
            current_run.reset(in_run)
            current_bag.reset(in_bag)
        over = self._over.get(run.id, m.RunOver())
        self._answer(self._asked[run.id][0], msgspec.structs.replace(over, error=error))

    def messages(self, run: Run) -> list[Message]:
        """The messages the caller hands to a run."""
        params = self._asked[run.id][1]
        assert isinstance(params, m.RunAgent)
        if not params.shared:
            return list(params.messages)
        return self._lists.setdefault(params.shared, list(params.messages))

    def carry(self, run: str | None, context: Mapping[str, Json]) -> None:
        """Make what is done from here on part of a run."""
        current_run.set(run)
        current_bag.set(context)

    def carried(self) -> Mapping[str, Json]:
        """The bag as it is now."""
        return current_bag.get({})

    def event(
        self,
        agent: str,
        message: Message | None = None,
        custom: Json = None,
        path: Sequence[str] = (),
        exits: bool = False,
        error: BaseException | None = None,
    ) -> None:
        """Take an event of the current run's stream."""
        said = describe(error, self._asking.kinds) if error else None
        event = m.RunEvent(
            **self._asking.where(),
            agent=agent,
            path=tuple(path),
            message=message,
            custom=custom,
            error=said,
            exits=exits,
        )
        self._asking.pipe.notify("run/event", event)

    async def stream(
        self, agent: str, chunks: AsyncIterable[Message], path: Sequence[str] = (), exits: bool = False
    ) -> None:
        """Take an event that is a stream, and read it to its end."""
        self._streams += 1
        number, where, pipe = self._streams, self._asking.where(), self._asking.pipe
        pipe.notify("run/event", m.RunEvent(**where, agent=agent, path=tuple(path), exits=exits, stream=number))
        try:
            async for chunk in chunks:
                pipe.notify("run/chunk", m.RunChunk(**where, stream=number, message=chunk))
        except Exception as raised:
            error = describe(raised, self._asking.kinds)
            pipe.notify("run/chunk", m.RunChunk(**where, stream=number, error=error))
        else:
            pipe.notify("run/chunk", m.RunChunk(**where, stream=number, end=True))

    def _note(self, **more: object) -> None:
        run = current_run.get() or ""
        self._over[run] = msgspec.structs.replace(self._over.get(run, m.RunOver()), **more)

    def interrupted(self, checkpoint: bytes | None, interrupts: Iterable[tuple[str, Json]] = ()) -> None:
        """Take the checkpoint with which the current run stopped."""
        calls = tuple(Interrupted(id=call, info=info) for call, info in interrupts)
        self._note(stopped=m.Stopped(checkpoint=checkpoint, interrupts=calls))

    def cancelled(
        self, checkpoint: bytes | None, modes: Sequence[str] = (), escalated: bool = False, timed_out: bool = False
    ) -> None:
        """Take the checkpoint of the current run, which was cancelled."""
        said = m.RunCancelled(checkpoint=checkpoint, modes=tuple(modes), escalated=escalated, timed_out=timed_out)
        self._note(cancelled=said)

    def ended_with(self, session: Mapping[str, Json], state: Mapping[str, Json] | None = None) -> None:
        """Take the session as the current run has left it."""
        self._note(session=json_in(session), state=json_in(state or {}))

    def checkpoint(self, run: Run) -> bytes:
        """Return the checkpoint that a run goes on with."""
        params = self._asked[run.id][1]
        assert isinstance(params, m.ResumeAgent)
        return params.checkpoint

    def answers(self, run: Run) -> dict[str, Json]:
        """What is given with it, by the ids of the interrupts."""
        return run.answers

    def cancels(self, run: Run, cancel: Callable[[Cancel], CancelHandle]) -> None:
        """Take the function that cancels a run; what was asked before the run was there is asked now."""
        self._cancels[run.id] = cancel
        for early in self._early.pop(run.id, []):
            early()

    def cancel(self, params: m.CancelRun, made: Callable[[CancelHandle], None]) -> None:
        """Cancel a run now, or as soon as it is there."""

        def ask() -> None:
            current_run.set(params.run)
            at = Began(run=params.run)
            request = Cancel(at=at, modes=params.modes, timeout=params.timeout, recursive=params.recursive)
            made(self._cancels[params.run](request))

        context = copy_context()

        def in_the_run() -> None:
            context.run(ask)

        if params.run in self._cancels:
            in_the_run()
        else:
            self._early.setdefault(params.run, []).append(in_the_run)

    async def waiting(self, run: Run) -> None:
        """Wait for nothing: the harness does, by `cancel/wait`."""


def _run(params: m.RunAgent | m.ResumeAgent) -> Run:
    """The run, as far as an adapter looks at one."""
    resumes = isinstance(params, m.ResumeAgent)
    return Run(
        id=params.run,
        messages=() if isinstance(params, m.ResumeAgent) else params.messages,
        session=params.session,
        resume=params.run if resumes else None,
        answers=params.answers if isinstance(params, m.ResumeAgent) else {},
        streaming=False if isinstance(params, m.ResumeAgent) else params.streaming,
        cancellable=params.cancellable,
        context=params.context,
        thread=params.thread,
    )


class RemoteOutcomes:
    """Where the outcomes go of what is no run. The contract's `Outcomes`."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self.error: Error | None = None
        self.sections: tuple[Section, ...] = ()
        self.text: str | None = None
        self.listed: list[Registered] = []
        self.lookups: list[Registered] = []

    def refused(self, error: BaseException) -> None:
        """Take the error of a construction that was refused."""
        self.error = describe(error, self._asking.kinds)

    def loaded(self, sections: Iterable[Section] = (), text: str | None = None) -> None:
        """Take the outcome of a load."""
        self.sections, self.text = tuple(sections), text

    def load_failed(self, error: BaseException) -> None:
        """Take the error that ended a load."""
        self.refused(error)

    def hooked(self, messages: Sequence[Message]) -> None:
        """Never asked for here: the harness plays the middleware's agent itself."""
        raise AdapterError(_ELSEWHERE)

    def hook_failed(self, error: BaseException) -> None:
        """Likewise."""
        raise AdapterError(_ELSEWHERE)

    def answered(self, path: str, content: str | bytes | None) -> None:
        """Likewise: it reads the backend itself."""
        raise AdapterError(_ELSEWHERE)

    def answer_failed(self, path: str, error: BaseException) -> None:
        """Likewise."""
        raise AdapterError(_ELSEWHERE)

    def registered(self, provider: str, meta: StrategyMeta) -> None:
        """Take a strategy that the registry lists."""
        self.listed.append(Registered(provider=provider, meta=meta))

    def looked_up(self, provider: str, meta: StrategyMeta) -> None:
        """Take what the registry answered."""
        self.lookups.append(Registered(provider=provider, meta=meta))

    def look_up_failed(self, provider: str, error: BaseException) -> None:
        """Take the error with which it answered."""
        self.lookups.append(Registered(provider=provider, error=describe(error, self._asking.kinds)))


class RemoteStage:
    """One scene, as far as an adapter is told of it. The contract's `Stage`."""

    deadline = float("inf")

    def __init__(
        self,
        scene: Scene,
        role: Role,
        asking: Asking,
        answer: Callable[[str | int | None, m.RunOver], None],
        keys: Mapping[int, str],
        outside: Callable[[Inner], None] | None = None,
    ) -> None:
        self.scene = scene
        self.role = role
        self.world = RemoteWorld(asking)
        self.doubles = RemoteDoubles(asking, outside)
        self.middlewares = RemoteMiddlewares(asking, self.doubles, keys)
        self.recovery = RemoteRecovery(asking)
        self.runs = RemoteRuns(asking, answer)
        self.outcomes = RemoteOutcomes(asking)

    def attach(
        self, parking: Callable[[], Parking], kinds: Mapping[type[BaseException], ErrorKind]
    ) -> Callable[[], bool]:
        """Never asked for here: the far end has a driver of its own."""
        raise AdapterError(_ELSEWHERE)
