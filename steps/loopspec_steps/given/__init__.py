"""Phrases of Given steps: each changes the scene that is being built."""

from . import (  # noqa: F401  # importing a module enters its phrases
    agent,
    backend,
    configuration,
    files,
    handlers,
    held_calls,
    loop,
    plugins,
    runs,
    workflow,
    workspace,
)
