"""Realistic bugs: those of real projects, and those that a port to another language would have."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):  # importing a module enters its bugs
    import_module(f"{__name__}.{_module.name}")
