"""Phrases of Then steps: each looks at an observation."""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__, f"{__name__}."):  # importing a module enters its phrases
    import_module(_module.name)
