"""One case at the far end of the pipe, and what the harness requests during it: an answer for each method."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..contract.agents import Config
from ..contract.doubles import Inner
from ..contract.errors import describe
from ..contract.faults import AdapterError, CannotStore
from ..contract.places import located
from ..contract.plugins import Module
from ..contract.roles import Role
from ..contract.scene import Act, ReadRequest, Scene
from ..contract.shapes import RunView
from ..contract.stage import CancelHandle
from ..contract.values import Value
from ..protocol import messages as m
from ..protocol import rpc
from ..protocol.conversion import file_reply
from ..protocol.decoding import agent_from, modules_from
from ..protocol.encoding import strategies_by_key
from ..protocol.rpc import Line
from ..targets.middlewares import build_middleware, call_hook
from ..targets.python import PythonTarget
from ..targets.resources import count_resources
from ..targets.store_calls import call_method, close_store, read_from
from ..targets.workspaces import asked
from .inside import Inside
from .pipe import Pipe, current_context, current_run
from .requests import CaseRequests
from .stage import RemoteStage

Answer = Callable[[Any], Awaitable[Value]]  # Any: the params of its method


class ServedCase:
    """Answers the requests of one case, by `answers`; `stage` is there once an agent is created."""

    def __init__(self, target: PythonTarget, pipe: Pipe, number: int) -> None:
        self.number = number
        self.stage: RemoteStage | None = None
        self._target = target
        self._pipe = pipe
        self._kept: dict[str, Any] = {}  # Any: backends, middlewares, and handles of cancellations
        self._views: dict[str, RunView] = {}
        self.answers: dict[str, Answer] = {
            "language/set": self._set_language,
            "loader/load": self._load,
            "workspace/read": self._read_workspace,
            "middleware/create": self._create_middleware,
            "middleware/beforeModel": self._before_model,
            "agent/create": self._create_agent,
            "cancel/wait": self._wait_for_cancel,
            "strategies/list": self._list_strategies,
            "backend/open": self._open,
            "backend/read": self._read,
            "backend/write": self._write,
            "backend/delete": self._delete,
            "backend/fault": self._fault,
            "backend/link": self._link,
            "backend/fail": self._fail,
            "backend/resources": self._resources,
            "backend/close": self._close,
        }

    def requests(self, role: Role) -> CaseRequests:
        """Return what sends requests of this case to the harness."""
        return CaseRequests(self._pipe, self.number, self._target.error_kinds(role))

    def _keep(self, kept: object) -> str:
        """Keep an object; return its handle."""
        handle = f"o{len(self._kept) + 1}"
        self._kept[handle] = kept
        return handle

    def _new_stage(
        self,
        scene: Scene,
        role: Role,
        keys: Mapping[int, str] | None = None,
        outside: Callable[[Inner], None] | None = None,
    ) -> RemoteStage:
        return RemoteStage(scene, role, self.requests(role), self._answer, keys or {}, outside)

    def _answer(self, id_: str | int | None, result: Value) -> None:
        self._pipe.send(rpc.reply(id_, result))

    async def _set_language(self, params: m.SetLanguage) -> m.Outcome:
        try:
            self._target.shape.set_language(params.language)
        except Exception as error:
            return m.Outcome(error=describe(error, self._target.error_kinds("agent")))
        return m.Outcome()

    async def try_outside(self, line: Line) -> Value:
        """Try a nested request outside any run, with what the target's own adapter offers there."""
        described = self.requests("agent").described
        tried: list[Value] = []

        def outside(inner: Inner) -> None:
            tried.append(Inside(described, inner).serve_now(line))

        await self._target.play(self._new_stage(Scene(act="outside"), "agent", outside=outside))
        return tried[0]

    # -- files ---------------------------------------------------------------------------------------------------------

    async def _load(self, params: m.Load) -> m.Loaded:
        config = Config(files=params.files, max_bytes=params.max_bytes)
        stage = self._new_stage(Scene(act="load", instructions=config), "loader")
        await self._target.play(stage)
        out = stage.outcomes
        return m.Loaded(sections=out.sections, text=out.text, error=out.error)

    async def _read_workspace(self, params: m.ReadWorkspace) -> m.WorkspaceRead:
        read = self._target.shape.read_workspace
        try:
            found = await asked(read, Path(params.cwd), Path(params.home), params.configured)
        except AdapterError:
            raise
        except Exception as error:
            return m.WorkspaceRead(error=describe(error, self._target.error_kinds("workspace")))
        texts = tuple(
            m.WorkspaceText(path=None if one.path is None else str(one.path), text=one.text) for one in found.files
        )
        return m.WorkspaceRead(files=texts, warnings=tuple(found.warnings))

    async def _open(self, params: m.OpenBackend) -> m.Created:
        files = {path: content_of(data) for path, data in params.files.items()}
        try:
            store = self._target.shape.open(files)
            return m.Created(handle=self._keep(await store if inspect.isawaitable(store) else store))
        except CannotStore as error:
            return m.Created(error=describe(error))

    async def _read(self, params: m.ReadBackend) -> m.FileReply:
        request = ReadRequest(file_path=params.path, offset=params.offset, limit=params.limit)
        try:
            content = await read_from(self._kept[params.handle], request)
        except AdapterError:
            raise
        except Exception as error:
            return m.FileReply(error=describe(error))
        return m.FileReply(nothing=True) if content is None else file_reply(content)

    async def _write(self, params: m.WriteBackend) -> m.Outcome:
        try:
            await call_method(self._kept[params.handle], "write", params.path, content_of(params))
        except AdapterError:
            raise
        except Exception as error:
            return m.Outcome(error=describe(error))
        return m.Outcome()

    async def _delete(self, params: m.DeleteBackend) -> m.Outcome:
        await call_method(self._kept[params.handle], "delete", params.path)
        return m.Outcome()

    async def _fault(self, params: m.FaultBackend) -> m.Outcome:
        await call_method(self._kept[params.handle], "fault", params.path, params.kind)
        return m.Outcome()

    async def _link(self, params: m.LinkBackend) -> m.Outcome:
        await call_method(self._kept[params.handle], "link", params.path, params.target)
        return m.Outcome()

    async def _fail(self, params: m.FailBackend) -> m.Outcome:
        await call_method(self._kept[params.handle], "fail", params.kind)
        return m.Outcome()

    async def _resources(self, _params: m.CaseMessage) -> m.ProcessResources:
        return await count_resources(None)

    async def _close(self, params: m.CloseBackend) -> m.Outcome:
        try:
            await close_store(self._kept[params.handle])
        except AdapterError:
            raise
        except Exception as error:
            return m.Outcome(error=describe(error))
        return m.Outcome()

    # -- the middleware ------------------------------------------------------------------------------------------------

    async def _create_middleware(self, params: m.CreateMiddleware) -> m.Created:
        stage = self._new_stage(Scene(act="create", message_type=params.message_type), "middleware")
        try:
            built = await build_middleware(self._target.shape.middleware, params.config, stage)
        except AdapterError:
            raise
        except Exception as error:
            return m.Created(error=describe(error, self._target.error_kinds("middleware")))
        return m.Created(handle=self._keep(built))

    async def _before_model(self, params: m.CallHook) -> m.HookReply:
        view = None if params.run is None else self._views.setdefault(params.run, RunView(params.run))
        current_run.set(params.run)
        current_context.set(params.ctx)
        try:
            messages = await call_hook(self._kept[params.handle], params.messages, view)
        except AdapterError:
            raise
        except Exception as error:
            return m.HookReply(error=describe(error, self._target.error_kinds("middleware")))
        return m.HookReply(messages=tuple(messages))

    # -- agents --------------------------------------------------------------------------------------------------------

    async def _create_agent(self, params: m.CreateAgent) -> m.Created:
        modules = modules_from(params.plan.modules)
        scene = Scene(
            act="run",
            agent=agent_from(params.agent),
            message_type=params.message_type,
            modules=modules,
            workflow=params.plan.workflow,
            traces=params.plan.traces,
            shared_lists=params.shared_lists,
        )
        stage = self.stage = self._new_stage(scene, params.role, _keys(modules))
        stage.doubles.add_agent(params.agent)
        playing = asyncio.get_running_loop().create_task(self._target.play(stage))
        await asyncio.wait((playing, stage.runs.created), return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            playing.result()
            if stage.outcomes.error is None:
                name = self._target.identity.name
                raise AdapterError(
                    f"perform() of {name} returned without performing the runs: iterate stage.runs.concurrent_runs()"
                )
            return m.Created(error=stage.outcomes.error)
        playing.add_done_callback(self._report_failure)
        return m.Created(handle="agent")

    def _report_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._pipe.notify("adapter/fault", m.AdapterFault(message=located(error)))

    def answer_cancel(self, id_: str | int | None, handle: CancelHandle) -> None:
        """Answer `run/cancel`."""
        self._answer(id_, m.CancelReply(handle=self._keep(handle), contributed=handle.contributed))

    async def _wait_for_cancel(self, params: m.WaitForCancel) -> m.CancelOutcome:
        return m.CancelOutcome(outcome=await self._kept[params.handle].wait())

    async def _list_strategies(self, params: m.ListStrategies) -> m.Strategies:
        act: Act = "catalog" if params.built_in else "look up"
        scene = Scene(act=act, modules=modules_from(params.modules), lookups=params.lookups)
        stage = self._new_stage(scene, "plugins")
        await self._target.play(stage)
        out = stage.outcomes
        return m.Strategies(listed=tuple(out.listed), lookups=tuple(out.lookups), error=out.error)


def content_of(data: m.FileData) -> bytes:
    """The bytes of a file."""
    return data.base64 if data.base64 is not None else (data.text or "").encode()


def _keys(modules: Sequence[Module]) -> dict[int, str]:
    """The keys of strategies, by their identity."""
    return {id(strategy): key for key, strategy in strategies_by_key(modules).items()}
