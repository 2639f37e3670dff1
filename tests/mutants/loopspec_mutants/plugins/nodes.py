"""A patch that several bugs share: how the middlewares of an agent are built."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from unittest.mock import patch

from loopspec_reference import plugins
from loopspec_reference.plugins.graph import Workflow
from loopspec_reference.plugins.middleware import Middleware
from loopspec_reference.plugins.registry import MiddlewareContext, Registry

MakeAll = Callable[[Workflow, str, Registry, MiddlewareContext], Awaitable[list[Middleware]]]


def made_by(make: MakeAll) -> AbstractContextManager[object]:
    """Patch how the middlewares of an agent are built."""
    return patch.object(plugins, "get_agent_middlewares", make)
