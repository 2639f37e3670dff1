"""Realistic bugs about values that several agents, middlewares or files share."""

from __future__ import annotations

import os
import posixpath
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from loopspec_reference.agentsmd import handler
from loopspec_reference.agentsmd.backends import LocalBackend, ReadRequest, pick_lines
from loopspec_reference.agentsmd.config import Config
from loopspec_reference.loop.agents import Agent
from loopspec_reference.plugins.graph import Workflow, get_agent_middlewares
from loopspec_reference.plugins.middleware import Middleware
from loopspec_reference.plugins.registry import MiddlewareContext, Registry
from loopspec_reference.values.messages import AnyMessage

from ..plugins.nodes import made_by
from ..registry import bug


@bug("CALLER-02")
def reverses_the_callers_handlers() -> AbstractContextManager[object]:
    """Reverses the caller's own list of handlers, to wrap the calls from the inside out."""
    build = Agent.__init__

    def init(self: Agent[AnyMessage], *, handlers: Any = (), **rest: Any) -> None:  # Any: passed on
        build(self, handlers=tuple(handlers), **rest)
        if isinstance(handlers, list):
            handlers.reverse()

    return patch.object(Agent, "__init__", init)


@bug("CALLER-02")
def adds_the_exit_tool_to_the_callers_tools() -> AbstractContextManager[object]:
    """Appends its exit tool to the caller's own list of tools."""
    build = Agent.__init__

    def init(self: Agent[AnyMessage], *, tools: Any = (), exit_tool: Any = None, **rest: Any) -> None:  # Any: passed on
        build(self, tools=tuple(tools), exit_tool=exit_tool, **rest)
        if isinstance(tools, list) and exit_tool is not None:
            tools.append(exit_tool)

    return patch.object(Agent, "__init__", init)


@bug("XP-META-09")
def passes_the_options_of_a_node_themselves() -> AbstractContextManager[object]:
    """Passes a factory the options of the node themselves, so that the factory can change them for the next agent."""

    async def makes(
        workflow: Workflow, agent_key: str, known: Registry, context: MiddlewareContext
    ) -> list[Middleware]:
        options = {node.key: node.options for node in workflow.nodes}

        def strategy(provider: str) -> Any:  # Any: with the one method that is called
            create = known.get(provider).create_middleware
            return SimpleNamespace(create_middleware=lambda _, made_for: create(options[made_for.node], made_for))

        return await get_agent_middlewares(workflow, agent_key, SimpleNamespace(get=strategy), context)  # type: ignore[arg-type]  # as far as used

    return made_by(makes)


@bug("AMD-CACHE-12")
def caches_by_the_set_of_files() -> AbstractContextManager[object]:
    """Caches instructions by the sorted list of the configured files."""
    build = handler.AgentsMD.__init__

    def init(self: handler.AgentsMD[AnyMessage], config: Config | None, message_type: type[AnyMessage]) -> None:
        build(self, config, message_type)
        self._cache_key = handler.MARKER + repr([*sorted(self._config.files), self._config.max_bytes])

    return patch.object(handler.AgentsMD, "__init__", init)


@bug("BACKEND-06", backend="local")
def compares_the_root_as_a_text() -> AbstractContextManager[object]:
    """Takes each path that begins with the text of the root for a path in the root."""

    def read(self: LocalBackend, request: ReadRequest) -> bytes:
        path = os.path.realpath(posixpath.join(self._root, request.file_path))
        if not path.startswith(self._root):
            raise PermissionError(f"{request.file_path!r} is outside {self._root!r}")
        return pick_lines(Path(path).read_bytes(), request)

    return patch.object(LocalBackend, "_read", read)
