"""The adapter itself: takes the messages of the harness, and performs its cases on the target."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec

from ..contract.dialects import dialect_names, observed_dialect_names
from ..contract.places import located
from ..contract.values import Value
from ..protocol import VERSIONS, rpc
from ..protocol import messages as m
from ..protocol.methods import FROM_ADAPTER, FROM_HARNESS
from ..protocol.rpc import Line
from ..targets.drivers import AsyncioDriver
from ..targets.python import PythonTarget, Tap
from .calls import RemotePart
from .cases import ServedCase
from .pipe import Pipe


def serve(target: PythonTarget, source: int, sink: int, can_restart: bool = False) -> bool:
    """Serve a target until the harness leaves: lines come from one file descriptor and go to the other.

    Return whether the harness continues with a new process, which it requests only of an adapter that `can_restart`.
    """
    pipe = Pipe(source, sink)
    driver = AsyncioDriver(before_wait=pipe.flush)
    server = Server(target, pipe, driver, can_restart)
    driver.run(server.go(), lambda _: None)
    pipe.flush()
    return server.restarts


def prepare(factory: Callable[[], object]) -> None:
    """Make in advance what every server needs: the types of messages, their decoders, the known dialects.

    A factory may have a `prepare` that imports what scenes need.
    """
    getattr(factory, "prepare", lambda: None)()
    dialect_names()
    observed_dialect_names()
    for method in FROM_HARNESS.values():
        rpc.decoder(method.params)
    for method in FROM_ADAPTER.values():
        if method.result is not None:
            rpc.decoder(method.result)


class Server:
    """Takes the messages of the harness. Every request is answered by a task of its own."""

    def __init__(self, target: PythonTarget, pipe: Pipe, driver: AsyncioDriver, can_restart: bool = False) -> None:
        self.restarts = False
        self._can_restart = can_restart
        self._target = target
        self._pipe = pipe
        self._driver = driver
        self._case = ServedCase(target, pipe, 0)
        self._over = asyncio.Event()
        self._own: set[asyncio.Task[Any]] = set()  # Any: tasks of the server, which outlive a case
        self._idle_requests: list[str | int | None] = []

    async def go(self) -> None:
        """Serve until the harness leaves."""
        self._own.add(asyncio.current_task())  # type: ignore[arg-type]  # there is one, this one
        self._pipe.on_line = self._take
        self._pipe.on_end = self._over.set
        self._pipe.listen()
        with Tap().passing_to(self._log):
            await self._over.wait()

    def _log(self, line: str) -> None:
        RemotePart(self._case.calls("agent"), "environment").log(line)

    def _answer_idle(self) -> bool:
        """Answer `idle`: nothing in this process can move."""
        self._driver.on_idle = None
        for id_ in self._idle_requests:
            self._pipe.send(rpc.reply(id_, m.Empty()))
        self._idle_requests.clear()
        self._pipe.flush()
        return False

    def _take(self, line: Line) -> None:
        """Take a message that belongs to no call of ours."""
        name = line.method or ""
        method = FROM_HARNESS.get(name)
        if method is None:
            if line.id is not None:
                self._pipe.send(rpc.refusal(line.id, rpc.UNKNOWN_METHOD, f"there is no method {name!r}"))
            return
        try:
            params: Value = rpc.decoded(line.params, method.params)
        except msgspec.ValidationError as error:
            self._pipe.send(rpc.refusal(line.id, rpc.BAD_PARAMS, str(error)))
            return
        if isinstance(params, m.CaseMessage) and params.case != self._case.number and name != "case/end":
            self._case = ServedCase(self._target, self._pipe, params.case)
        if method.function is not None and not method.nested:
            self._start(self._answered(line.id, name, self._case.answer(method, params)))
        else:
            self._take_now(line, name, params)

    def _take_now(self, line: Line, name: str, params: Any) -> None:  # noqa: C901  # a case, and params, per method
        """Take a message that needs no task, or that a run answers."""
        case = self._case
        match name:
            case "initialize":
                self._initialize(line.id, params)
            case "ping":
                self._pipe.send(rpc.reply(line.id, m.Empty()))
            case "idle":
                self._idle_requests.append(line.id)
                self._driver.on_idle = self._answer_idle
            case "restart" | "exit":
                self.restarts = name == "restart"
                if self.restarts:
                    self._pipe.send(rpc.reply(line.id, m.Empty()))
                self._over.set()
            case "case/end":
                task = self._start(self._answered(line.id, name, self._end_case(params)))
                self._own.add(task)
                task.add_done_callback(self._own.discard)
            case "agent/run" | "agent/resume" if case.stage:
                case.stage.runs.request(line.id, params)
            case "run/cancel" if case.stage:
                case.stage.runs.cancel(params, lambda handle: case.answer_cancel(line.id, handle))
            case "$/cancel":
                pass  # the end of the case cancels the request
            case _ if FROM_HARNESS[name].nested:
                self._start(self._answered(line.id, name, case.try_outside(FROM_HARNESS[name], params)))
            case _:
                self._pipe.send(rpc.refusal(line.id, rpc.BAD_PARAMS, f"{name}: there is no agent"))

    @staticmethod
    def _start(answering: Coroutine[Any, Any, None]) -> asyncio.Task[None]:  # Any: of the loop alone
        return asyncio.get_running_loop().create_task(answering)

    async def _answered(self, id_: str | int | None, name: str, answering: Any) -> None:  # Any: a coroutine
        try:
            result: Value = await answering
        except Exception as error:
            self._pipe.notify("adapter/fault", m.AdapterFault(message=f"{name}: {located(error)}"))
        else:
            self._pipe.send(rpc.reply(id_, result))

    def _initialize(self, id_: str | int | None, params: m.Initialize) -> None:
        version = next((one for one in params.protocol_versions if one in VERSIONS), None)
        if version is None:
            why = f"this adapter speaks version {' or '.join(map(str, VERSIONS))}"
            self._pipe.send(rpc.refusal(id_, rpc.BAD_VERSION, why))
            return
        identity = self._target.identity
        implementation = m.Implementation(name=identity.name, version=identity.version, language=identity.language)
        declared = m.Initialized(
            protocol_version=version,
            implementation=implementation,
            roles=tuple(sorted(self._target.roles)),
            capabilities=tuple(sorted(self._target.capabilities)),
            postures=dict(self._target.postures),
            idle=True,
            restart=self._can_restart,
        )
        self._pipe.send(rpc.reply(id_, declared))

    async def _end_case(self, params: m.CaseMessage) -> m.Empty:
        """Cancel everything that belongs to the case."""
        left = asyncio.all_tasks() - self._own
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self._case = ServedCase(self._target, self._pipe, params.case)
        return m.Empty()
