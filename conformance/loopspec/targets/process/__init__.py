"""A target in a separate process, in any language: `cmd:command line`."""

from __future__ import annotations

from .target import ProcessTarget

__all__ = ["ProcessTarget"]
