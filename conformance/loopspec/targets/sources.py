"""The harness's files as a backend of a Python implementation."""

from __future__ import annotations

from collections.abc import Awaitable

from ..contract.scene import ReadRequest
from ..contract.shapes import Content
from ..contract.stage import Environment


class Source:
    """A `Backend` over the stage's files; awaitable only for asynchronous implementations."""

    def __init__(self, environment: Environment, awaitable: bool = False) -> None:
        self.awaitable = awaitable
        self._environment = environment

    def read(self, request: ReadRequest) -> Content | Awaitable[Content]:
        """Read one of the scene's files."""
        if self.awaitable:
            return self._environment.read(request)
        return self._environment.read_now(request)
