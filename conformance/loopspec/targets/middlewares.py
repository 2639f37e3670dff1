"""The middleware role of a plain Python object; where a loop is needed, the harness plays it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..contract.faults import AdapterError
from ..contract.scene import AgentsMD, Config, Run
from ..contract.shapes import MiddlewareConfig, RunView
from ..contract.stage import Stage
from ..contract.values import Json, Message, ToolCall
from .sources import Source

Make = Callable[..., object]


async def perform_middleware(make: Make, stage: Stage) -> None:
    """Build the scene's middlewares and let them stand before its model calls."""
    scene = stage.scene
    handlers = [handler for handler in scene.agent.handlers if isinstance(handler, AgentsMD)]
    try:
        if scene.act == "run":
            built = {handler.name: await _build(make, handler.config, stage) for handler in handlers}
        else:
            built = {"": await _build(make, scene.instructions, stage)}
    except AdapterError:
        raise
    except Exception as error:
        stage.outcomes.refused(error)
        return
    if scene.act == "hook":
        await _outside_any_run(built[""], stage)
    async for batch in stage.runs.batches():
        await asyncio.gather(*(_play(run, built, stage) for run in batch))


async def _made(make: Make, config: MiddlewareConfig | None) -> object:
    middleware = make(config)
    return await middleware if inspect.isawaitable(middleware) else middleware


async def _build(make: Make, config: Config | None, stage: Stage) -> object:
    if config is None:
        return await _made(make, None)
    source = Source(stage.world, any(map(inspect.iscoroutinefunction, (make, getattr(make, "before_model", None)))))
    middleware = await _made(
        make,
        MiddlewareConfig(
            backend=source if config.backend else None,
            files=None if config.files is None else list(config.files),
            max_bytes=config.max_bytes,
            on_warning=stage.world.warn if config.callback else None,
            message_type=stage.scene.message_type,
        ),
    )
    if not hasattr(middleware, "before_model"):
        raise AdapterError(f"middleware() returned {middleware!r:.200}: return an object with before_model()")
    source.awaitable = inspect.iscoroutinefunction(middleware.before_model)
    return middleware


async def _outside_any_run(middleware: object, stage: Stage) -> None:
    given = list(stage.scene.messages)
    for _ in range(stage.scene.times):
        try:
            messages = await _hook(middleware, given, None)
        except AdapterError:
            raise
        except Exception as error:
            stage.outcomes.hook_failed(error)
        else:
            stage.outcomes.hooked(messages)


async def _hook(middleware: Any, messages: Sequence[Message], run: RunView | None) -> list[Message]:  # Any: user's own
    result = middleware.before_model(messages, run)
    if inspect.isawaitable(result):
        result = await result
    if not isinstance(result, Sequence) or not all(isinstance(message, Message) for message in result):
        raise AdapterError(f"before_model() returned {result!r:.200}: return a list of loopspec.Message")
    return list(result)


class _Played:
    """The inside of a played run, for scripted handlers."""

    def __init__(self, view: RunView) -> None:
        self._local = view.local

    def set_local(self, key: str, value: Json) -> None:
        """Keep a run-local value."""
        self._local[key] = value

    def get_local(self, key: str) -> Json:
        """Return a run-local value, or None."""
        return self._local.get(key)


async def _play(run: Run, built: Mapping[str, object], stage: Stage) -> None:
    """The loop of an agent, as far as a middleware can tell it from one."""
    agent, doubles = stage.scene.agent, stage.doubles
    tools = [tool.name for tool in agent.tools]
    with stage.runs.running(run):
        view = RunView(run.id)
        inner = _Played(view)
        messages = stage.runs.messages(run)
        if agent.instruction:
            messages = [Message(role="system", content=agent.instruction), *messages]
        for _ in range(agent.max_iterations):
            for handler in agent.handlers:
                if isinstance(handler, AgentsMD):
                    messages = await _hook(built[handler.name], messages, view)
                elif "before model" in handler.hooks:
                    edited = await doubles.before_model(handler.name, messages, tools, inner)
                    messages = [messages[item] if isinstance(item, int) else item for item in edited]
            messages = [*messages, await doubles.generate(agent.model.name, messages, tools)]
            for handler in agent.handlers:
                if not isinstance(handler, AgentsMD) and "after model" in handler.hooks:
                    edited = await doubles.after_model(handler.name, messages, tools, inner)
                    messages = [messages[item] if isinstance(item, int) else item for item in edited]
            if not (tools and messages[-1].tool_calls):
                return
            calls = messages[-1].tool_calls
            texts = await asyncio.gather(*(doubles.invoke(call.name, call.args, call.id) for call in calls))
            messages = [*messages, *(_result(call, text) for call, text in zip(calls, texts, strict=True))]


def _result(call: ToolCall, text: str) -> Message:
    return Message(role="tool", content=text, tool_call_id=call.id, tool_name=call.name)
