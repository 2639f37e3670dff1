"""The harness's requests for one scene on an adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast

from ...contract.agents import Config
from ...contract.errors import Reported
from ...contract.faults import AdapterError
from ...contract.harness import HarnessStage
from ...contract.roles import ROLES
from ...contract.scene import Cancel, Run
from ...contract.shapes import RunView
from ...contract.values import Message
from ...protocol import messages as m
from ...protocol.adapter import Adapter, Waited
from ...protocol.conversion import as_sent, read_content
from ...protocol.methods import FROM_HARNESS, OF_ADAPTER
from ..backends import perform_backend, perform_load_through
from ..loaders import perform_loads
from ..middlewares import perform_middleware
from .coroutines import Tasks
from .inside import Inside
from .peer import Peer
from .requests import AdapterRequests

_CREATE, _RUN, _RESUME = FROM_HARNESS["agent/create"], FROM_HARNESS["agent/run"], FROM_HARNESS["agent/resume"]
_CANCEL = FROM_HARNESS["run/cancel"]


class _RemoteAdapter:
    """The adapter in one case: each function of the protocol's `Adapter` as a request. Raises what it answers."""

    def __init__(self, peer: Peer, case: int) -> None:
        self._peer = peer
        self._case = case

    def __getattr__(self, attribute: str) -> Callable[..., Any]:  # Any: what the function of the protocol returns
        method = OF_ADAPTER.get(attribute)
        if method is None:  # of a role that a product adds
            raise AdapterError(f"the protocol has no request for {attribute}(): write the adapter in Python")

        async def call(*args: object, **named: object) -> object:
            given = dict(zip(method.names, map(as_sent, args), strict=False))
            reply: Any = await self._peer.ask(method, method.params(case=self._case, **given, **named))
            if isinstance(reply, m.FileReply):
                return read_content(reply)
            if reply.error is not None:
                raise Reported(reply.error)
            return getattr(reply, "value", None)

        return call


class AdapterRun:
    """Performs one scene."""

    def __init__(self, peer: Peer, tasks: Tasks, stage: HarnessStage, requests: AdapterRequests, case: int) -> None:
        self._peer = peer
        self._tasks = tasks
        self._stage = stage
        self._requests = requests
        self._case = case
        self._adapter = cast("Adapter", _RemoteAdapter(peer, case))
        self._lists: dict[int, tuple[list[Message], int]] = {}

    async def go(self) -> None:
        """Perform the scene."""
        act = self._stage.scene.act
        match self._stage.role:
            case "backend" if act == "load through":
                await perform_load_through(self._open, self._stage)
            case "backend":
                await perform_backend(self._open, self._stage, self._tasks.together, lambda store: store.resources())
            case "loader":
                await perform_loads(self._load, self._stage, self._tasks.together)
            case "middleware":
                await perform_middleware(self._middleware, self._stage, self._tasks.together)
            case role if performs := ROLES[role].perform:
                await performs(self._adapter, self._stage)
            case _ if act == "outside":
                self._stage.doubles.outside(cast("Any", Inside(self._peer, self._case)))
            case _ if act in ("look up", "catalog"):
                await self._list_strategies()
            case _:
                await self._run_agent()

    async def _load(self, config: Config) -> None:
        loaded = await self._adapter.load(config.files or (), config.max_bytes or 0)
        self._stage.outcomes.loaded(loaded.sections, loaded.text)

    async def _open(self, files: Mapping[str, bytes]) -> _Store:
        return _Store(self._adapter, await self._adapter.open(dict(files)))

    async def _middleware(self, config: Config | None) -> _Middleware:
        handle = await self._adapter.create_middleware(self._stage.scene.message_type, config)
        return _Middleware(self._adapter, self._stage, handle)

    async def _list_strategies(self) -> None:
        scene, outcomes = self._stage.scene, self._stage.outcomes
        try:
            found = await self._adapter.list_strategies(scene.modules, scene.act == "catalog", scene.lookups)
        except Reported as error:
            outcomes.build_failed(error)
            return
        for one in found.listed:
            if one.meta is not None:
                outcomes.registered(one.provider, one.meta)
        for one in found.lookups:
            if one.error is not None:
                outcomes.look_up_failed(one.provider, Reported(one.error))
            elif one.meta is not None:
                outcomes.looked_up(one.provider, one.meta)

    async def _run_agent(self) -> None:
        scene = self._stage.scene
        try:
            of_scene = (getattr(scene, name) for name in _CREATE.names[1:])  # all parameters after the role
            handle = await self._adapter.create_agent(self._stage.role, *of_scene)
        except Reported as error:
            self._stage.outcomes.build_failed(error)
            return
        async for batch in self._stage.runs.concurrent_runs():
            ids = tuple(run.id for run in batch)
            await self._tasks.together(self._run(handle, run, ids) for run in batch)

    async def _run(self, handle: str, run: Run, batch: tuple[str, ...]) -> None:
        runs = self._stage.runs
        if run.cancellable or run.cancels:
            runs.cancels(run, partial(_Cancelling, self._peer, self._adapter, self._case, run.id))
        waiting = self._tasks.start(runs.waiting(run))
        with runs.running(run):
            params = self._params(handle, run, batch)
            feed = self._requests.feed(run.id)
            ended = cast("m.RunEnded", await self._peer.ask(_RESUME if run.resume else _RUN, params))
            await feed.finish()
            if (interrupted := ended.interrupted) is not None:
                runs.interrupted(interrupted.checkpoint, [(one.id, one.info) for one in interrupted.interrupts])
            if (cancelled := ended.cancelled) is not None:
                runs.cancelled(cancelled.checkpoint, cancelled.modes, cancelled.escalated, cancelled.timed_out)
            runs.ended_with(ended.session, ended.state)
            if ended.error is not None:
                raise Reported(ended.error)
        await waiting

    def _params(self, handle: str, run: Run, batch: tuple[str, ...]) -> m.RunAgent:
        """The params of a run. Raises `LookupError` without a checkpoint to resume from."""
        runs = self._stage.runs
        params: dict[str, Any] = {name: getattr(run, name) for name in m.OF_RUNS}  # Any: fields of the params
        params["cancellable"] = bool(run.cancellable or run.cancels)
        if run.resume:
            params |= {"checkpoint": runs.checkpoint(run), "answers": runs.answers(run), "messages": ()}
        else:
            messages = runs.messages(run)
            params |= {"messages": tuple(messages), "shared_list": self._number(messages)}
        return m.RunAgent(case=self._case, handle=handle, run=run.id, batch=batch, **params)

    def _number(self, messages: list[Message]) -> int:
        """The number of a list that several runs share."""
        if not self._stage.scene.one_list:
            return 0
        return self._lists.setdefault(id(messages), (messages, len(self._lists) + 1))[1]


class _Store:
    """The adapter's backend, as the harness uses it: the functions of the protocol's `Adapter` that take its handle."""

    def __init__(self, adapter: Adapter, handle: str) -> None:
        self._adapter = adapter
        self._handle = handle

    def __getattr__(self, attribute: str) -> Callable[..., Any]:  # Any: what the function of the protocol returns
        return partial(getattr(self._adapter, attribute), self._handle)


class _Middleware:
    """The adapter's middleware, as the harness uses it."""

    def __init__(self, adapter: Adapter, stage: HarnessStage, handle: str) -> None:
        self._adapter = adapter
        self._stage = stage
        self._handle = handle

    async def before_model(self, messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        context = dict(self._stage.runs.context())
        return await self._adapter.before_model(self._handle, tuple(messages), run.id if run else None, context)


class _Cancelling:
    """A cancel request, which is sent when it is built."""

    def __init__(self, peer: Peer, adapter: Adapter, case: int, run: str, request: Cancel) -> None:
        self.contributed = False
        self._peer = peer
        self._adapter = adapter
        params = m.CancelRun(
            case=case, run=run, modes=request.modes, timeout=request.timeout, recursive=request.recursive
        )
        self._made = peer.begin(_CANCEL, params)

    async def wait(self) -> Waited:
        made = cast("m.CancelReply", self._peer.read(_CANCEL, await self._made))
        self.contributed = made.contributed
        return await self._adapter.wait_for_cancel(made.handle)
