"""Puts LangChain's own `create_agent` before loopspec: this adapter builds and forwards, and decides nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from langchain.agents.middleware.model_call_limit import ModelCallLimitExceededError
from langgraph.errors import GraphRecursionError, InvalidUpdateError

from loopspec import Posture
from loopspec.contract.capabilities import Capability, Role
from loopspec.contract.stage import Stage
from loopspec.contract.values import ErrorKind

from .agent import Agents
from .doubles import Inside
from .postures import POSTURES

__all__ = ["LangChain"]


class LangChain:
    """LangChain's agent in the roles `agent` and `plugins`."""

    name = "LangChain create_agent"
    version = version("langchain")
    roles: Sequence[Role] = ("agent", "plugins")
    capabilities: Sequence[Capability] = (
        "after-agent-edits",
        "after-agent-hooks",
        "after-model-edits",
        "after-model-hooks",
        "before-agent-edits",
        "before-agent-hooks",
        "before-model-edits",
        "before-model-hooks",
        "callbacks",
        "command",
        "concurrent-runs",
        "interrupt",
        "invalid-values",
        "jump",
        "missing-results",
        "model-wrappers",
        "repeated-inner-calls",
        "retry",
        "return-directly",
        "send-event",
        "several-handlers",
        "streaming",
        "streaming-tools",
        "summarization",
        "threads",
        "todo-list",
        "tool-wrappers",
    )
    postures: Mapping[str, Posture] = POSTURES
    error_kinds: Mapping[type[BaseException], ErrorKind] = {
        ModelCallLimitExceededError: "max_iterations",
        GraphRecursionError: "max_iterations",
        InvalidUpdateError: "hook",
    }

    async def perform(self, stage: Stage) -> None:
        """Build the scene's agent and let its runs happen."""
        if stage.scene.act == "outside":
            stage.doubles.outside(Inside())
            return
        agents = Agents(stage)
        try:
            agents.build()
        except Exception as error:
            stage.outcomes.build_failed(error)
            return
        async for batch in stage.runs.concurrent_runs():
            await asyncio.gather(*(agents.run(run) for run in batch))

    perform_plugins = perform
