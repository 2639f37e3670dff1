"""The fixtures that call `loopspec` in a folder of its own."""

from ..conformance.cli.conftest import here, loopspec
from ..conformance.conftest import start

__all__ = ["here", "loopspec", "start"]
