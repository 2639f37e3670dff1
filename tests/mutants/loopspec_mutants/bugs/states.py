"""Realistic bugs about the states of middlewares, and about values in a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from copy import deepcopy
from typing import Any
from unittest.mock import patch

from loopspec_reference.handlers.handler import State
from loopspec_reference.loop.agents import Agent
from loopspec_reference.plugins import hooks, model_wrapping, stack, tool_wrapping
from loopspec_reference.plugins.layers import Layer
from loopspec_reference.plugins.state import SESSION_KEY
from loopspec_reference.runs import checkpoints
from loopspec_reference.runs.run import Run
from loopspec_reference.runs.run_values import unpacked
from loopspec_reference.values.messages import AnyMessage, Json

from ..registry import bug


@bug("XP-STATE-01")
@contextmanager
def reads_states_from_before_the_run_in_wrappers() -> Iterator[None]:
    """Passes each wrapper its state from before the run, without what the hooks of the run have stored."""
    begin = Agent._begin
    before: dict[Run, Run] = {}

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        seen = Run(run.agent, deepcopy(dict(run.session)), path=run.path[:-1], context=run.context)
        seen.named = run.named
        before[run] = seen
        return await begin(self, run)

    def stale(module: Any) -> AbstractContextManager[object]:  # Any: one of the two modules of wrappers
        wrapped = module._wrapped

        def wraps(layer: Layer, run: Run, *rest: Any) -> Any:  # Any: passed on
            return wrapped(layer, before[run], *rest)

        return patch.object(module, "_wrapped", wraps)

    with ExitStack() as patches:
        patches.enter_context(patch.object(Agent, "_begin", begins))
        for module in (model_wrapping, tool_wrapping):
            patches.enter_context(stale(module))
        yield


@bug("XP-STATE-11")
@contextmanager
def forgets_what_before_agent_hooks_have_stored() -> Iterator[None]:
    """Restores the states from before the before-agent hooks when a run without after-agent hooks ends."""
    through_hooks, end = hooks.through_hooks, Agent._end
    stored: dict[Run, tuple[Json, Json]] = {}

    async def through(layers: Sequence[Layer], kind: Any, run: Run, *rest: Any) -> Any:  # Any: passed on
        before = deepcopy(run.session.get(SESSION_KEY))
        followed = await through_hooks(layers, kind, run, *rest)
        if kind == "before_agent":
            stored[run] = before, deepcopy(run.session.get(SESSION_KEY))
        return followed

    async def ends(self: Agent[AnyMessage], run: Run, state: State[AnyMessage]) -> AnyMessage:
        answer = await end(self, run, state)
        before, after = stored.pop(run, (None, None))
        if not self._after and before != after == run.session.get(SESSION_KEY):
            run.session[SESSION_KEY] = before or {}
        return answer

    with patch.object(stack, "through_hooks", through), patch.object(Agent, "_end", ends):
        yield


@bug("RUNLOCAL-13")
def restores_registered_types_as_nothing() -> AbstractContextManager[object]:
    """Restores a run-local value of a registered type from a checkpoint as null, without an error."""

    def restores(value: Json) -> Json:
        if isinstance(value, Mapping):
            return {key: restores(item) for key, item in value.items()}
        if isinstance(value, list) and value[0] is None:
            return [restores(item) for item in value[1:]]
        return None if isinstance(value, list) else unpacked(value)

    return patch.object(checkpoints, "unpacked", restores)
