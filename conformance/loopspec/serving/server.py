"""The adapter itself: what the harness asks of the target."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import msgspec

from ..contract.agents import Config
from ..contract.capabilities import Role
from ..contract.doubles import Inner
from ..contract.errors import describe
from ..contract.faults import AdapterError, in_one_line
from ..contract.plugins import Module
from ..contract.scene import Act, ReadRequest, Scene
from ..contract.shapes import RunView
from ..contract.stage import CancelHandle
from ..contract.values import Value
from ..protocol import VERSIONS, rpc
from ..protocol import messages as m
from ..protocol.conversion import file_reply
from ..protocol.encoding import agent_from, modules_from, strategies_by_key
from ..protocol.methods import FROM_HARNESS
from ..protocol.rpc import Line
from ..targets.backends import call_method, read_from
from ..targets.drivers import AsyncioDriver
from ..targets.middlewares import build_middleware, call_hook
from ..targets.python import PythonTarget, logging_to
from .doubles import Asking
from .inside import Inside, Kinds
from .pipe import Pipe, current_bag, current_run
from .stage import RemoteStage

Answer = Callable[[Any], Awaitable[Value | None]]  # Any: the params of its method


def serve(target: PythonTarget, source: int, sink: int) -> None:
    """Serve a target until the harness leaves: lines come from one file descriptor and go to the other."""
    server = Server(target, Pipe(source, sink))
    AsyncioDriver().run(server.go(), lambda _: server.idle)


class _Case:
    """What there is of one case."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.handles: dict[str, Any] = {}  # Any: backends, middlewares, and handles of cancellations
        self.views: dict[str, RunView] = {}
        self.stage: RemoteStage | None = None

    def keep(self, one: object) -> str:
        """Keep something; return its handle."""
        handle = f"o{len(self.handles) + 1}"
        self.handles[handle] = one
        return handle


class Server:
    """Answers the harness."""

    def __init__(self, target: PythonTarget, pipe: Pipe) -> None:
        self._target = target
        self._pipe = pipe
        self._case = _Case(0)
        self._over: asyncio.Future[None] | None = None
        self._own: set[asyncio.Task[Any]] = set()  # Any: tasks of the server, which no case ends
        self._idle_asked: list[str | int | None] = []
        self._methods: dict[str, Answer] = {
            "case/end": self._end_case,
            "language/set": self._set_language,
            "loader/load": self._load,
            "middleware/create": self._create_middleware,
            "middleware/beforeModel": self._before_model,
            "agent/create": self._create_agent,
            "cancel/wait": self._wait_for_cancel,
            "strategies/list": self._list_strategies,
            "backend/open": self._open,
            "backend/read": self._read,
            "backend/write": self._write,
            "backend/fault": self._fault,
            "backend/close": self._close,
        }

    async def go(self) -> None:
        """Serve until the harness leaves."""
        self._over = asyncio.get_running_loop().create_future()
        self._own.add(asyncio.current_task())  # type: ignore[arg-type]  # there is one, this one
        self._pipe.on_line = self._take
        self._pipe.on_end = self._leave
        self._pipe.listen()
        with logging_to(self._log):
            await self._over

    def _log(self, line: str) -> None:
        where = self._asking("agent").where()
        self._pipe.notify("log", m.LogLine(**where, line=line))

    def _leave(self) -> None:
        if self._over is not None and not self._over.done():
            self._over.set_result(None)

    def idle(self) -> bool:
        """Tell that nothing moves any more, where that was asked."""
        for id_ in self._idle_asked:
            self._pipe.send(rpc.reply(id_, m.Nothing()))
        self._idle_asked.clear()
        return False

    # -- dispatch ------------------------------------------------------------------------------------------------------

    def _take(self, line: Line) -> None:
        """Take what belongs to no call."""
        name = line.method or ""
        if name not in FROM_HARNESS:
            if line.id is not None:
                self._pipe.send(rpc.refusal(line.id, rpc.UNKNOWN_METHOD, f"there is no method {name!r}"))
            return
        method = FROM_HARNESS[name]
        try:
            params: Value = rpc.decoded(line.params, method.params)
        except msgspec.ValidationError as error:
            self._pipe.send(rpc.refusal(line.id, rpc.BAD_PARAMS, str(error)))
            return
        if isinstance(params, m.OfCase) and params.case != self._case.number and name != "case/end":
            self._case = _Case(params.case)
        if name in self._methods:
            self._begin(self._answered(line.id, name, params), own=name == "case/end")
        else:
            self._take_now(line, name, params)

    def _take_now(self, line: Line, name: str, params: Any) -> None:  # Any: the params of the method
        """Take what is answered at once, or by a run."""
        stage = self._case.stage
        match name:
            case "initialize":
                self._initialize(line.id, params)
            case "ping":
                self._pipe.send(rpc.reply(line.id, m.Nothing()))
            case "idle":
                self._idle_asked.append(line.id)
            case "exit":
                self._leave()
            case "agent/run" | "agent/resume" if stage:
                stage.runs.ask(line.id, params)
            case "run/cancel" if stage:
                stage.runs.cancel(params, lambda handle: self._cancel_made(line.id, handle))
            case "$/cancel":
                pass  # what is taken back is let go with its case
            case _ if FROM_HARNESS[name].nested:
                self._begin(self._answered(line.id, name, line))
            case _:
                self._pipe.send(rpc.refusal(line.id, rpc.BAD_PARAMS, f"{name}: there is no agent"))

    def _begin(self, course: Any, own: bool = False) -> None:  # Any: a coroutine of ours
        task = asyncio.get_running_loop().create_task(course)
        if own:
            self._own.add(task)
            task.add_done_callback(self._own.discard)

    async def _answered(self, id_: str | int | None, name: str, params: Any) -> None:  # Any: as above
        try:
            nested = isinstance(params, Line)
            result = await (self._try_outside(params) if nested else self._methods[name](params))
        except Exception as error:
            self._pipe.notify("adapter/fault", m.AdapterFault(message=f"{name}: {in_one_line(error)}"))
            return
        if result is not None:
            self._pipe.send(rpc.reply(id_, result))

    def _kinds(self, role: Role) -> Kinds:
        return self._target.error_kinds(role)

    def _asking(self, role: Role) -> Asking:
        return Asking(self._pipe, self._case.number, self._kinds(role))

    # -- what surrounds cases ------------------------------------------------------------------------------------------

    def _initialize(self, id_: str | int | None, params: m.Initialize) -> None:
        version = next((one for one in params.protocol_versions if one in VERSIONS), None)
        if version is None:
            why = f"this adapter speaks version {' or '.join(map(str, VERSIONS))}"
            self._pipe.send(rpc.refusal(id_, rpc.BAD_VERSION, why))
            return
        identity = self._target.identity
        said = m.Implementation(name=identity.name, version=identity.version, language=identity.language)
        self._pipe.send(
            rpc.reply(
                id_,
                m.Initialized(
                    protocol_version=version,
                    implementation=said,
                    roles=tuple(sorted(self._target.roles)),
                    capabilities=tuple(sorted(self._target.capabilities)),
                    idle=True,
                ),
            )
        )

    async def _end_case(self, params: m.OfCase) -> m.Nothing:
        """Leave nothing behind for the next one."""
        left = asyncio.all_tasks() - self._own
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self._case = _Case(params.case)
        return m.Nothing()

    async def _set_language(self, params: m.SetLanguage) -> m.Outcome:
        try:
            self._target.shape.set_language(params.language)
        except Exception as error:
            return m.Outcome(error=describe(error, self._kinds("agent")))
        return m.Outcome()

    async def _try_outside(self, line: Line) -> Value:
        """Try what is for the inside of runs outside any: with what the target's own adapter offers there."""
        kinds = self._kinds("agent")
        tried: list[Value] = []

        def outside(inner: Inner) -> None:
            tried.append(Inside(kinds, inner).at_once(line))

        await self._target.course(self._stage(Scene(act="outside"), "agent", outside=outside))
        return tried[0]

    def _stage(
        self,
        scene: Scene,
        role: Role,
        keys: Mapping[int, str] | None = None,
        outside: Callable[[Inner], None] | None = None,
    ) -> RemoteStage:
        return RemoteStage(scene, role, self._asking(role), self._answer, keys or {}, outside)

    def _answer(self, id_: str | int | None, result: Value) -> None:
        self._pipe.send(rpc.reply(id_, result))

    # -- files ---------------------------------------------------------------------------------------------------------

    async def _load(self, params: m.Load) -> m.Loaded:
        config = Config(files=params.files, max_bytes=params.max_bytes)
        stage = self._stage(Scene(act="load", instructions=config), "loader")
        await self._target.course(stage)
        out = stage.outcomes
        return m.Loaded(sections=out.sections, text=out.text, error=out.error)

    async def _open(self, params: m.OpenBackend) -> m.Created:
        files = {path: content_of(data) for path, data in params.files.items()}
        store = self._target.shape.open(files)
        return m.Created(handle=self._case.keep(await store if inspect.isawaitable(store) else store))

    async def _read(self, params: m.ReadBackend) -> m.FileReply:
        request = ReadRequest(file_path=params.path, offset=params.offset, limit=params.limit)
        try:
            content = await read_from(self._case.handles[params.handle], request)
        except AdapterError:
            raise
        except Exception as error:
            return m.FileReply(error=describe(error))
        return m.FileReply(nothing=True) if content is None else file_reply(content)

    async def _write(self, params: m.WriteBackend) -> m.Outcome:
        await call_method(self._case.handles[params.handle], "write", params.path, content_of(params))
        return m.Outcome()

    async def _fault(self, params: m.BreakBackend) -> m.Outcome:
        await call_method(self._case.handles[params.handle], "fault", params.path, params.kind)
        return m.Outcome()

    async def _close(self, params: m.CloseBackend) -> m.Nothing:
        store = self._case.handles.pop(params.handle)
        if hasattr(store, "close"):
            await call_method(store, "close")
        return m.Nothing()

    # -- the middleware ------------------------------------------------------------------------------------------------

    async def _create_middleware(self, params: m.CreateMiddleware) -> m.Created:
        stage = self._stage(Scene(act="create", message_type=params.message_type), "middleware")
        try:
            built = await build_middleware(self._target.shape.middleware, params.config, stage)
        except AdapterError:
            raise
        except Exception as error:
            return m.Created(error=describe(error, self._kinds("middleware")))
        return m.Created(handle=self._case.keep(built))

    async def _before_model(self, params: m.HookOf) -> m.Hooked:
        view = None if params.run is None else self._case.views.setdefault(params.run, RunView(params.run))
        current_run.set(params.run)
        current_bag.set(params.ctx)
        try:
            messages = await call_hook(self._case.handles[params.handle], params.messages, view)
        except AdapterError:
            raise
        except Exception as error:
            return m.Hooked(error=describe(error, self._kinds("middleware")))
        return m.Hooked(messages=tuple(messages))

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
        )
        stage = self._case.stage = self._stage(scene, params.role, _keys(modules))
        stage.doubles.know(params.agent)
        performing = asyncio.get_running_loop().create_task(self._target.course(stage))
        await asyncio.wait((performing, stage.runs.created), return_when=asyncio.FIRST_COMPLETED)
        if performing.done():
            performing.result()
            if stage.outcomes.error is None:
                raise AdapterError(f"{self._target.identity.name} has left the stage without asking for its runs")
            return m.Created(error=stage.outcomes.error)
        performing.add_done_callback(self._performing_over)
        return m.Created(handle="agent")

    def _performing_over(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._pipe.notify("adapter/fault", m.AdapterFault(message=in_one_line(error)))

    def _cancel_made(self, id_: str | int | None, handle: CancelHandle) -> None:
        made = m.CancelMade(handle=self._case.keep(handle), contributed=handle.contributed)
        self._pipe.send(rpc.reply(id_, made))

    async def _wait_for_cancel(self, params: m.WaitForCancel) -> m.CancelOver:
        return m.CancelOver(outcome=await self._case.handles[params.handle].wait())

    async def _list_strategies(self, params: m.ListStrategies) -> m.Strategies:
        act: Act = "catalogue" if params.built_in else "look up"
        scene = Scene(act=act, modules=modules_from(params.modules), lookups=params.lookups)
        stage = self._stage(scene, "plugins")
        await self._target.course(stage)
        out = stage.outcomes
        return m.Strategies(listed=tuple(out.listed), lookups=tuple(out.lookups), error=out.error)


def content_of(data: m.FileData) -> bytes:
    """The bytes of a file."""
    return data.base64 if data.base64 is not None else (data.text or "").encode()


def _keys(modules: Sequence[Module]) -> dict[int, str]:
    """The keys of strategies, by their identity."""
    return {id(strategy): key for key, strategy in strategies_by_key(modules).items()}
