"""One case at this end of the pipe: what the harness asks of the target. The protocol's `Adapter`."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from ..contract.agents import Config
from ..contract.doubles import Inner
from ..contract.errors import Reported, describe
from ..contract.faults import AdapterError, CannotStore
from ..contract.observation import Load
from ..contract.places import located
from ..contract.plugins import Module
from ..contract.roles import ROLES, Role
from ..contract.scene import Scene
from ..contract.shapes import RunView
from ..contract.stage import CancelHandle
from ..contract.values import Json, Message, MessageType, Value
from ..protocol import messages as m
from ..protocol import rpc
from ..protocol.adapter import Loaded, Strategies, Waited
from ..protocol.conversion import as_received, file_reply
from ..protocol.methods import Method
from ..stage.record import Record, current_context, current_run
from ..targets.middlewares import build_middleware, call_hook
from ..targets.python import PythonTarget
from ..targets.stores import call_method, close_store, count_resources, read_from
from .calls import CaseCalls
from .inside import Inside
from .pipe import Pipe
from .stage import RemoteStage

# What the kit does in place of a call of the backend's method of this name.
_OF_STORES: Mapping[str, Callable[..., Awaitable[object]]] = {
    "close": close_store,
    "read": read_from,
    "resources": count_resources,
}


class ServedCase:
    """Does what the harness asks in one case. `stage` is there once an agent is created."""

    def __init__(self, target: PythonTarget, pipe: Pipe, number: int) -> None:
        self.number = number
        self.stage: RemoteStage | None = None
        self._target = target
        self._pipe = pipe
        self._kept: dict[str, Any] = {}  # Any: backends, middlewares, and handles of cancellations
        self._views: dict[str, RunView] = {}

    async def answer(self, method: Method, params: Value) -> Value:
        """Answer a request. An error of the implementation is a result. Raises the adapter's own."""
        assert method.result is not None, "a request has a result"
        try:
            serve = ROLES[method.roles[0]].serve
            call: Any = partial(serve, self._target.shape) if serve else getattr(self, method.attribute, None)
            call = call or partial(self._call_store, method.attribute)
            value = await call(**{name: as_received(getattr(params, name)) for name in method.names})
        except AdapterError:
            raise
        except Exception as error:
            return method.result(error=describe(error, self._target.error_kinds(method.roles[0])))
        if method.result is m.FileReply:
            return file_reply(value)
        return m.Outcome() if method.result is m.Outcome else method.result(value=value)

    def calls(self, role: Role) -> CaseCalls:
        """Return what sends calls of this case to the harness."""
        return CaseCalls(self._pipe, self.number, self._target.error_kinds(role))

    def _keep(self, kept: object) -> str:
        """Keep an object; return its handle."""
        handle = f"o{len(self._kept) + 1}"
        self._kept[handle] = kept
        return handle

    def _new_stage(self, scene: Scene, role: Role, outside: Callable[[Inner], None] | None = None) -> RemoteStage:
        return RemoteStage(scene, role, self.calls(role), outside)

    async def _played(self, scene: Scene, role: Role) -> Record:
        """Perform a scene at once, and return what came out. Raises the failure that is one."""
        stage = self._new_stage(scene, role)
        await self._target.play(stage)
        for error in (stage.record.created, *(load.error for load in stage.record.of(Load))):
            if error is not None:
                raise Reported(error)
        return stage.record

    async def try_outside(self, method: Method, params: Value) -> Value:
        """Try a nested request outside any run, with what the target's own adapter offers there."""
        described = self.calls("agent").described
        tried: list[Value] = []

        def outside(inner: Inner) -> None:
            tried.append(Inside(described, inner).serve_now(method, params))

        await self._target.play(self._new_stage(Scene(act="outside"), "agent", outside))
        return tried[0]

    async def set_language(self, language: str | None) -> None:
        self._target.shape.set_language(language)

    async def load(self, files: tuple[str, ...], max_bytes: int) -> Loaded:
        scene = Scene(act="load", instructions=Config(files=files, max_bytes=max_bytes))
        loads = (await self._played(scene, "loader")).of(Load)
        return Loaded(sections=loads[-1].sections, text=loads[-1].text) if loads else Loaded()

    async def open(self, files: dict[str, bytes]) -> str:
        try:
            store = self._target.shape.open(files)
            return self._keep(await store if inspect.isawaitable(store) else store)
        except CannotStore:
            raise
        except Exception as error:
            raise AdapterError(located(error)) from error

    async def _call_store(self, method: str, handle: str, **args: Any) -> object:  # Any: arguments of the method
        """Call a method of the backend."""
        if ours := _OF_STORES.get(method):
            return await ours(self._kept[handle], **args)
        return await call_method(self._kept[handle], method, *args.values())

    async def create_middleware(self, message_type: MessageType, config: Config | None) -> str:
        stage = self._new_stage(Scene(act="create", message_type=message_type), "middleware")
        return self._keep(await build_middleware(self._target.shape.middleware, stage, config))

    async def before_model(
        self, handle: str, messages: tuple[Message, ...], run: str | None, ctx: dict[str, Json] | None
    ) -> tuple[Message, ...]:
        view = None if run is None else self._views.setdefault(run, RunView(run))
        current_run.set(run)
        current_context.set(ctx or {})
        return tuple(await call_hook(self._kept[handle], messages, view))

    async def create_agent(self, role: Role, **of_scene: Any) -> str:  # Any: fields of a scene
        """Build the agent; its runs are performed as the harness requests them."""
        stage = self.stage = self._new_stage(Scene(act="run", **of_scene), role)
        playing = asyncio.get_running_loop().create_task(self._target.play(stage))
        await asyncio.wait((playing, stage.runs.created), return_when=asyncio.FIRST_COMPLETED)
        if playing.done():
            playing.result()
            if stage.record.created is None:
                name = self._target.identity.name
                raise AdapterError(
                    f"perform() of {name} returned without performing the runs: iterate stage.runs.concurrent_runs()"
                )
            raise Reported(stage.record.created)
        playing.add_done_callback(self._report_failure)
        return "agent"

    def _report_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()):
            self._pipe.notify("adapter/fault", m.AdapterFault(message=located(error)))

    def answer_cancel(self, id_: str | int | None, handle: CancelHandle) -> None:
        """Answer `run/cancel`."""
        reply = m.CancelReply(handle=self._keep(handle), contributed=handle.contributed)
        self._pipe.send(rpc.reply(id_, reply))

    async def wait_for_cancel(self, handle: str) -> Waited:
        outcome: Waited = await self._kept[handle].wait()
        return outcome

    async def list_strategies(
        self, modules: tuple[Module, ...], built_in: bool, lookups: tuple[str, ...]
    ) -> Strategies:
        scene = Scene(act="catalog" if built_in else "look up", modules=modules, lookups=lookups)
        record = await self._played(scene, "plugins")
        return Strategies(listed=tuple(record.strategies), lookups=tuple(record.lookups))
