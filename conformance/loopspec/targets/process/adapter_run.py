"""The harness's requests for one scene on an adapter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from ...contract.agents import Config
from ...contract.errors import Reported
from ...contract.harness import HarnessStage
from ...contract.scene import Cancel, ReadRequest, Run, StoreFailure
from ...contract.shapes import Content, MiddlewareConfig, RunView, WorkspaceFile, WorkspaceReading
from ...contract.stage import CancelHandle
from ...contract.values import Message
from ...protocol import messages as m
from ...protocol.conversion import failed, file_data
from ...protocol.encoding import Encoder, encode_modules
from ...protocol.specs import Plan
from ..backends import perform_backend, perform_load_through
from ..middlewares import perform_middleware
from ..workspaces import perform_workspace
from .coroutines import Tasks
from .inside import Inside
from .peer import Peer
from .requests import AdapterRequests


class AdapterRun:
    """Performs one scene."""

    def __init__(self, peer: Peer, tasks: Tasks, stage: HarnessStage, requests: AdapterRequests, case: int) -> None:
        self._peer = peer
        self._tasks = tasks
        self._stage = stage
        self._requests = requests
        self._case = case
        self._lists: dict[int, tuple[list[Message], int]] = {}

    async def go(self) -> None:
        """Perform the scene."""
        act = self._stage.scene.act
        if act == "load through":
            await perform_load_through(self._open, self._stage)
            return
        match self._stage.role:
            case "backend":
                await perform_backend(self._open, self._stage, self._tasks.together, _Store.resources)
            case "loader":
                await self._loads()
            case "workspace":
                await perform_workspace(self._read_workspace, self._stage)
            case "middleware":
                await perform_middleware(self._middleware, self._stage, self._tasks.together)
            case _ if act == "outside":
                self._stage.doubles.outside(Inside(self._peer, self._case))
            case _ if act in ("look up", "catalog"):
                await self._list_strategies()
            case _:
                await self._run_agent()

    # -- files ---------------------------------------------------------------------------------------------------------

    async def _loads(self) -> None:
        scene = self._stage.scene
        if scene.together:
            await self._tasks.together(self._load() for _ in range(scene.times))
            return
        for _ in range(scene.times):
            await self._load()

    async def _load(self) -> None:
        config = self._stage.scene.instructions
        assert config is not None, "a load scene has a configuration"
        params = m.Load(case=self._case, files=config.files or (), max_bytes=config.max_bytes or 0)
        loaded = await self._peer.ask("loader/load", params, m.Loaded)
        if loaded.error is not None:
            self._stage.outcomes.load_failed(Reported(loaded.error))
        else:
            self._stage.outcomes.loaded(loaded.sections, loaded.text)

    async def _read_workspace(self, cwd: Path, home: Path, configured: Sequence[str]) -> WorkspaceReading:
        params = m.ReadWorkspace(case=self._case, cwd=str(cwd), home=str(home), configured=tuple(configured))
        read = await self._peer.ask("workspace/read", params, m.WorkspaceRead)
        if read.error is not None:
            raise Reported(read.error)
        return WorkspaceReading([WorkspaceFile(one.path, one.text) for one in read.files], read.warnings)

    async def _open(self, files: Mapping[str, bytes]) -> _Store:
        given = {path: file_data(content) for path, content in files.items()}
        opened = await self._peer.ask("backend/open", m.OpenBackend(case=self._case, files=given), m.Created)
        if opened.error is not None:
            raise Reported(opened.error)
        return _Store(self._peer, self._case, opened.handle)

    async def _middleware(self, config: MiddlewareConfig | None) -> _Middleware:
        sent = (
            None
            if config is None
            else Config(
                files=None if config.files is None else tuple(config.files),
                max_bytes=config.max_bytes,
                callback=config.on_warning is not None,
                backend=config.backend is not None,
            )
        )
        kind = self._stage.scene.message_type
        params = m.CreateMiddleware(case=self._case, message_type=kind, config=sent)
        created = await self._peer.ask("middleware/create", params, m.Created)
        if created.error is not None:
            raise Reported(created.error)
        return _Middleware(self._peer, self._stage, self._case, created.handle)

    # -- the plugin layer ----------------------------------------------------------------------------------------------

    async def _list_strategies(self) -> None:
        scene, outcomes = self._stage.scene, self._stage.outcomes
        params = m.ListStrategies(
            case=self._case,
            modules=encode_modules(scene.modules),
            built_in=scene.act == "catalog",
            lookups=scene.lookups,
        )
        found = await self._peer.ask("strategies/list", params, m.Strategies)
        for one in found.listed:
            if one.meta is not None:
                outcomes.registered(one.provider, one.meta)
        for one in found.lookups:
            if one.error is not None:
                outcomes.look_up_failed(one.provider, Reported(one.error))
            elif one.meta is not None:
                outcomes.looked_up(one.provider, one.meta)
        if found.error is not None:
            outcomes.build_failed(Reported(found.error))

    # -- agents --------------------------------------------------------------------------------------------------------

    async def _run_agent(self) -> None:
        scene, role = self._stage.scene, self._stage.role
        assert role == "agent" or role == "plugins" or role == "handler", "the other roles need no agent"
        params = m.CreateAgent(
            case=self._case,
            role=role,
            agent=Encoder(self._stage.doubles.info).agent(scene.agent),
            message_type=scene.message_type,
            shared_lists=scene.shared_lists,
            plan=Plan(modules=encode_modules(scene.modules), workflow=scene.workflow, traces=scene.traces),
        )
        created = await self._peer.ask("agent/create", params, m.Created)
        if created.error is not None:
            self._stage.outcomes.build_failed(Reported(created.error))
            return
        async for batch in self._stage.runs.concurrent_runs():
            ids = tuple(run.id for run in batch)
            await self._tasks.together(self._run(created.handle, run, ids) for run in batch)

    async def _run(self, handle: str, run: Run, batch: Sequence[str]) -> None:
        runs = self._stage.runs
        if run.cancellable or run.cancels:
            runs.cancels(run, partial(self._cancel, run))
        waiting = self._tasks.start(runs.waiting(run))
        with runs.running(run):
            method, params = self._request(handle, run, batch)
            feed = self._requests.feed(run.id)
            ended = await self._peer.ask(method, params, m.RunEnded)
            await feed.finish()
            if (interrupted := ended.interrupted) is not None:
                runs.interrupted(interrupted.checkpoint, [(one.id, one.info) for one in interrupted.interrupts])
            if (cancelled := ended.cancelled) is not None:
                runs.cancelled(cancelled.checkpoint, cancelled.modes, cancelled.escalated, cancelled.timed_out)
            runs.ended_with(ended.session, ended.state)
            if ended.error is not None:
                raise Reported(ended.error)
        assert waiting.over is not None
        await waiting.over

    def _request(self, handle: str, run: Run, batch: Sequence[str]) -> tuple[str, m.CaseMessage]:
        """The request for a run. Raises `LookupError` without a checkpoint to resume from."""
        runs, cancellable = self._stage.runs, bool(run.cancellable or run.cancels)
        if run.resume:
            return "agent/resume", m.ResumeAgent(
                case=self._case,
                handle=handle,
                run=run.id,
                checkpoint=runs.checkpoint(run),
                answers=runs.answers(run),
                session=run.session,
                streaming=run.streaming,
                cancellable=cancellable,
                context=run.context,
                thread=run.thread,
                batch=tuple(batch),
            )
        messages = runs.messages(run)
        return "agent/run", m.RunAgent(
            case=self._case,
            handle=handle,
            run=run.id,
            messages=tuple(messages),
            shared_list=self._number(messages),
            session=run.session,
            streaming=run.streaming,
            cancellable=cancellable,
            context=run.context,
            thread=run.thread,
            batch=tuple(batch),
        )

    def _number(self, messages: list[Message]) -> int:
        """The number of a list that several runs share."""
        if not self._stage.scene.one_list:
            return 0
        return self._lists.setdefault(id(messages), (messages, len(self._lists) + 1))[1]

    def _cancel(self, run: Run, request: Cancel) -> CancelHandle:
        return _Cancelling(self._peer, self._case, run.id, request)


class _Store:
    """The adapter's backend, as the harness uses it."""

    def __init__(self, peer: Peer, case: int, handle: str) -> None:
        self._peer = peer
        self._case = case
        self._handle = handle

    async def read(self, request: ReadRequest) -> Content:
        params = m.ReadBackend(
            case=self._case,
            handle=self._handle,
            path=request.file_path,
            offset=request.offset,
            limit=request.limit,
        )
        read = await self._peer.ask("backend/read", params, m.FileReply)
        if read.error is not None:
            raise failed(read.error)
        return None if read.nothing else read.base64 if read.base64 is not None else read.text or ""

    async def write(self, path: str, content: bytes) -> None:
        data = file_data(content)
        params = m.WriteBackend(case=self._case, handle=self._handle, path=path, text=data.text, base64=data.base64)
        await self._done("backend/write", params)

    async def delete(self, path: str) -> None:
        await self._done("backend/delete", m.DeleteBackend(case=self._case, handle=self._handle, path=path))

    async def fault(self, path: str, kind: str) -> None:
        params = m.FaultBackend(case=self._case, handle=self._handle, path=path, kind=kind)  # type: ignore[arg-type]  # a scene's
        await self._done("backend/fault", params)

    async def link(self, path: str, target: str) -> None:
        params = m.LinkBackend(case=self._case, handle=self._handle, path=path, target=target)
        await self._done("backend/link", params)

    async def fail(self, kind: StoreFailure) -> None:
        await self._done("backend/fail", m.FailBackend(case=self._case, handle=self._handle, kind=kind))

    async def resources(self) -> m.ProcessResources:
        return await self._peer.ask("backend/resources", m.CaseMessage(case=self._case), m.ProcessResources)

    async def close(self) -> None:
        await self._done("backend/close", m.CloseBackend(case=self._case, handle=self._handle))

    async def _done(self, method: str, params: m.CaseMessage | m.WriteBackend) -> None:
        reply = await self._peer.ask(method, params, m.Outcome)
        if reply.error is not None:
            raise Reported(reply.error)


class _Middleware:
    """The adapter's middleware, as the harness uses it."""

    def __init__(self, peer: Peer, stage: HarnessStage, case: int, handle: str) -> None:
        self._peer = peer
        self._stage = stage
        self._case = case
        self._handle = handle

    async def before_model(self, messages: Sequence[Message], run: RunView | None) -> Sequence[Message]:
        params = m.CallHook(
            case=self._case,
            handle=self._handle,
            messages=tuple(messages),
            run=run.id if run else None,
            ctx=dict(self._stage.runs.context()),
        )
        hooked = await self._peer.ask("middleware/beforeModel", params, m.HookReply)
        if hooked.error is not None:
            raise Reported(hooked.error)
        return hooked.messages


class _Cancelling:
    """A cancel request, which is sent when it is built."""

    def __init__(self, peer: Peer, case: int, run: str, request: Cancel) -> None:
        self.contributed = False
        self._peer = peer
        self._case = case
        params = m.CancelRun(
            case=case, run=run, modes=request.modes, timeout=request.timeout, recursive=request.recursive
        )
        self._made = peer.begin("run/cancel", params)

    async def wait(self) -> m.Waited:
        """Wait until the run is over."""
        made = self._peer.read("run/cancel", await self._made, m.CancelReply)
        self.contributed = made.contributed
        params = m.WaitForCancel(case=self._case, handle=made.handle)
        return (await self._peer.ask("cancel/wait", params, m.CancelOutcome)).outcome
