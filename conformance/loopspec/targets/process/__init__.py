"""A target in a process of its own, in whichever language: `cmd:command line`."""

from __future__ import annotations

from .target import ProcessTarget

__all__ = ["ProcessTarget"]
