"""Import a module from an adapter's folder."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from .judged import ADAPTERS


def adapter_module(folder: str, name: str) -> ModuleType:
    """Import a module as a process in the folder of the adapter does; the checkout has no package of adapters."""
    path = str(ADAPTERS / folder)
    sys.path.insert(0, path)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(path)
