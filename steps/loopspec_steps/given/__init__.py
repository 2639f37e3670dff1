"""Phrases of Given steps: each changes the scene that is being built."""

from . import (  # noqa: F401  # importing a module enters its phrases
    agent,
    backend,
    files,
    handlers,
    loop,
    plugins,
    runs,
    workflow,
    workspace,
)
