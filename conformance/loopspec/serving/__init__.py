"""An adapter in Python: any `py:` target, served over a pipe.

It builds a Stage whose doubles ask the harness at the other end, and performs the target on it.
"""

from __future__ import annotations

from .server import serve

__all__ = ["serve"]
