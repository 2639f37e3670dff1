"""Realistic bugs about the settings of tools and handlers that get lost on the way to a run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from loopspec_reference import Agent, AnyMessage, Handler
from loopspec_reference.loop.model_calls import ModelCalls
from loopspec_reference.loop.tool_calls import ToolCalls
from loopspec_reference.runs.run import Run

from ..registry import bug


@bug("LOOP-08")
def makes_calls_concurrently_when_a_hook_changes_the_tools() -> AbstractContextManager[object]:
    """Makes sequential tool calls concurrently if a before-agent hook has changed the tools."""
    begin = Agent._begin

    async def begins(self: Agent[AnyMessage], run: Run) -> Any:  # Any: what a run starts with is the agent's own
        start = await begin(self, run)
        if start.box is not self._box:
            self._parallel = True
        return start

    return patch.object(Agent, "_begin", begins)


@bug("HOOK-WT-01")
def nests_tool_wrappers_in_reverse() -> AbstractContextManager[object]:
    """Nests the tool wrapper of the last handler outermost, unlike the model wrappers."""
    init = ToolCalls.__init__

    def makes(self: ToolCalls[AnyMessage], message_type: Any, layers: Sequence[Any], callbacks: Any) -> None:
        handlers = [one for one in layers if isinstance(one, Handler)]
        others = [one for one in layers if not isinstance(one, Handler)]
        init(self, message_type, [*others, *reversed(handlers)], callbacks)

    return patch.object(ToolCalls, "__init__", makes)


@bug("ORDER-MODEL-01", "ORDER-MODEL-02")
def skips_after_model_functions_without_tools() -> AbstractContextManager[object]:
    """Calls no legacy after-model functions if the agent has no tools."""
    init = Agent.__init__

    def makes(self: Agent[AnyMessage], **options: Any) -> None:  # Any: passed on
        init(self, **options)
        if not self._tools:
            self._models._legacy_after = []

    return patch.object(Agent, "__init__", makes)


@bug("FAILOVER-01")
def never_fails_over() -> AbstractContextManager[object]:
    """Accepts a failover configuration, and never calls a backup model."""
    init = ModelCalls.__init__

    def makes(self: ModelCalls[AnyMessage], *parts: Any) -> None:  # Any: passed on
        init(self, *parts)
        self._failover = None

    return patch.object(ModelCalls, "__init__", makes)


@bug("MAXITER-03")
def ignores_the_configured_limit() -> AbstractContextManager[object]:
    """Ignores the configured iteration limit, and uses the default."""
    init = Agent.__init__

    def makes(self: Agent[AnyMessage], **options: Any) -> None:  # Any: passed on
        init(self, **{**options, "max_iterations": 0})

    return patch.object(Agent, "__init__", makes)
