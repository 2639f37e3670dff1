"""Importing the reference imports only what a loop needs."""

from __future__ import annotations

import subprocess
import sys

PRINT_NEW_MODULES = """
import sys, asyncio, msgspec
known = set(sys.modules)
import loopspec_reference
print(*sorted(set(sys.modules) - known))
"""


def test_the_loop_imports_neither_the_plugin_layer_nor_another_library() -> None:
    """An import of the package imports its own modules, asyncio and msgspec."""
    done = subprocess.run([sys.executable, "-c", PRINT_NEW_MODULES], capture_output=True, text=True, check=True)
    imported = done.stdout.split()

    assert "loopspec_reference.loop.agents" in imported
    assert [name for name in imported if name.startswith("loopspec_reference.plugins")] == []
    assert {name.partition(".")[0] for name in imported} - sys.stdlib_module_names == {"loopspec_reference"}
