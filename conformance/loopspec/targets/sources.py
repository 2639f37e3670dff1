"""The harness's files, as a Python implementation reads them."""

from __future__ import annotations

from collections.abc import Awaitable

from ..contract.scene import ReadRequest
from ..contract.shapes import Content
from ..contract.stage import World


class Source:
    """A `Backend` over the stage's files; awaitable only for implementations that await."""

    def __init__(self, world: World, awaitable: bool = False) -> None:
        self.awaitable = awaitable
        self._world = world

    def read(self, request: ReadRequest) -> Content | Awaitable[Content]:
        """Read one of the scene's files."""
        if self.awaitable:
            return self._world.read(request)
        return self._world.read_now(request)
