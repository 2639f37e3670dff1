"""The middleware role of a Python object; the harness provides the loop."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..contract.agents import Agent, AgentsMD, Config, Scripted
from ..contract.calls import Edited, ModelRequest, State, ToolRequest
from ..contract.doubles import NoInside, StateHook
from ..contract.faults import AdapterError
from ..contract.harness import HarnessStage
from ..contract.observation import HookResult
from ..contract.scene import Run
from ..contract.shapes import MiddlewareConfig, RunView
from ..contract.stage import Stage
from ..contract.values import Message, ToolCall, ToolInfo
from .drivers import Together, gathered
from .loaders import Source, called_with, failures

Make = Callable[..., object]
Build = Callable[[Config | None], Awaitable[object]]  # what it returns has `before_model`

_DEFAULT_ITERATIONS = 20


async def perform_middleware(build: Build, stage: HarnessStage, together: Together = gathered) -> None:
    """Build the scene's middlewares and call their hooks before its model calls."""
    scene = stage.scene
    handlers = [handler for handler in scene.agent.handlers if isinstance(handler, AgentsMD)]
    configs = {one.name: one.config for one in handlers} if scene.act == "run" else {"": scene.instructions}
    built: dict[str, object] = {}
    with failures(stage.outcomes.build_failed):
        built = {name: await build(config) for name, config in configs.items()}
    if len(built) < len(configs):
        return
    if scene.act == "hook":
        await _outside_any_run(built[""], stage)
    async for batch in stage.runs.concurrent_runs():
        await together(_play(run, built, stage, together) for run in batch)


async def _made(make: Make, config: MiddlewareConfig | None) -> object:
    with called_with(make, "middleware(config)", config):
        middleware = make(config)
        return await middleware if inspect.isawaitable(middleware) else middleware


async def build_middleware(make: Make, stage: Stage, config: Config | None) -> object:
    """Build a middleware. Raises `AdapterError` for another object, and the error of building it."""
    if config is None:
        return await _made(make, None)
    awaits = any(map(inspect.iscoroutinefunction, (make, getattr(make, "before_model", None))))
    source = Source(stage.environment, awaits)
    middleware = await _made(
        make,
        MiddlewareConfig(
            backend=source if config.backend else None,
            files=None if config.files is None else list(config.files),
            max_bytes=config.max_bytes,
            on_warning=stage.environment.warn if config.callback else None,
            message_type=stage.scene.message_type,
        ),
    )
    if not hasattr(middleware, "before_model"):
        raise AdapterError(f"middleware() returned {middleware!r:.200}: return an object with before_model()")
    source.awaitable = inspect.iscoroutinefunction(middleware.before_model)
    return middleware


async def _outside_any_run(middleware: object, stage: HarnessStage) -> None:
    given = list(stage.scene.messages)
    for _ in range(stage.scene.times):
        with failures(partial(stage.outcomes.enter, HookResult)):
            stage.outcomes.enter(HookResult, messages=tuple(await call_hook(middleware, given, None)))


async def call_hook(middleware: Any, messages: Sequence[Message], run: RunView | None) -> list[Message]:  # Any: user's
    """Call the hook. Raises `AdapterError` for an invalid result."""
    with called_with(middleware.before_model, "before_model(messages, run)", messages, run):
        result = middleware.before_model(messages, run)
        if inspect.isawaitable(result):
            result = await result
    if not isinstance(result, Sequence) or not all(isinstance(message, Message) for message in result):
        raise AdapterError(f"before_model() returned {result!r:.200}: return a list of loopspec.Message")
    return list(result)


class _Played(NoInside):
    """The inside of a run for scripted handlers, with a conversation and run-local values only."""

    # never used in the kit, which performs such scenes on agents only: see `needs_a_loop`
    why = "a middleware alone has no session and no events: the scene needs the role agent"

    def __init__(self, view: RunView) -> None:
        self._local = view.local

    def set_local(self, key: str, value: object) -> None:
        self._local[key] = value

    def get_local(self, key: str) -> tuple[object, bool]:
        return self._local.get(key), key in self._local

    def delete_local(self, key: str) -> None:
        self._local.pop(key, None)


class _Loop:
    """The part of an agent's loop that a middleware can observe."""

    def __init__(
        self, agent: Agent, built: Mapping[str, object], stage: Stage, view: RunView, together: Together
    ) -> None:
        self._together = together
        self._agent = agent
        self._built = built
        self._doubles = stage.doubles
        self._view = view
        self._inner = _Played(view)
        self._tools = tuple(tool.name for tool in agent.tools)

    async def go(self, messages: Sequence[Message]) -> None:
        """Continue until the model calls no tool."""
        agent = self._agent
        assert agent.model is not None, "a scene without a model needs an agent"
        infos = tuple(ToolInfo(name=name) for name in self._tools)
        for _ in range(agent.max_iterations or _DEFAULT_ITERATIONS):
            messages = await self._hooked("before model", messages)
            answer = await self._doubles.generate(agent.model.name, ModelRequest(messages=tuple(messages), tools=infos))
            assert answer is not None, "a scene whose model answers nothing needs an agent"
            messages = await self._hooked("after model", [*messages, answer])
            calls = messages[-1].tool_calls
            if not (self._tools and calls):
                return
            messages = [*messages, *await self._together(self._result(call) for call in calls)]

    async def _hooked(self, hook: StateHook, messages: Sequence[Message]) -> Sequence[Message]:
        for handler in self._agent.handlers:
            if isinstance(handler, AgentsMD) and hook == "before model":
                messages = await call_hook(self._built[handler.name], messages, self._view)
            elif isinstance(handler, Scripted) and hook in handler.hooks:
                state = State(messages=tuple(messages), tools=self._tools)
                edited = await self._doubles.edit(hook, handler.name, state, self._inner)
                if isinstance(edited, Edited):
                    messages = [messages[item] if isinstance(item, int) else item for item in edited.messages]
        return messages

    async def _result(self, call: ToolCall) -> Message:
        request = ToolRequest(tool=call.name, call_id=call.id, args=call.args)
        answer = await self._doubles.invoke(request, self._inner)
        text = answer.text if answer else ""
        return Message(role="tool", content=text, tool_call_id=call.id, tool_name=call.name)


async def _play(run: Run, built: Mapping[str, object], stage: Stage, together: Together) -> None:
    """Perform one run."""
    agent = stage.scene.agent
    with stage.runs.running(run):
        messages = stage.runs.messages(run)
        if agent.instruction:
            messages = [Message(role="system", content=agent.instruction), *messages]
        await _Loop(agent, built, stage, RunView(run.id), together).go(messages)
